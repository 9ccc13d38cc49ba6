// Draws charts as SVG text with ECharts, so that the page needs no library and shows them without a script.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import type { EChartsOption, init } from 'echarts';
import { Markup, markup } from './markup.ts';

/** Loads ECharts as one file, and not as a few hundred modules. */
function loadEcharts(): typeof init {
  const filename = fileURLToPath(import.meta.resolve('#echarts'));
  const script = new Script(`(function (exports, module) {${readFileSync(filename)}\n})`, { filename });
  const echarts = {} as { init: typeof init };
  script.runInThisContext()(echarts, {});
  return echarts.init;
}

/** Set when the first chart is drawn. */
let initialize: typeof init | undefined;

interface Chart {
  /** Describes the chart in a sentence; a table beside it holds the numbers. */
  readonly says: string;
  /** CSS pixels. */
  readonly height: number;
  readonly option: EChartsOption;
}

/** Colours of the page's style, so that a chart is light or dark with it. */
export const colours = {
  text: 'var(--text)',
  weak: 'var(--weak)',
  line: 'var(--line)',
  stroke: 'var(--chart)',
  tint: 'var(--chart-tint)',
  second: 'var(--chart-second)',
  limit: 'var(--fail-bg)',
} as const;

/** Axis parts that are the same in every chart. */
export const axis = {
  nameTextStyle: { color: colours.weak },
  axisLabel: { color: colours.weak, hideOverlap: true },
  axisLine: { lineStyle: { color: colours.line } },
  axisTick: { show: false },
  splitLine: { lineStyle: { color: colours.line } },
} as const;

/** A legend above the chart. Without a browser the width of a text is a guess, so the gaps are wide. */
export const legend = {
  top: 0,
  icon: 'roundRect',
  itemHeight: 4,
  itemGap: 24,
  textStyle: { color: colours.weak },
} as const;

/** A line through points; `more` adds options, or replaces the usual ones. */
export const series = <More extends object>(
  name: string,
  data: readonly (readonly [number, number | null])[],
  color: string,
  more: More,
) => ({
  type: 'line' as const,
  name,
  data: data as [number, number | null][],
  showSymbol: false,
  itemStyle: { color },
  lineStyle: { width: 1.5, color },
  ...more,
});

/** Dashed lines across a chart. */
export const marks = (data: ({ yAxis: number; label: object } | { xAxis: number; label: object })[]) => ({
  symbol: 'none',
  lineStyle: { color: colours.limit, type: 'dashed' as const },
  label: { color: colours.text },
  data,
});

/** Invisible points that extend the axes to the marks. */
export const corners = (data: number[][]) => ({
  type: 'scatter' as const,
  symbolSize: 0,
  silent: true,
  itemStyle: { color: colours.stroke },
  data,
});

const grid = { left: 70, right: 70, top: 36, bottom: 44 };
/** Leaves 12 px on both sides of the narrowest phones. */
const [width, phoneWidth] = [860, 336];
const onPhone = {
  grid: { left: 46, right: 46, top: 60, bottom: 44 },
  legend: { itemWidth: 14, itemGap: 18 },
  // There is no room for the name of the axis beside its last label.
  xAxis: { splitNumber: 3, nameLocation: 'middle', nameGap: 26 },
};

/** A wide drawing in a box that scrolls sideways, and a narrow one for phones. Text in it must be Assay's own. */
export const chart = ({ says, height, option }: Chart): Markup =>
  markup`<div class="scroll wide" role="region" aria-label="chart: ${says}" tabindex="0">${drawing(says, width, height, { grid, ...option })}</div>
<div class="narrow">${drawing(says, phoneWidth, height, narrow(option))}</div>`;

const narrow = ({ legend, xAxis, ...option }: EChartsOption): EChartsOption => ({
  ...option,
  grid: onPhone.grid,
  ...(legend && { legend: { ...legend, ...onPhone.legend } }),
  ...(xAxis && { xAxis: { ...xAxis, ...onPhone.xAxis } as typeof xAxis }),
});

function drawing(says: string, width: number, height: number, option: EChartsOption): Markup {
  initialize ??= loadEcharts();
  const drawn = initialize(null, null, { renderer: 'svg', ssr: true, width, height });
  drawn.setOption({ animation: false, textStyle: { fontFamily: 'inherit' }, ...option });
  const svg = drawn.renderToSVGString();
  drawn.dispose();
  return new Markup(withoutStyles(svg, says));
}

/** Replaces styles by attributes: the page's content security policy allows no inline style. */
function withoutStyles(svg: string, says: string): string {
  return svg
    .replace(/<style[\s\S]*?<\/style>/g, '')
    .replace(/ (?:class|ecmeta_\w+|pointer-events|xmlns(?::xlink)?|baseProfile|version)="[^"]*"/g, '')
    .replace(/ style="([^"]*)"/g, (_, rules: string) =>
      rules.replace(/([\w-]+):([^;]+);?/g, (_, name: string, value: string) => ` ${name}="${value.trim()}"`),
    )
    .replace(/(\d\.\d)\d+/g, '$1')
    .replace(/^<svg/, markup`<svg role="img" aria-label="${says}"`.html);
}
