// Decides what a refusal means where nothing was guessed: the call is not served, or it does not find what is there.
import { areas, catalog, isPublic } from '../../catalog/catalog.ts';
import { type Operation, parametersOf } from '../../catalog/operation.ts';
import { compareWithControl, isAbsent, isLike } from '../compare/controls.ts';
import { waitForCopies } from '../compare/noise.ts';
import { type Ask, nobody } from '../http/ask.ts';
import { answerLeaves, type Exchange, isSuccess, sentJson, statusOf } from '../http/exchange.ts';
import { inconclusive, type Judgement, violation } from '../judgement.ts';
import type { Player } from '../players/players.ts';
import type { Context } from '../probe/context.ts';
import { leavesOf } from '../values/json-walk.ts';
import { noSuchName } from '../values/nonexistent.ts';
import { randomFrom } from '../values/random.ts';
import { letters } from '../values/text.ts';
import { mentions } from './places.ts';
import { accepted } from './why-refused.ts';

const { archives, match, messages, party, players } = areas;

/** Reads that show that what a call names is there: to the caller, and now. */
const shownIn: Readonly<Record<string, readonly Operation[]>> = {
  party: [party.details],
  match: [match.get],
  players: [players.friends, players.friendInfo],
};

/** Parameters that the document leaves open: `friendId` may name another player than we mean. */
const meansAnything: ReadonlySet<string> = new Set(['friendId']);

/** Statuses that refuse the caller, the rate or the method: they show nothing of the route, or `#routed` does. */
const saysOtherwise = new Set([401, 403, 405, 429]);

/** Statuses that refuse a state, or what is due first: a target may say so before it looks at the id. */
const refusesState = new Set([402, 409, 412, 423, 424, 425, 428]);

export interface Refused {
  readonly operation: Operation;
  readonly ask: Ask;
  readonly exchange: Exchange;
  readonly player: Player | undefined;
  /** Sends a call as the same player. */
  readonly send: (operation: Operation, ask: Ask) => Promise<Exchange>;
  /** Ids that the target's own answers gave in this scenario. */
  readonly named: ReadonlySet<string>;
  readonly context: Context;
}

type Found =
  /** The call was accepted once replicas had caught up. */
  | { readonly kind: 'late'; readonly exchange: Exchange }
  | { readonly kind: 'judged'; readonly judgement: Judgement };

/** Returns what a refusal shows; undefined where part of the call was a guess, or the refusal may be legitimate. */
export async function withoutExcuse(refused: Refused): Promise<Found | undefined> {
  const { operation, ask, exchange, send, context } = refused;
  const status = statusOf(exchange);
  if (status < 400 || status > 499 || saysOtherwise.has(status)) return undefined;
  if (namesGuess(refused)) return undefined;
  if (takesBody(refused) && idsIn(refused).length === 0)
    return status === 404 ? notFoundThoughShown(refused) : undefined;
  if (takesBody(refused) && !isAbsent(exchange)) return undefined;
  if (!(await isThere(refused))) return undefined;
  const isUnrouted = await isAnsweredAs('unrouted', refused, exchange);
  // A wrong body or a missing state may explain a refusal, but an anonymous caller lacks a credential first.
  if (takesBody(refused) && !(isUnrouted && (await isMissingToAnybody(refused)))) return undefined;
  if (!isUnrouted && (refusesState.has(status) || !(await isAnsweredAs('unknown', refused, exchange))))
    return undefined;
  await waitForCopies(context);
  const again = await send(operation, ask);
  if (accepted(operation, again, context)) return { kind: 'late', exchange: again };
  // If a lagging replica or another call changed the answer meanwhile, the refusal shows nothing of this call.
  if (statusOf(again) !== status || !(await isThere(refused))) return undefined;
  if (!(await isAnsweredAs(isUnrouted ? 'unrouted' : 'unknown', refused, again))) return undefined;
  const what = `${operation.id} finds what the same player's ${readOf(operation)} shows`;
  if (!isUnrouted)
    return {
      kind: 'judged',
      judgement: violation(what, `${status}, as for an id that nobody has`, exchange),
    };
  context.flows.noteUnserved(operation, exchange);
  const why = `${operation.id} is answered ${status} as paths that do not exist are, though nothing in it was guessed`;
  return { kind: 'judged', judgement: inconclusive('not-served', why, exchange) };
}

/** Reads that list what the body of a call names, by area. */
const listedIn: Readonly<Record<string, readonly Operation[]>> = {
  messages: [messages.list],
  archives: [archives.journal, archives.story],
};

/** A message that is listed may hold nothing to claim. */
const mayFindNothing: ReadonlySet<string> = new Set([messages.claim.id]);

const idName = /ids?$/i;

/**
 * Returns that a call does not find what a read lists for the same player: each id in its body stands there under the
 * same name and with the same type, so that nothing about it was guessed. Undefined where that is not so.
 */
