// Examples of each command, as a user of npm types them: `--help` ends with them.
import { typed, typedWith } from '../engine/values/typed-command.ts';

export interface Example {
  readonly line: string;
  readonly does: string;
}

const examplesFor = (...examples: readonly (readonly [line: string, does: string])[]): readonly Example[] =>
  examples.map(([line, does]) => ({ line, does }));

/** By the name of the command. */
export const examples: Readonly<Record<string, readonly Example[]>> = {
  run: examplesFor(
    [`${typedWith('run')} --only party`, 'an area, and the flow of that name'],
    [`${typedWith('run')} --only party.create`, 'an operation'],
    [`${typedWith('run')} --only '#answers' --bail 5`, 'a rule, until the fifth failure'],
    [`${typedWith('run')} --read-only --rate 20`, "with care, on somebody else's server"],
    [`${typedWith('run')} --wait-for 60s`, 'on a server that is still starting'],
    [
      `${typedWith('run')} --baseline monday/result.json`,
      'fails only on what got worse, changed or went unjudged',
    ],
    [`${typedWith('run')} --format ctrf,har`, 'two more files for other tools'],
  ),
  diff: examplesFor(
    [
      `${typedWith('diff', 'quietly')} monday/result.json tuesday/result.json`,
      'what got worse, and what was repaired',
    ],
    [`${typedWith('diff', 'quietly')} old/result.json new/result.json --json`, 'the same for a script'],
  ),
  accept: examplesFor(
    [
      `${typedWith('accept')} reports/out/result.json --profile assay-profile.json`,
      'what changed, after a yes',
    ],
    [
      `${typedWith('accept')} result.json 'party/*' --profile assay-profile.json --yes`,
      'what it shows of a flow',
    ],
  ),
  report: examplesFor(
    [`${typedWith('report')} nightly/result.json`, 'beside the result'],
    [`${typedWith('report')} nightly/result.json --out elsewhere`, 'into another folder'],
    [`${typedWith('report')} nightly/result.json --format ctrf,har`, 'and two more files'],
  ),
  trend: examplesFor(
    [`${typedWith('trend')} nightly`, 'over the results in a folder'],
    [`${typedWith('trend')} nightly --prune-older-than 90d`, 'and removes those of runs before that'],
  ),
  load: examplesFor(
    [`${typedWith('load')} login --rate 50 --duration 60s`, 'fifty sign-ins a second'],
    [`${typedWith('load')} mixed --shape ramp`, 'everything, more and more of it'],
  ),
  capacity: examplesFor([
    `${typedWith('capacity')} party --slo 'p95=80ms,errors=0.1%'`,
    'how much the target takes',
  ]),
  explain: examplesFor(
    [`${typedWith('explain')} needs-body`, 'why a check was inconclusive, and what to do'],
    [`${typedWith('explain')} party.create '#answers'`, 'an operation, and a rule that is asked of it'],
    [`${typedWith('explain')} rfc8259.text party/leave 2`, 'a clause, a step of a flow, an exit code'],
  ),
  init: examplesFor([typed('init'), 'in the folder of your repository']),
  learn: examplesFor(
    [typed('learn'), 'from a run against BASE_URL'],
    [`${typedWith('learn')} --har client.har`, 'from captures of your clients'],
  ),
  doctor: examplesFor(
    [typed('doctor'), 'what to set first, for BASE_URL, CDN_URL and GAMELOGS_URL'],
    [`${typedWith('doctor', 'quietly')} --json`, 'the same for a script'],
  ),
  session: examplesFor([
    `eval "$(BASE_URL=http://127.0.0.1:8080 ${typed('session', 'quietly')})"`,
    'for the curl commands of a report',
  ]),
  serve: examplesFor(
    [`${typedWith('serve')} --port 8080`, 'on 8080, 8081 and 8082'],
    [`${typedWith('serve')} --mutant 'who leaves stays'`, 'with one thing wrong'],
  ),
  prove: examplesFor(
    ['npm run prove', 'every mutant is found out, or it says which was not'],
    ['npm run prove -- --only stays', 'mutants whose name holds this word'],
    ['npm run prove -- --honest', 'conforming variants too: none may be accused'],
  ),
  catalog: examplesFor(
    [`${typedWith('catalog', 'quietly')} --format openapi > openapi.json`, 'for generators and editors'],
    [
      `${typedWith('catalog', 'quietly')} --format postman --profile assay-profile.json > game.postman_collection.json`,
      'a collection',
    ],
    [`${typedWith('catalog', 'quietly')} --format http --only party > party.http`, 'requests for an editor'],
    [`${typedWith('catalog', 'quietly')} --format k6 --only queue > queue.js`, 'a script for k6'],
  ),
};

/**
 * Returns the end of a command's help; empty where the command has no examples.
 * @param withMutants whether `serve` has the option `--mutant`
 */
export function examplesOf(command: string, withMutants = true): string {
  const lines = (examples[command] ?? []).filter(({ line }) => withMutants || !line.includes('--mutant'));
  if (lines.length === 0) return '';
  const longest = Math.max(...lines.map(({ line }) => line.length));
  // A long example must not push the descriptions of all others out of sight.
  const column = Math.min(longest, 64);
  return ['', 'Examples:', ...lines.map(({ line, does }) => `  ${line.padEnd(column)}  ${does}`)].join('\n');
}

/** Ends the help in a clone: how to type a command as an npm script. */
export const scriptsHelp = `
Each command is an npm script: npm run NAME -- OPTIONS; run is ${typed('run')}.
${typedWith('help')} NAME lists its options and examples; ${typedWith('explain')} WORD what a word of a report means.`;

/** Ends the help of the package. */
export const packageHelp = `
assay URL judges the server there; assay init writes the files that a repository needs to do so in CI.
${typedWith('help')} NAME lists the options and examples of a command; ${typedWith('explain')} WORD what a word of a report means.`;
