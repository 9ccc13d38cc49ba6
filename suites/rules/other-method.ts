// Checks that a method that the table does not list for a path is not answered like the documented one.
import { catalog } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { meet } from '../../catalog/path-templates.ts';
import { sameBytes, sameForm } from '../../engine/compare/content.ts';
import type { Ask } from '../../engine/http/ask.ts';
import { type Exchange, json } from '../../engine/http/exchange.ts';
import { pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { answered, successfulAnswer } from '../../engine/probe/prerequisites.ts';
import { switchPoint } from '../../engine/values/switch-points.ts';

/** Is GET documented for this path, by the same template or by one that takes it in? */
const readsHere = (operation: Operation) =>
  catalog.some((other) => other.method === 'GET' && meet(other, operation));

/** GET and POST may both serve a read, so neither is tried on one. */
export const unlistedForReads = switchPoint((): 'PATCH' | 'POST' => 'PATCH');

/**
 * The unlisted call of an operation. A write is asked by GET, which prefetchers and crawlers send unasked. Where GET is
 * another operation, and for whatever only reads (GET and POST side by side are right there), it is PATCH: no operation has it,
 * and unlike DELETE it takes nothing away where it is served.
 */
export function otherMethod(operation: Operation): Ask {
  const as = operation.ends === undefined ? 'fuzzer' : 'leaver';
  const { method, effect } = operation;
  if (method !== 'GET' && effect !== 'read' && !readsHere(operation)) return { as, method: 'GET' };
  return method === 'POST' || method === 'PUT'
    ? { as, method: 'PATCH', body: '{}' }
    : { as, method: unlistedForReads() };
}

/** The same form; where there is no JSON to outline, the same bytes. */
export function alike(documented: Exchange, other: Exchange): boolean {
  if (!sameForm(documented, other)) return false;
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
