// Runs the journeys of one k6 process: the script of every load run. Node passes calls, players and arrivals as a plan.
import { SharedArray } from 'k6/data';
import exec from 'k6/execution';
import { Counter, Gauge } from 'k6/metrics';
import type { Options } from 'k6/options';
import { setTimeout } from 'k6/timers';
import { seededRandom } from '../../engine/values/random.ts';
import { sideBySide } from '../../engine/values/side-by-side.ts';
import { arrivalTimes, journeysIn, lengthOf } from '../arrivals/schedule.ts';
import { changing } from './changing.ts';
import { createEffectRecorder } from './effects.ts';
import { newJar, senderOf } from './http.ts';
import { type Arrival, startOpenLoop } from './open-loop.ts';
import { type Actors, type Call, type Data, filled, type Person, type Plan } from './plan.ts';
import { hostIn, isFast, portAt, urlOf, withPort } from './request.ts';
import { type Iteration, nobody, type Prepared, plainVisit } from './send-call.ts';
import { type Away, type CohortTally, counters, print, tallyOf } from './tally.ts';
import { type Ended, type StillInside, visit } from './visit.ts';

declare const __ENV: Readonly<Record<string, string | undefined>>;

// Without ASSAY_PLAN, as when k6 packs an archive, the plan lies beside the script.
const original: Plan = JSON.parse(open(__ENV.ASSAY_PLAN ?? './plan.json'));
const isPerPlayer = original.connections === 'per-player';
const withPorts = (hosts: Plan['hosts']) =>
  Object.fromEntries(Object.entries(hosts).map(([name, url]) => [name, withPort(url)]));
const plan: Plan = isPerPlayer ? { ...original, hosts: withPorts(original.hosts) } : original;

/** Reading from a shared array costs as much as a request, so what was read is kept. */
function shared<T>(name: string, file: string, read: (data: Data) => readonly T[]) {
  const source = new SharedArray<T>(name, () => [...read(JSON.parse(open(file)))]);
  const items: (T | undefined)[] = [];
  return {
    length: source.length,
    at(nth: number): T | undefined {
      items[nth] ??= source[nth];
      return items[nth];
    },
  };
}

const groups = shared<Actors>('groups', plan.dataFile, (data) => data.groups);
const batches = Object.fromEntries(
  plan.batches.map((kind) => [
    kind,
    shared<string>(kind, plan.batchFile, (data) => data.batches[kind] ?? []),
  ]),
);

/** When the segment began, in ms since the epoch; `finished` counts 1 when it has come to its end. */
const began = new Gauge('assay_began');
const finished = new Counter('assay_finished');
const inFlight = new Gauge('assay_in_flight');
const counted = Object.fromEntries(counters.map((name) => [name, new Counter(name)]));

/** Idle connections that k6 keeps, in all and per host. By default it keeps as many as it sends in a batch: 6. */
const mostIdle = 20_000;
/** Extra time for the start of the VU and for the last line. */
const spareMs = 2_000;
const runsMs = (plan.leaving ? 0 : lengthOf(plan.stages)) + plan.exitTimeoutMs + spareMs;

/** One VU for each process, which runs its own event loop. */
export const options: Options = {
  scenarios: {
    journey: {
      executor: 'per-vu-iterations',
      // One in each segment.
      vus: plan.segments,
      iterations: 1,
      maxDuration: `${Math.ceil(runsMs)}ms`,
      gracefulStop: '0s',
      exec: plan.leaving ? 'leaving' : 'journey',
    },
  },
  batch: mostIdle,
  batchPerHost: mostIdle,
  maxRedirects: 0,
  userAgent: 'assay',
  // Each tag makes every sample more costly.
  systemTags: [],
};

const visits = plan.visits.map(({ weight, calls }) => ({
  weight,
  calls: calls.map((call) => prepare({ ...call, headers: filled(call.headers, __ENV) })),
}));

