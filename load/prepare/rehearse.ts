// The journey once, in Node, before any load: which bodies are taken, where ids stand, and that all of it is served.
import { setTimeout as pause } from 'node:timers/promises';
import { variableOf } from '../../fixtures/target/environment.ts';
import { whyOmitted } from '../../fixtures/target/profile.ts';
import type { Journey, Stop } from '../journeys/journey.ts';
import type { Call, Cast } from '../k6/plan.ts';
import { type RehearsalOptions, rehearseStop, type Tried } from './rehearse-stop.ts';

export type { RehearsalOptions };

export interface Rehearsed {
  readonly calls: readonly Call[];
  /** Bodies by kind of log record. */
  readonly batches: Readonly<Record<string, readonly string[]>>;
  /** Calls that the journey goes without, and why. */
  readonly leftOut: readonly string[];
  /** Why it cannot be played; it has no calls then. */
  readonly mistake?: string;
}

type Given = Readonly<Record<string, string>>;

/**
 * Plays the journey stop by stop; never throws for what the target answers. Whoever has entered something leaves it.
 * @param others play it beside the cast where a call hangs on what becomes of two at once
 */
export async function rehearse(
  journey: Journey,
  options: RehearsalOptions,
  others?: Cast,
): Promise<Rehearsed> {
  const { stops } = journey;
  const calls: (Call | undefined)[] = [];
  const batches: Record<string, readonly string[]> = {};
  const leftOut: string[] = [];
  const inside = new Set<number>();
  let given: Given = {};
  for (const [at, stop] of stops.entries()) {
    if (isLeftOut(stop, given)) continue;
    const tried = whyNot(stop, options) ?? (await rehearseStop(stop, given, options));
    if ('call' in tried) {
      given = { ...given, ...tried.given };
      calls[at] = tried.call;
      if (tried.batch && stop.batch) batches[stop.batch] = tried.batch;
      if (stop.enters) inside.add(stop.as ?? 0);
      if (stop.leaves) inside.delete(stop.as ?? 0);
    } else if (stop.optional) leftOut.push(tried.mistake);
    else {
      await leave(stops.slice(at + 1), inside, given, options);
      // What is told to one alone, and cannot be left so, is nothing that became of them.
      if (stop.when !== undefined) return rehearse(withoutConditions(journey, false), options);
      return { calls: [], batches, leftOut, mistake: tried.mistake };
    }
  }
  for (const [at, stop] of stops.entries()) {
    if (!isLeftOut(stop, given)) continue;
    const tried = whyNot(stop, options) ?? (await rehearseMet(stops, stop, given, options, others));
    if ('call' in tried) calls[at] = tried.call;
    else return rehearse(withoutConditions(journey, true), options);
  }
  const played = calls.filter((call) => call !== undefined);
  if (played.length === 0) return { calls: played, batches, leftOut: [], mistake: leftOut.join('; ') };
  return { calls: played, batches, leftOut };
}

const isLeftOut = ({ when, unless }: Stop, given: Given): boolean =>
  (when !== undefined && given[when] === undefined) || (unless !== undefined && given[unless] !== undefined);

/** Why a call cannot be made at all. */
function whyNot({ operation: { id, host } }: Stop, { target }: RehearsalOptions): Tried | undefined {
  const reason = target.profile?.omitted.get(id);
  if (reason !== undefined) return { mistake: `${id}: ${whyOmitted(reason)}` };
  return target.hosts[host] === undefined ? { mistake: `${id}: ${variableOf[host]} is not set` } : undefined;
}

/**
 * The journey without the calls that hang on what an answer told.
 * @param isTold it may still explain a refusal
 */
const withoutConditions = (journey: Journey, isTold: boolean): Journey => ({
  ...journey,
  stops: journey.stops
    .filter(({ when }) => when === undefined)
    .map(({ mayGive, unless: _, ...stop }) => ({ ...stop, ...(isTold && mayGive && { mayGive }) })),
});

/** Of those who entered, whatever it is answered. */
async function leave(
  stops: readonly Stop[],
  inside: ReadonlySet<number>,
  given: Given,
  options: RehearsalOptions,
): Promise<void> {
  for (const stop of stops)
    if (stop.leaves && inside.has(stop.as ?? 0) && !isLeftOut(stop, given))
      await rehearseStop(stop, given, options);
}

const polls = 10;
const betweenPollsMs = 150;

/**
 * A call that hangs on what becomes of two at once: the cast and another enter together. Where nothing comes of that, it
 * is made ready as well as it can be unseen.
 */
async function rehearseMet(
  stops: readonly Stop[],
  stop: Stop,
  alone: Given,
  options: RehearsalOptions,
  others: Cast | undefined,
): Promise<Tried> {
  const name = stop.when ?? stop.unless ?? '';
  const last = stops.findLastIndex(({ mayGive }) => mayGive?.[name] !== undefined);
  const both = others && stop.when !== undefined ? [options, { ...options, cast: others }] : [];
  const given: Given[] = both.map(() => ({}));
  const play = async (each: readonly Stop[]) => {
    for (const [who, as] of both.entries())
      for (const entering of each) {
        const tried = await rehearseStop(entering, given[who] ?? {}, as);
        if ('call' in tried) given[who] = { ...given[who], ...tried.given };
      }
  };
  await play(stops.slice(0, last + 1));
  for (let nth = 0; nth < polls && both.length > 0 && given[0]?.[name] === undefined; nth += 1) {
    await pause(betweenPollsMs);
    await play(stops.slice(last, last + 1));
  }
  const met = given[0]?.[name] !== undefined;
  const tried = met ? await rehearseStop(stop, given[0] ?? {}, options) : undefined;
  for (const [who, as] of both.entries())
    if (!(who === 0 && tried && 'call' in tried))
      await leave(stops.slice(last + 1), new Set([stop.as ?? 0]), given[who] ?? {}, as);
  return tried ?? rehearseStop(stop, { ...alone, [name]: 'unknown' }, { ...options, isUnseen: true });
}
