// An answer made for one player is not marked for shared caches.
import { clauseById } from '../../fixtures/catalog/clauses/register.ts';
import type { Operation } from '../../fixtures/catalog/operation.ts';
import type { Rule } from '../../fixtures/check/check.ts';
import type { Context } from '../../fixtures/check/context.ts';
import { nobody } from '../../fixtures/check/evidence/ask.ts';
import { answered, successfulAnswer } from '../../fixtures/check/gate.ts';
import { contentDifferences } from '../../fixtures/check/matchers/same-content.ts';
import { sharedCaching } from '../../fixtures/check/matchers/shared-cache.ts';
import { inconclusive, notTriggered, pass, violation } from '../../fixtures/check/verdict.ts';
import type { Exchange } from '../../fixtures/client/exchange.ts';
import { quiet } from './quiet-reads.ts';

export const notPublic: Rule = {
  name: 'private',
  title: 'an answer made for one player is not marked public',
  clause: () => clauseById('rfc9111.private'),
  applies: ({ host }) => host === 'base',
  async judge(operation, context) {
    const missing = context.noSession();
    if (missing !== undefined) return inconclusive('no-session', missing);
    const gate = await successfulAnswer(operation, context);
    if (!gate.open) return gate.judgement;
    const anonymous = answered(await context.ask(operation, { as: nobody }));
    if (!anonymous.open) return anonymous.judgement;
    if (contentDifferences(gate.exchange, anonymous.exchange).size === 0)
      return notTriggered('anybody gets the same answer');
    const found = sharedCaching(gate.response);
    if (!found) return pass(gate.exchange);
    const whose = await madeForOne(operation, context, gate.exchange);
    return whose === true ? violation(found.expected, found.actual, gate.exchange) : whose;
  },
};

/** Marked for all, and some have to sign in first: it may still be one answer for everybody who does. */
async function madeForOne(operation: Operation, context: Context, mine: Exchange) {
  if (operation.method !== 'GET') return notTriggered('the answer to a write is not kept by shared caches');
  const another = answered(await context.ask(operation, quiet(operation)));
  if (!another.open) return another.judgement;
  if (sameHeaders(mine, another.exchange))
    return inconclusive('needs-players', 'one player alone cannot show whether all get this answer');
  const again = await context.ask(operation, { nth: 2 });
  const changing = contentDifferences(mine, again);
  return (
    contentDifferences(mine, another.exchange, changing).size > 0 ||
    notTriggered('two players get the same answer')
  );
}

const sameHeaders = (a: Exchange, b: Exchange) =>
  JSON.stringify(a.request.headers) === JSON.stringify(b.request.headers);
