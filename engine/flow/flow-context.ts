// Provides scenarios with the client, players, evidence and profile of a run.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Host, Operation } from '../../catalog/operation.ts';
import { controlPath } from '../compare/controls.ts';
import { type Ask, pathOf, requestOf } from '../http/ask.ts';
import { mostAtOnce, type Release } from '../http/burst.ts';
import type { Client } from '../http/client.ts';
import type { Cut } from '../http/cut-off.ts';
import { type Exchange, type Request, statusOf } from '../http/exchange.ts';
import type { Bodies } from '../players/bodies.ts';
import { namesTwo, type TemplateValues } from '../players/body-template.ts';
import { mended } from '../players/mended-bodies.ts';
import type { Player, Players } from '../players/players.ts';
import type { LoginFault } from '../players/sign-in-discovery.ts';
import type { Breaker, Guarded } from '../probe/circuit-breaker.ts';
import type {
  AnybodysCall,
  AttackMeans,
  CleanUp,
  FlowContext,
  OutsiderAnswer,
  SeenUnserved,
  StepNotes,
} from '../probe/context.ts';
import { type Evidence, notSent, type Withheld } from '../probe/evidence.ts';
import { dependsOnPlayer } from '../probe/identifier-sources.ts';
import { choicesFor, valuesFor } from '../probe/parameters.ts';
import { markedFrom } from '../target/refusal-form.ts';
import { takesSession } from '../target/session-transport.ts';
import { surroundingsOf, type Target } from '../target/target.ts';
import { createLock, type Lock } from '../values/lock.ts';
import type { OrWhy } from '../values/or-why.ts';
import { randomFrom } from '../values/random.ts';
import { is2xx } from '../values/status.ts';
import { literalPattern } from '../values/text.ts';
import { createCleanPlayers, type Remainder } from './clean-players.ts';
import { withoutParameter } from './guessed-selector.ts';
import { createMatchExits, type PutBack, type WrittenValues } from './undo.ts';

export interface FlowEngineOptions {
  readonly client: Client;
  readonly target: Target;
  readonly players: Players | undefined;
  readonly breakers: ReadonlyMap<Host, Breaker>;
  readonly matchmaking: Pick<Lock, 'alone'>;
  readonly bodies: Pick<Bodies, 'forms' | 'learn' | 'describe'>;
  readonly known: Evidence['known'];
  readonly guessWorked?: FlowContext['guessWorked'] | undefined;
  /** What is wrong with the login's own answer, such as a credential that the profile states and it lacks. */
  readonly loginFault?: LoginFault | undefined;
  /** Ids of the checks of this run; all by default. */
  readonly planned?: ReadonlySet<string> | undefined;
  readonly withheld: Withheld;
  readonly attacksBriefly?: boolean | undefined;
  /** When attacks have to end, in ms since the epoch, even if the time that they share is not used up. */
  readonly attackUntil?: number | undefined;
  readonly storedLogs: FlowContext['storedLogs'];
  readonly putBack: Pick<PutBack, 'cleanUps'>;
  readonly written: WrittenValues;
  /** Sends requests at one moment, without the client's queue and rate limit. */
  readonly burst: (requests: readonly Request[], release: Release) => Promise<readonly Exchange[]>;
  /** Sends a request and cuts its connection; returns false where the cut could not be made there. */
  readonly cutOff: (request: Request, cut: Cut) => Promise<boolean>;
  /** Measures, with that many bursts, within how many ms calls from this machine arrive together. */
  readonly calibrate: (bursts: number) => Promise<number | undefined>;
  /** Whether the main API speaks HTTP/2. */
  readonly offersHttp2: () => Promise<boolean>;
  /** Called with players who are about to play together. */
  readonly met: (players: readonly Player[]) => void;
}

/** First word of an identifier that is invented because none was given. */
const invention = 'assay';

