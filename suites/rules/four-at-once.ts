// Four equal calls at once: a race shows first as a server error.
import { clauseById } from '../../fixtures/catalog/clauses/register.ts';
import type { Rule } from '../../fixtures/check/check.ts';
import { answered, servedAnswer } from '../../fixtures/check/gate.ts';
import { isServerError } from '../../fixtures/check/matchers/server-error.ts';
import { inconclusive, pass, violation } from '../../fixtures/check/verdict.ts';

export const concurrent: Rule = {
  name: 'concurrent',
  title: 'four equal calls at once are no server error',
  clause: () => clauseById('sense.concurrent'),
  applies: () => true,
  async judge(operation, context) {
    const alone = await servedAnswer(operation, context);
    if (!alone.open) return alone.judgement;
    if (isServerError(alone.response))
      return inconclusive(
        'prerequisite-failed',
        `a single call is answered ${alone.response.status} already`,
        alone.exchange,
      );
    const four = await Promise.all([1, 2, 3, 4].map((nth) => context.ask(operation, { as: 'crowd', nth })));
    const broken = four.filter(({ response }) => response && isServerError(response));
    const [worst] = broken;
    if (worst)
      return violation(
        'four answers without a server error',
        `${worst.response?.status}, ${broken.length} of 4`,
        worst,
      );
    const gates = four.map(answered);
    return gates.find((gate) => !gate.open)?.judgement ?? pass(four[3]);
  },
};
