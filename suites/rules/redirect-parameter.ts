import { areas } from '../../catalog/catalog.ts';
import { clauseById } from '../../catalog/clauses/clauses.ts';
import type { Operation } from '../../catalog/operation.ts';
import { inconclusive, type Judgement, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';
import { answered, servedAnswer } from '../../engine/probe/gate.ts';
import { askedPathAlone } from './asked-path.ts';
import { endures } from './bad-input.ts';

const isTaken = (status: number) => status >= 200 && status < 300;

/**
 * Refused with it while taken without it: it does not exist. What it does is open, so `false` may honestly be answered
 * with "not allowed", though not with a server error.
 */
export const redirectParameter: Rule = {
  name: 'redirect-parameter',
  title: 'does not refuse shouldNotThrowOperationNotAllowed',
  clause: () => clauseById('general.redirect-parameter'),
  applies: (operation) => operation === areas.general.marketingRedirect,
  async judge(operation, context) {
    const given = await servedAnswer(operation, context);
    if (!given.open) return given.judgement;
    const { status } = given.response;
    if (isTaken(status)) return turnedRound(operation, context);
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

async function turnedRound(operation: Operation, context: Context): Promise<Judgement> {
  const judgement = await endures(operation, context, {
    params: { shouldNotThrowOperationNotAllowed: 'false' },
  });
  return judgement.kind === 'violation' ? { ...judgement, onlyWarns: true } : judgement;
}
