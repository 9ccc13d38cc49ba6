// Checks that the server answers the plain call with success. A refusal that it may rightly give is inconclusive.
import { catalog } from '../../catalog/catalog.ts';
import { clauseById } from '../../catalog/clauses/clauses.ts';
import { type Host, type Operation, parametersOf } from '../../catalog/operation.ts';
import { storeParameters } from '../../catalog/request-path.ts';
import { isUnanswered, silenceOf } from '../../engine/compare/no-answer.ts';
import { guessedOf } from '../../engine/flow/why-refused.ts';
import { type Exchange, isSuccess, refusesInBody, statusInWords } from '../../engine/http/exchange.ts';
import {
  type InconclusiveReason,
  inconclusive,
  type Judgement,
  pass,
  violation,
  warning,
} from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';
import { isServerError, redirectOf } from '../../engine/probe/matchers/http-fields.ts';
import { excuseGuessedPattern, servedAnswer, whyRefusedPlain } from '../../engine/probe/prerequisites.ts';
import type { OperationProfile } from '../../engine/target/profile.ts';
import { is3xx } from '../../engine/values/status.ts';
import { inSeconds } from '../../engine/values/text.ts';
import { askTwiceMore } from '../shared/repeats.ts';

/** Whether the document fixes every input of this call. */
const isFixed = (operation: Operation) =>
  operation.method === 'GET' && parametersOf(operation).every((name) => storeParameters.has(name));

const success = 'an answer with success (2xx)';

export const answers: Rule = {
  name: 'answers',
  title: 'answers its default form with success',
  clause: (operation) => clauseById(isFixed(operation) ? 'endpoints.default-form' : 'sense.answers'),
  judge: async (operation, context) =>
    excuseGuessedPattern(await judgeAnswer(operation, context), operation, context),
};

async function judgeAnswer(operation: Operation, context: Context): Promise<Judgement> {
  // A call without an answer is judged here; otherwise `servedAnswer` gets the same exchange: equal asks share one.
  const plain = await context.ask(operation);
  if (context.lost(operation.host) === undefined) {
    if (isReset(plain)) return judgeFailure(operation, context, plain);
    if (isUnanswered(plain)) return unanswered(operation, context, plain);
  }
  const { exchange, response } = await servedAnswer(operation, context);
  const { status } = response;
  const stated = statedOf(operation, context);
  const succeeded = isSuccess(exchange);
  if (!refusesInBody(exchange) && (stated?.accepts?.includes(status) ?? succeeded))
    return byProfile(pass(exchange), stated);
  if (stated && succeeded) return notAccepted(stated, exchange, status);
  if (isServerError(response)) return judgeFailure(operation, context, exchange);
  if (is3xx(status)) return redirected(exchange);
  return judgeRefusal(operation, context, { exchange, status, stated });
}

interface Refusal {
  readonly exchange: Exchange;
  readonly status: number;
  /** What the profile states of the operation. */
  readonly stated: OperationProfile | undefined;
}

/** Judges a refusal: of a call that the document or the profile states in full it is a violation. */
async function judgeRefusal(
  operation: Operation,
  context: Context,
  { exchange, status, stated }: Refusal,
): Promise<Judgement> {
  const isWall = status === 401 || status === 403;
  const unsigned = operation.host === 'base' ? context.noSession() : undefined;
  if (!isWall && unsigned !== undefined)
    return inconclusive('no-session', `answered ${status}, and ${unsigned}`, exchange);
  if (operation.host === 'cdn' && status !== 401 && (await areSegmentsAssumed(context)))
    return inconclusive(
      'segments-unknown',
      `answered ${status} under an assumed folder and version`,
      exchange,
    );
  if (!isWall && !refusesInBody(exchange) && isFixed(operation) && operation.mayBe404 === 'never')
    return violation(success, String(status), exchange);
  const reason = await whyRefusedPlain(operation, status, context);
  const ours = stated && guessedOf(operation, exchange, context);
  if (stated && ours === undefined && !(await isExcused(operation, status, reason, stated, context)))
    return notAccepted(stated, exchange, status);
  // No body is guessed where the profile gives one.
  const isGiven = reason === 'needs-body' && stated?.body !== undefined;
  const why = `its plain call is answered ${statusInWords(exchange)}${ours === undefined ? '' : `, and ${ours}`}`;
  return inconclusive(isGiven ? 'needs-state' : reason, why, exchange);
}

/** The profile's entry for a plain call whose inputs the document leaves open, if it gives a body or statuses. */
function statedOf(operation: Operation, { stated }: Context): OperationProfile | undefined {
  const entry = isFixed(operation) ? undefined : stated(operation);
  return entry?.accepts === undefined && entry?.body === undefined ? undefined : entry;
}

const byProfile = <J extends Judgement>(judgement: J, stated?: OperationProfile): J =>
  stated === undefined ? judgement : { ...judgement, level: 'profile', clause: 'profile.accepts' };

/** The violation of an answer that the profile does not accept. */
const notAccepted = (stated: OperationProfile, exchange: Exchange, status: number): Judgement =>
  byProfile(violation(stated.accepts?.join(' or ') ?? success, String(status), exchange), stated);

const conflicts = new Set([409, 410]);

