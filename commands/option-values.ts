// Makes options for commander whose values are checked: a number within bounds, a duration, a list of known words.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { gates } from '../engine/run/baseline.ts';
import { ConfigurationError } from '../engine/values/configuration-error.ts';
import { quoted } from '../engine/values/text.ts';
import { type Format, formats } from '../reports/files.ts';

interface NumberBounds {
  readonly least: number;
  readonly most: number;
  readonly whole?: true;
  /** What follows "expected" in the error message. Default: the bounds. */
  readonly expected?: string;
}

/**
 * An option whose value is a number. A wrong value throws a ConfigurationError with option, value and expectation.
 * @param initial its default, as a user would type it
 */
export function numberOption(
  flags: string,
  description: string,
  { least, most, whole, expected }: NumberBounds,
  initial?: string,
): Option {
  const wanted = expected ?? `a ${whole ? 'whole ' : ''}number from ${least} to ${most}`;
  const read = (text: string) => {
    const value = Number(text);
    const fits = text.trim() !== '' && value >= least && value <= most;
    return fits && (!whole || Number.isInteger(value)) ? value : undefined;
  };
  return optionOf(flags, description, read, wanted, initial);
}

/** `--rate`, in calls per second, for every command that limits its calls. */
export const rateOption = () =>
  numberOption('--rate <n>', 'calls per second at most', { least: 0.1, most: 100_000 });

/** Whether the user means a URL: `http://localhost:8080`, or `localhost:8080`, without its scheme. */
export const isMeantAsUrl = (typed: string): boolean => /^https?:\/\//i.test(typed) || isSchemeless(typed);

const isSchemeless = (typed: string) =>
  /^(?:localhost|[\w.-]+:\d{1,5}|\[[\da-f:]+\]:\d{1,5})(?:\/\S*)?$/i.test(typed);

/** Adds an optional argument, a URL that replaces BASE_URL, as in `assay doctor http://localhost:8080`. */
export const takingUrl = (command: Command): Command =>
  command
    .argument('[url]', 'of the main API, in place of BASE_URL')
    .hook('preAction', (_, { args: [typed] }) => {
      if (typed !== undefined) process.env.BASE_URL = baseUrlIn(command.name(), typed);
    });

/** @throws ConfigurationError for anything but an http or https URL, such as a word that was meant for an option */
function baseUrlIn(command: string, typed: string): string {
  if (/^https?:\/\//i.test(typed)) return typed;
  if (isSchemeless(typed))
    throw new ConfigurationError([
      `${command}: ${quoted(typed)} has no scheme; write http://${typed}, or https://${typed}`,
    ]);
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\//i.exec(typed) ?? [];
  if (scheme !== undefined)
    throw new ConfigurationError([
      `${command}: ${quoted(typed)} has the scheme ${scheme}; expected http://… or https://…`,
    ]);
  throw new ConfigurationError([
    `${command}: ${quoted(typed)} is no URL; give the one of your main API (http://…)${command === 'run' ? ', or --only WORD to run less' : ''}`,
  ]);
}

const unitsMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

interface DurationBounds {
  readonly units: readonly (keyof typeof unitsMs)[];
  /** The unit of a number that is typed without one; if left out, such a number is refused. */
  readonly bare?: keyof typeof unitsMs;
  readonly leastMs: number;
  readonly mostMs: number;
  /** What follows "expected" in the error message. */
  readonly expected: string;
}

const runUnits = { units: ['ms', 's', 'm', 'h'], bare: 's' } as const;

/** Bounds of a duration of a run or a load, given as a user types them; a number without a unit is in seconds. */
export const runTime = (least: string, most: string, example: string): DurationBounds => ({
  ...runUnits,
  leastMs: durationMs(least, runUnits) ?? 0,
  mostMs: durationMs(most, runUnits) ?? 0,
  expected: `a time from ${least} to ${most}, such as ${example}`,
});

/** An option whose value is a duration such as `1m30s`, parsed to milliseconds. Throws as `numberOption` does. */
export function durationOption(
  flags: string,
  description: string,
  bounds: DurationBounds,
  initial?: string,
): Option {
  const read = (text: string) => {
    const ms = durationMs(text, bounds);
    return ms !== undefined && ms >= bounds.leastMs && ms <= bounds.mostMs ? ms : undefined;
  };
  return optionOf(flags, description, read, bounds.expected, initial);
}

function durationMs(
  text: string,
  { units, bare }: Pick<DurationBounds, 'units' | 'bare'>,
): number | undefined {
  if (bare !== undefined && /^\d+(\.\d+)?$/.test(text)) return Number(text) * unitsMs[bare];
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/gy)];
  const isWhole = parts.length > 0 && parts.map(([part]) => part).join('') === text;
  if (!isWhole || !parts.every(([, , unit]) => units.includes(unit as keyof typeof unitsMs)))
    return undefined;
  return parts.reduce(
    (sum, [, value, unit]) => sum + Number(value) * unitsMs[unit as keyof typeof unitsMs],
    0,
  );
}

function optionOf(
  flags: string,
  description: string,
  read: (text: string) => number | undefined,
  expected: string,
  initial?: string,
): Option {
  const option = new Option(flags, description);
  const parse = (text: string): number => {
    const value = read(text);
    if (value !== undefined) return value;
    throw new ConfigurationError([`${option.long}: ${quoted(text)}; expected ${expected}`]);
  };
  option.argParser(parse);
  return initial === undefined ? option : option.default(parse(initial), JSON.stringify(initial));
}

/** `--fail-on`: which differences between two runs count as a failure. @param what begins the description */
export const failOnOption = (what: string) =>
  listOption(
    '--fail-on <list>',
    `${what}: worse, changed, unjudged, with commas between (default: all three)`,
    gates,
    `is none of ${gates.join(', ')}.`,
  );

/** `--format`: files that are written in addition to the usual ones. */
export const formatOption = () => {
  const names = Object.keys(formats) as Format[];
  return listOption(
    '--format <list>',
    `files beside the usual ones, with commas between: ${names.join(', ')}`,
    names,
    `is no format; expected ${names.join(', ')}.`,
  );
};

/**
 * An option whose value is a list of words with commas between, each taken once.
 * @param wrong follows the first unknown word in the error message
 */
function listOption<Word extends string>(
  flags: string,
  description: string,
  known: readonly Word[],
  wrong: string,
): Option {
  return new Option(flags, description).argParser((text: string): Word[] => {
    const words = text.split(',').map((word) => word.trim());
    const stray = words.find((word) => !(known as readonly string[]).includes(word));
    if (stray !== undefined) throw new InvalidArgumentError(`"${stray.slice(0, 40)}" ${wrong}`);
    return [...new Set(words as Word[])];
  });
}
