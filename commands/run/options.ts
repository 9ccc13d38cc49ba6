// The options of `run`, as typed by a user and as checked numbers.

import type { Command } from 'commander';
import { defaultLimits } from '../../engine/run/limits.ts';
import { type Bound, numberIn, rateBound } from '../../engine/run/number-option.ts';
import { insecure } from '../../engine/target/transport.ts';
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { type Format, formatOption } from '../../reports/files.ts';

export interface RawOptions {
  readonly only?: readonly string[];
  readonly list?: boolean;
  readonly out: string;
  readonly strict?: boolean;
  readonly readOnly?: boolean;
  readonly minJudged: string;
  readonly bail?: string;
  readonly budget: string;
  readonly timeout: string;
  readonly concurrency?: string;
  readonly rate?: string;
  readonly seed?: string;
  readonly jwtAlg?: string;
  readonly profile?: string;
  readonly baseline?: string;
  readonly rerun?: string;
  readonly insecure?: boolean;
  readonly waitFor?: string;
  readonly keep?: string;
  readonly format?: readonly Format[];
}

export interface CheckedOptions {
  readonly minJudged: number;
  readonly bail: number | undefined;
  readonly budgetMs: number;
  readonly timeoutMs: number;
  readonly concurrency: number | undefined;
  readonly rate: number | undefined;
  readonly waitForMs: number | undefined;
}

/**
 * The numbers among the options.
 * @throws ConfigurationError with one line per mistake
 */
export function checkedOptions(raw: RawOptions): CheckedOptions {
  const mistakes: string[] = [];
  const number = (text: string | undefined, bound: Bound) => numberIn(text, bound, mistakes);
  const checked = {
    minJudged: number(raw.minJudged, ['min-judged', 0, 100, false]) ?? defaultLimits.minJudged,
    bail: number(raw.bail, ['bail', 1, 100_000, true]),
    budgetMs: (number(raw.budget, ['budget', 1, 86_400, false]) ?? 0) * 1_000,
    timeoutMs: (number(raw.timeout, ['timeout', 0.1, 600, false]) ?? 0) * 1_000,
    concurrency: number(raw.concurrency, ['concurrency', 1, 1_000, true]),
    rate: number(raw.rate, rateBound),
    waitForMs: duration(raw.waitFor, mistakes),
  };
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return checked;
}

const longestWaitMs = 3_600_000;

/** Seconds, or minutes where it ends in `m`. */
function duration(text: string | undefined, mistakes: string[]): number | undefined {
  if (text === undefined) return undefined;
  const [, figure, unit] = /^(\d+(?:\.\d+)?)(s|m)?$/.exec(text.trim()) ?? [];
  const ms = Number(figure) * (unit === 'm' ? 60_000 : 1_000);
  if (ms > 0 && ms <= longestWaitMs) return ms;
  mistakes.push(`--wait-for: "${text.slice(0, 80)}"; expected a time up to an hour, such as 60s or 2m`);
  return undefined;
}

/** Adds the options of `run`. */
export const addRunOptions = (command: Command): Command =>
  command
    .option('--only <id...>', 'checks, operations, areas, rules (#answers) or globs of them')
    .option('--list', 'print the ids of the selected checks and stop')
    .option('--out <dir>', 'where the result files go', 'reports/out')
    .option('--strict', 'inferred clauses fail instead of warning')
    .option('--read-only', 'leave out every call that may change the target')
    .option(
      '--min-judged <percent>',
      'share of the documented checks that must be judged on every host',
      '80',
    )
    .option('--bail <n>', 'stop after n failures')
    .option('--budget <seconds>', 'one deadline for the whole run', '300')
    .option('--timeout <seconds>', 'one deadline for each call, body included', '10')
    .option('--concurrency <n>', 'calls in flight (default: 32 on loopback, 8 elsewhere)')
    .option('--rate <n>', 'calls per second at most')
    .option(
      '--wait-for <time>',
      'wait so long for hosts that do not answer yet, as 60s or 2m; exit 2 when they never do',
    )
    .option(...insecure)
    .option('--seed <seed>', 'repeats the choices of a run')
    .option('--profile <file>', 'what this target answers to open points')
    .option('--jwt-alg <alg>', 'signature of test JWTs, where no LOGIN_TOKEN is set (default: HS256)')
    .option('--baseline <file>', 'result.json of an earlier run: only what got worse since fails this one')
    .option('--rerun <file>', 'result.json of an earlier run: only what failed or was inconclusive there')
    .option('--keep <dir>', 'also store a compressed copy there, named by time, for "npm run trend"')
    .addOption(formatOption());

const optionsOfRun = [
  'only',
  'read-only',
  'strict',
  'profile',
  'baseline',
  'rerun',
  'bail',
  'rate',
  'budget',
  'out',
  'insecure',
  'wait-for',
  'keep',
];

/**
 * `npm start --only party` gives the option to npm, which drops it: the run would be another than the one asked for.
 * @throws ConfigurationError naming the options that npm took
 */
export function refuseOptionsOfNpm(
  env: Readonly<Record<string, string | undefined>>,
  script = 'start',
  options: readonly string[] = optionsOfRun,
): void {
  if (env.npm_lifecycle_event !== script) return;
  const asked = script === 'start' ? 'npm start' : `npm run ${script}`;
  const taken = options.filter((name) => env[`npm_config_${name.replaceAll('-', '_')}`] !== undefined);
  if (taken.length === 0) return;
  throw new ConfigurationError(
    taken.map(
      (name) => `--${name}: npm took it for its own; put options behind a "--": ${asked} -- --${name} …`,
    ),
  );
}