function prepare(given: Call): Prepared {
  const { operation, body } = given;
  const host = plan.hosts[operation.host] ?? '';
  const headers = isPerPlayer
    ? { ...given.headers, host: hostIn(original.hosts[operation.host] ?? '') }
    : given.headers;
  const call = { ...given, headers };
  return {
    call,
    port: isPerPlayer ? portAt(host) : undefined,
    id: operation.id,
    send: senderOf(operation.method),
    url: isFast(plan, call) ? urlOf(plan, call, '', () => '') : undefined,
    text: body.kind === 'none' ? null : body.kind === 'text' ? body.text : undefined,
    params: { headers: { ...headers }, timeout: plan.timeoutMs },
    headersBy: new WeakMap(),
    cached: {},
  };
}

const first = visits[0]?.calls ?? [];
const totalWeight = visits.reduce((sum, { weight }) => sum + weight, 0);
/** One in this many returning clients has an empty cache. */
const coldEvery = 10;
const recorder = createEffectRecorder();
/** Number of clients where nobody signs in and each client has a connection of its own. */
const anonymousClients = 500;
const noActors: Actors = [nobody];

const batchPlace = (kind: string, nth: number) => nth % Math.max(1, batches[kind]?.length ?? 0);
const batch = (kind: string, nth: number) => batches[kind]?.at(batchPlace(kind, nth)) ?? '';

const pause = (ms: number) => new Promise<void>((settle) => setTimeout(settle, ms));

function callsOf(nth: number): readonly Prepared[] {
  if (visits.length === 1) return first;
  let drawn = seededRandom(plan.seed + nth)() * totalWeight;
  const found = visits.find(({ weight }) => {
    drawn -= weight;
    return drawn < 0;
  });
  return found?.calls ?? first;
}

/** The only call of the journey, if nothing in it differs but the session and the log batch; else undefined. */
function plainCall(): Prepared | undefined {
  const [only] = first;
  if (visits.length !== 1 || first.length !== 1 || plan.exclusive || only === undefined) return undefined;
  const isSteady = only.url !== undefined && (only.text !== undefined || only.call.body.kind === 'batch');
  const { hands, validators, keeps } = only.call;
  return isSteady && !hands && !validators && !keeps ? only : undefined;
}

type Turn = Pick<Iteration, 'nth' | 'place' | 'seen' | 'clock'>;
type Times = Pick<Iteration, 'leavesAt' | 'staysAt'>;
type Play = (nth: number, cohort: CohortTally, times: Times) => Promise<Ended | StillInside>;

const never: Times = { leavesAt: Number.POSITIVE_INFINITY, staysAt: Number.POSITIVE_INFINITY };

const turnOf = (turn: Turn, times: Times): Iteration => ({
  ...turn,
  ...times,
  actors: groups.at(turn.place) ?? noActors,
  newJar,
  jars: [],
  recorder,
  pause,
  batchPlace: (kind) => batchPlace(kind, turn.nth),
  batch: (kind) => batch(kind, turn.nth),
  cold: turn.nth % coldEvery === 0,
  isStuck: false,
});

/** @param segment the number of this process among all that share the schedule, from 0 */
function playerOf(segment: number, clock: () => number): Play {
  const clients = groups.length > 0 ? groups.length : isPerPlayer ? anonymousClients : 1;
  const placeOf = (nth: number) => nth % clients;
  const plain = plainCall();
  if (plain !== undefined) {
    const play = plainVisit(plan, plain, newJar, batch);
    return (nth, cohort) => {
      const place = placeOf(nth);
      return play(nth, place, (groups.at(place) ?? noActors)[plain.call.as] as Person, cohort);
    };
  }
  const changes = plan.exclusive ? changerOf(segment) : undefined;
  return (nth, seen, times) => {
    const turn = turnOf({ nth, place: changes ? 0 : placeOf(nth), seen, clock }, times);
    return changes ? changes.play(callsOf(nth), turn) : visit(plan, callsOf(nth), turn);
  };
}

const changerOf = (segment: number) =>
  changing({ plan, groups, segment, journeys: visits.map(({ calls }) => calls) });

/** Returns ms since k6 began, finer than Date.now(). Each access makes a new `instance`, so one live object is kept. */
function clockOf(): () => number {
  const { instance } = exec;
  return () => instance.currentTestRunDuration;
}

