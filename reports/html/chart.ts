// Charts as SVG text, drawn here and not in the browser: the page needs no library, and shows them without a script.
import { createRequire } from 'node:module';
import type { EChartsOption, init } from 'echarts';
import { Markup, markup } from './markup.ts';

/** One file and not a few hundred modules, loaded when the first chart is drawn: it is what a chart costs most. */
const library = 'echarts/dist/echarts.min.js';
let loaded: { readonly init: typeof init } | undefined;

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

/** Text in it must be Assay's own. */
export function chart({ says, width, height, option }: Chart): Markup {
  loaded ??= createRequire(import.meta.url)(library) as { readonly init: typeof init };
  const drawn = loaded.init(null, null, { renderer: 'svg', ssr: true, width, height });
  drawn.setOption({ animation: false, textStyle: { fontFamily: 'inherit' }, ...option });
  const svg = drawn.renderToSVGString();
  drawn.dispose();
  return markup`<div class="scroll" role="region" aria-label="chart: ${says}" tabindex="0">${new Markup(withoutStyles(svg, says))}</div>`;
}

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
