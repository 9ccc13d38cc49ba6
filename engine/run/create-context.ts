// Makes the context of a whole run: evidence, sessions, pace, breakers and what decides `routed`, put together.
import { setTimeout as sleep } from 'node:timers/promises';
import { areas, operationById } from '../../catalog/catalog.ts';
import { allHosts, type Host, type Operation } from '../../catalog/operation.ts';
import { onHost, requestPath } from '../../catalog/request-path.ts';
import { createNoise } from '../compare/noise.ts';
import { createFlowEngine, type FlowEngineOptions } from '../flow/flow-context.ts';
import { createPutBack, createWrittenValues } from '../flow/undo.ts';
import { createInFlight, type InFlight } from '../http/body-limits.ts';
import { burst, burstHttp2, offersHttp2, shortestWindowMs } from '../http/burst.ts';
import { cutOff } from '../http/cut-off.ts';
import { type Exchange, statusOf } from '../http/exchange.ts';
import { rawFindings } from '../http/raw.ts';
import type { Places } from '../http/request-queue.ts';
import { type Bodies, createBodies } from '../players/bodies.ts';
import { storedLogs } from '../players/logs-sink.ts';
import {
  breakersFor,
  createBreaker,
  createReturnBudget,
  observedBreaker,
  probeHost,
} from '../probe/circuit-breaker.ts';
import { createContents } from '../probe/content-rollback.ts';
import type { Context, FlowContext } from '../probe/context.ts';
import { createEvidence, type Withheld } from '../probe/evidence.ts';
import { createErrorWatch } from '../probe/intermittent-errors.ts';
import { createLabelWatch } from '../probe/json-labels.ts';
import { createLatencies } from '../probe/latency.ts';
import { createWatch, nobodyNamed } from '../probe/named-players.ts';
import { createNullListWatch } from '../probe/null-lists.ts';
import { createRefusalStatusWatch } from '../probe/refusal-statuses.ts';
import { pathPattern } from '../probe/sent-values.ts';
import { createDecideRouted, routedFactsOf } from '../probe/served/decide-routed.ts';
import type { Routed } from '../probe/served/routed-table.ts';
import { createTimeoutBudgets } from '../probe/timeout-budget.ts';
import { changingIn, silentProfile, whyOmitted } from '../target/profile.ts';
import { markedFrom } from '../target/refusal-form.ts';
import { isSessionUntried, takesSession, wallPhrase } from '../target/session-transport.ts';
import type { Target } from '../target/target.ts';
import { defaultLimits } from '../values/default-limits.ts';
import { createLock } from '../values/lock.ts';
import { once } from '../values/once.ts';
import { createPointerWatch } from './pointers.ts';

/** Connections that the probes of all hosts read at one time. */
export const probesAtATime = 3 * allHosts.length;

interface EngineOptions
  extends Pick<
    FlowEngineOptions,
    'client' | 'target' | 'players' | 'loginFault' | 'planned' | 'attacksBriefly' | 'attackUntil'
  > {
  /** Why no player is signed in; undefined where one is. */
  readonly noSession: string | undefined;
  /** Hosts that preflight could not reach, and how that ended. */
  readonly unreachable: Readonly<Partial<Record<Host, string>>>;
  /** Deadline of a call in ms, and most calls at a time: both bound the time that a host may waste. */
  readonly timeoutMs?: number;
  readonly concurrency?: number;
  /** The client's limit on answers in flight, so that probes outside the client count too; a new one by default. */
  readonly inFlight?: InFlight;
  /** Waits for places for requests outside the client; by default it does not wait. */
  readonly beside?: Places['beside'];
  /** Given by a caller that reads afterwards which bodies were accepted. */
  readonly bodies?: Bodies;
  readonly guessWorked?: FlowContext['guessWorked'];
  /** Resolves once all checks have ended except those that wait for it. */
  readonly settled?: () => Promise<unknown>;
  /** True where nothing is sent that may change the target, except to sign in and out. */
  readonly readOnly?: boolean;
}

/** The plainest read of each host whose answer has a body; the document has none for the log host. */
const plainReads: Readonly<Partial<Record<Host, Operation>>> = {
  base: areas.general.healthcheck,
  cdn: areas.clientData.catalog,
};
/** Answers without a match after which a pointer of the profile counts as wrong. */
const sureMisfit = 3;

/** The number of players that a run of all rules uses; with fewer accounts, rules share players. */
const fewAccounts = 64;

/** Content that changes and comes back within this time, in ms, may come from machines that are being replaced. */
const restoredWithinMs = 250;

