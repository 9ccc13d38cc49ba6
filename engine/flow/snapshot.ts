// Takes snapshots of what a read shows, so that a later read can tell whether something changed. The order of lists and
// names does not count, since none is documented.
import { setTimeout } from 'node:timers/promises';
import { differences, inShort } from '../compare/compare.ts';
import { createContrast } from '../compare/contrast.ts';
import { noAnswer } from '../compare/no-answer.ts';
import { type KnownNoise, samplesApart } from '../compare/noise.ts';
import { type Exchange, json, jsonValue } from '../http/exchange.ts';
import { entriesOf, isNested, withoutPositions } from '../values/json-walk.ts';

const deepest = 100;
/** Most values of one answer; further ones are not read. */
const mostValues = 50_000;

/** Whether two answers hold the same in another order. @param except places that are left out of the comparison */
export function isReordered(
  { response: a }: Exchange,
  { response: b }: Exchange,
  except: ReadonlySet<string>,
): boolean {
  if (!a || !b || a.status !== b.status) return false;
  const [one, other] = [json(a), json(b)];
  if (!one.ok || !other.ok) return false;
  return inOneOrder(one.value, 'before', except) === inOneOrder(other.value, 'after', except);
}

/** A JSON value as a text, the same in whichever order its lists and names come. @param except places that are left out */
export const textInOneOrder = (value: unknown, except: ReadonlySet<string> = new Set()): string =>
  inOneOrder(value, '', except);

/**
 * A JSON value as a text that is the same in whichever order its lists and names come.
 * @param abyss stands for what is too deep or too large to compare
 */
function inOneOrder(root: unknown, abyss: string, except: ReadonlySet<string>): string {
  let left = mostValues;
  const written = (value: unknown, place: string, depth: number): string => {
    if (except.has(place)) return '';
    left -= 1;
    if (depth > deepest || left < 0) return abyss;
    const below = (each: unknown, at: string) => written(each, inShort(`${place}/${at}`), depth + 1);
    if (Array.isArray(value))
      return `[${value
        .slice(0, mostValues)
        .map((each) => below(each, '-'))
        .sort()
        .join()}]`;
    if (!isNested(value)) return JSON.stringify(value);
    const members = entriesOf(value, mostValues).map(
      ([name, each]) => `${JSON.stringify(name)}:${below(each, name)}`,
    );
    return `{${members.sort().join()}}`;
  };
  return written(root, '', 0);
}

/** Places where two answers hold different values, in any item of a list: `/items/-/name` is one place. */
export const placesThatDiffer = (a: Exchange, b: Exchange): Set<string> =>
  placesApart(valuesIn(a), valuesIn(b));

/** Places that hold other values in one of the two than in the other. */
export function placesApart(one: ValuesByPlace, other: ValuesByPlace): Set<string> {
  const joined = (values: readonly string[] | undefined) => values?.toSorted().join('\n');
  const places = new Set([...one.keys(), ...other.keys()]);
  return new Set([...places].filter((place) => joined(one.get(place)) !== joined(other.get(place))));
}

type ValuesByPlace = ReadonlyMap<string, readonly string[]>;

/** The values of an answer, as JSON, by place; none where it is not JSON. */
export function valuesIn(answer: Exchange): Map<string, string[]> {
  const value = jsonValue(answer);
  return value === undefined ? new Map() : valuesByPlace(value);
}

/** The place, as `valuesIn` names it, of a part that `differences` names. */
const placeOfPart = (name: string): string => withoutPositions(name.replace(/^body/, ''), '-');

/** The values of a JSON value, as JSON, by place. */
export function valuesByPlace(root: unknown): Map<string, string[]> {
  const found = new Map<string, string[]>();
  let left = mostValues;
  const add = (value: unknown, place: string, depth: number): void => {
    left -= 1;
    if (left < 0) return;
    if (isNested(value) && depth <= deepest) {
      for (const [name, each] of entriesOf(value, mostValues))
        add(each, inShort(`${place}/${Array.isArray(value) ? '-' : name}`), depth + 1);
    } else if (!isNested(value)) {
      const values = found.get(place);
      if (values) values.push(JSON.stringify(value));
      else found.set(place, [JSON.stringify(value)]);
    }
  };
  add(root, '', 0);
  return found;
}

