// Draws charts as SVG text with ECharts, so that the page needs no library and shows them without a script.
import { readFileSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import type { EChartsOption, init } from 'echarts';
import { writeWhole } from '../../engine/files.ts';
import { Markup, markup } from './markup.ts';

/** One file and not a few hundred modules. */
const library = fileURLToPath(import.meta.resolve('#echarts'));

interface Echarts {
  readonly init: typeof init;
  /** Saves the code compiled so far for later processes, where it is not saved yet. */
  readonly keep: () => void;
}

/**
 * Loads ECharts with the code that an earlier process compiled. Node's own compile cache misses most of it, because it is
 * compiled while the first chart is drawn.
 * @param folder of this runtime's compiled code; undefined where none is to be kept
 * @param kind of the chart that is drawn first: what it needs is kept under this name
 */
export function loadEcharts(folder: string | undefined, kind: string): Echarts {
  const source = readFileSync(library);
  const file = folder && join(folder, `echarts-${kind}-${crc32(source)}`);
  const cachedData = file ? compiledIn(file) : undefined;
  const script = new Script(`(function (exports, module) {${source}\n})`, {
    filename: library,
    ...(cachedData && { cachedData }),
  });
  const echarts = {} as { init: typeof init };
  script.runInThisContext()(echarts, {});
  const isKept = cachedData !== undefined && script.cachedDataRejected === false;
  return {
    init: echarts.init,
    keep() {
      if (file && !isKept) unlessImpossible(() => writeWhole(file, script.createCachedData(), 'cache'));
    },
  };
}

const compiledIn = (file: string) => unlessImpossible(() => readFileSync(file));

/** Returns undefined where the attempt fails: the cache only saves time. */
function unlessImpossible<T>(attempt: () => T): T | undefined {
  try {
    return attempt();
  } catch {
    return undefined;
  }
}

// Drawing.

/** Once the first chart is drawn. */
let loaded: Echarts | undefined;

interface Chart {
  /** Describes the chart in a sentence; a table beside it holds the numbers. */
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

/** Leaves 12 px on both sides of the narrowest phones. */
const phoneWidth = 336;
const onPhone = {
  grid: { left: 46, right: 46, top: 60, bottom: 44 },
  legend: { itemWidth: 14, itemGap: 10 },
};

/** As wide as it is drawn, in a box that scrolls sideways; on a phone, drawn for one. */
export const chart = (drawn: Chart): Markup =>
  markup`<div class="scroll wide" role="region" aria-label="chart: ${drawn.says}" tabindex="0">${drawing(drawn)}</div>
<div class="narrow">${drawing(narrow(drawn))}</div>`;

function narrow({ option, ...drawn }: Chart): Chart {
  const legend = option.legend && { ...option.legend, ...onPhone.legend };
  return {
    ...drawn,
    width: phoneWidth,
    option: { ...option, grid: onPhone.grid, ...(legend && { legend }) },
  };
}

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
