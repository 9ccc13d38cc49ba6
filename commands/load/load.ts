// Runs `npm run load -- JOURNEY`: puts load on a target, writes load.json and sets the exit code.

import { stopCompiling } from '../../engine/process.ts';
import { lengthOf } from '../../load/arrivals/schedule.ts';
import { peakOf, ratesText, stagesOf } from '../../load/arrivals/shapes.ts';
import { startNull } from '../../load/null-target/start.ts';
import { type CheckedLoadOptions, checkedLoadOptions, type RawLoadOptions } from '../../load/options.ts';
import { changedSince } from '../../load/prepare/players.ts';
import { loadJson, operationLines, type Ran, secondLine, verdictLines } from '../../load/report.ts';
import { createSeconds, type Second } from '../../load/run/script-output.ts';
import { sloText } from '../../load/slo.ts';
import type { Load } from '../../load/step/open-load.ts';
import { requestedStep, type Step, type StepPlan, warmupMs } from '../../load/step/plan.ts';
import { exitCodeOf, unauthorisedSince, verdictOf } from '../../load/verdict.ts';
import { terminalOf } from '../../reports/console/layout.ts';
import { type Live, serveLive } from './live.ts';
import { journeyIn, openAsTyped, writeMeasured } from './open.ts';

/** Longest run, in ms, of which every second is a line. */
const longMs = 120_000;

/** How long to load a target that does nothing, in ms, to measure the generator's own share of the latency. */
const nullMs = 3_000;

/**
 * Runs the load, prints it, writes `load.json`, and sets the exit code: 0 PASS, 1 FAIL or INVALID, 130 interrupted.
 * @throws ConfigurationError where nothing could be loaded
 */
export async function loadCommand(args: readonly string[], raw: RawLoadOptions): Promise<void> {
  if (raw.collect !== undefined && raw.export === undefined)
    return (await import('./distributed.ts')).collectCommand(raw.collect, raw.out);
  const journey = journeyIn('load', args, raw);
  const options = checkedLoadOptions(raw, process.cwd());
  if (raw.export !== undefined)
    return (await import('./distributed.ts')).exportCommand(journey, raw, options);
  const peak = peakOf(options.shape, options.rate);
  const { segments } = options;
  const { load, folder, signal } = await openAsTyped('load', journey, raw, { rate: peak, segments });
  const say = (line: string) => console.log(line);
  const { rate, arrivals, shapeName: shape } = options;
  const slo = sloText(options.slo);
  const subject = { journey: load.journey, target: load.target, rate, shape, arrivals, slo };
  const live = raw.live ? await serveLive(subject) : undefined;
  if (live) say(`live: ${live.url}`);
  try {
    const ran = await run(load, options, peak, signal, live);
    stopCompiling();
    for (const line of ['', ...operationLines(ran.step), '', ...verdictLines(ran.verdict, ran.step)])
      say(line);
    const measured = loadJson(load, options, ran);
    for (const line of await writeMeasured('load', measured, { folder, out: raw.out })) say(line);
    await live?.end(measured);
    process.exitCode = signal.aborted ? 130 : exitCodeOf(ran.verdict);
  } finally {
    live?.close();
    await load.close();
  }
}

async function run(
  load: Load,
  options: CheckedLoadOptions,
  peak: number,
  signal: AbortSignal,
  live: Live | undefined,
): Promise<Ran> {
  const { rate, durationMs, shape, shapeName, slo, perOperation, arrivals } = options;
  const stages = stagesOf(shape, rate, durationMs, warmupMs);
  const seconds: Second[] = [];
  const tick = createSeconds(stages, (second) => {
    seconds.push(second);
    live?.second(second);
    printSecond(second, lengthOf(stages));
  });
  const plan = requestedStep(options, load);
  console.log(
    `${load.journey}, ${shapeName} at ${ratesText(shape, rate)} for ${durationMs / 1_000} s after ${warmupMs / 1_000} s of warm-up, arrivals ${arrivals}, to ${Object.values(load.target).join(', ')}${load.insecure ? ' (INSECURE: no certificate is checked)' : ''}`,
  );
  const before = await load.identity();
  const step = await load.runStep(plan, signal, { stages, onParts: tick });
  if (terminalOf(process.stderr, process.env).redraws) process.stderr.write('\r\x1b[K');
  const changed = signal.aborted ? undefined : await changedSince(before, load.identity);
  const judged = {
    step,
    slo,
    perOperation,
    changed,
    sessionsEndedAt: signal.aborted ? undefined : await sessionsEndedIn(load, step, seconds),
    asks: shape.asks,
    seconds,
  };
  const first = verdictOf(judged);
  // Only an SLO that was not kept raises the question whether the generator itself was the limit.
  if (first.verdict !== 'FAIL' || slo.bounds.length === 0 || signal.aborted)
    return { step, seconds, verdict: first };
  const nullP95 = await askNull(load, { ...plan, rate: peak, durationMs: nullMs, label: 'null' }, signal);
  return { step, seconds, verdict: verdictOf({ ...judged, nullP95 }), nullP95 };
}

/** The second from which sessions were over; undefined where they are valid, though the target said 401 under load. */
async function sessionsEndedIn(
  load: Load,
  step: Step,
  seconds: readonly Second[],
): Promise<number | undefined> {
  const since = unauthorisedSince(step, seconds);
  return since !== undefined && (await load.sessionsAreOver()) ? since : undefined;
}

/** The p95 in ms of the same load on a target that does nothing: the generator's own share, asked if the SLO fails. */
async function askNull(load: Load, plan: StepPlan, signal: AbortSignal): Promise<number> {
  const nullTarget = await startNull();
  try {
    return (await load.against(nullTarget.url)(plan, signal)).latency.p95;
  } finally {
    await nullTarget.close();
  }
}

/** On a terminal one line that changes; elsewhere a line a second, or one in ten seconds where the run is long. */
function printSecond(second: Second, wholeMs: number): void {
  const line = secondLine(second);
  if (terminalOf(process.stderr, process.env).redraws) process.stderr.write(`\r\x1b[K${line}`);
  else if (wholeMs <= longMs || second.at % 10 === 0) console.log(line);
}
