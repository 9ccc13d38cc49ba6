// run.json: what a distributed run was asked to do, for whoever collects it.
import { readFileSync, statSync } from 'node:fs';
import { ConfigurationError } from '../../fixtures/target/configuration-error.ts';
import { quoted } from '../../fixtures/target/quoted.ts';
import type { Stage } from '../arrivals/rate-profile.ts';
import type { Slo } from '../capacity/slo.ts';
import type { ShapeName } from '../shapes/shapes.ts';
import type { StepPlan } from '../step/step.ts';

const schema = 'assay.distributed/1';

export interface DistributedRun {
  /** Tag `testid` of every sample, and name of the TestRun. */
  readonly name: string;
  readonly journey: string;
  readonly requestsPerJourney: number;
  readonly shape: ShapeName;
  readonly seed: string;
  readonly slo: Slo;
  readonly perOperation: Readonly<Record<string, Slo>>;
  readonly target: Readonly<Record<string, string | undefined>>;
  /** Ids, in the journey's order. */
  readonly operations: readonly string[];
  readonly parallelism: number;
  /** VUs fewer than all that might be needed at once. */
  readonly capped: boolean;
  readonly stages: readonly Stage[];
  readonly leadMs: number;
  readonly plan: StepPlan;
}

export const runFileText = (run: DistributedRun): string =>
  `${JSON.stringify({ schema, ...run }, null, 1)}\n`;

const mostBytes = 2 ** 20;

/** @throws ConfigurationError where it is none of ours */
export function readRunFile(path: string): DistributedRun {
  const wrong = (why: string) =>
    new ConfigurationError([
      `--collect: ${quoted(path)} ${why}; expected the run.json that --export wrote (give its folder as --out)`,
    ]);
  let told: Record<string, unknown>;
  try {
    if (statSync(path).size > mostBytes) throw new Error('is too large');
    told = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw wrong(`cannot be read (${(error as NodeJS.ErrnoException).code ?? 'no JSON'})`);
  }
  if (told?.schema !== schema) throw wrong(`is not of schema ${schema}`);
  const { name, operations, parallelism, stages, plan } = told;
  const isWhole =
    typeof name === 'string' &&
    /^[a-z0-9-]{1,63}$/.test(name) &&
    Array.isArray(operations) &&
    operations.every((id) => typeof id === 'string' && /^[\w.-]+$/.test(id)) &&
    typeof parallelism === 'number' &&
    Array.isArray(stages) &&
    typeof plan === 'object' &&
    plan !== null;
  if (!isWhole) throw wrong('is damaged');
  return told as unknown as DistributedRun;
}
