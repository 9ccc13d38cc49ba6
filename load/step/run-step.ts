// Runs one step of load: writes its plan, starts k6, and makes the step's figures.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { arrivalTimes, journeysIn, lengthOf, peakIn, type Stage } from '../arrivals/schedule.ts';
import { type GroupInside, type Plan, segmentArgs, type Visit } from '../k6/plan.ts';
import type { Part } from '../k6/tally.ts';
import { createFigures } from '../run/figures.ts';
import { type K6End, runK6 } from '../run/k6-process.ts';
import { createMerger, readLine, type ScriptMessage } from '../run/script-output.ts';
import { exitTimeoutMs, planOf, type SharedPlan, type Step, type StepPlan, timeoutMs } from './plan.ts';

/** Journeys that are due in the measured part. */
export function dueIn(stages: readonly Stage[], plan: StepPlan): number {
  const dueAt = arrivalTimes(stages, plan);
  const all = journeysIn(stages);
  let before = 0;
  while (before < all && dueAt(before) < plan.warmupMs) before += 1;
  return all - before;
}

const script = fileURLToPath(new URL('../k6/journey.ts', import.meta.url));
/** Longest time that k6 takes to start on a busy machine. */
const startMs = 30_000;

/** What is the same for every step. */
export interface StepSetup {
  readonly k6: string;
  /** A folder that only this user can read. */
  readonly folder: string;
  /** Environment variables for k6, which state how hosts are reached. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly shared: SharedPlan;
  readonly visits: readonly Visit[];
  /** k6 processes that share the load, an execution segment each. Default 1. */
  readonly segments?: number;
  /** Groups, by their place, that may still be in what they entered: each step adds to them and takes from them. */
  readonly stillInside?: Map<number, GroupInside['states']>;
}

export interface Watching {
  /** The rate over time, where it is not constant; the warm-up included. */
  readonly stages?: readonly Stage[];
  /** Called once a second, with what each process printed for it. */
  readonly onParts?: (parts: readonly Part[]) => void;
  /** The mark of this step, which values that are written carry. */
  readonly mark?: string;
  /** Called with whatever else a process printed. */
  readonly onMessage?: (message: ScriptMessage) => void;
}

/** Time in s since its last line in which k6 may have begun journeys that it did not print. */
const unprintedSeconds = 2;

let made = 0;

/** Never rejects because of what the target or k6 does. */
export async function performStep(
  setup: StepSetup,
  plan: StepPlan,
  signal: AbortSignal,
  watching: Watching = {},
): Promise<Step> {
  const stages = watching.stages ?? [
    { from: plan.rate, to: plan.rate, durationMs: plan.warmupMs + plan.durationMs },
  ];
  made += 1;
  const { segments = 1, stillInside } = setup;
  const { plan: planned, inFlight } = planOf(setup.shared, setup.visits, plan, stages, segments);
  const { mark = planned.mark } = watching;
  const settings = settingsOf(setup, `${made}`, { ...planned, mark, stillInside: listed(stillInside) });
  const { groups = 0, exclusive } = setup.shared;
  const insidePlaces = [...(stillInside?.keys() ?? [])];
  const places = Array.from({ length: exclusive ? groups : 0 }, (_, place) => place);
  const inTurn = [...places.filter((place) => !insidePlaces.includes(place)), ...insidePlaces];
  const startedAt = new Date();
  const figures = createFigures();
  const merger = createMerger(segments, (parts) => watching.onParts?.(parts));
  let hasThrown = false;
  const ending = Array.from({ length: segments }, async (_, nth) => {
    const end = await runK6({
      ...settings,
      args: segmentArgs(nth, segments),
      limitMs: startMs + lengthOf(stages) + exitTimeoutMs + timeoutMs,
      signal,
      onLine: (line) => {
        const message = readLine(line);
        if (message === undefined) return;
        if ('part' in message) {
          figures.add(nth, message.part);
          merger.add(nth, message.part);
          return;
        }
        if ('out' in message) stillInside?.delete(message.out);
        else if ('left' in message) stillInside?.set(message.left.place, message.left.states);
        else if ('threw' in message) hasThrown = true;
        watching.onMessage?.(message);
      },
    });
    merger.ended(nth);
    return end;
  });
  const ends = await Promise.all(ending);
  const leftAlone = !signal.aborted && ends.some(({ code }) => code === abortedByScript);
  const isWhole = figures.finished() === segments;
  // A load that was cut off leaves players in what they entered. Groups come in turn, so at most these have played.
  const isCutOff = leftAlone || ends.some(({ ended }) => ended !== 'by itself');
  const mayHavePlayed = figures.account().begun + Math.ceil(unprintedSeconds * peakIn(stages));
  if (isCutOff) for (const place of inTurn.slice(0, mayHavePlayed)) stillInside?.set(place, []);
  const ids = new Set(setup.visits.flatMap(({ calls }) => calls.map(({ operation }) => operation.id)));
  const { begun, ...measured } = figures.figures([...ids], leftAlone);
  const ended = hasThrown ? 'threw' : endedOf(ends, isWhole, leftAlone);
  const isComplete = ended === 'complete' && !leftAlone;
  // A load that stopped early ran for less than the planned time.
  const ranMs = isComplete ? plan.warmupMs + plan.durationMs : figures.ranMs();
  const measuredMs = Math.min(plan.durationMs, ranMs - (leftAlone ? 0 : plan.warmupMs));
  const gone = figures.away();
  return {
    ...plan,
    ...measured,
    inFlight,
    startedAt: startedAt.toISOString(),
    ended,
    ranMs,
    achieved: measuredMs > 0 ? measured.journeys / (measuredMs / 1_000) : 0,
    missing: isComplete ? Math.max(0, dueIn(stages, plan) - begun) : 0,
    account: figures.account(),
    noted: figures.noted(),
    // A connection that one request opened and another used first is in the timings of neither.
    connections: Math.max(
      measured.connections,
      ends.reduce((sum, { sockets }) => sum + sockets, 0),
    ),
    cpu: ends.reduce((sum, { cpu }) => sum + cpu, 0),
    memoryMiB: ends.reduce((sum, { memoryMiB }) => sum + memoryMiB, 0),
    ...(exclusive && !planned.ownActors && groups > 0 && { peopleShared: true }),
    ...(gone && { away: { ...gone, ...(leftAlone && { stopped: true }) } }),
  };
}

