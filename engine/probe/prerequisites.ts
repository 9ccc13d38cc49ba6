// Gets what most rules need first: an answer to the plain call of a served operation. Where there is none, it stops the
// check with the reason.
import { type Operation, parametersOf } from '../../catalog/operation.ts';
import { isAmbient } from '../../catalog/request-path.ts';
import { silenceOf } from '../compare/no-answer.ts';
import { samplesApart } from '../compare/noise.ts';
import { type Exchange, isSuccess, type Response, statusInWords } from '../http/exchange.ts';
import { cannotTell, type InconclusiveReason, inconclusive, type Judgement, Stop } from '../judgement.ts';
import { bodyRefusals } from '../players/bodies.ts';
import type { Context } from './context.ts';

/** An exchange, and its answer. */
export interface Answered {
  readonly exchange: Exchange;
  readonly response: Response;
}

/** @throws Stop where an exchange has no answer: a transport error or a rate limit is not one */
export function answered(exchange: Exchange): Answered {
  const silence = silenceOf(exchange);
  if (silence) throw cannotTell(silence.reason, silence.why, exchange);
  return { exchange, response: exchange.response as Response };
}

type Sample = () => Promise<Exchange>;

/** Samples that are enough to decide, if the target then stops answering. */
const enoughSamples = 6;

/**
 * Takes samples in turn, again and again, as far apart and as often as the host's noise asks for. The caller stops as
 * soon as it has seen enough.
 * @param scope the name of the rule that samples
 * @throws Stop at a sample without an answer, unless those before it are enough
 */
export async function* samplesInTurn<const Samples extends readonly Sample[]>(
  scope: string,
  { host }: Operation,
  { noise, pause }: Pick<Context, 'noise' | 'pause'>,
  take: (nth: string) => Samples,
): AsyncGenerator<{ readonly [Nth in keyof Samples]: Exchange }> {
  let taken = 0;
  for await (const nth of samplesApart(scope, pause, noise(host))) {
    const seen: Exchange[] = [];
    for (const sample of take(nth)) {
      const exchange = await sample();
      if (silenceOf(exchange) && taken >= enoughSamples) return;
      seen.push(answered(exchange).exchange);
    }
    taken += 1;
    yield seen as { readonly [Nth in keyof Samples]: Exchange } & Exchange[];
  }
}

/** The judgement of a check whose operation is not served: its answers show nothing. */
export const notServed = ({ id }: Operation, why: string): Judgement =>
  inconclusive('not-served', `${id} is not served: ${why}`);

/**
 * The answer to the plain call of an operation, whatever its status.
 * @throws Stop where the operation is not served, or not answered
 */
export async function servedAnswer(operation: Operation, context: Context): Promise<Answered> {
  const found = await context.routed(operation);
  if (found.served === false) throw new Stop(notServed(operation, found.why));
  if (found.served === undefined) throw cannotTell(found.reason, found.why);
  return answered(await context.ask(operation));
}

/**
 * The success of an operation's plain call.
 * @throws Stop where it is no success, with what the call needs
 */
export async function successfulAnswer(operation: Operation, context: Context): Promise<Answered> {
  const plain = await servedAnswer(operation, context);
  const { status } = plain.response;
  if (isSuccess(plain.exchange)) return plain;
  const why = `its plain call is answered ${statusInWords(plain.exchange)}`;
  throw cannotTell(await whyRefusedPlain(operation, status, context), why, plain.exchange);
}

/** Whether the call names a folder or a version that was not given. */
const isAssumed = (operation: Operation, { ambientGiven }: Context) =>
  parametersOf(operation).some((name) => isAmbient(name) && !ambientGiven.has(name));

/** Whether the call names a version pattern that was not given. Existing files confirm folder and game version. */
export const guessesPattern = (
  operation: Operation,
  { ambientGiven }: Pick<Context, 'ambientGiven'>,
): boolean => parametersOf(operation).includes('versionPattern') && !ambientGiven.has('versionPattern');

/** A violation that rests on a guessed version pattern becomes inconclusive: the guess was this run's. */
export function excuseGuessedPattern(
  judgement: Judgement,
  operation: Operation,
  context: Context,
): Judgement {
  if (judgement.kind !== 'violation' || !guessesPattern(operation, context)) return judgement;
  const { actual, evidence } = judgement;
  return inconclusive(
    'unknown-resource',
    `${actual}, asked about a version pattern that nobody gave`,
    evidence,
  );
}

/** Why a served operation may rightly refuse its plain call with this status. For flows, see `whyRefusedInFlow`. */
export async function whyRefusedPlain(
  operation: Operation,
  status: number,
  context: Context,
): Promise<InconclusiveReason> {
  if (status === 401) return context.noSession() === undefined ? 'auth-wall' : 'no-session';
  const isFile = operation.host === 'cdn';
  if ((status === 404 || (isFile && status === 403)) && isAssumed(operation, context))
    return 'unknown-resource';
  // A refusal of an operation that depends on a resource or a state may mean that this player may not do it now.
  if (status === 403) return operation.mayBe404 === 'never' ? 'auth-wall' : 'needs-state';
  if (bodyRefusals.has(status) && (operation.method === 'POST' || operation.method === 'PUT'))
    return 'needs-body';
  if ((await context.unknownIds(operation)).length > 0) return 'unknown-resource';
  if (operation.mayBe404 === 'nothing there' || operation.mayBe404 === 'unknown id') return 'needs-state';
  return operation.method === 'GET' ? 'prerequisite-failed' : 'needs-body';
}
