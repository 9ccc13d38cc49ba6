// Attacks servers that are programs of their own, as a user does: other languages, several workers.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { effects } from '../../catalog/clauses/flows.ts';
import { type RacyShop, shopProfile, shopSteps } from '../../fixtures/racy-shop/servers.ts';
import type { ProofRow } from './prove.ts';
import { runAgainst } from './run-against.ts';

/** A row for a server: it is found where each of its steps accuses. */
export async function attackShop({ name, wrong, start }: RacyShop, seed: string): Promise<ProofRow> {
  const begun = performance.now();
  const out = mkdtempSync(join(tmpdir(), 'assay-shop-run-'));
  try {
    const { hosts, close } = await start();
    const args = ['--attack', 'on', '--profile', shopProfile, '--only', ...shopSteps];
    const { checks } = await runAgainst({ name, hosts, seed, out, args }).finally(close);
    const isTurned = ({ outcome }: (typeof checks)[number]) => outcome === 'fail' || outcome === 'warn';
    const missed = checks.filter((check) => !isTurned(check));
    return {
      ...{ mutant: name, wrong, clause: effects.races.once.id, asked: checks.length },
      outcome: missed.length === 0 ? 'killed' : 'survived',
      turned: checks.filter(isTurned).map(({ id }) => id),
      alsoTurned: {},
      missed: missed.map(({ id, outcome, reason, detail }) => ({
        ...{ id, outcome, why: [reason, detail].filter(Boolean).join(': ') },
      })),
      collateral: [],
      durationMs: Math.round(performance.now() - begun),
    };
  } finally {
    rmSync(out, { recursive: true });
  }
}
