// A whole search, with k6, against a server whose capacity is known.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Oracle, type OracleKind, oracleKindsOfWrites } from '../../fixtures/analytic-targets/models.ts';
import { startOracle } from '../../fixtures/analytic-targets/start.ts';
import type { Search, SearchOutcome } from '../../load/capacity/model.ts';
import { runSearch } from '../../load/capacity/search.ts';
import { startNull } from '../../load/null-target/start.ts';
import { openLoad } from '../../load/step/open-load.ts';

/** One call that any player may make, and that changes nothing. */
const operation = 'general.healthcheck';

/** What to load: a journey that writes where the server falsifies writes, otherwise the one call. */
const subjectOf = (kind: OracleKind) => {
  if (!oracleKindsOfWrites.includes(kind)) return { journey: '', operation };
  return { journey: kind === 'doubling' ? 'purchases' : 'states' };
};

export interface Measured {
  readonly oracle: Oracle;
  readonly outcome: SearchOutcome;
  readonly search: Search;
}

interface Measuring {
  readonly budgetMs: number;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly onStep?: (search: Search) => void;
}

const onlyBase = (env: Measuring['env'], url: string) => ({
  ...env,
  BASE_URL: url,
  CDN_URL: undefined,
  GAMELOGS_URL: undefined,
});

/** @param seed draws the server, and the arrivals */
export async function measureOracle(kind: OracleKind, seed: number, how: Measuring): Promise<Measured> {
  const { env, cwd, signal, budgetMs, onStep } = how;
  const running = await startOracle(kind, seed);
  const nullTarget = await startNull();
  const { oracle } = running;
  try {
    const load = await openLoad({ ...subjectOf(kind), env: onlyBase(env, running.url), cwd, signal });
    try {
      await running.arm();
      const { quantile, ms } = oracle.slo;
      const slo = { bounds: [{ name: 'p95' as const, quantile, ms }], errors: oracle.errors };
      const { requestsPerJourney } = load;
      const options = { slo, start: 50, maxRate: 2_000, budgetMs, seed, arrivals: 'poisson' as const };
      const environment = {
        target: load.runStep,
        nullTarget: load.against(nullTarget.url),
        now: () => performance.now(),
        pause: (ms: number, ending: AbortSignal) => sleep(ms, undefined, { signal: ending }).catch(() => {}),
        ...(onStep && { onStep }),
      };
      const search = await runSearch({ ...options, requestsPerJourney }, environment, signal);
      if (!search.outcome) throw new Error('a search without a next step has an outcome');
      return { oracle, outcome: search.outcome, search };
    } finally {
      await load.close();
    }
  } finally {
    await nullTarget.close();
    await running.close();
  }
}
