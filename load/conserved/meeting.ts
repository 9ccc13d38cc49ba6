// Reports how players were brought together in a step: how long they waited, on both sides, and how many in vain. Pure.

import { threeDigits } from '../../engine/values/text.ts';
import type { ShownWaiting, Visit } from '../k6/plan.ts';
import type { Part } from '../k6/tally.ts';
import type { Meeting, Step } from '../step/plan.ts';
import type { Conserved } from './rule.ts';

/** Longest time that a player of these journeys waits for others, in ms. */
export const longestWaitMs = (visits: readonly Visit[]): number =>
  Math.max(
    0,
    ...visits.map(({ calls }) =>
      calls.reduce((all, { waits = [] }) => all + waits.reduce((sum, each) => sum + each, 0), 0),
    ),
  );

/** Both sides learn of a match within a few seconds, so earlier matches can be forgotten. */
const mostRemembered = 50_000;

/** Counts the matches that players learned of. */
export function createMatches() {
  const latest = new Set<string>();
  let forgotten = 0;
  return {
    count: () => forgotten + latest.size,
    add(parts: readonly Part[]): void {
      for (const { warmup, measured } of parts)
        for (const id of [warmup, measured].flatMap((cohort) => cohort?.records?.meeting ?? [])) {
          latest.add(id);
          if (latest.size <= mostRemembered) continue;
          latest.delete(latest.values().next().value as string);
          forgotten += 1;
        }
    },
  };
}

const none = { p50: 0, p95: 0, p99: 0, p999: 0, max: 0 };

/** @returns undefined where the journey brings nobody together */
export function meetingOf(
  { noted, ranMs }: Pick<Step, 'noted' | 'ranMs'>,
  matches: number,
  { metBefore, shows = {} }: { readonly metBefore: boolean; readonly shows?: ShownWaiting | undefined },
): Meeting | undefined {
  const { sought = 0, met = 0 } = noted.counts;
  if (sought === 0) return undefined;
  const timesOf = (name: string) => {
    const { count: _, ...times } = noted.times[name] ?? { ...none, count: 0 };
    return times;
  };
  const [waited, expected] = [shows.waited?.name, shows.expected?.name];
  return {
    sought,
    met,
    matches,
    metBefore,
    time: timesOf('meeting'),
    shown: {
      ...(waited !== undefined &&
        noted.times['waited off'] && { waited: { member: waited, off: timesOf('waited off') } }),
      ...(expected !== undefined &&
        noted.times.expected && {
          expected: { member: expected, says: timesOf('expected'), off: timesOf('expected off') },
        }),
    },
    perSecond: ranMs > 0 ? (matches * 1_000) / ranMs : 0,
    neverMet: 1 - met / sought,
  };
}

/** Fewest players who look for others at one moment, on average, for a matchmaker that matches none to be judged. */
const fewestAtOnce = 3;

/** Checks that players who wait at the same time are brought together, by a target that did so before the load. */
export function meetingRule(
  { sought, met, metBefore }: Meeting,
  atOnce: number,
  operation: string,
): Omit<Conserved, 'journey'> {
  const rule = `${operation}: of players who wait at the same time, some are brought together`;
  const base = { rule, acknowledged: sought, unknown: 0, examples: [] };
  if (met > 0) return { ...base, looked: sought, broken: 0 };
  if (!metBefore) return { ...base, looked: 0, broken: 0, notChecked: 'nobody met before the load either' };
  if (atOnce < fewestAtOnce)
    return { ...base, looked: 0, broken: 0, notChecked: 'too few waited at the same time' };
  return { ...base, looked: sought, broken: sought };
}

/** Formats ms: `29.9 s`. */
export const timeText = (value: number): string =>
  value >= 1_000 ? `${threeDigits(value / 1_000)} s` : `${threeDigits(value)} ms`;

/** `time to match: p50 0.8 ms, p95 251 ms for 118 of 120 players; 59 matches, 19.7/s; never matched 1.7 %`. */
export function meetingLine({ sought, met, matches, perSecond, neverMet, time }: Meeting): string {
  const times = met > 0 ? `p50 ${timeText(time.p50)}, p95 ${timeText(time.p95)} for ` : '';
  return `time to match: ${times}${met} of ${sought} players; ${matches} matches, ${threeDigits(perSecond)}/s; never matched ${+(neverMet * 100).toPrecision(2)} %`;
}

/** `waiting shown: expectedWaitSeconds says 30 s (p50), off by 29.7 s (p50); …`. */
export function shownLine({ shown: { waited, expected } }: Meeting): string {
  const said = [
    ...(waited
      ? [`${waited.member} is off by ${timeText(waited.off.p50)} (p50), ${timeText(waited.off.p95)} (p95)`]
      : []),
    ...(expected
      ? [
          `${expected.member} says ${timeText(expected.says.p50)} (p50), off by ${timeText(expected.off.p50)} (p50)`,
        ]
      : []),
  ];
  return `waiting shown: ${said.length > 0 ? said.join('; ') : 'no answer to somebody who waited and was matched states a time'}`;
}
