import { areas } from '../../catalog/catalog.ts';
import { clauseById } from '../../catalog/clauses/clauses.ts';
import { pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { answered, successfulAnswer } from '../../engine/probe/gate.ts';
import { askedQuery } from './asked-path.ts';

/** The value that was accepted once is given a second time: another type might honestly be unknown to the target. */
export const typesRepeated: Rule = {
  name: 'types-repeated',
  title: 'takes types[] more than once',
  clause: () => clauseById('resources.types-repeatable'),
  applies: (operation) => operation === areas.extensions.catalogItems,
  async judge(operation, context) {
    const once = await successfulAnswer(operation, context);
    if (!once.open) return once.judgement;
    const extraQuery = askedQuery(once.exchange, operation);
    const twice = answered(await context.ask(operation, { extraQuery }));
    if (!twice.open) return twice.judgement;
    const { status } = twice.response;
    if (status >= 200 && status < 300) return pass(twice.exchange);
    return violation(
      'the same success as with one types[]',
      `answered ${status} where one was answered ${once.response.status}`,
      twice.exchange,
    );
  },
};