/** Priority in the client's queue: as high as that of the rule `answers`, since each call waits for the one before. */
const priority = 0;

export function createFlowEngine(options: FlowEngineOptions): FlowContext {
  const {
    client,
    target,
    players,
    breakers,
    bodies,
    known,
    matchmaking,
    guessWorked = () => {},
    loginFault,
    planned,
    withheld,
    putBack,
    written,
    met,
  } = options;
  const { profile } = target;
  const choices = choicesFor(profile);
  let cleanUps: CleanUp[] = [];
  const tornDown: Promise<Remainder[]>[] = [];
  const { unique, makersIn } = createUniqueWords(target.runId);

  /** The caller where a step names none: the main player on another host that takes the session, else nobody. */
  const anybody = async ({ host }: Operation) =>
    host !== 'base' && takesSession(target, host) ? players?.player('main') : undefined;

  const found = new Map<string, TemplateValues>();
  const loadSharedValues = async (operation: Operation): Promise<TemplateValues> => {
    await bodies.describe(operation, known.look);
    const values = found.get(operation.id) ?? (await known.ofTarget(operation));
    found.set(operation.id, values);
    return values;
  };

  /** @param shared values that the target itself gave */
  const aroundCall = (operation: Operation, shared: Readonly<Record<string, string>>) => {
    const own = profile?.operations[operation.id]?.parameters;
    const stated = { ...choices, ...target.parameters, ...own };
    return surroundingsOf(
      target,
      operation,
      valuesFor(operation, stated, shared, unique(invention, operation.id)).params,
    );
  };

  const requestFor = async (operation: Operation, ask: Ask): Promise<Request> => {
    const shared = Object.entries(await loadSharedValues(operation)).map(([name, value]) => [
      name,
      String(value),
    ]);
    return requestOf(operation, ask, aroundCall(operation, Object.fromEntries(shared)));
  };

  const put = (caller: Player | undefined, operation: Operation, request: Request): Promise<Exchange> => {
    const sendOnce = (guarded: Guarded) =>
      caller === undefined || players === undefined
        ? client.send(request, { priority, ...guarded })
        : players.sendAsPlayer(caller, operation, request, { priority, ...guarded });
    return breakers.get(operation.host)?.guard(operation.id, sendOnce) ?? sendOnce({});
  };

  const send = async (player: Player | undefined, operation: Operation, ask: Ask): Promise<Exchange> => {
    const why = withheld(operation, ask);
    if (why !== undefined) return notSent(operation, target, why);
    const request = await requestFor(operation, ask);
    const caller = player ?? (await anybody(operation));
    if (caller) await written.before(caller, operation, request, send);
    const exchange = await put(caller, operation, request);
    if (player && areLentAgain) exits.note(player, operation, exchange);
    if (caller) written.note(caller, operation, { ...exchange, request });
    return exchange;
  };

  /** Whether players play again, in this run or a later one: they have to leave their matches first. */
  const areLentAgain = players?.areFew || players?.outlive;
  const exits = createMatchExits(send);

  /** Operations that flows call without one of their query parameters, by id. */
  const withoutGuessedParameter = new Map<string, Operation>();
  /** The request with the player's session, to be sent without the client; or why it cannot be sent. */
  const signedRequest = async ({ player, operation, ask }: AnybodysCall): Promise<Signed> => {
    const why = withheld(operation, ask);
    if (why !== undefined) return { ok: false, why };
    const request = await requestFor(operation, ask);
    const caller = player ?? (await anybody(operation));
    const signed = caller ? await players?.signedFor(caller, operation, request) : request;
    return signed
      ? { ok: true, request: signed }
      : { ok: false, why: 'a session that changes with every answer is good for one call at a time' };
  };

  const clean = createCleanPlayers({
    send: (player, operation, ask = {}) => send(player, operation, ask),
    pause: sleep,
  });

  return {
    send,
    ...createAttackMeans(options, signedRequest),
    unrouted: async (player, operation, ask, nth) => {
      const [path = '', query] = pathOf(operation, ask, aroundCall(operation, {})).split('?', 2);
      const random = randomFrom(target.seed, target.runId, 'unrouted', path, String(nth));
      const made = controlPath('tail', operation, path, random, nth).path;
      return send(player, operation, { ...ask, path: query === undefined ? made : `${made}?${query}` });
    },
    ...createStepNotes(),
    unique,
    makersIn,
    invented: ({ request }) => request.url.includes(`${invention}-${target.runId}`),
    async tearDown() {
      const left = [...cleanUps.toReversed(), ...putBack.cleanUps(send)];
      const remainders = (await Promise.all([...tornDown, tearDown(left)])).flat();
      return [...linesOf(remainders), ...(await written.putBack(send, put))];
    },
    later: (cleanUp) => cleanUps.push(cleanUp),
    over(scenario, people) {
      const own = cleanUps.filter((cleanUp) => cleanUp.scenario === scenario);
      cleanUps = cleanUps.filter((cleanUp) => cleanUp.scenario !== scenario);
      const torn = tearDown(own.toReversed()).then((remainders) => {
        clean.note(people, remainders);
        return remainders;
      });
      tornDown.push(torn.finally(() => exits.leave(people).then(() => players?.release(people))));
    },
    omitted: (id) => profile?.omitted.get(id),
    forms: bodies.forms,
    loadSharedValues,
    async mend(operation, refused, refusal, shownAs) {
      const form = await mended(operation, refused, refusal, known.look, shownAs);
      // The form may have placeholders that no guess of this operation has.
      if (form)
        found.set(operation.id, {
          ...found.get(operation.id),
          ...(await known.ofTargetIn(operation, form.carries)),
        });
      return form;
    },
    learn: bodies.learn,
    given: ({ id }) => ({
      ...found.get(id),
      ...withoutPlayers({ ...choices, ...target.ambient, ...target.parameters }),
      ...profile?.operations[id]?.parameters,
    }),
    guessWorked(operation, form) {
      if (!namesTwo(form)) guessWorked(operation, form);
    },
    isStatedInProfile: ({ id }) => isSpoken(profile?.operations[id]),
    accepts: ({ id }) => profile?.operations[id]?.accepts,
    stated: ({ id }, parameter) =>
      Object.hasOwn({ ...target.parameters, ...profile?.operations[id]?.parameters }, parameter),
    withoutGuess(operation, parameter) {
      if (!withoutGuessedParameter.has(operation.id))
        withoutGuessedParameter.set(operation.id, withoutParameter(operation, parameter));
    },
    asCalled: (operation) => withoutGuessedParameter.get(operation.id) ?? operation,
    pointer: ({ id }, identifier) => profile?.operations[id]?.ids?.[identifier],
    async attackers(count, purpose) {
      if (players === undefined) return nobodySignedIn;
      const found = await players.forAttack(count, purpose);
      if (found.ok) met(found.players);
      return found;
    },
    async actors(count, purpose) {
      if (players === undefined) return nobodySignedIn;
      const found = await players.spread(count, purpose);
      if (!found.ok) return found;
      met(found.players);
      const traces = await Promise.all(found.reused.map(clean.traceOf));
      return {
        ...found,
        playedBefore: found.reused.length > 0,
        trace: traces.find((trace) => trace !== undefined),
      };
    },
    async spare(purpose, fellows) {
      const found = (await players?.spare(purpose)) ?? nobodySignedIn;
      if (!found.ok) return found;
      const [player] = found.players as readonly [Player];
      const trace = found.reused.length > 0 ? await clean.traceOf(player) : undefined;
      if (trace === undefined) {
        met([...fellows, player]);
        return { ok: true, player };
      }
      players?.release(found.players);
      return { ok: false, why: trace };
    },
    withSecondSession: async (player) => players?.withSecondSession(player),
    lookalikes: async () => players?.lookalikes(),
    forging: players?.forging,
    loginFault: () => loginFault,
    aloneInQueue: matchmaking.alone,
    asked: (id) => planned === undefined || planned.has(id),
  };
}

