// Checks of messages: the general rules, and that the inbox is listed with any limit and in any language.
import { messages } from '../catalog/areas/messages.ts';
import { clauseById } from '../catalog/clauses/clauses.ts';
import { pass, violation } from '../engine/judgement.ts';
import { check } from '../engine/probe/check.ts';
import { answered, successfulAnswer } from '../engine/probe/prerequisites.ts';
import { is2xx } from '../engine/values/status.ts';
import { areaSuite } from './rules/rules.ts';
import { expectNoServerError } from './shared/bad-input.ts';

/** Calls the inbox with another limit, which the document lets a caller choose; `answers` judges the plain call. */
const inboxFilter = check(
  messages.listInbox,
  'inbox-filter',
  clauseById('messages.inbox-filter'),
  'takes filter[]=inbox with whatever limit',
  async (context) => {
    await successfulAnswer(messages.listInbox, context);
    const other = answered(await context.ask(messages.listInbox, { params: { limit: '1' } }));
    const { status } = other.response;
    if (is2xx(status)) return pass(other.exchange);
    return violation('success, as with the default limit', `answered ${status} with limit=1`, other.exchange);
  },
);

const otherLanguage = check(
  messages.listInbox,
  'other-language',
  clauseById('sense.language'),
  'a language other than en causes no server error',
  (context) => expectNoServerError(messages.listInbox, context, { params: { language: 'de' } }),
);

export default areaSuite('messages', messages, inboxFilter, otherLanguage);
