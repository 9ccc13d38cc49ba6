// Box plots that stand in the rows of a table, on one axis. Drawn here: a library would cost more than the rest of the page.
import type { LatencyFigures } from '../../fixtures/check/latency.ts';
import { whole } from '../headline.ts';
import { type Markup, markup } from './markup.ts';

const width = 420;
const margin = 14;
/** ms; a logarithm has no zero. */
const least = 0.05;

export interface Scale {
  /** ms → x. */
  readonly x: (ms: number) => string;
  /** 1, 2 and 5 times powers of ten that lie on the axis, in ms. */
  readonly ticks: readonly number[];
}

/** A logarithmic axis on which all of these figures lie. */
export function scaleOf(figures: readonly LatencyFigures[]): Scale {
  const all = figures.flatMap(([min, , , , max]) => [Math.max(min, least), Math.max(max, least)]);
  const [low, high] = [Math.log10(Math.min(...all)), Math.log10(Math.max(...all))];
  const span = Math.max(high - low, 0.3);
  const x = (ms: number) =>
    (margin + ((Math.log10(Math.max(ms, least)) - low) / span) * (width - 2 * margin)).toFixed(1);
  const powers = Array.from({ length: 12 }, (_, at) => 10 ** (at - 3));
  const even = powers.flatMap((power) => (span > 1.6 ? [power] : [power, 2 * power, 5 * power]));
  const ticks = even.filter((ms) => Math.log10(ms) >= low && Math.log10(ms) <= low + span);
  return { x, ticks };
}

/** The axis with its ticks, for the head of the table. */
export function boxAxis({ x, ticks }: Scale): Markup {
  const marks = ticks.map(
    (ms) =>
      markup`<path d="M${x(ms)} 14v4"/><text x="${x(ms)}" y="10" text-anchor="middle">${told(ms)}</text>`,
  );
  return markup`<svg class="box" viewBox="0 0 ${width} 18" role="img" aria-label="axis from ${told(ticks[0] ?? 0)} to ${told(ticks.at(-1) ?? 0)}">${marks}</svg>`;
}

/** One box: whiskers to the least and the most, the box between the quartiles, the median in it. */
export function box({ x, ticks }: Scale, [min, q1, median, q3, max]: LatencyFigures): Markup {
  const grid = ticks.map((ms) => `M${x(ms)} 0v18`).join('');
  const boxWidth = Math.max(Number(x(q3)) - Number(x(q1)), 1).toFixed(1);
  return markup`<svg class="box" viewBox="0 0 ${width} 18" aria-hidden="true"><path class="grid" d="${grid}"/><path d="M${x(min)} 9H${x(max)}M${x(min)} 5.5v7M${x(max)} 5.5v7"/><rect x="${x(q1)}" y="3.5" width="${boxWidth}" height="11"/><path class="median" d="M${x(median)} 3v12"/></svg>`;
}

const told = (ms: number) => (ms >= 1000 ? `${whole(ms / 1000)} s` : `${ms} ms`);
