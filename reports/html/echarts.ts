// ECharts, with what it compiled in an earlier process. Node's compile cache keeps what a file compiles while it loads;
// of this one most is compiled while the first chart is drawn, which would cost a run more than the rest of its page.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import type { init } from 'echarts';
import { writeWhole } from '../../fixtures/files/whole-file.ts';

/** One file and not a few hundred modules. */
const library = createRequire(import.meta.url).resolve('echarts/dist/echarts.min.js');

export interface Echarts {
  readonly init: typeof init;
  /** Keeps for later processes what is compiled by now, where that is not kept yet. */
  readonly keep: () => void;
}

/**
 * Loads ECharts.
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

/** Without it everything works as well, only later. */
function unlessImpossible<T>(attempt: () => T): T | undefined {
  try {
    return attempt();
  } catch {
    return undefined;
  }
}
