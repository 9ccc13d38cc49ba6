// Defines the shapes of load, how the rate changes over time: multiples of --rate over shares of --duration.
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { didYouMean, quoted } from '../../engine/values/text.ts';
import type { Stage } from './schedule.ts';

export interface Shape {
  /** The duration where --duration is not given. */
  readonly durationMs: number;
  /** Rates as multiples of the wanted one, durations as shares of the whole; the shares add up to 1. */
  readonly stages: readonly { readonly from: number; readonly to: number; readonly share: number }[];
  /** What the time line is judged by, besides the SLO. */
  readonly asks?: 'recovery' | 'trend';
}

const level = (rate: number, share: number) => ({ from: rate, to: rate, share });

export const shapes = {
  smoke: {
    durationMs: 5_000,
    stages: [level(0.1, 1)],
  },
  steady: { durationMs: 30_000, stages: [level(1, 1)] },
  ramp: {
    durationMs: 60_000,
    stages: [{ from: 0.1, to: 1, share: 0.75 }, level(1, 0.25)],
  },
  spike: {
    durationMs: 60_000,
    stages: [level(1, 0.3), level(5, 0.2), level(1, 0.5)],
    asks: 'recovery',
  },
  soak: {
    durationMs: 30 * 60_000,
    stages: [level(1, 1)],
    asks: 'trend',
  },
  stress: {
    durationMs: 60_000,
    stages: [level(0.5, 0.2), level(1, 0.2), level(1.5, 0.2), level(2, 0.2), level(3, 0.2)],
  },
} as const satisfies Readonly<Record<string, Shape>>;

export type ShapeName = keyof typeof shapes;
const shapeNames = Object.keys(shapes) as ShapeName[];

/** @throws ConfigurationError that names the nearest shape */
export function shapeNamed(name: string): ShapeName {
  if ((shapeNames as readonly string[]).includes(name)) return name as ShapeName;
  throw new ConfigurationError([
    `--shape: ${quoted(name)} is no shape${didYouMean(name, shapeNames) || '.'} There are ${shapeNames.join(', ')}`,
  ]);
}

/** The stages of a shape at a rate, a warm-up at its first rate before them. */
export function stagesOf(shape: Shape, rate: number, durationMs: number, warmupMs: number): Stage[] {
  const stages = shape.stages.map(({ from, to, share }) => ({
    from: from * rate,
    to: to * rate,
    durationMs: share * durationMs,
  }));
  const [{ from } = { from: rate }] = stages;
  // A first stage of constant rate and the warm-up are one stage.
  const [first, ...rest] = stages;
  return first && first.from === first.to
    ? [{ ...first, durationMs: first.durationMs + warmupMs }, ...rest]
    : [{ from, to: from, durationMs: warmupMs }, ...stages];
}

const ratesOf = ({ stages }: Shape, rate: number): number[] =>
  stages.flatMap(({ from, to }) => [from * rate, to * rate]);

export const peakOf = (shape: Shape, rate: number): number => Math.max(...ratesOf(shape, rate));

/** What is offered: `20 journeys/s`, or `2 to 20 journeys/s` where the rate changes. */
export function ratesText(shape: Shape, rate: number): string {
  const rates = ratesOf(shape, rate);
  const ends = new Set([Math.min(...rates), Math.max(...rates)]);
  return `${Array.from(ends, (each) => Number(each.toPrecision(12))).join(' to ')} journeys/s`;
}
