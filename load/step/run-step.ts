// Runs one step of load: writes its plan, starts k6, and makes the step's figures. Counts journeys that k6 never began.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { arrivalOf, blockOf, journeysIn, lengthOf, type Stage, unitArrivals } from '../arrivals/schedule.ts';
import { createBeats } from '../distributed/segments.ts';
import { idsOf, type Plan, segmentArgs, shareOf, type Visit } from '../k6/plan.ts';
import {
  createAwayWatch,
  createBrokenWatch,
  readLine,
  type ScriptMessage,
  type WrongAnswers,
  wrongAnswers,
} from '../run/beats.ts';
import { type K6End, runK6 } from '../run/k6-process.ts';
import { readSummary, type Summary } from '../run/summary.ts';
import { exitTimeoutMs, planOf, type SharedPlan, type Step, type StepPlan, timeoutMs } from './plan.ts';

/** Journeys that are due in the measured part. */
export function dueIn(stages: readonly Stage[], { arrivals, seed, warmupMs }: StepPlan): number {
  const units = arrivals === 'even' ? undefined : unitArrivals(blockOf(stages), seed);
  const all = journeysIn(stages);
  let before = 0;
  while (before < all && arrivalOf(stages, units, before) < warmupMs) before += 1;
  return all - before;
}

/** Share of those due: what lies at the edges of the measured part may be counted on the other side. */
const mostAtEdges = 0.02;

/**
 * @param counted journeys that ended or were dropped, as k6 counts them in the measured part
 * @param segments processes that shared the step; the bound of each is rounded up
 * @returns how many more were due; 0 where they may be those that were under way at the end
 */
export function missingOf(
  stages: readonly Stage[],
  plan: StepPlan,
  { counted, segments }: { readonly counted: number; readonly segments: number },
): number {
  const due = dueIn(stages, plan);
  const missing = due - counted;
  const mayBeUnderWay = shareOf(plan.inFlight, segments) * segments;
  return missing > mayBeUnderWay + mostAtEdges * due ? missing : 0;
}

const script = fileURLToPath(new URL('../k6/journey.ts', import.meta.url));
/** Starting k6 with many VUs on a busy machine. */
const startMs = 60_000;

/** What is the same for every step. */
export interface Ground {
  readonly k6: string;
  /** Of this user alone. */
  readonly folder: string;
  /** For the process of k6: how hosts are reached. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly shared: SharedPlan;
  readonly visits: readonly Visit[];
  /** k6 processes that share the load, an execution segment each; one where it is not said. */
  readonly segments?: number;
  /** Casts, by their place, who may still be in what they entered: each step adds to them and takes from them. */
  readonly stillInside?: Set<number>;
}

export interface Watching {
  /** The rate over time, where it is not one rate; the warm-up included. */
  readonly stages?: readonly Stage[];
  /** Called for every line of the script. */
  readonly onMessage?: (message: ScriptMessage) => void;
}

let made = 0;

