// Checks that a caller without a valid credential gets neither the player's own data nor a server error, and is refused
// where the host wants a session for nearly all other calls of the kind.
import { aboutCaller, needsPlayer, ownReads } from '../../catalog/about-caller.ts';
import { ofOthers } from '../../catalog/clauses/clause.ts';
import { clauseById } from '../../catalog/clauses/clauses.ts';
import type { Operation } from '../../catalog/operation.ts';
import { fingerprint } from '../../engine/compare/compare.ts';
import { sameOutline } from '../../engine/compare/content.ts';
import { silenceOf } from '../../engine/compare/no-answer.ts';
import { type Ask, nobody, spoiled } from '../../engine/http/ask.ts';
import {
  answerLeaves,
  type Exchange,
  isSuccess,
  json,
  jsonValue,
  refusesInBody,
  statusOf,
  text,
} from '../../engine/http/exchange.ts';
import {
  inconclusive,
  type Judgement,
  judgementOf,
  notTriggered,
  pass,
  violation,
} from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';
import { isServerError } from '../../engine/probe/matchers/http-fields.ts';
import { answered, samplesInTurn, successfulAnswer } from '../../engine/probe/prerequisites.ts';
import { isObject } from '../../engine/values/json-walk.ts';
import { is2xx } from '../../engine/values/status.ts';
import { switchPoint } from '../../engine/values/switch-points.ts';
import { askedPath } from '../shared/asked-path.ts';
import { isHabit } from '../shared/habit.ts';
import { askPastTemporary } from '../shared/repeats.ts';

/** Another player's answer to the same call, with the same ids in its path. */
async function another(
  operation: Operation,
  context: Context,
  plain: Exchange,
  nth?: number | string,
): Promise<Exchange> {
  const path = askedPath(plain, operation, context);
  const asItStands = operation.path === path && Object.keys(operation.query).length === 0;
  return context.ask(operation, {
    as: 'another',
    ...(!asItStands && { path }),
    ...(nth !== undefined && { nth }),
  });
}

/** Repeats the three calls, and keeps the places that are shown each time: a value that changes by itself drops out. */
async function lastingly(
  operation: Operation,
  context: Context,
  plain: Exchange,
  anonymous: Ask,
  first: OwnData,
): Promise<OwnData> {
  let { own, shown } = first;
  if (shown.length === 0) return first;
  for await (const [mine, anonymously, theirs] of samplesInTurn(
    'anonymous-private',
    operation,
    context,
    (nth) => [
      () => context.ask(operation, { nth }),
      () => context.ask(operation, { ...anonymous, nth }),
      () => another(operation, context, plain, nth),
    ],
  )) {
    const found = ownData(mine, theirs, anonymously, context.isPlayer);
    own = found.own;
    shown = shown.filter((place) => found.shown.includes(place));
    if (shown.length === 0) break;
  }
  return { own, shown };
}

type AnonymousCaller = readonly [how: string, ask: Ask];

const anonymousCallers: readonly AnonymousCaller[] = [
  ['without a credential', { as: nobody }],
  ['with a spoiled credential', { as: spoiled }],
];

/** Finds a player's own value in an anonymous caller's answer; undefined where there is none. */
async function shown(
  operation: Operation,
  context: Context,
  mine: Exchange,
  caller: AnonymousCaller,
  given: Exchange,
): Promise<Judgement | undefined> {
  const [how, ask] = caller;
  const others = answered(await another(operation, context, mine));
  if (others.response.status === 401)
    return inconclusive('needs-players', 'no second player could be signed in to compare with');
  const found = ownData(mine, others.exchange, given, context.isPlayer);
  if (found.own.length === 0)
    return (
      (await letIn(operation, context, mine, caller, given)) ??
      notTriggered("two players are answered the same: nothing here is one player's own")
    );
  const confirmed = await lastingly(operation, context, mine, ask, found);
  if (confirmed.shown.length === 0) return letIn(operation, context, mine, caller, given);
  return violation(`no data of a player ${how}`, `a player's own value at ${place(confirmed)}`, given);
}

/** Reads of own data that must refuse anonymous callers for each that does not. */
const perException = 4;
/** `perException` where the answer holds nothing that could be a player's own, or the call is no read of own data. */
const perExceptionWithoutOwnData = 7;

/**
 * The finding that a call about its caller answers an anonymous caller like a player, on a host whose other such reads
 * refuse. Used where no own data is found, since new players may all have the same.
 */
async function letIn(
  operation: Operation,
  context: Context,
  mine: Exchange,
  [how, ask]: AnonymousCaller,
  given: Exchange,
): Promise<Judgement | undefined> {
  // In another form, it may be a refusal or a page to sign in at.
  const isAlike = sameOutline(mine, given) || haveSameMembers(mine, given);
  const showsOwn = isOwnRead(operation) && answerLeaves(mine).length > 0;
  // A read that answers everybody with nothing may not be implemented yet.
  const isEmptyRead =
    operation.effect === 'read' &&
    (mine.response === undefined || ['', '{}'].includes(text(mine.response).trim()));
  if (!isAlike || isEmptyRead || !(showsOwn || needsPlayer.has(operation))) return undefined;
  const { refusing, letting } = await countRefusals(operation, context, showsOwn ? { as: nobody } : ask);
  if (!isHabit(refusing, letting, showsOwn ? perException : perExceptionWithoutOwnData)) return undefined;
  if (showsOwn)
    return violation(
      `a refusal, as ${refusing} of the ${refusing + letting} reads of a player's own data have`,
      `${statusOf(given)} ${how}, in the form that a player gets`,
      given,
    );
  const seen = `answers anybody: ${statusOf(given)} ${how}`;
  const expected = `a refusal, as ${refusing} other calls about their caller want a session`;
  return { ...violation(expected, seen, given), clause: 'sense.wants-session' };
}

