import { areas } from '../../fixtures/catalog/catalog.ts';
import { clauseById } from '../../fixtures/catalog/clauses/register.ts';
import type { Operation } from '../../fixtures/catalog/operation.ts';
import { check } from '../../fixtures/check/check.ts';
import type { Judgement } from '../../fixtures/check/judgement.ts';
import { inconclusive } from '../../fixtures/check/verdict.ts';
import { isOver, logoutProbe } from '../rules/dead-session.ts';

/** Should the first not tell a signed-in player from nobody, the next one may. */
const probes: readonly Operation[] = [logoutProbe, areas.general.currencies, areas.players.blocked];

export const logoutEndsSession = check(
  areas.me.logout,
  'ends-session',
  clauseById('auth.logout'),
  'ends the signed-in session',
  async (context) => {
    let first: Judgement | undefined;
    for (const probe of probes) {
      const judgement = await isOver(probe, context);
      if (judgement.kind === 'pass' || judgement.kind === 'violation') return judgement;
      first ??= judgement;
    }
    if (first?.kind === 'not-applicable')
      return inconclusive('prerequisite-failed', `no call that tells a session from none: ${first.detail}`);
    return first ?? inconclusive('prerequisite-failed', 'no call to look at');
  },
);