/** Without earlier calls there is no player to remove, no invitation to accept and no friend to read about. */
const outOfTheBlue = new Set([403, 404, 409, 410, 412]);

/** The same, from a server that validates the input before it looks at the state. */
const wrongInput = new Set([400, 422]);

/** Whether a refusal is excused in spite of the profile: an input or the session is missing, or the player's state. */
async function isExcused(
  operation: Operation,
  status: number,
  reason: InconclusiveReason,
  { body }: OperationProfile,
  { unknownIds, crowded, sessionUntried }: Context,
): Promise<boolean> {
  if (status === 401 && sessionUntried(operation.host)) return true;
  if (reason === 'no-session' || (reason === 'needs-body' && body === undefined)) return true;
  if (operation.mayBe404 === 'nothing there' && status === 404) return true;
  if (operation.precondition === 'follows' && outOfTheBlue.has(status)) return true;
  if (operation.precondition === 'follows' && body === undefined && wrongInput.has(status)) return true;
  if (operation.precondition === 'once' && conflicts.has(status)) return true;
  // An invitation that no player sent cannot be accepted, though its party is known.
  if (operation.mayBe404 !== 'never' && conflicts.has(status)) return true;
  if (crowded() && [403, 404, 409].includes(status)) return true;
  return (await unknownIds(operation)).length > 0;
}

/** Whether folder or version is guessed, and no file was found there. */
async function areSegmentsAssumed({ ambientGiven, ask }: Context): Promise<boolean> {
  if ([...storeParameters].every((name) => ambientGiven.has(name))) return false;
  const files = await Promise.all(catalog.filter(({ host }) => host === 'cdn').map((file) => ask(file)));
  return !files.some(({ response }) => response?.status === 200);
}

/** Whether a connection broke although it was new, so that no stale keep-alive explains it. */
const isReset = ({ error }: Exchange) =>
  error?.kind === 'reset' && !error.reusedConnection && error.partial === undefined;

const failed = (exchange: Exchange) =>
  isReset(exchange) || (exchange.response !== undefined && isServerError(exchange.response));

const describeStatus = ({ response }: Exchange) =>
  response ? String(response.status) : 'a connection that breaks before an answer';

/** A failure that does not repeat is still a failure; the report says how often it occurred. */
async function judgeFailure(operation: Operation, context: Context, first: Exchange): Promise<Judgement> {
  const all = [first, ...(await askTwiceMore(context, operation))];
  const gone = context.lost(operation.host);
  if (gone !== undefined) return inconclusive('target-lost', gone, first);
  const put = all.filter((exchange) => exchange.response !== undefined || isReset(exchange));
  return violation(
    success,
    `${describeStatus(first)}, ${put.filter(failed).length} of ${put.length} times`,
    first,
  );
}

function redirected(exchange: Exchange): Judgement {
  const redirect = redirectOf(exchange);
  if (redirect?.away) return inconclusive('redirected', `it redirects to ${redirect.to}`, exchange);
  return violation(success, `${exchange.response?.status}: redirected, not answered`, exchange);
}

// A call that is taken and never answered, while its host answers others.

/** A shorter wait than this never supports the claim that an operation does not answer, whatever the run's deadline. */
const leastMs = 4_000;
/** An operation counts as silent after this many times the usual duration of answers of its host. */
const farBeyond = 4;

/**
 * Judges a call without an answer: repeats it, after a call to an unrouted path. Two timeouts while the host answers
 * are no coincidence, but a wait that is not far beyond that of other answers is inconclusive.
 */
async function unanswered(operation: Operation, context: Context, first: Exchange): Promise<Judgement> {
  const beside = await context.ask(operation, { path: '/assayUnrouted' });
  const again = silenceOf(beside) ? undefined : await context.ask(operation, { nth: 2 });
  const gone = context.lost(operation.host);
  if (gone !== undefined) return inconclusive('target-lost', gone, first);
  const message = first.error?.message ?? 'no answer';
  if (again === undefined || !isUnanswered(again)) {
    const then = again?.response ? `; answered ${again.response.status} when asked again` : '';
    return inconclusive('timeout', `${message}${then}`, first);
  }
  // Where many calls time out, each gets less time: the waits of other calls of this operation count as well.
  const waitedMs = Math.max(first.durationMs, again.durationMs, context.longestUnanswered(operation));
  const usualMs = Math.max(beside.durationMs, usualOf(operation.host, context));
  if (waitedMs < Math.max(leastMs, farBeyond * usualMs)) return inconclusive('timeout', message, first);
  // No clause bounds the time, and a long poll may hold its answer back for longer than this run waits.
  return warning(
    success,
    `no answer in ${inSeconds(waitedMs)}, nor in ${inSeconds(again.durationMs)} when asked again (--timeout waits longer)`,
    first,
  );
}

/** The time in ms within which three in four of the host's operations always answered; 0 where none has. */
function usualOf(host: Host, { latency }: Context): number {
  const figures = latency();
  const longest = catalog
    .filter((operation) => operation.host === host)
    .flatMap(({ id }) => figures[id]?.[4] ?? [])
    .sort((a, b) => a - b);
  return longest[Math.ceil(0.75 * longest.length) - 1] ?? 0;
}