async function notFoundThoughShown(refused: Refused): Promise<Found | undefined> {
  const { operation, ask, exchange, send, context } = refused;
  const ids = leavesOf(sentJson(exchange)).flatMap(({ name, value }) =>
    idName.test(name) ? [{ name: singular(name), value }] : [],
  );
  const reads = listedIn[operation.area] ?? [];
  if (ids.length === 0 || mayFindNothing.has(operation.id)) return undefined;
  const listing = async (): Promise<Operation | undefined> => {
    for (const read of reads) {
      const answer = await send(read, {});
      const leaves = isSuccess(answer) ? answerLeaves(answer) : [];
      const lists = ({ name, value }: { name: string; value: unknown }) =>
        leaves.some((leaf) => singular(leaf.name) === name && leaf.value === value);
      if (ids.every(lists)) return read;
    }
    return undefined;
  };
  if ((await listing()) === undefined) return undefined;
  await waitForCopies(context);
  const again = await send(operation, ask);
  if (accepted(operation, again, context)) return { kind: 'late', exchange: again };
  const read = await listing();
  if (statusOf(again) !== statusOf(exchange) || read === undefined) return undefined;
  const what = `${operation.id} finds ${ids.map(({ value }) => String(value)).join(' and ')}, which ${read.id} lists under the same name`;
  return { kind: 'judged', judgement: violation(what, `${statusOf(exchange)}`, exchange) };
}

const singular = (name: string): string => letters(name).replace(/ids$/, 'id');

/**
 * Returns that a read is not served, where it gets the answer of paths without a route and no call of the run was
 * answered otherwise. An earlier step made what it reads; the target may hide that, so `#routed` only warns.
 */
export async function looksUnserved(refused: Refused): Promise<Judgement | undefined> {
  const { operation, exchange, context } = refused;
  if (!isAbsent(exchange) || context.flows.wasServed(operation)) return undefined;
  const found = await context.routed(operation);
  if (found.served !== undefined || found.reason !== 'unknown-resource') return undefined;
  if (!(await isAnsweredAs('unrouted', refused, exchange))) return undefined;
  context.flows.noteLooksUnserved(operation, exchange);
  const why = `${operation.id} is answered ${statusOf(exchange)} as paths that do not exist are, also for what an earlier step made`;
  return inconclusive('not-served', why, exchange);
}

const readOf = ({ area }: Operation) => shownIn[area]?.[0]?.id ?? '';

const idsIn = ({
  operation,
  ask,
}: Pick<Refused, 'operation' | 'ask'>): readonly (readonly [string, string])[] =>
  parametersOf(operation).flatMap((name) => {
    const value = ask.params?.[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });

/** Whether the call has a body, or may need one. */
const takesBody = ({ operation, ask, context }: Refused): boolean =>
  (operation.method !== 'GET' && operation.method !== 'DELETE') ||
  ask.body !== undefined ||
  context.flows.forms(operation).length > 0;

/** Whether an id of the call does not come from the target's own answers. */
function namesGuess({ operation, ask, named }: Refused): boolean {
  if (ask.path !== undefined) return true;
  const ids = new Map(idsIn({ operation, ask }));
  return parametersOf(operation).some((name) => {
    const value = ids.get(name);
    return meansAnything.has(name) || value === undefined || !named.has(value);
  });
}

/** Whether a read by the same player shows what the call names. */
async function isThere({ operation, ask, send }: Refused): Promise<boolean> {
  const ids = idsIn({ operation, ask });
  for (const read of shownIn[operation.area] ?? []) {
    if (read === operation) continue;
    const answer = await send(read, { params: ask.params ?? {} });
    if (isSuccess(answer) && ids.every(([, value]) => mentions(answer, value))) return true;
  }
  return false;
}

/** Whether an answer is like that of a path without a route, or of the same call with an id that nobody has. */
async function isAnsweredAs(
  control: 'unrouted' | 'unknown',
  { operation, ask, player, send, context }: Refused,
  exchange: Exchange,
): Promise<boolean> {
  const [name, value] = idsIn({ operation, ask }).at(-1) ?? [];
  if (control === 'unknown' && (name === undefined || value === undefined)) return false;
  const controls = (nth: number) =>
    control === 'unrouted'
      ? context.flows.unrouted(player, operation, ask, nth)
      : send(operation, {
          ...ask,
          params: {
            ...ask.params,
            [name as string]: noSuchName(value as string, randomFrom(context.seed, 'nobody', `${nth}`), nth),
          },
        });
  // The call itself is not sent again here: it may be accepted by now.
  return isLike(async () => exchange, controls);
}

/** Most calls of the area, and of the method, that show how the host treats anonymous callers. */
const mostWitnesses = 8;

/**
 * Whether an anonymous caller gets the answer of a path without a route as well, although the host asks for a
 * credential first: it does so for each served call that was tried of the same area, and of the same method.
 */
async function isMissingToAnybody({ operation, ask, context }: Refused): Promise<boolean> {
  const { flows } = context;
  const isUnlikeUnrouted = (each: Operation, call: Ask, exchange: Exchange) =>
    compareWithControl(
      async () => exchange,
      (nth) => flows.unrouted(undefined, each, call, nth),
    );
  const here = await isUnlikeUnrouted(operation, ask, await flows.send(undefined, operation, ask));
  if (here.differs || here.unstable || here.failed) return false;
  const asksFirst = async (each: Operation): Promise<boolean | undefined> => {
    if ((await context.routed(each)).served !== true) return undefined;
    const exchange = await context.ask(each, { as: nobody });
    if (statusOf(exchange) !== 401 && statusOf(exchange) !== 403)
      return isSuccess(exchange) ? undefined : false;
    return (await isUnlikeUnrouted(each, {}, exchange)).differs;
  };
  const others = catalog.filter(
    (each) => each.host === operation.host && each.id !== operation.id && !isPublic(each),
  );
  for (const like of ['area', 'method'] as const) {
    const near = others.filter((each) => each[like] === operation[like]).slice(0, mostWitnesses);
    const seen = await Promise.all(near.map(asksFirst));
    if (!seen.includes(true) || seen.includes(false)) return false;
  }
  return true;
}
