// Checks of the signed-in player's own calls: the general rules, and that logout ends the session.
import { me } from '../catalog/areas/me.ts';
import { areas } from '../catalog/catalog.ts';
import { clauseById } from '../catalog/clauses/clauses.ts';
import type { Operation } from '../catalog/operation.ts';
import { inconclusive, type Judgement, judgementOf } from '../engine/judgement.ts';
import { check } from '../engine/probe/check.ts';
import { judgeAfterLogout, logoutProbe } from './rules/dead-session.ts';
import { areaSuite } from './rules/rules.ts';

/** Calls to try in order: where one does not tell a signed-in player from an anonymous caller, the next may. */
const probes: readonly Operation[] = [logoutProbe, areas.general.currencies, areas.players.blocked];

const logoutEndsSession = check(
  me.logout,
  'ends-session',
  clauseById('auth.logout'),
  'ends the signed-in session',
  async (context) => {
    let first: Judgement | undefined;
    for (const probe of probes) {
      const judgement = await judgementOf(judgeAfterLogout(probe, context));
      if (judgement.kind === 'pass' || judgement.kind === 'violation') return judgement;
      first ??= judgement;
    }
    if (first?.kind === 'not-applicable')
      return inconclusive('prerequisite-failed', `no call that tells a session from none: ${first.detail}`);
    return first ?? inconclusive('prerequisite-failed', 'no call to look at');
  },
);

export default areaSuite('me', me, logoutEndsSession);