/** Makes the means of attacks: their calls bypass the client, and share one time budget. */
function createAttackMeans(
  {
    target,
    burst,
    cutOff,
    calibrate,
    offersHttp2,
    attacksBriefly = false,
    attackUntil = Number.POSITIVE_INFINITY,
    storedLogs,
  }: FlowEngineOptions,
  signedRequest: (call: AnybodysCall) => Promise<Signed>,
): AttackMeans {
  const bursts = createLock();
  let window: Promise<number | undefined> | undefined;
  let http2: Promise<boolean> | undefined;
  let attacksSince: number | undefined;
  /** Calls past the client come unmarked where their body refuses them. */
  const read = ({ operation: { host } }: AnybodysCall, exchange: Exchange): Exchange =>
    markedFrom(host, target.refusalForm, exchange);

  return {
    async burst(calls, release) {
      const requests: Request[] = [];
      for (const call of calls.slice(0, mostAtOnce)) {
        const signed = await signedRequest(call);
        if (!signed.ok) return signed;
        requests.push(signed.request);
      }
      // Two attacks at one moment could hide one another's effects.
      const exchanges = await bursts.alone(() => burst(requests, release));
      return {
        ok: true,
        exchanges: exchanges.map((exchange, nth) => read(calls[nth] as AnybodysCall, exchange)),
      };
    },
    async repeatable(call) {
      const signed = await signedRequest(call);
      if (!signed.ok) return signed;
      const { request } = signed;
      return {
        ok: true,
        request,
        cut: (where) => cutOff(request, where),
        async send() {
          const [exchange] = (await burst([request], 'whole')) as readonly [Exchange];
          return read(call, exchange);
        },
      };
    },
    storedLogs,
    shortestWindowMs() {
      // A user who did not ask for attacks is not made to wait for this measurement.
      window ??= attacksBriefly
        ? Promise.resolve(undefined)
        : bursts.alone(() => calibrate(calibratingBursts));
      return window;
    },
    offersHttp2() {
      http2 ??= offersHttp2();
      return http2;
    },
    attacksBriefly,
    attackTimeLeftMs() {
      attacksSince ??= Date.now();
      return Math.min(attacksSince + attackBudgetMs, attackUntil) - Date.now();
    },
  };
}

