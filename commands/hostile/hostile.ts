// Runs `npm run hostile [-- NAME… --rest --drawn --out DIR]`: tries every hostile server and prints the results. Exits
// with 1 when Assay breaks a promise on one of them.
import { writableFolder, writeTogether } from '../../engine/files.ts';
import { leave } from '../../engine/process.ts';
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { quoted } from '../../engine/values/text.ts';
import { hostiles } from '../../fixtures/hostile/all.ts';
import type { Hostile } from '../../fixtures/hostile/hostile.ts';
import { createCommand, reportError } from '../command-line.ts';
import { plannedChecks, type Trial, tryAll } from './trial.ts';

const heading = `${'behaviour'.padEnd(34)} exit  seconds  CPU s  MiB`;

/** One line, and a further one for each promise that was broken. */
function lineOf({ name, exit, seconds, cpuSeconds, mebibytes, broken }: Trial): string {
  const figures = `${String(exit).padStart(4)}  ${seconds.toFixed(1).padStart(7)}  ${(cpuSeconds?.toFixed(1) ?? '?').padStart(5)}  ${String(mebibytes ?? '?').padStart(3)}`;
  return `${name.padEnd(34)} ${figures}${broken.map((line) => `\n    BROKEN ${line}`).join('')}`;
}

/** As a Markdown table, a row for each trial. */
function markdownOf(trials: readonly Trial[]): string {
  const rows = trials.map(
    ({ name, does, exit, seconds, cpuSeconds, mebibytes, broken }) =>
      `| ${name} | ${cell(does)} | ${exit} | ${seconds.toFixed(1)} | ${cpuSeconds?.toFixed(1) ?? '?'} | ${mebibytes ?? '?'} | ${cell(broken.join('; ')) || 'all kept'} |`,
  );
  return `| behaviour | what the target does | exit | seconds | CPU seconds | MiB | promises |
|---|---|---|---|---|---|---|
${rows.join('\n')}
`;
}

const cell = (text: string) => text.replace(/[|\\]/g, '\\$&').replaceAll('<', '&lt;').replace(/\s+/g, ' ');

/** Trials side by side: most of them wait. */
const atATime = 4;
/** Trials that take half a minute or more; begun last, they would run alone at the end. */
const longest: ReadonlySet<string> = new Set([
  'slow-for-patterns',
  'duplicate-keys',
  'big-json',
  'limited-for-ever',
  'limited-for-a-second-for-ever',
  'limited-for-nothing',
  'invalid-utf8',
  'hangs-one-in-three',
  'length-too-short',
  'vast-numbers',
  'proto-keys',
  'answers-only-strangers',
  'ten-thousand-headers',
  'body-byte-a-second',
]);
const longestFirst = (trials: readonly Hostile[]) => [
  ...trials.filter(({ name }) => longest.has(name)),
  ...trials.filter(({ name }) => !longest.has(name)),
];

interface Options {
  readonly rest?: true;
  readonly drawn?: boolean;
  readonly out?: string;
}

await createCommand('hostile')
  .description('hostile servers, each against a run as a user starts it; exit 1 when a promise is broken')
  .argument('[name...]', 'behaviours whose name holds one of these; all of them without')
  .option('--rest', 'only those that "npm run test:long" leaves out')
  .option(
    '--drawn',
    'ask the rules of a sixth of the operations and a third of the flows, another share each; those about time, memory or counting are asked everything',
  )
  .option('--out <dir>', 'where the table goes, as hostile.md')
  .action(async (words: readonly string[], { out, rest, drawn = false }: Options) => {
    const unknown = words.filter((word) => !hostiles.some(({ name }) => name.includes(word)));
    if (unknown.length > 0)
      throw new ConfigurationError(
        unknown.map((word) => `hostile: ${quoted(word)} is part of no behaviour's name`),
      );
    const begun = performance.now();
    const folder = out === undefined ? undefined : writableFolder(out, '--out', ['hostile.md']);
    const chosen = hostiles.filter(
      ({ name, quick }) =>
        (words.length === 0 || words.some((word) => name.includes(word))) && !(rest && quick),
    );
    console.log(heading);
    const planned = await plannedChecks();
    const trials = await tryAll(longestFirst(chosen), {
      planned,
      atATime,
      drawn,
      onEnd: (trial) => console.log(lineOf(trial)),
    });
    if (folder !== undefined) writeTogether(folder, { 'hostile.md': markdownOf(trials) });
    const broken = trials.reduce((sum, trial) => sum + trial.broken.length, 0);
    const seconds = Math.round((performance.now() - begun) / 1_000);
    console.log(`${chosen.length} behaviours in ${seconds} s, ${broken} promises broken`);
    return leave(broken === 0 && chosen.length > 0 ? 0 : 1);
  })
  .parseAsync()
  .catch((error) => leave(reportError(error)));
