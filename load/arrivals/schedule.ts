// Open-loop arrivals: when each journey is due, whatever became of those before it. Pure: k6 loads it too.
import { seededRandom } from '../../engine/values/random.ts';

export type Arrivals = 'poisson' | 'even';

/** Most arrivals that are drawn: a longer run repeats them. */
const longestBlock = 65_536;

/**
 * Poisson arrivals at rate 1: `count` of them, ascending within [0, count). Exponential gaps, scaled so that the whole
 * spans `count`; the same seed gives the same ones.
 */
export function unitArrivals(count: number, seed: number): number[] {
  const random = seededRandom(seed);
  const gap = () => -Math.log(1 - random());
  const made: number[] = [];
  let at = 0;
  for (let nth = 0; nth < count; nth += 1) {
    at += gap();
    made.push(at);
  }
  const scale = count / (at + gap());
  return made.map((each) => each * scale);
}

export const blockOf = (stages: readonly Stage[]): number =>
  Math.max(1, Math.min(longestBlock, journeysIn(stages)));

/** Returns when each journey is due, in ms from the start, by its number from 0. */
export function arrivalTimes(
  stages: readonly Stage[],
  { arrivals, seed }: { readonly arrivals: Arrivals; readonly seed: number },
): (nth: number) => number {
  if (arrivals === 'even') return (nth) => timeOf(stages, nth);
  const units = unitArrivals(blockOf(stages), seed);
  const { length } = units;
  return (nth) => {
    const begun = Math.floor(nth / length) * length;
    return timeOf(stages, begun + (units[nth - begun] as number));
  };
}

/** A time in which the rate, in journeys per second, changes linearly. */
export interface Stage {
  readonly from: number;
  readonly to: number;
  readonly durationMs: number;
}

const dueIn = ({ from, to, durationMs }: Stage) => ((from + to) / 2) * (durationMs / 1_000);

export const lengthOf = (stages: readonly Stage[]): number =>
  stages.reduce((sum, { durationMs }) => sum + durationMs, 0);

/** The number of journeys that are due in all stages, rounded down. */
export const journeysIn = (stages: readonly Stage[]): number =>
  Math.floor(stages.reduce((sum, stage) => sum + dueIn(stage), 0) + 1e-6);

/** When `count` journeys (or a fraction) are due, in ms from the start. Past the end the last rate goes on. */
export function timeOf(stages: readonly Stage[], count: number): number {
  let rest = count;
  let begun = 0;
  for (const [index, stage] of stages.entries()) {
    const due = dueIn(stage);
    if (rest <= due || index === stages.length - 1) return begun + within(stage, rest);
    rest -= due;
    begun += stage.durationMs;
  }
  return begun;
}

/** The highest rate of all, journeys per second. */
export const peakIn = (stages: readonly Stage[]): number =>
  Math.max(0, ...stages.flatMap(({ from, to }) => [from, to]));

/** The rate at a time in ms from the start. */
export function rateAt(stages: readonly Stage[], atMs: number): number {
  let begun = 0;
  for (const { from, to, durationMs } of stages) {
    if (atMs < begun + durationMs) return from + ((to - from) * (atMs - begun)) / durationMs;
    begun += durationMs;
  }
  return 0;
}

/** Solves from·t + slope·t²/2 = count, t in seconds. */
function within({ from, to, durationMs }: Stage, count: number): number {
  const slope = (to - from) / (durationMs / 1_000);
  if (count <= 0) return 0;
  if (slope === 0) return (count / from) * 1_000;
  const root = Math.sqrt(Math.max(0, from * from + 2 * slope * count));
  return ((2 * count) / (from + root)) * 1_000;
}
