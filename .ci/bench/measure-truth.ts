// A whole search, with k6, against a server whose capacity is known.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Oracle, type OracleKind, oracleKindsOfWrites } from '../../fixtures/analytic-targets/models.ts';
import { startOracle } from '../../fixtures/analytic-targets/start.ts';
import { arrivalOf, blockOf, unitArrivals } from '../../load/arrivals/schedule.ts';
import type { Outcome, Search } from '../../load/capacity/model.ts';
import { runSearch } from '../../load/capacity/search.ts';
import { startNull } from '../../load/null-target/start.ts';
import { openLoad } from '../../load/step/open-load.ts';
import type { StepPlan } from '../../load/step/plan.ts';

/** One call that any player may make, and that changes nothing. */
const operation = 'general.healthcheck';

/** A server that twists the effects of writes is asked by a journey that writes. */
const subjectOf = (kind: OracleKind) => {
  if (!oracleKindsOfWrites.includes(kind)) return { journey: '', operation };
  return { journey: kind === 'doubling' ? 'purchases' : 'states' };
};

export interface Measured {
  readonly oracle: Oracle;
  readonly outcome: Outcome;
  readonly search: Search;
}

export interface Measuring {
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
  const nowhere = await startNull();
  const { oracle } = running;
  try {
    const load = await openLoad({ ...subjectOf(kind), env: onlyBase(env, running.url), cwd, signal });
    try {
      await running.arm();
      const { quantile, ms } = oracle.slo;
      const slo = { bounds: [{ name: 'p95' as const, quantile, ms }], errors: oracle.errors };
      const { requestsPerJourney } = load;
      const options = { slo, start: 50, maxRate: 2_000, budgetMs, seed, arrivals: 'poisson' as const };
      const around = {
        target: load.runStep,
        nowhere: load.against(nowhere.url),
        now: () => performance.now(),
        rest: (ms: number, ending: AbortSignal) => sleep(ms, undefined, { signal: ending }).catch(() => {}),
        ...(onStep && { onStep }),
      };
      const search = await runSearch({ ...options, requestsPerJourney }, around, signal);
      if (!search.outcome) throw new Error('a search without a next step has an outcome');
      return { oracle, outcome: search.outcome, search };
    } finally {
      await load.close();
    }
  } finally {
    await nowhere.close();
    await running.close();
  }
}

type Arriving = Pick<StepPlan, 'rate' | 'durationMs' | 'seed' | 'arrivals'>;

/** When arrivals are due, in ms since the first may come. */
export function drawnTimes({ rate, durationMs, seed, arrivals }: Arriving): number[] {
  const stages = [{ from: rate, to: rate, durationMs }];
  const count = blockOf(stages);
  const units = arrivals === 'even' ? undefined : unitArrivals(count, seed);
  return Array.from({ length: count }, (_, nth) => arrivalOf(stages, units, nth));
}

export interface Arrived {
  /** When the requests of the step arrived at the server, in ms of its clock. */
  readonly times: readonly number[];
  /** How late the generator was at worst in 95 % of its own looks at the clock, in ms. */
  readonly lagMs: number;
}

export interface Arrivals {
  of(plan: Arriving): Promise<Arrived>;
  close(): Promise<void>;
}

/** A server that delays nothing and writes down when it was called. */
export async function openArrivals({ env, cwd, signal }: Omit<Measuring, 'budgetMs'>): Promise<Arrivals> {
  const running = await startOracle('null', 1);
  try {
    const load = await openLoad({ journey: '', operation, env: onlyBase(env, running.url), cwd, signal });
    await running.arm();
    let counted = 0;
    return {
      of: async (plan) => {
        const step = await load.runStep({ ...plan, warmupMs: 0, inFlight: 500, label: 'arrivals' }, signal);
        const all = await running.arrivals();
        const times = all.slice(counted);
        counted = all.length;
        return { times, lagMs: step.lagMs.p95 };
      },
      close: async () => {
        await load.close();
        await running.close();
      },
    };
  } catch (error) {
    await running.close();
    throw error;
  }
}
