// Declares the command `run` and its options, as commander parses them.
import { dirname, join } from 'node:path';
import { type Command, Option } from 'commander';
import { type AttackMode, attackModes } from '../../engine/run/attacks.ts';
import type { Gate } from '../../engine/run/baseline.ts';
import { insecure } from '../../engine/target/transport.ts';
import { typed } from '../../engine/values/typed.ts';
import { type Format, formatOption } from '../../reports/files.ts';
import {
  durationOption,
  failOnOption,
  numberOption,
  rateOption,
  runTime,
  takingUrl,
} from '../option-values.ts';

/** Adds the options of `run`. */
export const addRunOptions = (command: Command): Command =>
  command
    .option('--only <id...>', 'checks, operations, areas, rules (#answers) or globs of them')
    .option('--list', 'print the ids of the selected checks and stop')
    .option(
      '--out <dir>',
      'where the result files go (default: "reports/out"; with --rerun, the folder "rerun" beside that result)',
    )
    .option(
      '--strict',
      `inferred clauses fail instead of warning; open points still need a pin (${typed('accept')})`,
    )
    .option('--read-only', 'leave out every call that may change the target')
    .addOption(
      numberOption(
        '--min-judged <percent>',
        'share of the documented checks that must be judged on every host',
        { least: 0, most: 100 },
        '80',
      ),
    )
    .addOption(numberOption('--bail <n>', 'stop after n failures', { least: 1, most: 100_000, whole: true }))
    .addOption(
      durationOption(
        '--budget <time>',
        'one deadline for the whole run, as 300 (seconds), 10m or 1h',
        {
          ...runTime,
          leastMs: 1_000,
          mostMs: 86_400_000,
          expected: 'a time from 1s to 24h, such as 300 (seconds) or 10m',
        },
        '300',
      ),
    )
    .addOption(
      durationOption(
        '--timeout <time>',
        'one deadline for each call, body included, as 10 (seconds) or 500ms',
        {
          ...runTime,
          leastMs: 100,
          mostMs: 600_000,
          expected: 'a time from 100ms to 10m, such as 10 (seconds) or 500ms',
        },
        '10',
      ),
    )
    .addOption(
      numberOption('--concurrency <n>', 'calls in flight (default: 32 on loopback, 8 elsewhere)', {
        least: 1,
        most: 1_000,
        whole: true,
      }),
    )
    .addOption(rateOption())
    .addOption(
      durationOption(
        '--wait-for <time>',
        'wait so long for hosts that do not answer yet, as 60s or 2m; exit 2 when they never do',
        {
          ...runTime,
          leastMs: 1,
          mostMs: 3_600_000,
          expected: 'a time up to an hour, such as 60s or 2m',
        },
      ),
    )
    .option(...insecure)
    .option('--seed <seed>', 'repeats the choices of a run')
    .option('--profile <file>', 'what this target answers to open points')
    .option('--jwt-alg <alg>', 'signature of test JWTs, where no LOGIN_TOKEN is set (default: HS256)')
    .option('--baseline <file>', 'result.json of an earlier run: only what differs from it fails this one')
    .addOption(failOnOption('with --baseline, what fails the run'))
    .addOption(attackOption())
    .option('--rerun <file>', 'result.json of an earlier run: only what failed or was inconclusive there')
    .option('--keep <dir>', `also store a compressed copy there, named by time, for "${typed('trend')}"`)
    .addOption(formatOption());

/** `--attack`: whether calls meet, sessions are forged, answers are lost. */
const attackOption = () =>
  new Option(
    '--attack <mode>',
    'let calls meet and watch what the target shows: on, off, or auto: on against the embedded server and where test JWTs sign in on this machine',
  )
    .choices(attackModes)
    .default('auto');

/** Adds run. */
export function addRunCommand(program: Command): void {
  takingUrl(addRunOptions(program.command('run')))
    .description(
      'judge a target against the interface; without BASE_URL, CDN_URL and GAMELOGS_URL the embedded server',
    )
    .addHelpText(
      'after',
      `
HTTP_PROXY, HTTPS_PROXY and NO_PROXY hold as elsewhere; this machine is asked directly, unless NO_PROXY
says <-loopback>. TLS_CA names a PEM file of the certificates to trust instead of the system's.`,
    )
    .action(async (_, options) => {
      (await import('./warm-threads.ts')).warmThreads(process.env);
      const { runCommand } = await import('./command.ts');
      const { createShow } = await import('../../reports/show.ts');
      const keep = options.keep && (await import('../../reports/trend/store.ts')).openKeep(options.keep);
      await runCommand(options, createShow(options.format, keep));
    });
}

export interface RunOptions {
  readonly only?: readonly string[];
  readonly list?: boolean;
  readonly out?: string;
  readonly strict?: boolean;
  readonly readOnly?: boolean;
  readonly attack?: AttackMode;
  readonly minJudged: number;
  readonly bail?: number;
  /** ms */
  readonly budget: number;
  /** ms */
  readonly timeout: number;
  readonly concurrency?: number;
  readonly rate?: number;
  readonly seed?: string;
  readonly jwtAlg?: string;
  readonly profile?: string;
  readonly baseline?: string;
  readonly failOn?: readonly Gate[];
  readonly rerun?: string;
  readonly insecure?: boolean;
  /** ms */
  readonly waitFor?: number;
  readonly keep?: string;
  readonly format?: readonly Format[];
}

/** Where the result files go: what a rerun asks again stays, so that it can be asked once more. */
export const outIn = ({ out, rerun }: Pick<RunOptions, 'out' | 'rerun'>): string =>
  out ?? (rerun === undefined ? 'reports/out' : join(dirname(rerun), 'rerun'));

/** The limits of a run, with times in milliseconds. */
export const limitsIn = (options: RunOptions) => ({
  minJudged: options.minJudged,
  bail: options.bail,
  budgetMs: options.budget,
  timeoutMs: options.timeout,
  concurrency: options.concurrency,
  rate: options.rate,
  waitForMs: options.waitFor,
});
