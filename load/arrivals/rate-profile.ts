// How many journeys are due by when, where the rate changes along straight lines. Pure: k6 loads it too.

/** The rate goes from one value to the other, journeys per second, in a straight line. */
export interface Stage {
  readonly from: number;
  readonly to: number;
  readonly durationMs: number;
}

const dueIn = ({ from, to, durationMs }: Stage) => ((from + to) / 2) * (durationMs / 1_000);

export const lengthOf = (stages: readonly Stage[]): number =>
  stages.reduce((sum, { durationMs }) => sum + durationMs, 0);

/** Journeys due in all of it; whole. */
export const journeysIn = (stages: readonly Stage[]): number =>
  Math.floor(stages.reduce((sum, stage) => sum + dueIn(stage), 0) + 1e-6);

/** When so many are due, in ms from the start; `count` need not be whole. Past the end the last rate goes on. */
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
export const highestRate = (stages: readonly Stage[]): number =>
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
