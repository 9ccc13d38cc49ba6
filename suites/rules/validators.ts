// ETag, and what a conditional GET makes of it. No validator at all is fine.
import { clauseById } from '../../catalog/clauses/clauses.ts';
import type { Operation } from '../../catalog/operation.ts';
import { sameBytes } from '../../engine/compare/content.ts';
import { inconclusive, notTriggered, pass, violation, warning } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';
import { answered, type Gate } from '../../engine/probe/gate.ts';
import { etagOf, strongEtagOf } from '../../engine/probe/matchers/etag.ts';
import { isRead, quiet, quietContent } from './quiet-reads.ts';

export const etagStable: Rule = {
  name: 'etag-stable',
  title: 'a strong ETag changes with the content, and only then',
  clause: () => clauseById('rfc9110.strong-etag'),
  applies: isRead,
  async judge(operation, context) {
    const first = await quietContent(operation, context);
    if (!first.open) return first.judgement;
    const tag = strongEtagOf(first.response);
    if (tag === undefined) return notTriggered('it sends no strong ETag');
    const second = answered(await context.ask(operation, quiet(operation, 2)));
    if (!second.open) return second.judgement;
    const next = strongEtagOf(second.response);
    if (next === undefined || second.response.status !== 200)
      return notTriggered('its next answer has no strong ETag');
    const same = sameBytes(first.exchange, second.exchange);
    if (next === tag)
      return same
        ? pass(second.exchange)
        : violation('another ETag for other bytes', `${tag} for both`, second.exchange);
    if (!same) return pass(second.exchange, 'the content changed, and the ETag with it');
    // One change may be a redeploy; a tag that has changed again by the third answer is made anew each time.
    const third = answered(await context.ask(operation, quiet(operation, 3)));
    if (!third.open) return third.judgement;
    const last = strongEtagOf(third.response);
    if (last === undefined || last === next || !sameBytes(second.exchange, third.exchange))
      return pass(third.exchange);
    return warning(
      'one ETag while the bytes stay',
      `${tag}, ${next}, ${last} for the same bytes`,
      third.exchange,
    );
  },
};

const conditional = (operation: Operation, etag: string, nth = 1) =>
  quiet(operation, nth, { headers: [['if-none-match', etag]] });

export const notModified: Rule = {
  name: 'not-modified',
  title: 'If-None-Match with the current ETag is answered 304',
  clause: () => clauseById('rfc9110.not-modified'),
  applies: isRead,
  async judge(operation, context) {
    const plain = await quietContent(operation, context);
    if (!plain.open) return plain.judgement;
    const etag = etagOf(plain.response);
    if (etag === undefined) return notTriggered('it sends no ETag');
    const { gate, current } = await whileCurrent(operation, context, etag);
    if (!gate.open) return gate.judgement;
    const { status } = gate.response;
    if (status === 304) return pass(gate.exchange);
    if (!current) return notTriggered('its ETag changes with every answer');
    if (status >= 400 && status < 500 && status !== 412)
      return inconclusive('unstable-answers', `200 at first, ${status} with If-None-Match`, gate.exchange);
    return violation('304', String(status), gate.exchange);
  },
};

/** The content may have changed since its ETag was read: then the newer ETag is tried, once. */
async function whileCurrent(
  operation: Operation,
  { ask }: Context,
  etag: string,
): Promise<{ gate: Gate; current: boolean }> {
  const first = answered(await ask(operation, conditional(operation, etag)));
  if (!first.open || first.response.status !== 200) return { gate: first, current: true };
  const newer = etagOf(first.response);
  if (newer === undefined || newer === etag) return { gate: first, current: newer === etag };
  const second = answered(await ask(operation, conditional(operation, newer)));
  return {
    gate: second,
    current: !second.open || second.response.status !== 200 || etagOf(second.response) === newer,
  };
}

export const modified: Rule = {
  name: 'modified',
  title: 'If-None-Match with another ETag is answered in full',
  clause: () => clauseById('rfc9110.modified'),
  applies: isRead,
  async judge(operation, context) {
    const plain = await quietContent(operation, context);
    if (!plain.open) return plain.judgement;
    if (etagOf(plain.response) === undefined) return notTriggered('it sends no ETag');
    const gate = answered(await context.ask(operation, conditional(operation, '"assay-no-such-etag"')));
    if (!gate.open) return gate.judgement;
    const { status } = gate.response;
    if (status === 304)
      return violation('200 with the content', '304 to an ETag that it never sent', gate.exchange);
    return status === 200
      ? pass(gate.exchange)
      : inconclusive('unstable-answers', `200 at first, then ${status}`, gate.exchange);
  },
};
