import { areas } from '../../fixtures/catalog/catalog.ts';
import { clauseById } from '../../fixtures/catalog/clauses/register.ts';
import type { Rule } from '../../fixtures/check/check.ts';
import { answered, servedAnswer } from '../../fixtures/check/gate.ts';
import { inconclusive, pass, violation } from '../../fixtures/check/verdict.ts';
import { askedPathAlone } from './asked-path.ts';

const isTaken = (status: number) => status >= 200 && status < 300;

/** What it does is open, so `false` may honestly be answered with "not allowed": only the call without it compares. */
export const redirectParameter: Rule = {
  name: 'redirect-parameter',
  title: 'does not refuse shouldNotThrowOperationNotAllowed',
  clause: () => clauseById('general.redirect-parameter'),
  applies: (operation) => operation === areas.general.marketingRedirect,
  async judge(operation, context) {
    const given = await servedAnswer(operation, context);
    if (!given.open) return given.judgement;
    const { status } = given.response;
    if (isTaken(status)) return pass(given.exchange, 'taken');
    const path = askedPathAlone(given.exchange, operation, context);
    const without = answered(await context.ask(operation, { path }));
    if (!without.open) return without.judgement;
    if (isTaken(without.response.status))
      return violation(
        `${without.response.status}, as without the parameter`,
        `answered ${status} with it`,
        given.exchange,
      );
    return inconclusive(
      'prerequisite-failed',
      `refused with it (${status}) and without (${without.response.status})`,
      given.exchange,
    );
  },
};
