// Checks that a body cut off in the middle causes no server error, and that a call which reads its body does not accept
// it as JSON where the other calls of the host refuse it.
import { areas, catalog } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { contentDifferences } from '../../engine/compare/content.ts';
import type { Ask } from '../../engine/http/ask.ts';
import { answerLeaves, type Exchange, isSuccess, jsonValue, statusOf } from '../../engine/http/exchange.ts';
import { type Judgement, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';
import { reportsError } from '../../engine/probe/matchers/version.ts';
import { badBody, fuzzerOf, takesBody } from '../shared/bad-input.ts';
import { isHabit } from '../shared/habit.ts';
import { empty } from './empty-body.ts';
import { wrongType } from './wrong-type-body.ts';

/** A body cut off in the middle, to which many parsers answer with details. */
export const malformed: Ask = { body: '{"assay":' };

const noServerError = badBody('malformed-body', 'a body cut off in the middle', malformed);

export const malformedBody: Rule = {
  ...noServerError,
  judge: async (operation, context) => {
    const judgement = await noServerError.judge(operation, context);
    if (judgement.kind !== 'pass') return judgement;
    return (await acceptedWhereOthersRefuse(operation, context)) ?? judgement;
  },
};

/** Calls that must refuse it for each that does not. */
const perException = 7;

const batches: readonly Operation[] = Object.values(areas.logs);

/**
 * The finding that a call accepts what others refuse. For a log batch, the refusal by the other batch is enough: both
 * read a list of records. The others' own checks send the same bodies, so this adds hardly any requests.
 */
async function acceptedWhereOthersRefuse(
  operation: Operation,
  context: Context,
): Promise<Judgement | undefined> {
  const taken = await sent(operation, context, malformed);
  if (!isSuccess(taken) || !isJson(taken) || admitsFault(taken)) return undefined;
  const isBatch = batches.includes(operation);
  // A call that answers a batch without content may store whatever comes, and read it later.
  if (isBatch && (taken.response?.body.length ?? 0) === 0) return undefined;
  if (!isBatch && !(await readsBody(operation, context))) return undefined;
  const { refusing, taking } = await othersByAnswer(operation, context);
  const [other] = refusing;
  if (!other || !(isBatch || isHabit(refusing.length, 1 + taking, perException))) return undefined;
  // A call that works only once may have refused the other bodies because of its state.
  if (!isSuccess(await sent(operation, context, { ...malformed, nth: 'taken again' }))) return undefined;
  const who = isBatch ? `${other.id} does` : `${refusing.length} other calls do`;
  return {
    ...violation(
      `a refusal of what is no JSON, as ${who}`,
      `${statusOf(taken)} to a body that is cut off in the middle`,
      taken,
    ),
    control: await sent(other, context, malformed),
    clause: 'sense.malformed-json',
  };
}

/** The exchange of this body, shared with the rule that sends it. */
const sent = (operation: Operation, context: Context, ask: Ask): Promise<Exchange> =>
  context.ask(operation, { as: fuzzerOf(operation), ...ask });

/** Whether the body was sent as JSON: a profile may state another type, and a call may take bytes. */
const isJson = ({ request }: Exchange): boolean =>
  request.headers.some(([name, value]) => name.toLowerCase() === 'content-type' && /json/i.test(value));

/** Whether a success says in its body that something was left out or was wrong. */
const admitsFault = (answer: Exchange): boolean =>
  reportsError(jsonValue(answer)) ||
  answerLeaves(answer).some(
    ({ pointer, value }) =>
      Boolean(value) && /reject|drop|fail|invalid|error|skip|ignor|malformed/i.test(pointer),
  );

/** Whether a call was refused because of its body: 401, 403, 404 and 409 have other reasons. */
const isBodyRefusal = (exchange: Exchange): boolean => [400, 415, 422].includes(statusOf(exchange));

/**
 * Whether a call is known to read its body: it refuses JSON of the wrong type. The refusal of an empty body does not
 * show that, since a gateway may want a body of every call.
 */
const readsBody = async (operation: Operation, context: Context): Promise<boolean> =>
  isBodyRefusal(await sent(operation, context, wrongType));

/** The other calls with a body: those that refuse it because it is not JSON, and how many accept it. */
async function othersByAnswer(
  operation: Operation,
  context: Context,
): Promise<{ readonly refusing: readonly Operation[]; readonly taking: number }> {
  const others = catalog.filter(
    (other) => other.id !== operation.id && other.host === operation.host && takesBody(other),
  );
  const verdicts = await Promise.all(
    others.map(async (other) => {
      if ((await context.routed(other)).served !== true) return undefined;
      const answer = await sent(other, context, malformed);
      if (!isJson(answer)) return undefined;
      if (isSuccess(answer)) return 'takes';
      return isBodyRefusal(answer) && (await refusesJson(other, answer, operation, context))
        ? 'refuses'
        : undefined;
    }),
  );
  return {
    refusing: others.filter((_, nth) => verdicts[nth] === 'refuses'),
    taking: verdicts.filter((verdict) => verdict === 'takes').length,
  };
}

/**
 * Whether a call refuses the body because it is not JSON. A lenient host may read it as an empty body, or as `{}`: then
 * a call that needs no fields accepts it, and a call that needs some refuses it just as it refuses those.
 * @param refusal the call's answer to the malformed body
 * @param taker the call that accepts the malformed body
 */
async function refusesJson(
  other: Operation,
  refusal: Exchange,
  taker: Operation,
  context: Context,
): Promise<boolean> {
  for (const ask of [empty, { body: '{}' }]) {
    if (!isSuccess(await sent(taker, context, ask))) continue;
    const beside = await sent(other, context, ask);
    if (isSuccess(beside)) continue;
    const differing = contentDifferences(refusal, beside);
    if (differing.size === 0) return false;
    // A request id differs too, but between any two answers.
    const again = await sent(other, context, { ...malformed, nth: 'refused again' });
    if (differing.difference(contentDifferences(refusal, again)).size === 0) return false;
  }
  return true;
}
