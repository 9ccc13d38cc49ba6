// Writes and reads run.json: what a distributed run was asked to do, for `collect`.
import { existsSync } from 'node:fs';
import { readRegularFile } from '../../engine/files.ts';
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { quoted } from '../../engine/values/text.ts';
import type { Stage } from '../arrivals/schedule.ts';
import { type ShapeName, shapes } from '../arrivals/shapes.ts';
import type { Connections } from '../k6/plan.ts';
import type { Slo } from '../slo.ts';
import type { StepPlan } from '../step/plan.ts';

const schema = 'assay.distributed/1';

export interface DistributedRun {
  /** Tag `testid` of every sample, and name of the TestRun. */
  readonly name: string;
  readonly journey: string;
  readonly requestsPerJourney: number;
  readonly connections: Connections;
  readonly shape: ShapeName;
  readonly seed: string;
  readonly slo: Slo;
  readonly perOperation: Readonly<Record<string, Slo>>;
  readonly target: Readonly<Record<string, string | undefined>>;
  /** Ids, in the journey's order. */
  readonly operations: readonly string[];
  readonly parallelism: number;
  readonly stages: readonly Stage[];
  readonly plan: StepPlan;
}

export const runFileText = (run: DistributedRun): string =>
  `${JSON.stringify({ schema, ...run }, null, 1)}\n`;

const mostBytes = 2 ** 20;

/**
 * An export takes the place of another one, and of nothing else that is called so.
 * @returns the other one; undefined where there is no such file
 * @throws ConfigurationError where the file is there, and is of a conformance run
 */
export function earlierExport(path: string, folder: string): unknown {
  if (!existsSync(path)) return undefined;
  try {
    const found = JSON.parse(readRegularFile(path, mostBytes).toString('utf8'));
    if (found?.schema === schema) return found;
  } catch {
    // What cannot be read is no export, either.
  }
  throw new ConfigurationError([
    `--export: ${quoted(folder)} holds a run.json that no export wrote, such as that of a conformance run; name another folder (--out DIR)`,
  ]);
}

/** @throws ConfigurationError where it is none of ours */
export function readRunFile(path: string): DistributedRun {
  const wrong = (why: string) =>
    new ConfigurationError([
      `--collect: ${quoted(path)} ${why}; expected the run.json that --export wrote (give its folder as --out)`,
    ]);
  let content: Record<string, unknown>;
  try {
    content = JSON.parse(readRegularFile(path, mostBytes).toString('utf8'));
  } catch (error) {
    throw wrong(`cannot be read (${(error as NodeJS.ErrnoException).code ?? 'no JSON'})`);
  }
  if (content?.schema !== schema) throw wrong(`is not of schema ${schema}`);
  if (!isWhole(content)) throw wrong('is damaged');
  return content as unknown as DistributedRun;
}

function isWhole({ name, shape, slo, operations, parallelism, stages, plan }: Record<string, unknown>) {
  const numbers = (of: unknown, ...names: string[]) =>
    typeof of === 'object' &&
    of !== null &&
    names.every((key) => Number.isFinite((of as Record<string, unknown>)[key]));
  return (
    typeof name === 'string' &&
    /^[a-z0-9-]{1,63}$/.test(name) &&
    typeof shape === 'string' &&
    Object.hasOwn(shapes, shape) &&
    numbers(slo, 'errors') &&
    Array.isArray((slo as Slo).bounds) &&
    Array.isArray(operations) &&
    operations.every((id) => typeof id === 'string' && /^[\w.-]+$/.test(id)) &&
    Number.isInteger(parallelism) &&
    Array.isArray(stages) &&
    stages.every((stage) => numbers(stage, 'from', 'to', 'durationMs')) &&
    numbers(plan, 'rate', 'durationMs', 'warmupMs', 'inFlight')
  );
}
