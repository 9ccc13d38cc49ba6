// Is a call's answer just what any path would get?
import type { Operation } from '../../fixtures/catalog/operation.ts';
import { pathOf } from '../../fixtures/check/evidence/ask.ts';
import { differences } from '../../fixtures/check/evidence/compare.ts';
import { controlPath } from '../../fixtures/check/evidence/controls.ts';
import { randomFrom } from '../../fixtures/check/evidence/random.ts';
import { type Exchange, text } from '../../fixtures/client/exchange.ts';
import type { Target } from '../../fixtures/target/target.ts';
import { around } from './put.ts';

/** Two answers to paths beside the call's own that have no route. */
export type Controls = readonly [Exchange, Exchange] | undefined;

interface ControlOptions {
  readonly operation: Operation;
  readonly target: Target;
  readonly params: Readonly<Record<string, string>>;
  readonly put: (path: string) => Promise<Exchange>;
  readonly isRight: (exchange: Exchange, operation: Operation, target: Target) => boolean;
}

/** Undefined where such an answer could not be taken for a right one. */
export async function controlsFor(options: ControlOptions): Promise<Controls> {
  const { operation, target, params, put, isRight } = options;
  const [path = '', query] = pathOf(operation, {}, { ...around(operation, target), params }).split('?', 2);
  const beside = (nth: string) => {
    const random = randomFrom(target.seed, target.runId, 'load', operation.id, nth);
    const control = controlPath('sibling', operation, path, random).path;
    return put(query === undefined ? control : `${control}?${query}`);
  };
  const first = await beside('1');
  return isRight(first, operation, target) ? [first, await beside('2')] : undefined;
}

export const isUnrouted = (exchange: Exchange, controls: Controls): boolean =>
  controls !== undefined && differences(exchange, controls[0], differences(...controls)).size === 0;

const longest = 4_096;

/** What unrouted paths are answered, word for word; undefined where it changes by itself. */
export function unroutedText(controls: Controls): string | undefined {
  const [first, second] = controls ?? [];
  if (!first?.response || !second?.response) return undefined;
  const told = text(first.response);
  return told === text(second.response) && told.length <= longest ? told : undefined;
}
