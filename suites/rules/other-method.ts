// Checks that a method that the table does not list for a path is not answered like the documented one.
import { catalog } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { meet } from '../../catalog/path-templates.ts';
import { sameBytes, sameForm } from '../../engine/compare/content.ts';
import type { Ask } from '../../engine/http/ask.ts';
import { type Exchange, json, refusesInBody } from '../../engine/http/exchange.ts';
import { pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { answered, successfulAnswer } from '../../engine/probe/prerequisites.ts';
import { switchPoint } from '../../engine/values/switch-points.ts';

/** Whether GET is documented for this path, by the same template or by one that matches it too. */
const readsHere = (operation: Operation) =>
  catalog.some((other) => other.method === 'GET' && meet(other, operation));

/** The method for a read: not GET or POST, since either may serve a read. The prover makes it POST. */
export const unlistedForReads = switchPoint((): 'PATCH' | 'POST' => 'PATCH');

/**
 * The call of an operation with an unlisted method. A write gets GET, which prefetchers and crawlers send unasked. The
 * method is PATCH where GET is another operation, and for reads (which may rightly have GET and POST): no operation has
 * PATCH, and unlike DELETE it removes nothing where it is served.
 */
export function otherMethod(operation: Operation): Ask {
  const as = operation.ends === undefined ? 'fuzzer' : 'leaver';
  const { method, effect } = operation;
  if (method !== 'GET' && effect !== 'read' && !readsHere(operation)) return { as, method: 'GET' };
  return method === 'POST' || method === 'PUT'
    ? { as, method: 'PATCH', body: '{}' }
    : { as, method: unlistedForReads() };
}

/** Whether two answers have the same form or, where they are not JSON, the same bytes. */
export function alike(documented: Exchange, other: Exchange): boolean {
  // A target that refuses with a success status gives refusals one form, whatever they refuse.
  if (refusesInBody(other) || !sameForm(documented, other)) return false;
  return (other.response !== undefined && json(other.response).ok) || sameBytes(documented, other);
}

export const otherMethodRule: Rule = {
  name: 'other-method',
  title: 'another method is not answered like the documented call',
  clause: 'sense.method',
  changes: true,
  async judge(operation, context) {
    const documented = await successfulAnswer(operation, context);
    const ask = otherMethod(operation);
    const other = answered(await context.ask(operation, ask));
    const { status } = other.response;
    if (alike(documented.exchange, other.exchange))
      return violation(
        'a refusal such as 405, or an answer of its own',
        `${ask.method} is answered ${status} like the documented ${operation.method}`,
        other.exchange,
      );
    return pass(other.exchange, `${ask.method} is answered ${status}`);
  },
};