// Snapshots leave out values that change by themselves.
interface Reads {
  /** The same read once more. */
  readonly read: () => Promise<Exchange>;
  /** A read of something else by the same player: what changes there in the same places is not about the thing. */
  readonly readElsewhere?: () => Promise<Exchange>;
  /** Rejects where the last sample shows nothing. */
  readonly check?: (last: Exchange) => Promise<void>;
}

export interface Snapshot extends Reads {
  /** The samples of one moment, and the last of them. */
  readonly samples: readonly Exchange[];
  readonly exchange: Exchange;
  /** Takes a later snapshot to compare with this one: one read where that shows the same, else two. */
  readonly again: () => Promise<Snapshot>;
}

/** Reads twice; once where the first read shows what the earlier snapshot shows. */
export async function snapshot(reads: Reads, earlier?: Snapshot): Promise<Snapshot> {
  const first = await reads.read();
  const samples = earlier === undefined || isOther(earlier, first) ? [first, await reads.read()] : [first];
  const exchange = samples.at(-1) ?? first;
  await reads.check?.(exchange);
  const taken: Snapshot = { ...reads, samples, exchange, again: () => snapshot(reads, taken) };
  return taken;
}

/** Whether every later sample shows something else. */
export const isOther = (before: Snapshot, ...after: readonly Exchange[]): boolean =>
  contrastOfSamples().add(before.samples, after).size > 0;

/** How `lastingChanges` takes further samples. */
export interface Sampling {
  readonly sleep?: (ms: number) => Promise<unknown>;
  readonly noise?: KnownNoise;
}

/**
 * The places, as `valuesIn` names them, where a later snapshot lastingly differs from an earlier one. Values that come
 * and go by themselves do not count, nor do those that come and go in answers about other things.
 */
export async function lastingChanges(
  before: Snapshot,
  after: Snapshot,
  { sleep = setTimeout, noise }: Sampling = {},
): Promise<readonly string[]> {
  const contrast = contrastOfSamples();
  let found = contrast.add(before.samples, after.samples);
  const elsewhere: Exchange[] = [];
  if (found.size === 0) return [];
  for await (const _ of samplesApart('snapshot', sleep, noise)) {
    const later = await after.read();
    // A host that answers no more is not read again, and the samples so far decide.
    if (noAnswer(later)) break;
    found = contrast.add([], [later]);
    if (found.size === 0) return [];
    if (after.readElsewhere) elsewhere.push(await after.readElsewhere());
  }
  const [was, is] = [valuesIn(before.exchange), valuesIn(after.exchange)];
  const answersElsewhere = elsewhere.map(valuesIn);
  const isElsewhere = (place: string, value?: string) =>
    answersElsewhere.some((values) => values.get(place)?.includes(value ?? ''));
  return [...new Set([...found].map(placeOfPart))].filter((place) => {
    const [one, other] = [was.get(place)?.[0], is.get(place)?.[0]];
    return !(isElsewhere(place, one) && isElsewhere(place, other));
  });
}

/** The parts in which all samples before differ from all samples after; none where only lists are in another order. */
function contrastOfSamples() {
  let wandering: ReadonlySet<string> = new Set();
  let first: Exchange | undefined;
  const contrast = createContrast({
    parts: differences,
    across: (before, after) => {
      const found = differences(before, after);
      return found.size > 0 && isReordered(before, after, wandering) ? new Set() : found;
    },
    wandersAfter: { one: 1, other: 1 },
  });
  return {
    add(before: readonly Exchange[], after: readonly Exchange[]): ReadonlySet<string> {
      for (const sample of after) {
        if (first) wandering = wandering.union(placesThatDiffer(first, sample));
        first ??= sample;
      }
      return contrast(before, after);
    },
  };
}
