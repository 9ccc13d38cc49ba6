// Gets what most rules need first: an answer to the plain call of a served operation, or the reason why there is none.
import { type Operation, parametersOf } from '../../catalog/operation.ts';
import { ambientParameters } from '../../catalog/request-path.ts';
import { silenceOf } from '../compare/controls.ts';
import type { Exchange, Response } from '../http/exchange.ts';
import { type InconclusiveReason, inconclusive, type Judgement } from '../judgement.ts';
import { is2xx } from '../values/status.ts';
import type { Context } from './context.ts';

export interface OpenGate {
  readonly open: true;
  readonly exchange: Exchange;
  readonly response: Response;
}

export type Gate = OpenGate | { readonly open: false; readonly judgement: Judgement };

const isAmbient = (name: string) => (ambientParameters as readonly string[]).includes(name);

const closed = (reason: InconclusiveReason, detail: string, exchange?: Exchange): Gate => ({
  open: false,
  judgement: inconclusive(reason, detail, exchange),
});

/** Opens where an exchange has an answer; a transport error or a rate limit is no answer. */
export function answered(exchange: Exchange): Gate {
  const silence = silenceOf(exchange);
  if (silence) return closed(silence.reason, silence.why, exchange);
  return { open: true, exchange, response: exchange.response as Response };
}

type Sample = () => Promise<Exchange>;

/** Takes samples in turn, to compare them; closes at the first one without an answer and takes no more. */
export async function inTurn<const Samples extends readonly Sample[]>(
  ...samples: Samples
): Promise<
  | { readonly open: true; readonly seen: { readonly [Nth in keyof Samples]: Exchange } }
  | { readonly open: false; readonly judgement: Judgement }
> {
  const seen: Exchange[] = [];
  for (const sample of samples) {
    const gate = answered(await sample());
    if (!gate.open) return gate;
    seen.push(gate.exchange);
  }
  return { open: true, seen: seen as { readonly [Nth in keyof Samples]: Exchange } & Exchange[] };
}

/** Opens when the operation is served and its plain call has an answer, whatever its status. */
export async function servedAnswer(operation: Operation, context: Context): Promise<Gate> {
  const found = await context.routed(operation);
  if (found.served === false) return closed('not-served', `${operation.id} is not served: ${found.why}`);
  if (found.served === undefined) return closed(found.reason, found.why);
  return answered(await context.ask(operation));
}

/** Opens where the operation's plain call is answered 2xx; otherwise says what the call needs. */
export async function successfulAnswer(operation: Operation, context: Context): Promise<Gate> {
  const gate = await servedAnswer(operation, context);
  if (!gate.open || is2xx(gate.response.status)) return gate;
  return closed(
    await whyNot(operation, gate.response.status, context),
    `its plain call is answered ${gate.response.status}`,
    gate.exchange,
  );
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
export function excused(judgement: Judgement, operation: Operation, context: Context): Judgement {
  if (judgement.kind !== 'violation' || !guessesPattern(operation, context)) return judgement;
  const { actual, evidence } = judgement;
  return inconclusive(
    'unknown-resource',
    `${actual}, asked about a version pattern that nobody gave`,
    evidence,
  );
}

/** Why a served operation may honestly refuse its plain call with this status. */
export async function whyNot(
  operation: Operation,
  status: number,
  context: Context,
): Promise<InconclusiveReason> {
  if (status === 401) return context.noSession() === undefined ? 'auth-wall' : 'no-session';
  const isFile = operation.host === 'cdn';
  if ((status === 404 || (isFile && status === 403)) && isAssumed(operation, context))
    return 'unknown-resource';
  // Of an operation that depends on a resource or a state, it may as well say that this player may not do it now.
  if (status === 403) return operation.absence === 'never' ? 'auth-wall' : 'needs-state';
  if (status === 400 || status === 422 || status === 415) {
    if (operation.method === 'POST' || operation.method === 'PUT') return 'needs-body';
  }
  if ((await context.unknownIds(operation)).length > 0) return 'unknown-resource';
  if (operation.absence === 'state' || operation.absence === 'id') return 'needs-state';
  return operation.method === 'GET' ? 'prerequisite-failed' : 'needs-body';
}