/** Longest time in ms for the leaving calls, and for the whole process of k6. */
const leavingMs = { requests: 5_000, process: 15_000 };

/**
 * After all steps: makes players leave what they may still be in, as far as that can be done in a few seconds.
 * @returns how many groups may still be in something
 */
export async function leaveBehind(setup: StepSetup): Promise<number> {
  const { stillInside } = setup;
  if (stillInside === undefined || stillInside.size === 0) return 0;
  const { plan } = planOf(setup.shared, setup.visits, nobodyDue, [], 1);
  const waits = { timeoutMs: 2_000, exitTimeoutMs: leavingMs.requests };
  await runK6({
    ...settingsOf(setup, 'leaving', { ...plan, ...waits, stillInside: listed(stillInside), leaving: true }),
    limitMs: leavingMs.process,
    signal: new AbortController().signal,
    onLine: (line) => {
      const message = readLine(line);
      if (message && 'out' in message) stillInside.delete(message.out);
    },
  });
  return stillInside.size;
}

const listed = (stillInside: StepSetup['stillInside'] = new Map()): GroupInside[] =>
  [...stillInside].map(([place, states]) => ({ place, states }));

const nobodyDue: StepPlan = {
  rate: 0,
  durationMs: 0,
  warmupMs: 0,
  seed: 0,
  arrivals: 'even',
  inFlight: 0,
  label: 'leaving',
};

/** Writes the plan to a file for this user alone, and returns what k6 is started with. */
function settingsOf({ k6, folder, variables }: StepSetup, name: string, plan: Plan) {
  const planFile = join(folder, `plan-${name}.json`);
  writeFileSync(planFile, JSON.stringify(plan), { mode: 0o600 });
  return { k6, script, folder, variables: { ...variables, ASSAY_PLAN: planFile } };
}

const exception = 107;
const abortedByScript = 108;

function endedOf(ends: readonly K6End[], isWhole: boolean, leftAlone: boolean): Step['ended'] {
  if (leftAlone) return 'complete';
  if (ends.some(({ ended }) => ended === 'killed')) return 'killed';
  if (ends.some(({ ended }) => ended === 'interrupted')) return 'interrupted';
  // A script that throws leaves k6's exit code at 0.
  const isOfScript = (line: string) => line.includes('file:///');
  if (ends.some(({ code, lastOutput }) => code === exception || lastOutput.some(isOfScript))) return 'threw';
  return isWhole ? 'complete' : 'no-summary';
}