/** Keeps what steps saw of operations; `seenInSteps` waits for every open step that may see more. */
function createStepNotes(): StepNotes {
  /** The operations of the steps that have begun and not ended, by step id. */
  const openSteps = new Map<string, readonly Operation[]>();
  const stepsOf = (operation: string) =>
    [...openSteps].flatMap(([step, operations]) =>
      operations.some(({ id }) => id === operation) ? [step] : [],
    );
  const seenUnserved = new Map<string, SeenUnserved>();
  const seenLookingUnserved = new Map<string, SeenUnserved>();
  const seenServed = new Map<string, Exchange>();
  const outsiderAnswers: OutsiderAnswer[] = [];
  /** Resolves once a step ends or sees that an operation is not served; `wake` then replaces it. */
  let news = Promise.withResolvers<void>();
  const wake = () => {
    news.resolve();
    news = Promise.withResolvers();
  };

  return {
    noteUnserved({ id }, exchange) {
      seenUnserved.set(id, { exchange, steps: stepsOf(id) });
      wake();
    },
    noteLooksUnserved: ({ id }, exchange) =>
      void seenLookingUnserved.set(id, { exchange, steps: stepsOf(id) }),
    wasServed: ({ id }) => seenServed.has(id),
    noteOutsider: (seen) => void outsiderAnswers.push(seen),
    outsiderAnswers: () => outsiderAnswers,
    noteServed: ({ id }, exchange) => void seenServed.set(id, exchange),
    seenInSteps: async ({ id }) => {
      while (!seenUnserved.has(id) && stepsOf(id).length > 0) await news.promise;
      return {
        unserved: seenUnserved.get(id),
        looksUnserved: seenLookingUnserved.get(id),
        served: seenServed.get(id),
      };
    },
    begins: ({ id, operations }) => void openSteps.set(id, operations),
    ended({ id }) {
      openSteps.delete(id);
      wake();
    },
  };
}

