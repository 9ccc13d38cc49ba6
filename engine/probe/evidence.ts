// Makes the calls of a run, each once, and shares every exchange with all the rules that it can judge.
import { setTimeout as sleep } from 'node:timers/promises';
import { areas } from '../../catalog/catalog.ts';
import type { Host, Operation } from '../../catalog/operation.ts';
import { type ControlKind, controlPath, isAbsent } from '../compare/controls.ts';
import { mayAnswerLater } from '../compare/no-answer.ts';
import { type Noise, waitForCopies } from '../compare/noise.ts';
import { type Ask, type Caller, keyOf, own, pathOf, requestOf } from '../http/ask.ts';
import type { Client } from '../http/client.ts';
import { type Exchange, isSuccess, type Request, statusOf } from '../http/exchange.ts';
import type { Bodies, Offer } from '../players/bodies.ts';
import { type Form, isGuess, type Written, write } from '../players/body-template.ts';
import type { Players } from '../players/players.ts';
import { surroundingsOf, type Target } from '../target/target.ts';
import type { Lock } from '../values/lock.ts';
import { randomFrom } from '../values/random.ts';
import { createCallers, createCredentials, preparing, reader } from './callers.ts';
import type { Breaker, Guarded } from './circuit-breaker.ts';
import { createKnownValues } from './known-values.ts';
import { refusesParameter, type Values } from './parameters.ts';

/** Returns why a call may not be made; undefined where it may. */
export type Withheld = (operation: Operation, ask: Ask) => string | undefined;

/** The exchange that stands for a call that was not made. */
export function notSent(
  { id, host, method, path }: Operation,
  { hosts }: Pick<Target, 'hosts'>,
  why: string,
): Exchange {
  return {
    request: { method, url: `${hosts[host] ?? ''}${path}`, headers: [] },
    error: {
      kind: 'aborted',
      message: `${id} was not called: ${why}`,
      reusedConnection: false,
    },
    held: true,
    startedAt: Date.now(),
    durationMs: 0,
    attempts: 0,
    waits: 0,
  };
}

// The body of an operation's calls that name none: its first plain call finds it, and all later calls use it.

/** The body of a call; where it is empty, the call has the body that `requestOf` gives the operation. */
type WrittenBody = Partial<Written>;

function createPlainBodies({ forms, offer }: Pick<Bodies, 'forms' | 'offer'>, look: Offer['look']) {
  const settled = new Map<string, Promise<Form | undefined>>();

  /** Whether a form gives the body: the ask has no body of its own, and keeps the operation's method. */
  const isOpen = (operation: Operation, { body, method }: Ask) =>
    body === undefined && method === undefined && forms(operation).length > 0;

  /** The body of every call but the operation's first plain one. */
  const writtenFor = async (operation: Operation, values: Offer['values']): Promise<WrittenBody> => {
    const form = await settled.get(operation.id);
    if (form === undefined) return {};
    const writing = write(form, await values(form));
    return writing.ok ? writing.written : {};
  };

  /** An operation's plain call. The first tries candidate bodies until one is accepted; later calls use its result. */
  const plain = async (
    operation: Operation,
    { values, send }: { values: Offer['values']; send: (written: WrittenBody) => Promise<Exchange> },
  ): Promise<Exchange> => {
    if (settled.has(operation.id)) return send(await writtenFor(operation, values));
    const offered = offer(operation, { values, send, look });
    settled.set(
      operation.id,
      offered.then((found) => (found.kind === 'unwritable' ? undefined : found.form)),
    );
    const found = await offered;
    return found.kind === 'unwritable' ? send({}) : found.exchange;
  };

  return { isOpen, plain, writtenFor };
}

export interface Evidence {
  readonly ask: (operation: Operation, ask?: Ask) => Promise<Exchange>;
  readonly control: (operation: Operation, kind: ControlKind, nth: number, ask?: Ask) => Promise<Exchange>;
  /** The values of an operation's plain call, and which of them are unknown: placeholders of a stated body included. */
  readonly values: (operation: Operation) => Promise<Values>;
  readonly known: Pick<ReturnType<typeof createKnownValues>, 'look' | 'ofTarget' | 'ofTargetIn'>;
  readonly credentials: ReturnType<typeof createCredentials>;
  /** Forgets all exchanges and values, once the state of the players was restored: later calls are sent again. */
  readonly startAnew: () => void;
}