/** Never rejects for what the target or k6 do. */
export async function performStep(
  ground: Ground,
  plan: StepPlan,
  signal: AbortSignal,
  watching: Watching = {},
): Promise<Step> {
  const stages = watching.stages ?? [
    { from: plan.rate, to: plan.rate, durationMs: plan.warmupMs + plan.durationMs },
  ];
  made += 1;
  const { leadMs, ...files } = write(ground, plan, stages, `${made}`);
  const { stillInside } = ground;
  const startedAt = new Date();
  const alone = new AbortController();
  const broken = createBrokenWatch();
  const away = createAwayWatch();
  let serverErrors = 0;
  let serverErrorRows: WrongAnswers[] = [];
  const { length: segments } = files.each;
  const beats = createBeats(segments, (message) => watching.onMessage?.(message));
  const ending = files.each.map(async ({ planFile }, nth) => {
    const end = await runK6({
      k6: ground.k6,
      script,
      folder: ground.folder,
      variables: { ...ground.variables, ASSAY_PLAN: planFile },
      args: segmentArgs(nth, segments),
      limitMs: startMs + lengthOf(stages) + leadMs + exitTimeoutMs + timeoutMs,
      signal: AbortSignal.any([signal, alone.signal]),
      onLine: (line) => {
        const message = readLine(line);
        beats.hears(nth, message);
        if (message && 'cast' in message)
          stillInside?.[message.cast.isOut ? 'delete' : 'add'](message.cast.place);
        if (ground.shared.forgiving) return;
        if (away.sees(message, Date.now())) alone.abort();
        if (!message || !('tally' in message)) return;
        serverErrors += message.tally.broken;
        serverErrorRows = wrongAnswers([...serverErrorRows, ...message.tally.rows.filter(isServerError)]);
        if (broken.sees(message.tally, Date.now())) alone.abort();
      },
    });
    beats.ended(nth);
    return end;
  });
  const ends = await Promise.all(ending);
  const ids = new Set(ground.visits.flatMap(({ calls }) => calls.map(({ operation }) => operation.id)));
  const summary = readSummary(
    files.each.map(({ summaryFile }) => summaryFile),
    [...ids],
  );
  const leftAlone =
    !signal.aborted && (alone.signal.aborted || ends.some(({ code }) => code === abortedByScript));
  if (leftAlone || ends.some(({ ended }) => ended !== 'by itself'))
    for (const place of files.mayPlay) stillInside?.add(place);
  const { vus, wanted, inFlight, peopleShared } = files;
  const step = stepOf({ ...plan, inFlight }, startedAt, ends, summary, {
    ...{ stages, leftAlone, serverErrors: leftAlone ? serverErrors : 0, serverErrorRows, vus, wanted },
  });
  const gone = away.ended();
  return {
    ...step,
    ...(peopleShared && { peopleShared }),
    ...(gone && { away: { ...gone, ...(leftAlone && { stopped: true }) } }),
  };
}

const isServerError = ({ answer }: WrongAnswers) => /^5(\d\d|xx)$/.test(answer) && answer !== '501';

/** Longest that leaving may take, in ms, and k6's start. */
const leavingMs = { requests: 5_000, process: 15_000 };

/**
 * After all steps: makes players leave what they may still be in, as far as that can be done in a few seconds.
 * @returns how many casts may still be in something
 */
export async function leaveBehind(ground: Ground): Promise<number> {
  const { stillInside, folder, shared, visits } = ground;
  if (stillInside === undefined || stillInside.size === 0) return 0;
  const { plan } = planOf(shared, visits, nobodyDue, [], 1);
  const planFile = join(folder, 'plan-leaving.json');
  const leaving = {
    ...{
      ...plan,
      stillInside: [...stillInside],
      leaving: true,
      timeoutMs: 2_000,
      exitTimeoutMs: leavingMs.requests,
    },
    summaryFile: join(folder, 'summary-leaving.json'),
  };
  writeFileSync(planFile, JSON.stringify(leaving satisfies Plan), { mode: 0o600 });
  await runK6({
    ...{ k6: ground.k6, script, folder, limitMs: leavingMs.process, signal: new AbortController().signal },
    variables: { ...ground.variables, ASSAY_PLAN: planFile },
    onLine: (line) => {
      const message = readLine(line);
      if (message && 'cast' in message && message.cast.isOut) stillInside.delete(message.cast.place);
    },
  });
  return stillInside.size;
}

const nobodyDue: StepPlan = {
  ...{ rate: 0, durationMs: 0, warmupMs: 0, seed: 0, arrivals: 'even', inFlight: 0, label: 'leaving' },
};