/** The arrivals of this process: of `segments` arrivals in a row, each process takes one. */
function arrivalsOf(segment: number): (startsAt: number) => Arrival | undefined {
  const { stages, segments } = plan;
  const count = journeysIn(stages);
  const dueAt = arrivalTimes(stages, plan);
  let nth = segment;
  return (startsAt) => {
    if (nth >= count) return undefined;
    const arrival = { nth, due: startsAt + dueAt(nth) };
    nth += segments;
    return arrival;
  };
}

const everyMs = 1_000;
const effectsALine = 60;

export function journey(): Promise<void> {
  const clock = clockOf();
  const segment = exec.scenario.iterationInTest;
  const play = playerOf(segment, clock);
  const next = arrivalsOf(segment);
  began.add(Date.now());
  const startsAt = clock();
  const epochOfClock = Date.now() - startsAt;
  const endsAt = startsAt + lengthOf(plan.stages);
  const leavesAt = plan.exclusive ? epochOfClock + endsAt + plan.leavesMs : Number.POSITIVE_INFINITY;
  const staysAt = plan.staysMs > 0 ? epochOfClock + endsAt - plan.staysMs : Number.POSITIVE_INFINITY;
  const tally = tallyOf({
    clock: Date.now,
    awayMs: plan.forgiving ? Number.POSITIVE_INFINITY : plan.awayMs,
    onAway,
    count: (name, many, tags) => counted[name]?.add(many, tags),
  });

  function onAway({ how, since }: Away): void {
    tally.print(false);
    counted.assay_away?.add(since / 1_000, { how });
    exec.test.abort(`the target is away: ${how}`);
  }

  return new Promise((settle) => {
    let haveAllBegun = false;
    let isOver = false;
    const endIfDone = () => {
      if (isOver || !haveAllBegun || tally.inFlight() > 0) return;
      end();
    };
    const end = () => {
      isOver = true;
      const effects = recorder.recorded();
      for (let at = 0; at < effects.length; at += effectsALine)
        print(`effects ${JSON.stringify(effects.slice(at, at + effectsALine))}`);
      tally.print(true);
      finished.add(1);
      settle();
    };
    /** Counts each journey as ended, whatever becomes of it: an unhandled rejection would end all journeys. */
    const start = (nth: number, cohort: CohortTally) => {
      const ended = (how: Ended | StillInside) => {
        cohort.ends(how === 'stuck');
        endIfDone();
      };
      const threw = (error: unknown) => {
        print(`threw ${String(error)}`);
        ended('early');
      };
      try {
        play(nth, cohort, { leavesAt, staysAt }).then(ended, threw);
      } catch (error) {
        threw(error);
      }
    };
    const tick = (nth: number) => {
      if (isOver) return;
      if (clock() > endsAt + plan.exitTimeoutMs) return end();
      tally.print(false);
      inFlight.add(tally.inFlight());
      setTimeout(() => tick(nth + 1), startsAt + (nth + 1) * everyMs - clock());
    };
    setTimeout(() => tick(1), everyMs);
    startOpenLoop({
      clock,
      later: setTimeout,
      next: () => next(startsAt),
      begin: ({ nth, due }, lateMs) => {
        const cohort = due - startsAt >= plan.warmupMs ? tally.measured : tally.warmup;
        if (tally.inFlight() >= plan.inFlight) return cohort.findsNoRoom();
        cohort.begins(lateMs);
        start(nth, cohort);
      },
      end: () => {
        haveAllBegun = true;
        endIfDone();
      },
    });
  });
}

/** Groups that leave at the same time: few, because the target may be overloaded. */
const mostLeaving = 16;

/** Teardown without load: players who may still be in a party, match or queue leave it. */
export async function leaving(): Promise<void> {
  const changes = changerOf(0);
  const tally = tallyOf({
    clock: Date.now,
    awayMs: Number.POSITIVE_INFINITY,
    onAway: () => {},
    count: () => {},
  });
  await sideBySide([...plan.stillInside.keys()], mostLeaving, async (nth) => {
    const turn = turnOf({ nth, place: 0, seen: tally.measured, clock: Date.now }, never);
    try {
      await changes.leaveOnly(turn);
    } catch (error) {
      print(`threw ${String(error)}`);
    }
  });
}
