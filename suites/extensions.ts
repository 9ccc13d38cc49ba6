// Checks of extensions: the general rules, and that types[] may be repeated.
import { extensions } from '../catalog/areas/extensions.ts';
import { clauseById } from '../catalog/clauses/clauses.ts';
import { pass, violation } from '../engine/judgement.ts';
import { check, checksOf, suite } from '../engine/probe/check.ts';
import { answered, successfulAnswer } from '../engine/probe/gate.ts';
import { is2xx } from '../engine/values/status.ts';
import { askedQuery } from './rules/asked-path.ts';
import { rules } from './rules/rules.ts';

/** The value that was accepted once is given a second time: another type might honestly be unknown to the target. */
const typesRepeated = check(
  extensions.catalogItems,
  'types-repeated',
  clauseById('resources.types-repeatable'),
  'takes types[] more than once',
  async (context) => {
    const once = await successfulAnswer(extensions.catalogItems, context);
    const extraQuery = askedQuery(once.exchange, extensions.catalogItems);
    const twice = answered(await context.ask(extensions.catalogItems, { extraQuery }));
    const { status } = twice.response;
    if (is2xx(status)) return pass(twice.exchange);
    return violation(
      'the same success as with one types[]',
      `answered ${status} where one was answered ${once.response.status}`,
      twice.exchange,
    );
  },
);

export default suite('extensions', [...checksOf(Object.values(extensions), rules), typesRepeated]);