interface EvidenceOptions {
  readonly client: Client;
  readonly target: Target;
  readonly players: Players | undefined;
  readonly breakers: ReadonlyMap<Host, Breaker>;
  readonly bodies: Pick<Bodies, 'forms' | 'offer'>;
  /** Lets calls that enter the queue run together, and apart from scenarios that observe matches in it. */
  readonly matchmaking: Pick<Lock, 'together'>;
  /** Learns how answers vary from calls that are made more than once. */
  readonly noise?: Pick<Noise, 'note' | 'pastErrors'>;
  readonly withheld?: Withheld | undefined;
  readonly asking?: Parameters<typeof createCredentials>[0]['asking'];
  readonly answered?: Parameters<typeof createCredentials>[0]['answered'];
  readonly pause?: (ms: number) => Promise<unknown>;
}

/** An ask whose caller is known. */
type AskOfCaller = Ask & { readonly as: Caller };
const isPlain = ({ as: _, ...rest }: Ask) => Object.keys(rest).length === 0;

const mostForgotten = 3;
/** Kinds of ids that name things which other players of the run make and change. */
const madeByPlayers: ReadonlySet<string> = new Set(['player', 'player name', 'party', 'match']);
export function createEvidence({
  client,
  target,
  players,
  breakers,
  bodies,
  matchmaking,
  noise,
  withheld = () => undefined,
  asking,
  answered,
  pause = (ms) => sleep(ms),
}: EvidenceOptions): Evidence {
  const shared = new Map<string, Promise<Exchange>>();
  const forgotten = new Map<string, number>();
  const credentials = createCredentials({ client, target, players, asking, answered });

  const sharedExchange = (key: string, make: () => Promise<Exchange>): Promise<Exchange> => {
    const made = shared.get(key) ?? make();
    shared.set(key, made);
    return made;
  };

  /** Forgets a control without an answer, a bounded number of times, so that the next operation asks it again. */
  const forget = (key: string) => {
    const times = forgotten.get(key) ?? 0;
    if (times >= mostForgotten) return;
    forgotten.set(key, times + 1);
    shared.delete(key);
  };

  const known = createKnownValues({
    target,
    players,
    bodies,
    isAllowed: (operation) => withheld(operation, {}) === undefined,
    startedAt: new Date(),
    ask: (...put) => ask(...put),
    pause,
  });
  const plainBodies = createPlainBodies(bodies, known.look);
  const callers = createCallers({ players, needsChange: known.needsChange });

  /** The player whose values a call uses: the operation's own caller, unless another player calls. */
  const personOf = async (operation: Operation, { as }: Ask) =>
    credentials.isPlayer(as) ? as : callers.of(operation);

  const values = async (operation: Operation): Promise<Values> => {
    const player = await callers.of(operation);
    const { params, unknown } = await known.parameters(operation, player);
    const stated = bodies.forms(operation).find((form) => !isGuess(form));
    const filled = stated ? await known.placeholders(operation, player, stated) : {};
    const unfilled = stated?.carries.filter((name) => filled[name] === undefined && !unknown.includes(name));
    return { params, unknown: [...unknown, ...(unfilled ?? [])] };
  };

  /** The values that a call's path, query and body are made of. Each login gets a token of its own. */
  const surroundings = async (operation: Operation, asked: Ask) => {
    const person = await personOf(operation, asked);
    const token = operation === areas.auth.login ? { token: await credentials.freshToken() } : {};
    const { params, unknown } = await known.parameters(operation, person);
    return {
      ...surroundingsOf(target, operation, { ...params, ...known.corrections.get(operation), ...token }),
      unknown,
      placeholders: async (form: Form) => ({
        ...(await known.placeholders(operation, person, form)),
        ...asked.fill,
      }),
    };
  };

  const send = async (
    operation: Operation,
    request: Request,
    asked: AskOfCaller,
    priority: number,
  ): Promise<Exchange> => {
    const why = withheld(operation, asked);
    if (why !== undefined) return notSent(operation, target, why);
    const put = (guarded: Guarded) =>
      credentials.sendAs(operation, request, asked.as, { priority, ...guarded });
    const breaker = breakers.get(operation.host);
    return breaker ? breaker.guard(operation.id, put) : put({});
  };

  const ask = async (operation: Operation, plain: Ask = {}): Promise<Exchange> => {
    const why = withheld(operation, plain);
    if (why !== undefined) return notSent(operation, target, why);
    const asked = { ...plain, as: await callers.of(operation, plain) };
    return sharedExchange(keyOf(operation, asked), async () => {
      const exchange = await (operation === areas.queue.enter &&
      asked.path === undefined &&
      asked.method === undefined
        ? matchmaking.together(() => enterAndLeave(asked))
        : askNow(operation, asked));
      const { nth: _, ...question } = asked;
      if (await isQuiet(operation, asked))
        noise?.note(operation.host, 'read', keyOf(operation, question), exchange);
      return exchange;
    });
  };

  /** Whether no call of the run changes the answer: whatever changes in it does so by itself. */
  const isQuiet = async (operation: Operation, { as, method = operation.method }: AskOfCaller) =>
    method === 'GET' &&
    !Object.values(operation.identifiers).some((identified) => madeByPlayers.has(identified)) &&
    (operation.host === 'cdn' || as === (await callers.of(operation, { as: reader })));

  /** Enters the queue and leaves it again: a player who stays is matched with the next one who enters. */
  const enterAndLeave = async (asked: AskOfCaller): Promise<Exchange> => {
    const { as } = asked;
    const exchange = await askNow(areas.queue.enter, asked);
    if (!credentials.isPlayer(as) || !isSuccess(exchange)) return exchange;
    const { cancel } = areas.queue;
    const around = await surroundings(cancel, { as });
    const [form] = bodies.forms(cancel);
    const writing = form && !isGuess(form) ? write(form, await around.placeholders(form)) : undefined;
    const written = writing?.ok ? writing.written : {};
    await send(cancel, requestOf(cancel, { ...written, as }, around), { as }, 1);
    return exchange;
  };

  const askNow = async (operation: Operation, asked: AskOfCaller): Promise<Exchange> => {
    const isPrepared = asked.path === undefined && (await prepare(operation, asked));
    const around = await surroundings(operation, asked);
    const plain = isPlain(asked);
    const put = (written: Partial<Written> & Pick<Ask, 'params'>) =>
      send(operation, requestOf(operation, { ...written, ...asked }, around), asked, plain ? 0 : 1);
    if (!plainBodies.isOpen(operation, asked)) {
      const exchange = await put({});
      const params = plain ? known.correctionsIn(exchange, operation) : {};
      if (Object.keys(params).length > 0 && !known.corrections.has(operation)) {
        const again = await put({ params });
        if (refusesParameter.has(statusOf(again))) return exchange;
        known.corrections.set(operation, params);
        return again;
      }
      if (!isPrepared || operation.effect !== 'read' || !isAbsent(exchange)) return exchange;
      // The prepared resource may show only a moment later.
      await waitForCopies({ pause });
      return put({});
    }
    if (plain && credentials.isPlayer(asked.as))
      return plainBodies.plain(operation, { values: around.placeholders, send: put });
    return put(await plainBodies.writtenFor(operation, around.placeholders));
  };

  /**
   * Makes the call that must come first, as the player who will ask unless it says who does; for a caller without a
   * credential, as the operation's own player.
   * @returns whether the target accepted it
   */
  const prepare = async (operation: Operation, asked: AskOfCaller): Promise<boolean> => {
    const person = await personOf(operation, asked);
    const first = preparing(operation, person === (await callers.of(operation)));
    if (first === undefined) return false;
    const { as = person } = first;
    // Its plain call finds a body that the target accepts; `fill` then changes the values in it.
    const exchange = await ask(first.operation, { as });
    if (first.fill && isSuccess(exchange)) await ask(first.operation, { as, fill: first.fill });
    return isSuccess(exchange);
  };

  const control = async (
    operation: Operation,
    kind: ControlKind,
    nth: number,
    asked: Ask = {},
  ): Promise<Exchange> => {
    // Operations share their controls: an operation that may not be called must not leave a refusal for the others.
    const why = withheld(operation, asked);
    if (why !== undefined) return notSent(operation, target, why);
    const around = await surroundings(operation, asked);
    const [path = '', query] = pathOf(operation, {}, around).split('?', 2);
    const random = randomFrom(target.seed, target.runId, kind, path, String(nth));
    const made = controlPath(kind, operation, path, random, nth);
    const written = plainBodies.isOpen(operation, asked)
      ? await plainBodies.writtenFor(operation, around.placeholders)
      : {};
    const spelled = { ...written, ...asked, path: query === undefined ? made.path : `${made.path}?${query}` };
    const request = requestOf(operation, spelled, around);
    const caller = await callers.of(operation, asked);
    const as = asked.as === own ? caller : callers.ofControl(operation, kind, caller, around.unknown);
    const key = `control ${operation.host} ${request.method} ${made.key} ${operation === areas.auth.login ? '' : query} ${String(request.body)} ${as}`;
    return sharedExchange(`${key} ${nth}`, async () => {
      const put = () => send(operation, request, { ...asked, as }, 0);
      const exchange = await (noise?.pastErrors(operation.host, put) ?? put());
      if (mayAnswerLater(exchange)) forget(`${key} ${nth}`);
      noise?.note(operation.host, kind === 'root' ? 'root' : 'control', key, exchange);
      return exchange;
    });
  };

  const startAnew = () => {
    shared.clear();
    known.startAnew();
  };

  return { ask, control, values, known, credentials, startAnew };
}
