// The journey once, in Node, before any load: which bodies are taken, where ids stand, and that all of it is served.

import { variableOf } from '../../fixtures/target/environment.ts';
import { whyOmitted } from '../../fixtures/target/profile.ts';
import type { Journey } from '../journeys/journey.ts';
import type { Call } from '../k6/plan.ts';
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

/** Plays the journey stop by stop; never throws for what the target answers. */
export async function rehearse(journey: Journey, options: RehearsalOptions): Promise<Rehearsed> {
  const { profile, hosts } = options.target;
  const calls: Call[] = [];
  const batches: Record<string, readonly string[]> = {};
  const leftOut: string[] = [];
  let given: Readonly<Record<string, string>> = {};
  for (const stop of journey.stops) {
    const { id, host } = stop.operation;
    const reason = profile?.omitted.get(id);
    const tried: Tried =
      reason !== undefined
        ? { mistake: `${id}: ${whyOmitted(reason)}` }
        : hosts[host] === undefined
          ? { mistake: `${id}: ${variableOf[host]} is not set` }
          : await rehearseStop(stop, given, options);
    if ('call' in tried) {
      given = { ...given, ...tried.given };
      calls.push(tried.call);
      if (tried.batch && stop.batch) batches[stop.batch] = tried.batch;
    } else if (stop.optional) leftOut.push(tried.mistake);
    else return { calls: [], batches, leftOut, mistake: tried.mistake };
  }
  if (calls.length === 0) return { calls, batches, leftOut: [], mistake: leftOut.join('; ') };
  return { calls, batches, leftOut };
}
