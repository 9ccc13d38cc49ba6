// Asks the whole suite, or part of it, of one server, in this process.
import { join } from 'node:path';
import tls from 'node:tls';
import type { Host } from '../../../catalog/operation.ts';
import { ambientParameters } from '../../../catalog/request-path.ts';
import { root } from '../../../engine/files.ts';
import { createClient } from '../../../engine/http/client.ts';
import { createRedactor } from '../../../engine/http/redact.ts';
import { accusing, type Outcome } from '../../../engine/judgement.ts';
import { preflight } from '../../../engine/preflight/preflight.ts';
import type { Check, Suite } from '../../../engine/probe/check.ts';
import { openCheckRunner } from '../../../engine/run/check-runner.ts';
import { judgedShares, type Result } from '../../../engine/run/result.ts';
import { type Profile, silentProfile } from '../../../engine/target/profile.ts';
import { readTarget, type Target } from '../../../engine/target/target.ts';
import { byFrequency } from '../../../engine/values/by-frequency.ts';
import { defaultLimits } from '../../../engine/values/default-limits.ts';
import { serveVariants, type VariantServer } from '../../../fixtures/conforming-variants/serve.ts';
import type { Variant } from '../../../fixtures/conforming-variants/variant.ts';
import { reference } from '../../../fixtures/reference/existing-values.ts';

export interface Accusation {
  /** Id of the check. */
  readonly id: string;
  readonly outcome: Outcome;
  readonly why: string;
}

export interface VariantJudgement {
  /** Names of the variants that the server made at once. */
  readonly variants: readonly string[];
  readonly checks: number;
  readonly passed: number;
  readonly accusations: readonly Accusation[];
  /** As a run's result has it, per host. */
  readonly judgedShare: Readonly<Partial<Record<Host, number>>>;
  /** How many checks could not be judged, by reason code. */
  readonly unjudged: Readonly<Record<string, number>>;
  readonly durationMs: number;
  readonly results: readonly Result[];
}

export interface AskOptions {
  readonly suites: readonly Suite[];
  /** Attacks, asked after all other suites, in one round each, as in a run without `--attack on`. */
  readonly attacks?: readonly Suite[];
  readonly seed: string;
  /** Which checks to ask. Default: all. */
  readonly only?: (check: Check) => boolean;
  /** The target has the embedded server's own profile, with the settings of the variants over it. */
  readonly profiled?: boolean;
}

const trusted: string[] = [];

/** Trusts the server's CA as a user's process would; several servers may be judged at once. */
function trust(ca: string): void {
  trusted.push(ca);
  tls.setDefaultCACertificates(trusted);
}

const accuses: ReadonlySet<Outcome> = new Set([...accusing, 'harness-error']);
/**
 * Longer than any call takes. Server and judge share a thread, and several such threads share the cores: a call that
 * comes too late shows that the machine is busy, and nothing about the suite.
 */
const budgetMs = 600_000;
const timeoutMs = 60_000;

/** @throws Error where the variants cannot be a target together */
export async function askVariants(
  variants: readonly Variant[],
  { suites, attacks = [], seed, only = () => true, profiled = false }: AskOptions,
): Promise<VariantJudgement> {
  const begun = performance.now();
  const server = await serveVariants(variants);
  if (server.ca) trust(server.ca);
  try {
    const { loopbackConcurrency: concurrency } = defaultLimits;
    const read = targetOf(server, variants, seed, profiled);
    const redactor = createRedactor();
    const client = createClient({ timeoutMs, concurrency, redactor });
    const found = await preflight({ client, target: read, redactor, withinMs: timeoutMs });
    client.close();
    const { target, discovery, unreachable } = found;
    const limits = { timeoutMs, concurrency, rate: undefined, deadline: Date.now() + budgetMs };
    const settings = { target, discovery, unreachable, journal: undefined, strict: false, readOnly: false };
    const attack = attacks.length > 0 ? ('auto' as const) : ('off' as const);
    const runner = openCheckRunner({ ...settings, ...limits, attack });
    const asked = suites.flatMap(({ checks }) => checks).filter(only);
    const results = await Promise.all(asked.map(runner.perform));
    const attacking = attacks.flatMap(({ checks }) => checks);
    results.push(...(await Promise.all(attacking.map(runner.perform))));
    runner.close();
    if (server.faults.length > 0)
      throw new Error(`${variants.map(({ name }) => name).join(' + ')}: a layer failed`, {
        cause: server.faults[0],
      });
    return {
      variants: variants.map(({ name }) => name),
      checks: results.length,
      passed: results.filter(({ outcome }) => outcome === 'pass').length,
      accusations: results.filter(({ outcome }) => accuses.has(outcome)).map(accusationOf),
      judgedShare: judgedShares(results),
      unjudged: unjudged(results),
      durationMs: Math.round(performance.now() - begun),
      results,
    };
  } finally {
    server.close();
  }
}

function unjudged(results: readonly Result[]): Record<string, number> {
  const inconclusive = results.filter(({ outcome }) => outcome === 'inconclusive');
  return Object.fromEntries(byFrequency(inconclusive.map(({ reason }) => reason ?? 'no reason')));
}

const accusationOf = ({ id, outcome, detail, expected, actual }: Result): Accusation => ({
  id,
  outcome,
  why: expected === undefined ? (detail ?? '') : `expected ${expected}, got ${actual}`,
});

/** Reads the target with the settings that a user of such a server would make. */
function targetOf(
  { hosts }: VariantServer,
  variants: readonly Variant[],
  seed: string,
  profiled: boolean,
): Target {
  const env = { BASE_URL: hosts.base, CDN_URL: hosts.cdn, GAMELOGS_URL: hosts.gamelogs };
  const read = readTarget(env, { cwd: '/nowhere', seed, ...(profiled && { profile: ownProfile }) });
  const userSettings = variants.flatMap((variant) => (variant.settings ? [variant.settings] : []));
  const values = userSettings.reduce((known, { parameters }) => parameters?.(known) ?? known, knownValues);
  const { cdnRootFolderPath, gameVersion, versionPattern, ...parameters } = values;
  const profile: Profile = Object.assign(
    {},
    read.profile ?? silentProfile,
    ...userSettings.map(({ profile }) => profile),
    // Each variant states other operations.
    {
      operations: Object.assign(
        {},
        read.profile?.operations,
        ...userSettings.map(({ profile }) => profile?.operations),
      ),
    },
  );
  return {
    ...read,
    ambient: {
      CDN_ROOT_FOLDER_PATH: String(cdnRootFolderPath),
      gameVersion: String(gameVersion),
      versionPattern: String(versionPattern),
    },
    given: ambientParameters,
    parameters,
    profile,
  };
}

const ownProfile = join(root, 'fixtures', 'profiles', 'reference.json');

const knownValues: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(reference).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
);