function write(ground: Ground, plan: StepPlan, stages: readonly Stage[], name: string) {
  const { segments = 1 } = ground;
  const { plan: planned, wanted, inFlight } = planOf(ground.shared, ground.visits, plan, stages, segments);
  const whole = { ...planned, stillInside: [...(ground.stillInside ?? [])] };
  const each = Array.from({ length: segments }, (_, nth) => {
    const file = (what: string) => join(ground.folder, `${what}-${name}-${nth + 1}.json`);
    return { planFile: file('plan'), summaryFile: file('summary') };
  });
  for (const { planFile, summaryFile } of each)
    writeFileSync(planFile, JSON.stringify({ ...whole, summaryFile } satisfies Plan), { mode: 0o600 });
  const { casts = 0, exclusive } = ground.shared;
  const places = Array.from({ length: casts }, (_, place) => place);
  const insidePlaces = new Set(whole.stillInside);
  // As the script turns to them; ids of VUs that play nothing lie between.
  const turns = [...places.filter((place) => !insidePlaces.has(place)), ...whole.stillInside];
  return {
    ...{ each, leadMs: whole.leadMs, vus: whole.vus, wanted, inFlight },
    mayPlay: exclusive
      ? turns.slice(0, whole.ownActors && whole.stillInside.length === 0 ? idsOf(whole) : casts)
      : [],
    ...(exclusive && !whole.ownActors && casts > 0 && { peopleShared: true as const }),
  };
}

interface Around {
  readonly stages: readonly Stage[];
  /** The load stopped early, since the target answers with server errors alone, or is away. */
  readonly leftAlone: boolean;
  /** So many were answered where it was left alone; else 0. */
  readonly serverErrors: number;
  readonly serverErrorRows: readonly WrongAnswers[];
  readonly vus: number;
  readonly wanted: number;
}

function stepOf(
  plan: StepPlan,
  startedAt: Date,
  ends: readonly K6End[],
  summary: Summary | undefined,
  { stages, leftAlone, serverErrors, serverErrorRows, vus, wanted }: Around,
): Step {
  const { iterations = 0, unbegun = 0, dropped = 0 } = summary ?? {};
  const journeys = Math.max(0, iterations - unbegun);
  const ended = endedOf(ends, summary, leftAlone);
  const isWhole = ended === 'complete' && !leftAlone;
  const none = { p50: 0, p95: 0, p99: 0, p999: 0, max: 0, mean: 0 };
  return {
    ...plan,
    startedAt: startedAt.toISOString(),
    ended,
    sent: summary?.sent ?? 0,
    journeys,
    achieved: journeys / (plan.durationMs / 1_000),
    dropped: unbegun + dropped,
    missing: isWhole ? missingOf(stages, plan, { counted: iterations + dropped, segments: ends.length }) : 0,
    capped: dropped > 0 && vus < wanted,
    latency: summary?.latency ?? none,
    errors: withServerErrors(summary?.errors ?? noErrors, serverErrors, serverErrorRows),
    lagMs: summary?.lagMs ?? { p95: 0, max: 0 },
    cpu: ends.reduce((sum, { cpu }) => sum + cpu, 0),
    operations: summary?.operations ?? {},
  };
}

const noErrors: Step['errors'] = { wrong: 0, transport: 0, kinds: {}, byOperation: [] };

/** Those of the warm-up count too: there may be no others. */
function withServerErrors(
  errors: Step['errors'],
  many: number,
  rows: readonly WrongAnswers[],
): Step['errors'] {
  if (errors.wrong >= many) return errors;
  const byOperation = wrongAnswers([...rows, ...errors.byOperation.filter((row) => !isServerError(row))]);
  return { ...errors, wrong: many, kinds: { ...errors.kinds, 'status 5xx': many }, byOperation };
}

const exception = 107;
const abortedByScript = 108;

function endedOf(ends: readonly K6End[], summary: Summary | undefined, leftAlone: boolean): Step['ended'] {
  if (leftAlone) return 'complete';
  if (ends.some(({ ended }) => ended === 'killed')) return 'killed';
  if (ends.some(({ ended }) => ended === 'interrupted')) return 'interrupted';
  // An iteration that throws leaves k6's exit code at 0.
  if (
    ends.some(
      ({ code, lastOutput }) => code === exception || lastOutput.some((line) => line.includes('file:///')),
    )
  )
    return 'threw';
  return summary === undefined ? 'no-summary' : 'complete';
}
