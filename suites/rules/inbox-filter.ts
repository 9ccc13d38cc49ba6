import { areas } from '../../catalog/catalog.ts';
import { clauseById } from '../../catalog/clauses/clauses.ts';
import { pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { answered, successfulAnswer } from '../../engine/probe/gate.ts';

/** The row's plain call is judged by `answers`; here inbox stands with another limit, as the document lets a caller choose. */
export const inboxFilter: Rule = {
  name: 'inbox-filter',
  title: 'takes filter[]=inbox with whatever limit',
  clause: () => clauseById('messages.inbox-filter'),
  applies: (operation) => operation === areas.messages.listInbox,
  async judge(operation, context) {
    const plain = await successfulAnswer(operation, context);
    if (!plain.open) return plain.judgement;
    const other = answered(await context.ask(operation, { params: { limit: '1' } }));
    if (!other.open) return other.judgement;
    const { status } = other.response;
    if (status >= 200 && status < 300) return pass(other.exchange);
    return violation('success, as with the default limit', `answered ${status} with limit=1`, other.exchange);
  },
};