const isOwnRead = (operation: Operation) => aboutCaller.has(operation) && ownReads.includes(operation);

/** How many other reads that need a player refuse this caller. Their own checks make the same calls. */
async function countRefusals(
  operation: Operation,
  context: Context,
  anonymous: Ask,
): Promise<{ readonly refusing: number; readonly letting: number }> {
  const others = ownReads.filter((other) => other !== operation && needsPlayer.has(other));
  const answers = await Promise.all(
    others.map(async (other) =>
      isSuccess(await context.ask(other)) ? context.ask(other, anonymous) : undefined,
    ),
  );
  const statuses = answers.map((answer) => (answer && !refusesInBody(answer) ? statusOf(answer) : 0));
  return {
    refusing: statuses.filter((status) => status === 401 || status === 403).length,
    letting: 1 + statuses.filter(is2xx).length,
  };
}

/** Whether both are objects with the same fields; values, such as the player's id, may differ. */
function haveSameMembers(one: Exchange, other: Exchange): boolean {
  const [own, given] = [one, other].map((exchange) => {
    const value = jsonValue(exchange);
    return isObject(value) ? Object.keys(value).sort().join() : '';
  });
  return own !== '' && own === given;
}

export const anonymousPrivate: Rule = {
  name: 'anonymous-private',
  title: "does not return the signed-in player's own data to anonymous callers",
  clause: () => ofOthers(clauseById('sense.private-data'), 'on request'),
  async judge(operation, context) {
    const missing = context.noSession();
    if (missing !== undefined) return inconclusive('no-session', missing);
    const mine = await successfulAnswer(operation, context);
    const isJson = json(mine.response).ok;
    let refused = 0;
    // Shown data weighs more than a server error, so the other anonymous caller is asked as well.
    let broke: Judgement | undefined;
    for (const each of anonymousCallers) {
      const [how, ask] = each;
      const given = await askPastTemporary(context, operation, ask);
      if (broke && silenceOf(given)) return broke;
      const { exchange, response } = answered(given);
      if (isServerError(response))
        broke ??= {
          ...violation('a refusal', `${response.status} ${how}`, exchange),
          clause: 'sense.no-server-error',
        };
      if (!isSuccess(exchange)) refused += 1;
      else {
        const judge = isJson ? shown : letIn;
        const found = await judgementOf(judge(operation, context, mine.exchange, each, exchange));
        if (found) return found.kind === 'violation' ? found : (broke ?? found);
      }
    }
    if (broke) return broke;
    if (!isJson)
      return notTriggered("its answer is not JSON, so the player's own data cannot be recognised in it");
    return pass(
      mine.exchange,
      refused === anonymousCallers.length
        ? 'refused without a valid credential'
        : 'nothing that identifies the player is shown',
    );
  },
};

const place = ({ shown }: OwnData) => shown[0]?.replace(/^body/, '') ?? '';

const dated = /^"?\d{4}-\d\d-\d\d([T ]|"?$)/;

/** Whether a value is so long, with so many digits, that two answers do not hold it by chance; not a date or time. */
export function identifies(leaf: string): boolean {
  if (!leaf.startsWith('"') || leaf.length < 8 || dated.test(leaf)) return false;
  const text = leaf.slice(1, -1);
  if (/^1[6-9]\d{8}(\d{3})?$/.test(text)) return false;
  return text.includes('@') || text.replace(/\D/g, '').length >= 3;
}

/** The body that a caller sent: a value of it that comes back is no secret. */
const sentBy = ({ request: { body = '' } }: Exchange) => (typeof body === 'string' ? body : '');

interface OwnData {
  /** Places whose value is this player's and not the other's. */
  readonly own: readonly string[];
  /** The own places that the third answer shows too, with the same identifying value, or with the id of any player. */
  readonly shown: readonly string[];
}

/**
 * Places of the body in which an answer to one player differs from the same call's answer to another, and those that
 * a third answer shows as well. Values that the calls sent (an id in the path) are masked, so they do not count.
 * @param isPlayer whether a value is a player's id: a place with such an id in all three answers counts as shown
 */
export const ownData = switchPoint(function ownData(
  mine: Exchange,
  theirs: Exchange,
  shownTo: Exchange,
  isPlayer: (id: string) => boolean = () => false,
): OwnData {
  const [one, other, third] = [fingerprint(mine), fingerprint(theirs), fingerprint(shownTo)];
  const own = [...one.keys()].filter(
    (place) => place.startsWith('body') && one.get(place) !== other.get(place),
  );
  const names = (leaf = '') => isPlayer(leaf.replace(/^"|"$/g, ''));
  const sent = sentBy(shownTo);
  const shown = own.filter((place) => {
    const leaf = one.get(place);
    if (sent.includes(leaf?.replace(/^"|"$/g, '') || '\u0000')) return false;
    const isMine = third.get(place) === leaf && identifies(leaf ?? '');
    return isMine || [one, other, third].every((answer) => names(answer.get(place)));
  });
  return { own, shown };
});
