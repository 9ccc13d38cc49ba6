// Explains why a call that had to succeed did not: a fault of the target, or something that cannot be known.
import { type Operation, parametersOf } from '../../catalog/operation.ts';
import {
  type Exchange,
  isAccepted,
  isRefusal,
  isSuccess,
  refusesInBody,
  statusInWords,
  statusOf,
} from '../http/exchange.ts';
import { type InconclusiveReason, inconclusive, type Judgement, Stop, violation } from '../judgement.ts';
import { refusesBody } from '../players/bodies.ts';
import { type Form, isGuess } from '../players/body-template.ts';
import { complaintsIn } from '../players/refusals/refusals.ts';
import type { Context } from '../probe/context.ts';
import { guessedValues } from '../probe/parameters.ts';
import { answered, guessesPattern, notServed } from '../probe/prerequisites.ts';
import type { Routed } from '../probe/served/routed-table.ts';
import { isServerFault } from '../values/status.ts';
import { switchPoint } from '../values/switch-points.ts';

// Each `require…` ends the step unless something holds. Rules have `answered` and `servedAnswer` in `prerequisites.ts`.

/** Requires an answer to judge; gives the exchange back. */
export function requireAnswer(exchange: Exchange): Exchange {
  answered(exchange);
  return exchange;
}

/** Whether the operation did what the call asked: by the statuses that the profile lists, or any 2xx. */
export const accepted = (operation: Operation, exchange: Exchange, { flows }: Context): boolean =>
  isAccepted(exchange, flows.accepts(operation));

/** Requires that the operation is served: else its answer shows nothing about it. */
export async function requireServed(operation: Operation, context: Context): Promise<void> {
  const found = await context.routed(operation);
  if (found.served === false) throw new Stop(notServed(operation, found.why));
}

/** Requires that the operation did what the call asked; else the step ends with the judgement of its refusal. */
export async function requireDone(operation: Operation, exchange: Exchange, context: Context): Promise<void> {
  requireAnswer(exchange);
  if (!accepted(operation, exchange, context)) throw new Stop(await refusedWhy(operation, exchange, context));
}

/** The judgement of an answer that refuses a required call. */
export async function refusedWhy(
  operation: Operation,
  exchange: Exchange,
  context: Context,
): Promise<Judgement> {
  const [status, shown] = [statusOf(exchange), statusInWords(exchange)];
  const found = await context.routed(operation);
  if (found.served === false) return notServed(operation, found.why);
  if (isRefusal(exchange) && context.flows.invented(exchange)) {
    const why = `${operation.id} was asked with an invented identifier, and is answered ${shown}`;
    return inconclusive('unknown-resource', why, exchange);
  }
  if (guessesPattern(operation, context)) {
    const why = `${operation.id} was asked about a guessed version pattern, and is answered ${status}`;
    return inconclusive('unknown-resource', why, exchange);
  }
  // Preflight had no time to try the session on this host, so the session may be the credential that it asks for.
  if (status === 401 && context.sessionUntried(operation.host))
    return inconclusive('auth-wall', `${operation.id} is answered ${status}`, exchange);
  const stated = context.flows.accepts(operation);
  const isSpoken = context.flows.isStatedInProfile(operation);
  const ours = isSpoken ? guessedOf(operation, exchange, context) : undefined;
  // A server error after a guess is a violation all the same, but not at level profile.
  const isBroken = isServerFault(status) && isGuessed(context.flows.forms(operation));
  if (isSpoken && ours === undefined && !isBroken) {
    const expected = `${operation.id} is answered ${stated?.join(' or ') ?? '2xx'}`;
    return { ...violation(expected, shown, exchange), level: 'profile' };
  }
  if (isServerFault(status))
    return violation(`${operation.id} is answered without a server error`, `${status}`, exchange);
  const reason = whyRefusedInFlow(operation, exchange, found);
  const why = `${operation.id} is answered ${shown}${ours === undefined ? '' : `, and ${ours}`}`;
  return inconclusive(reason, why, exchange);
}