type Signed = OrWhy<{ readonly request: Request }>;

const nobodySignedIn = { ok: false, why: 'nobody could sign in' } as const;

const withoutPlayers = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !dependsOnPlayer(name)));

const isSpoken = (stated: object | undefined) =>
  stated !== undefined && ['body', 'accepts', 'ids', 'schema'].some((key) => key in stated);

/** Bursts that measure how close together calls from this machine arrive. */
const calibratingBursts = 3;

/** The time that all attacks share. */
const attackBudgetMs = 90_000;

const withinMs = 5_000;
const isDone = (status: number) => is2xx(status);
/** Undone, or nothing was left to undo. */
const isTornDown = (status: number) => isDone(status) || [404, 409, 410].includes(status);
/** Whether to try `instead`: after a refusal, a held-back call or a 404 (perhaps not served), but not after silence. */
const needsAnother = ({ response, held }: Exchange) =>
  response === undefined ? held === true : response.status === 404 || !isTornDown(response.status);

/**
 * Runs teardown calls: scenarios side by side, the calls of one in the given order, for five seconds at most.
 * @returns what was not put back
 */
export async function tearDown(cleanUps: readonly CleanUp[]): Promise<Remainder[]> {
  const until = Date.now() + withinMs;
  const left: Remainder[] = [];
  const scenarios = Map.groupBy(cleanUps, ({ scenario }) => scenario);
  const tearDownScenario = async (scenario: string, own: readonly CleanUp[]) => {
    for (const { operation, put, instead } of own) {
      const exchange = Date.now() < until ? await put() : undefined;
      const status = exchange ? statusOf(exchange) : 0;
      const other = exchange && needsAnother(exchange) ? await instead?.() : undefined;
      if (isTornDown(status) || (other && isDone(statusOf(other)))) continue;
      left.push({ operation, line: `${scenario}: ${howEnded(operation, exchange)}` });
    }
  };
  await Promise.all([...scenarios].map(([scenario, own]) => tearDownScenario(scenario, own)));
  return left;
}

/** What was not put back, a line each, sorted. */
export const linesOf = (remainders: readonly Remainder[]): string[] =>
  remainders.map(({ line }) => line).sort();

function howEnded({ id }: Operation, exchange: Exchange | undefined): string {
  if (exchange === undefined) return `${id} not asked in time`;
  const { error, held } = exchange;
  // A call that was held back did not fail: its message says why it was not sent.
  if (held && error) return error.message;
  return `${id} ${error?.kind ?? `answered ${statusOf(exchange)}`}`;
}

/** Makes words that no other run and no other call uses, and knows for which step or operation each was made. */
export function createUniqueWords(runId: string): Pick<FlowContext, 'unique' | 'makersIn'> {
  let words = 0;
  const makers = new Map<string, string>();
  const ends = new RegExp(`-${literalPattern(runId)}[0-9a-z]{4}`, 'g');
  return {
    unique(word, maker) {
      words += 1;
      // All have one length, so that none is the beginning of another.
      const end = `-${runId}${words.toString(36).padStart(4, '0')}`;
      if (maker !== undefined) makers.set(end, maker);
      return `${word}${end}`;
    },
    makersIn: (text) => [...new Set([...text.matchAll(ends)].flatMap(([end]) => makers.get(end) ?? []))],
  };
}
