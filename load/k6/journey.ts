// Runs a journey in k6: the script of every load run. Calls, people and arrivals come from Node as a plan.
import { sleep } from 'k6';
import { SharedArray } from 'k6/data';
import exec, { instance } from 'k6/execution';
import { Counter, Gauge, Trend } from 'k6/metrics';
import { seededRandom } from '../../engine/values/random.ts';
import { arrivalOf, blockOf, highestRate, lengthOf, unitArrivals } from '../arrivals/schedule.ts';
import { type Kind, mostInARow, print, shareOfLatencies, tallyOf } from './answers.ts';
import { changing } from './changing.ts';
import { getterOf, paramsFor, type Response, senderOf } from './http.ts';
import { optionsOf } from './options.ts';
import { type Actors, type Call, type Data, filled, type Person, type Plan } from './plan.ts';
import { isFast, urlOf } from './request.ts';
import { type Prepared, plainVisit, type Seen, visit } from './visit.ts';

const everyMs = 20;
const ticksPerLine = 50;

/** Ticks until the end; what was missed while the generator stood still counts with its own lateness, tick by tick. */
function sing(lag: Trend, quietMs: number, lengthMs: number): void {
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

declare const __ENV: Readonly<Record<string, string | undefined>>;

// Without ASSAY_PLAN, as when k6 packs an archive, the plan lies beside the script.
const plan: Plan = JSON.parse(open(__ENV.ASSAY_PLAN ?? './plan.json'));
const casts = new SharedArray<Actors>('casts', () => [...(JSON.parse(open(plan.dataFile)) as Data).casts]);
const batches: Record<string, readonly string[]> = {};
for (const kind of plan.batches)
  batches[kind] = new SharedArray<string>(kind, () => [
    ...((JSON.parse(open(plan.batchFile)) as Data).batches[kind] ?? []),
  ]);
const units =
  plan.arrivals === 'even'
    ? undefined
    : new SharedArray<number>('arrivals', () => unitArrivals(blockOf(plan.stages), plan.seed));

const errors = new Counter('assay_errors');
const unbegun = new Counter('assay_unbegun');
const lag = new Trend('assay_lag');
/** Of a segment: ms since the epoch, and one more when it has come to its end. */
const began = new Gauge('assay_began');
const finished = new Counter('assay_finished');

export const options = optionsOf(plan);

const ownJar = casts[0]?.[0]?.headers.cookie !== undefined;
/** With a single operation, all metrics of a VU are tagged with it once. */
const [loneId, ...otherIds] = new Set(
  plan.visits.flatMap(({ calls }) => calls.map(({ operation }) => operation.id)),
);
const isLone = otherIds.length === 0;
const visits = plan.visits.map(({ weight, calls }) => ({
  weight,
  calls: calls.map((call) => prepare({ ...call, headers: filled(call.headers, __ENV) })),
}));

function prepare(call: Call): Prepared {
  const { operation, headers, body } = call;
  const isJarred = ownJar && call.signed;
  return {
    call,
    id: operation.id,
    send: senderOf(operation.method, isJarred),
    get: body.kind === 'none' ? getterOf(operation.method, isJarred) : undefined,
    url: isFast(plan, call) ? urlOf(plan, call, '', () => '') : undefined,
    text: body.kind === 'none' ? null : body.kind === 'text' ? body.text : undefined,
    params: paramsFor(isLone ? undefined : operation.id, headers, plan.timeoutMs),
    signedAs: undefined,
    cached: {},
  };
}

const first = visits[0]?.calls ?? [];
const tally = tallyOf(
  shareOfLatencies(highestRate(plan.stages) * Math.max(1, ...visits.map(({ calls }) => calls.length))),
);
const seen = { right: tally.right, wrong };
const totalWeight = visits.reduce((sum, { weight }) => sum + weight, 0);
/** One in this many returning clients has an empty cache. */
const coldEvery = 10;
/** A single call that is the same for everybody, so the iteration number is not needed. */
const [only] = first;
const isOne = visits.length === 1 && first.length === 1 && !plan.exclusive;
const isPlain = isOne && only !== undefined && isSteady(only);

function isSteady(prepared: Prepared): boolean {
  return (
    prepared.url !== undefined &&
    prepared.text !== undefined &&
    !prepared.call.hands &&
    !prepared.call.validators
  );
}

// k6 makes these objects anew on every access, which costs as much as a request; kept objects stay live.
let scenario: typeof exec.scenario | undefined;
let journeyInstance: typeof exec.instance | undefined;
let startedAt = 0;
let leavesAt = Infinity;
let measured = false;
let nth = 0;
let ownActors: Actors | undefined;
const nobody: Actors = [{ headers: {}, query: '', values: {} }];
let changes: ReturnType<typeof changing> | undefined;
const held: Record<string, string> = {};
let plain: (() => void) | undefined;
/** Set once all further iterations only need `plain`. */
let isSwift = false;

export function journey(): void {
  if (isSwift && plain !== undefined) {
    plain();
    return;
  }
  if (scenario === undefined || journeyInstance === undefined) {
    scenario = exec.scenario;
    journeyInstance = exec.instance;
    startedAt = scenario.startTime + plan.leadMs;
    if (plan.exclusive) leavesAt = startedAt + lengthOf(plan.stages) + plan.leavesMs;
    if (isLone && loneId !== undefined) exec.vu.metrics.tags.name = loneId;
  }
  if (units !== undefined) {
    nth = scenario.iterationInTest;
    const wait = startedAt + arrivalOf(plan.stages, units, nth) - Date.now();
    if (wait > 0) sleep(wait / 1_000);
  }
  if (!measured && Date.now() - startedAt >= plan.warmupMs) {
    measured = true;
    exec.vu.metrics.tags.part = 'measured';
    isSwift = units === undefined;
  }
  // Of those whose time has come, as many as have not ended are under way. Even arrivals are bounded by their VUs.
  if (
    units !== undefined &&
    scenario.iterationInInstance + 1 - journeyInstance.iterationsCompleted > plan.inFlight
  ) {
    unbegun.add(1);
    return;
  }
  if (isPlain) {
    plain ??= plainVisit(plan, only, actors()[0] as Person, seen);
    plain();
    return;
  }
  if (units === undefined) nth = scenario.iterationInTest;
  const cold = nth % coldEvery === 0;
  const turn = { nth, batch, cold, leavesAt };
  if (!plan.exclusive) visit(plan, callsOf(nth), { ...turn, actors: actors() }, seen);
  else if (changer(seen).play(callsOf(nth), turn) === 'stuck') unbegun.add(1);
}

function changer(observer: Seen) {
  changes ??= changing({
    ...{ plan, casts, seen: observer, journeys: visits.map(({ calls }) => calls) },
    vu: () => exec.vu.idInTest - 1,
  });
  return changes;
}

/** A VU keeps the same people where the journey changes nothing. */
function actors(): Actors {
  ownActors ??= casts.length === 0 ? nobody : (casts[exec.vu.idInTest % casts.length] as Actors);
  return ownActors;
}

/** Teardown without load: players who may still be in a party, match or queue leave it. */
export function leaving(): void {
  nth = exec.scenario.iterationInTest;
  changer({ right: () => {}, wrong: () => {} }).leaveOnly({ nth, batch, cold: true, leavesAt: Infinity });
}

function callsOf(iteration: number): readonly Prepared[] {
  if (visits.length === 1) return first;
  let drawn = seededRandom(plan.seed + iteration)() * totalWeight;
  const found = visits.find(({ weight }) => {
    drawn -= weight;
    return drawn < 0;
  });
  return found?.calls ?? first;
}

/** Cached by each VU: reading it from the shared array costs more than sending it. */
function batch(kind: string): string {
  const all = batches[kind] as readonly string[];
  const key = `${kind} ${nth % all.length}`;
  held[key] ??= all[nth % all.length] as string;
  return held[key];
}

function wrong(id: string, kind: Kind, response: Response): void {
  errors.add(1, { name: id, kind });
  const inARow = tally.wrong(id, kind, response.status, response);
  if (inARow >= mostInARow && !plan.forgiving) exec.test.abort('the target answers with server errors alone');
}

export function canary(): void {
  began.add(Date.now());
  sing(lag, plan.warmupMs + plan.leadMs, lengthOf(plan.stages) + plan.leadMs);
  finished.add(1);
}

export function handleSummary(summary: unknown): Record<string, string> {
  return { [plan.summaryFile]: JSON.stringify(summary) };
}
