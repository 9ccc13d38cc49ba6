import { areas } from '../../fixtures/catalog/catalog.ts';
import { clauseById } from '../../fixtures/catalog/clauses/register.ts';
import type { Rule } from '../../fixtures/check/check.ts';
import { answered, successfulAnswer } from '../../fixtures/check/gate.ts';
import { pass, violation } from '../../fixtures/check/verdict.ts';
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
