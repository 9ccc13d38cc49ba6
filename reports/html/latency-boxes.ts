// Box plots of latency, on one axis: they stand in the rows of a table, each as high as a row.
import type { LatencyFigures } from '../../fixtures/check/latency.ts';
import { whole } from '../headline.ts';
import { axis, colours, drawing } from './chart.ts';
import type { Markup } from './markup.ts';

/** CSS pixels; the style of `.boxes` has the same. */
const rowHeight = 26;
const width = 460;
/** Room for half of a tick's label. */
const margin = 24;
const boxHeight = 12;
/** ms; a logarithm has no zero. */
const least = 0.05;
/** The longest axis, most over least, on which the labels of 1, 2 and 5 have room. */
const longest = 300;

/** The first row holds the axis. */
export function latencyBoxes(figures: readonly LatencyFigures[]): Markup {
  const data = figures.map((each) => each.slice(0, 5).map(shown));
  const [min, max] = extentOf(data.flat());
  const customValues = ticksOf(min, max);
  const told = customValues.map(milliseconds);
  return drawing({
    says: `box plot of the same figures, on a logarithmic axis from ${milliseconds(+min.toPrecision(2))} to ${milliseconds(+max.toPrecision(2))}`,
    width,
    height: rowHeight * (figures.length + 1),
    option: {
      grid: { left: margin, right: margin, top: rowHeight, bottom: 0 },
      yAxis: { type: 'category', inverse: true, show: false },
      xAxis: {
        ...axis,
        type: 'log',
        position: 'top',
        min,
        max,
        axisLine: { show: false },
        axisTick: { show: false, customValues },
        axisLabel: { ...axis.axisLabel, customValues, formatter: (_, at) => told[at] ?? '' },
      },
      series: [
        {
          type: 'boxplot',
          silent: true,
          boxWidth: [boxHeight, boxHeight],
          itemStyle: { color: colours.tint, borderColor: colours.stroke },
          data,
        },
      ],
    },
  });
}

const shown = (ms: number) => Math.max(ms, least);

/** An axis is never shorter than to twice the least. */
function extentOf(all: readonly number[]): readonly [min: number, max: number] {
  const min = Math.min(...all);
  return [min, Math.max(...all, 2 * min)];
}

/** 1, 2 and 5 times powers of ten that lie on the axis, in ms; on a long one the powers alone. */
function ticksOf(min: number, max: number): number[] {
  const powers = Array.from({ length: 12 }, (_, at) => 10 ** (at - 3));
  const round = max / min > longest ? powers : powers.flatMap((power) => [power, 2 * power, 5 * power]);
  return round.filter((ms) => ms >= min && ms <= max);
}

const milliseconds = (ms: number) => (ms >= 1000 ? `${whole(ms / 1000)} s` : `${ms} ms`);
