// Examples of each command, as a user of npm types them: `--help` ends with them.
export interface Example {
  readonly line: string;
  readonly does: string;
}

const examplesFor = (...examples: readonly (readonly [line: string, does: string])[]): readonly Example[] =>
  examples.map(([line, does]) => ({ line, does }));

/** By the name of the command. */
export const examples: Readonly<Record<string, readonly Example[]>> = {
  run: examplesFor(
    ['npm start -- --only party', 'an area, and the flow of that name'],
    ['npm start -- --only party.create', 'an operation'],
    ["npm start -- --only '#answers' --bail 5", 'a rule, until the fifth failure'],
    ['npm start -- --read-only --rate 20', "with care, on somebody else's server"],
    ['npm start -- --wait-for 60s', 'on a server that is still starting'],
    ['npm start -- --baseline monday/result.json', 'fails only on what got worse, changed or went unjudged'],
    ['npm start -- --format ctrf,har', 'two more files for other tools'],
  ),
  diff: examplesFor(
    ['npm run -s diff -- monday/result.json tuesday/result.json', 'what got worse, and what was repaired'],
    ['npm run -s diff -- old/result.json new/result.json --json', 'the same for a script'],
  ),
  accept: examplesFor(
    ['npm run accept -- reports/out/result.json --profile profile.json', 'what changed, after a yes'],
    ["npm run accept -- result.json 'party/*' --profile profile.json --yes", 'what it shows of a flow'],
  ),
  report: examplesFor(
    ['npm run report -- nightly/result.json', 'beside the result'],
    ['npm run report -- nightly/result.json --out elsewhere', 'into another folder'],
    ['npm run report -- nightly/result.json --format ctrf,har', 'and two more files'],
  ),
  trend: examplesFor(
    ['npm run trend -- nightly', 'over the results in a folder'],
    ['npm run trend -- nightly --prune-older-than 90d', 'and removes those of runs before that'],
  ),
  load: examplesFor(
    ['npm run load -- login --rate 50 --duration 60s', 'fifty sign-ins a second'],
    ['npm run load -- mixed --shape ramp', 'everything, more and more of it'],
  ),
  capacity: examplesFor([
    "npm run capacity -- party --slo 'p95=80ms,errors=0.1%'",
    'how much the target takes',
  ]),
  explain: examplesFor(
    ['npm run explain -- needs-body', 'why a check was inconclusive, and what to do'],
    ["npm run explain -- party.create '#answers'", 'an operation, and a rule that is asked of it'],
    ['npm run explain -- rfc8259.text party/leave 2', 'a clause, a step of a flow, an exit code'],
  ),
  init: examplesFor(['npm run init', 'in the folder of your repository']),
  learn: examplesFor(
    ['npm run learn -- --output profile.json', 'from a run against BASE_URL'],
    ['npm run learn -- --har client.har --output profile.json', 'from captures of your clients'],
  ),
  doctor: examplesFor(
    ['npm run doctor', 'what to set first, for BASE_URL, CDN_URL and GAMELOGS_URL'],
    ['npm run -s doctor -- --json', 'the same for a script'],
  ),
  session: examplesFor([
    'eval "$(BASE_URL=http://127.0.0.1:8080 npm run -s session)"',
    'for the curl commands of a report',
  ]),
  serve: examplesFor(
    ['npm run serve -- --port 8080', 'on 8080, 8081 and 8082'],
    ["npm run serve -- --mutant 'who leaves stays'", 'with one thing wrong'],
  ),
  prove: examplesFor(
    ['npm run prove', 'every mutant is found out, or it says which was not'],
    ['npm run prove -- --only stays', 'mutants whose name holds this word'],
    ['npm run prove -- --honest', 'conforming variants too: none may be accused'],
  ),
  catalog: examplesFor(
    ['npm run -s catalog -- --format openapi > openapi.json', 'for generators and editors'],
    [
      'npm run -s catalog -- --format postman --profile profile.json > game.postman_collection.json',
      'a collection',
    ],
    ['npm run -s catalog -- --format http --only party > party.http', 'requests for an editor'],
    ['npm run -s catalog -- --format k6 --only queue > queue.js', 'a script for k6'],
  ),
};

/**
 * The end of a command's help; empty where there is no example of it.
 * @param withMutants whether `serve` can serve one
 */
export function examplesOf(command: string, withMutants = true): string {
  const lines = (examples[command] ?? []).filter(({ line }) => withMutants || !line.includes('--mutant'));
  if (lines.length === 0) return '';
  const longest = Math.max(...lines.map(({ line }) => line.length));
  // One long line must not push what the others do out of sight.
  const column = Math.min(longest, 64);
  return ['', 'Examples:', ...lines.map(({ line, does }) => `  ${line.padEnd(column)}  ${does}`)].join('\n');
}

/** How commands and npm scripts go together in a clone. */
export const aboutScripts = `
Each command is an npm script: npm run NAME -- OPTIONS; run is npm start.
npm run help -- NAME tells its options and examples; npm run explain -- WORD what a word of a report means.`;

/** The same of the package, whose commands are no scripts. */
export const aboutPackage = `
assay URL judges the server there; assay init writes the files that a repository needs to do so in CI.
npm run help -- NAME tells the options and examples of a command; npm run explain -- WORD what a word of a report means.`;
