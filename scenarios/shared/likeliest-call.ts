// Makes the call that `done` would send first, where no other body is to be tried.
import type { Operation } from '../../catalog/operation.ts';
import type { BodyAsk, StepContext } from '../../engine/flow/step-context.ts';
import type { Exchange } from '../../engine/http/exchange.ts';

/** Judges nothing. */
export const putLikeliest = <Role extends string>(
  { put, likeliestAsk }: Pick<StepContext<Role>, 'put' | 'likeliestAsk'>,
  role: NoInfer<Role>,
  operation: Operation,
  ask?: BodyAsk,
): Promise<Exchange> => put(role, operation, likeliestAsk(role, operation, ask));

/** Records the status of the answer as the behaviour, since the document leaves it open. */
export const observeLikeliest = <Role extends string>(
  { observeAnswer, likeliestAsk }: Pick<StepContext<Role>, 'observeAnswer' | 'likeliestAsk'>,
  role: NoInfer<Role>,
  operation: Operation,
  ask?: BodyAsk,
): Promise<Exchange> => observeAnswer(role, operation, likeliestAsk(role, operation, ask));
