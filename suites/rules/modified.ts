// Checks that a client with outdated content gets the whole current content. An answer without an ETag conforms.
import { inconclusive, notTriggered, pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { etagOf } from '../../engine/probe/matchers/http-fields.ts';
import { answered } from '../../engine/probe/prerequisites.ts';
import { conditional } from './not-modified.ts';
import { quietContent } from './quiet-reads.ts';

export const modified: Rule = {
  name: 'modified',
  title: 'If-None-Match with another ETag is answered in full',
  clause: 'rfc9110.modified',
  async judge(operation, context) {
    const plain = await quietContent(operation, context);
    if (etagOf(plain.response) === undefined) return notTriggered('it sends no ETag');
    const gate = answered(await context.ask(operation, conditional(operation, '"assay-no-such-etag"')));
    const { status } = gate.response;
    if (status === 304)
      return violation('200 with the content', '304 to an ETag that it never sent', gate.exchange);
    return status === 200
      ? pass(gate.exchange)
      : inconclusive('unstable-answers', `200 at first, then ${status}`, gate.exchange);
  },
};
