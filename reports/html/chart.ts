// Charts as SVG text, drawn here and not in the browser: the page needs no library, and shows them without a script.
import { getCompileCacheDir } from 'node:module';
import type { EChartsOption } from 'echarts';
import { type Echarts, loadEcharts } from './echarts.ts';
import { Markup, markup } from './markup.ts';

/** Once the first chart is drawn. */
let loaded: Echarts | undefined;

export interface Chart {
  /** Says in a sentence what is to be seen; the numbers stand in a table beside it. */
  readonly says: string;
  /** CSS pixels. */
  readonly width: number;
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
  axisLabel: { color: colours.weak },
  axisLine: { lineStyle: { color: colours.line } },
  axisTick: { show: false },
  splitLine: { lineStyle: { color: colours.line } },
} as const;

/** A legend above the chart. Without a browser the width of a text is a guess: the gaps have room for a wrong one. */
export const legend = {
  top: 0,
  icon: 'roundRect',
  itemHeight: 4,
  itemGap: 24,
  textStyle: { color: colours.weak },
} as const;

/** A chart in a box of its own that scrolls sideways where the page is narrow. */
export const chart = (drawn: Chart): Markup =>
  markup`<div class="scroll" role="region" aria-label="chart: ${drawn.says}" tabindex="0">${drawing(drawn)}</div>`;

/** Text in it must be Assay's own. */
export function drawing({ says, width, height, option }: Chart): Markup {
  const echarts = loaded ?? loadEcharts(getCompileCacheDir(), kindOf(option));
  const drawn = echarts.init(null, null, { renderer: 'svg', ssr: true, width, height });
  drawn.setOption({ animation: false, textStyle: { fontFamily: 'inherit' }, ...option });
  const svg = drawn.renderToSVGString();
  drawn.dispose();
  if (loaded === undefined) echarts.keep();
  loaded = echarts;
  return new Markup(withoutStyles(svg, says));
}

const kindOf = ({ series }: EChartsOption) => [series].flat()[0]?.type ?? 'none';

/** The page's policy allows no style but its own: attributes say the same. */
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
