// Attacks servers that run as programs of their own, in other languages or with several workers.
import { effects } from '../../catalog/clauses/flows.ts';
import { root } from '../../engine/files.ts';
import { accusing } from '../../engine/judgement.ts';
import { openCheckRunner } from '../../engine/run/check-runner.ts';
import { openTarget } from '../../engine/run/open-target.ts';
import { settingsOf } from '../../engine/run/runner.ts';
import { type RacyShop, shopProfile, shopSteps } from '../../fixtures/racy-shop/servers.ts';
import { attacks } from '../run/suites.ts';
import type { ProofRow } from './prover.ts';

const [timeoutMs, budgetMs] = [60_000, 180_000];

/** Attacks a server. It is found (`killed`) where each of its steps accuses it. */
export async function attackShop({ name, wrong, start }: RacyShop, seed: string): Promise<ProofRow> {
  const begun = performance.now();
  const { hosts, close } = await start();
  try {
    const opened = await openTarget({ env: hosts, cwd: root, seed, profile: shopProfile });
    const asked = { opened, strict: false, readOnly: false, attack: 'on', rate: undefined } as const;
    const settings = settingsOf({ ...asked, timeoutMs, budgetMs, startedAt: Date.now() }, '');
    const runner = openCheckRunner({ ...settings, journal: undefined });
    const steps = attacks.flatMap((suite) => suite.checks).filter(({ id }) => shopSteps.includes(id));
    const checks = await Promise.all(steps.map(runner.perform)).finally(runner.close);
    const missed = checks.filter(({ outcome }) => !accusing.has(outcome));
    return {
      mutant: name,
      wrong,
      clause: effects.races.once.id,
      asked: checks.length,
      outcome: missed.length === 0 ? 'killed' : 'survived',
      turned: checks.filter(({ outcome }) => accusing.has(outcome)).map(({ id }) => id),
      alsoTurned: {},
      missed: missed.map(({ id, outcome, reason, detail }) => ({
        id,
        outcome,
        why: [reason, detail].filter(Boolean).join(': '),
      })),
      collateral: [],
      bursts: runner.bursts(),
      durationMs: Math.round(performance.now() - begun),
    };
  } finally {
    close();
  }
}
