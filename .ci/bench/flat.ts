// 50 whole runs of the engine in one process, against a target in another; prints the heap after each, in MiB.
import { suites } from '../../commands/run/suites.ts';
import { startEmbedded } from '../../commands/serve/embedded.ts';
import { root } from '../../engine/files.ts';
import { openJudge } from '../../engine/run/judge.ts';
import { openTarget } from '../../engine/run/open-target.ts';

const runs = Number(process.argv[2]);
const { gc } = globalThis as { gc?: () => void };
if (gc === undefined) throw new Error('needs --expose-gc');
const checks = suites.flatMap((suite) => suite.checks);
const { target, preflight, concurrency, close } = await openTarget({
  embedded: startEmbedded,
  env: process.env,
  cwd: root,
});
const { discovery, unreachable } = preflight;
const heaps: number[] = [];
for (let nth = 0; nth < runs; nth += 1) {
  const judge = openJudge(
    {
      ...{ target: { ...target, runId: `flat${nth}` }, discovery, unreachable, concurrency },
      ...{ journal: undefined, strict: false, readOnly: false, timeoutMs: 10_000, rate: undefined },
      deadline: Date.now() + 120_000,
    },
    { planned: new Set(checks.map(({ id }) => id)), onProgress: () => {} },
  );
  await judge.performFile(checks);
  judge.close();
  // What connections and timers held is let go a moment after they are closed.
  await new Promise((resolve) => setTimeout(resolve, 50));
  gc();
  const { heapUsed, external } = process.memoryUsage();
  heaps.push((heapUsed + external) / 2 ** 20);
}
console.log(JSON.stringify(heaps));
await close();
