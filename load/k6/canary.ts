// A scenario that sends nothing: how late it is, the generator itself is late.
import { sleep } from 'k6';
import { instance } from 'k6/execution';
import type { Trend } from 'k6/metrics';
import { print } from './print.ts';

const everyMs = 20;
const ticksPerLine = 50;

/** Ticks until the end; what was missed while the generator stood still counts with its own lateness, tick by tick. */
export function sing(lag: Trend, quietMs: number, lengthMs: number): void {
  const begun = Date.now();
  for (let tick = 1; tick * everyMs <= lengthMs; tick += 1) {
    const due = begun + tick * everyMs;
    const wait = due - Date.now();
    if (wait > 0) sleep(wait / 1_000);
    const late = Math.max(0, Date.now() - due);
    if (tick * everyMs >= quietMs) lag.add(late);
    if (tick % ticksPerLine === 0)
      print(`assay canary ${late} ${instance.iterationsCompleted} ${instance.vusActive}`);
  }
}