/** Statuses that may refuse a value: as wrong, as already used, as unknown. */
const refusesAnyValue: ReadonlySet<number> = new Set([400, 404, 406, 409, 410, 422]);

/** Whether the body is a guess, since no profile gives it. */
export const isGuessed = switchPoint((forms: readonly Form[]): boolean => forms.some(isGuess));

/**
 * The part of the call that Assay guessed, in words, where the guess may be the reason of the refusal; else undefined.
 * Such a refusal does not break the profile, even where that lists the statuses of the operation.
 */
export function guessedOf(operation: Operation, exchange: Exchange, { flows }: Context): string | undefined {
  const status = statusOf(exchange);
  // A 401 is about the caller, so another body would not change it.
  if (!isRefusal(exchange) || status === 401) return undefined;
  const forms = flows.forms(operation);
  if (isGuessed(forms)) return 'its body is a guess';
  if (!refusesAnyValue.has(status) && !refusesInBody(exchange)) return undefined;
  const isOurs = (name: string) =>
    // A new player name has to be new each time, so it is always made up.
    name === 'providerPlayerName' || (Object.hasOwn(guessedValues, name) && !flows.stated(operation, name));
  const parameter = parametersOf(operation).find(isOurs);
  if (parameter !== undefined) return `its ${parameter} is ours`;
  return forms.some(({ carries }) => carries.includes('value')) ? 'what its body sets is made up' : undefined;
}

/** Judges the refusal of a call that the target may refuse: a server error is a violation, all else is inconclusive. */
export async function judgeExcusedRefusal(
  operation: Operation,
  exchange: Exchange,
  what: string,
  context: Context,
): Promise<Judgement> {
  const status = statusOf(exchange);
  const found = await context.routed(operation);
  if (found.served === false || guessesPattern(operation, context))
    return refusedWhy(operation, exchange, context);
  if (isServerFault(status))
    return violation(`${what} is taken, or refused without a server error`, `${status}`, exchange);
  const why = `${what} is answered ${statusInWords(exchange)}`;
  return inconclusive(whyRefusedInFlow(operation, exchange, found), why, exchange);
}

/** Why a conforming target may refuse a call of a flow, by the whole answer; `whyRefusedPlain` goes by the status. */
function whyRefusedInFlow(
  { mayBe404, host }: Operation,
  exchange: Exchange,
  found: Routed,
): InconclusiveReason {
  const status = statusOf(exchange);
  if (refusesInBody(exchange)) return complaintsIn(exchange).length > 0 ? 'needs-body' : 'needs-state';
  // Files are public: a store that hides which files exist sends 403 where others send 404.
  const isAbsent = status === 404 || (host === 'cdn' && status === 403);
  if (isAbsent && found.served === undefined) return found.reason;
  if (isAbsent && host === 'cdn') return 'unknown-resource';
  if (status === 403 && mayBe404 === 'never') return 'auth-wall';
  if (status === 401) return 'auth-wall';
  return refusesBody(exchange) ? 'needs-body' : 'needs-state';
}

/** Ignores a stop in an optional part of a step; another step judges that part. */
export function ignoreStop(error: unknown): void {
  if (!(error instanceof Stop)) throw error;
}

/** Ignores an inconclusive Stop; rethrows a violation, and a Stop that rests on one, unless on a refused read alone. */
export function ignoreUnlessViolation(error: unknown): void {
  ignoreStop(error);
  const { judgement } = error as Stop;
  if (judgement.kind !== 'inconclusive') throw error;
  const root = judgement.prerequisite?.judgement;
  if (root?.kind === 'violation' && (!root.evidence || isSuccess(root.evidence))) throw error;
}

/** The judgement of an attack that lacks a value: neither the target's answers nor the profile give it. */
export const needsValue = (why: string, name: string, evidence?: Exchange): Judgement =>
  inconclusive('needs-value', `${why}; give parameters.${name} in the profile`, evidence);
