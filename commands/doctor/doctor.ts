// Runs `npm run doctor`: reports within five seconds why a run could not judge a target.
import { createClient } from '../../engine/http/client.ts';
import { createRedactor } from '../../engine/http/redact.ts';
import type { Environment } from '../../engine/target/settings.ts';
import { readTarget } from '../../engine/target/target.ts';
import { areLocal, concurrencyFor, insecureLine } from '../../engine/target/transport.ts';
import { startEmbedded } from '../serve/embedded.ts';
import { type ExamineLimits, examine, usualLimits } from './examine.ts';
import { findingsOf, isReady } from './findings/findings.ts';
import { doctorJson, linesOf } from './report.ts';
import { plannedChecks } from './share.ts';

export interface DoctorOptions {
  readonly profile?: string;
  readonly jwtAlg?: string;
  readonly insecure?: boolean;
  /** Calls per second at most; a low rate leaves time for fewer operations. */
  readonly rate?: number;
  readonly json?: boolean;
}

/** What the command takes from the process. */
export interface DoctorEnvironment {
  readonly env: Environment;
  readonly cwd: string;
  readonly print: (text: string) => void;
  readonly limits?: ExamineLimits;
  /** Aborted where the look was interrupted: what was seen by then is no judgement. */
  readonly interrupted?: AbortSignal;
}

/**
 * Looks at the target and prints what it found.
 * @returns 0 where a run can judge enough of it, else 2; 130 where it was interrupted, and prints nothing
 * @throws ConfigurationError with one line per mistake in the settings
 */
export async function doctorCommand(
  { json, rate, ...options }: DoctorOptions,
  { env, cwd, print, limits = usualLimits, interrupted }: DoctorEnvironment,
): Promise<0 | 2 | 130> {
  const read = readTarget(env, { cwd, ...options });
  const { target, close } = read.embedded
    ? await startEmbedded(read)
    : { target: read, close: async () => {} };
  if (options.insecure) console.error(`assay: ${insecureLine}`);
  for (const line of read.settingRemarks ?? []) console.error(`assay: ${line}`);
  const planned = plannedChecks();
  // Awaited later; until then a rejection must not end the process.
  planned.catch(() => {});
  const redactor = createRedactor(target.secrets);
  const concurrency = concurrencyFor(target.hosts);
  const client = createClient({
    ...target.transport,
    redactor,
    concurrency,
    rate,
    timeoutMs: limits.callMs,
    deadline: Date.now() + limits.examineMs,
    waitBudgetMs: limits.waitBudgetMs,
  });
  try {
    const { preflightMs: withinMs, lastBeginMs } = limits;
    // Twice the cap on loopback, where no intrusion detection watches.
    const mostCalls = areLocal(target.hosts) ? 2 * limits.mostCalls : limits.mostCalls;
    const now = Date.now;
    const examination = await examine({
      target,
      client,
      redactor,
      concurrency,
      withinMs,
      lastBeginMs,
      mostCalls,
      planned,
      now,
    });
    if (interrupted?.aborted) return 130;
    const findings = findingsOf(examination);
    const text = json
      ? JSON.stringify(doctorJson(examination, findings), null, 2)
      : linesOf(examination, findings).join('\n');
    print(`${redactor.text(text)}\n`);
    return isReady(findings) ? 0 : 2;
  } finally {
    client.close();
    await close();
  }
}