/** The watches of the run's answers; `note` passes an answer to all of them. */
function watchesOf(target: Target, players: EngineOptions['players']) {
  const latencies = createLatencies();
  const pointers = createPointerWatch(target.profile, sureMisfit);
  const names = players && createWatch(players.identities, target);
  const errors = createErrorWatch();
  const nullLists = createNullListWatch();
  const labels = createLabelWatch();
  const patternOf = once((operation: Operation) => pathPattern(operation, target));
  const refusals = createRefusalStatusWatch(
    target.refusalForm,
    (operation, { method, url }) => patternOf(operation)(method, url) !== undefined,
  );
  const contents = createContents(target.ambient.gameVersion);
  const ofOperations = [names, contents, errors, nullLists, labels, refusals];
  const note = (id: string, exchange: Exchange): void => {
    latencies.note(id, exchange);
    pointers.note(id, exchange);
    const operation = operationById(id);
    if (operation) for (const watch of ofOperations) watch?.note(operation, exchange);
  };
  return { latencies, pointers, names, errors, nullLists, labels, refusals, contents, note };
}

/** The context of one run against one target. */
export function createContext(options: EngineOptions): Context {
  const { client, target, players, noSession, loginFault, unreachable } = options;
  const { bodies = createBodies(target), guessWorked, planned, readOnly = false } = options;
  const { settled = async () => {}, beside = (_, work) => work() } = options;
  const withheld = withheldBy(target, readOnly);
  const url = (host: Host) => target.hosts[host] ?? '';
  const { timeoutMs = defaultLimits.timeoutMs, concurrency = defaultLimits.loopbackConcurrency } = options;
  const { inFlight = createInFlight({ connections: probesAtATime }) } = options;
  const now = () => performance.now();
  const returnBudget = createReturnBudget();
  const timeoutBudget = createTimeoutBudgets({ timeoutMs, concurrency, now });
  const watches = watchesOf(target, players);
  const breakers = breakersFor(target, unreachable, (host, name) =>
    observedBreaker(
      createBreaker({
        name,
        probe: () => probeHost(client, host, url(host)),
        now,
        sleep,
        returnBudget,
        timeoutBudget: timeoutBudget(),
        never: unreachable[host],
      }),
      (exchange) => markedFrom(host, target.refusalForm, exchange),
      watches.note,
    ),
  );
  const matchmaking = createLock();
  const noise = createNoise();
  const putBack = createPutBack();
  const written = createWrittenValues(players?.outlive ?? false);
  const shared = { client, target, players, breakers, bodies, matchmaking, withheld };
  const evidence = createEvidence({
    ...shared,
    noise,
    asking: (player, operation, request) => written.before(player, operation, request, flows.send),
    answered(player, operation, exchange) {
      putBack.note(player, operation, exchange);
      written.note(player, operation, exchange);
    },
  });
  let [bursts, burstCalls] = [0, 0];
  const flows = createFlowEngine({
    ...shared,
    known: evidence.known,
    guessWorked,
    loginFault,
    planned,
    attacksBriefly: options.attacksBriefly,
    attackUntil: options.attackUntil,
    putBack,
    written,
    burst: (requests, release) => {
      burstCalls += requests.length;
      if (requests.length > 1) bursts += 1;
      const how = { ...target.transport, timeoutMs };
      return beside(requests.length, () =>
        release === 'one-connection' ? burstHttp2(requests, how) : burst(requests, release, how),
      );
    },
    offersHttp2: async () =>
      target.hosts.base !== undefined &&
      (await offersHttp2(new URL(target.hosts.base).origin, target.transport ?? {})),
    storedLogs: () => storedLogs(target),
    calibrate: shortestWindowMs,
    cutOff: (request, cut) => {
      burstCalls += 1;
      const { origin, pathname } = new URL(request.url);
      for (const [host, breaker] of breakers)
        if (new URL(url(host)).origin === origin) breaker.cutOff(`${request.method} ${pathname}`);
      return beside(1, () => cutOff(request, cut, { ...target.transport, timeoutMs }));
    },
    met: (together) => watches.names?.acquaint(together.map(({ account }) => account)),
  });
  const ambientGiven = new Set<string>(target.given);
  /** Hosts that checks asked about. */
  const wanted = new Set<Host>();
  const found = new Map<Operation, Routed>();
  const decideRouted = createDecideRouted({
    ask: evidence.ask,
    control: evidence.control,
    unrouted: noise.unrouted,
    noSession: () => noSession,
    ...routedFactsOf(target),
    answers: (host) => target.hosts[host] !== undefined && unreachable[host] === undefined,
  });
  const routed = async (operation: Operation) => {
    const verdict = await decideRouted(operation);
    found.set(operation, verdict);
    return verdict;
  };
  /** Wraps a look at the whole run: it waits until all checks have ended except those that wait for this. */
  const onceSettled =
    <Asked extends readonly unknown[], Seen>(look: (...asked: Asked) => Seen | Promise<Seen>) =>
    async (...asked: Asked): Promise<Seen> => {
      await settled();
      return look(...asked);
    };
  /** The URL of the plainest read of a host. */
  const readOf = (host: Host) => {
    const read = plainReads[host];
    const around = { ambient: target.ambient, words: target.profile };
    return onHost(url(host), read === undefined ? '/' : requestPath(read, {}, around));
  };

  return {
    ask: evidence.ask,
    unknownIds: async (operation) => (await evidence.values(operation)).unknown,
    routed,
    noSession: () => noSession,
    takesSession: (host) => takesSession(target, host),
    sessionUntried: (host) => isSessionUntried(target, host),
    wall: (host) => wallPhrase(target, host, noSession),
    named: onceSettled(
      (operation: Operation, own: boolean) => watches.names?.named(operation, own) ?? nobodyNamed,
    ),
    intermittent: onceSettled(watches.errors.of),
    serverErrors: onceSettled(watches.errors.serverErrors),
    nullLists: onceSettled(watches.nullLists.of),
    outsiderAnswers: onceSettled(flows.outsiderAnswers),
    refusalStatuses: onceSettled(watches.refusals.of),
    refusalForms: onceSettled(watches.refusals.forms),
    jsonLabels: onceSettled(watches.labels.of),
    notFounds: onceSettled(async (host: Host) => {
      const missing = [...found].filter(([operation]) => operation.host === host);
      const statuses = await Promise.all(missing.map(async ([each]) => statusOf(await evidence.ask(each))));
      const of = (isIt: (verdict: Routed) => boolean) =>
        missing.filter(([, verdict], nth) => statuses[nth] === 404 && isIt(verdict)).length;
      return {
        unlike: of(({ served }) => served === true),
        alike: of((verdict) => verdict.served === undefined && verdict.reason === 'unknown-resource'),
      };
    }),
    isPlayer: (id) => players?.isOne(id) ?? false,
    crowded: () => players !== undefined && players.accounts < fewAccounts,
    stepsFirst: () => players?.areFew ?? false,
    given: (host) => target.hosts[host] !== undefined,
    unreachable(host) {
      wanted.add(host);
      return unreachable[host];
    },
    lost: (host) => breakers.get(host)?.lost(),
    wasAway: (host, since) => breakers.get(host)?.wasAway(since) ?? false,
    incidents: () => {
      // A host that was never reached is no incident for checks that do not need it.
      const known = [...breakers].filter(([host]) => unreachable[host] === undefined || wanted.has(host));
      return [...new Set(known.map(([, breaker]) => breaker))].flatMap((breaker) => breaker.incidents());
    },
    latency: watches.latencies.figures,
    longestUnanswered: ({ id }) => watches.latencies.longestUnanswered(id),
    unmatched: watches.pointers.unmatched,
    deadSession: () => evidence.credentials.deadSession(),
    // However many checks ask, a host's raw answers are read once.
    rawProbe: once((host) => rawFindings(readOf(host), { ...target.transport, inFlight })),
    noise: noise.of,
    cameBack: (host) =>
      watches.contents.cameBack(host, Math.max(restoredWithinMs, 2 * noise.of(host).copiesLiveMs)),
    burstCalls: () => burstCalls,
    bursts: () => bursts,
    noises: noise.figures,
    noteLag: noise.noteLag,
    readTimeout: noise.readTimeout,
    pause: sleep,
    seed: target.seed,
    host: url,
    ambientGiven,
    stated: ({ id }) => target.profile?.operations[id],
    flows: {
      ...flows,
      // The teardown removes resources that shared exchanges show, and checks may follow.
      async tearDown() {
        const left = await flows.tearDown();
        evidence.startAnew();
        return left;
      },
    },
  };
}

/** Withholds operations that the profile leaves out and, with --read-only, changing ones except the login. */
function withheldBy({ profile = silentProfile }: Target, readOnly: boolean): Withheld {
  const changing = changingIn(profile);
  const mayChange = ({ id, effect }: Operation) => effect !== 'read' || changing.has(id);
  return (operation) => {
    const reason = profile.omitted.get(operation.id);
    if (reason !== undefined) return whyOmitted(reason);
    if (!readOnly || operation === areas.auth.login || !mayChange(operation)) return undefined;
    return 'it may change the target (--read-only)';
  };
}
