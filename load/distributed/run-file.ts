// Writes and reads run.json: what a distributed run was asked to do, for `collect`.
import { existsSync } from 'node:fs';
import { readRegularFile } from '../../engine/files.ts';
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { at, listAt, numberAt, textAt } from '../../engine/values/members.ts';
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
const contentOf = (path: string): unknown => JSON.parse(readRegularFile(path, mostBytes).toString('utf8'));

/**
 * Reads the run.json of an earlier export, since an export replaces no other file of that name.
 * @returns its content; undefined where there is no such file
 * @throws ConfigurationError where no export wrote the file, such as the run.json of a conformance run
 */
export function earlierExport(path: string, folder: string): unknown {
  if (!existsSync(path)) return undefined;
  try {
    const found = contentOf(path);
    if (textAt(found, 'schema') === schema) return found;
  } catch {
    // What cannot be read is no export, either.
  }
  throw new ConfigurationError([
    `--export: ${quoted(folder)} holds a run.json that no export wrote, such as that of a conformance run; name another folder (--out DIR)`,
  ]);
}

/** @throws ConfigurationError where no export wrote the file */
export function readRunFile(path: string): DistributedRun {
  const wrong = (why: string) =>
    new ConfigurationError([
      `--collect: ${quoted(path)} ${why}; expected the run.json that --export wrote (give its folder as --out)`,
    ]);
  let content: unknown;
  try {
    content = contentOf(path);
  } catch (error) {
    throw wrong(`cannot be read (${(error as NodeJS.ErrnoException).code ?? 'no JSON'})`);
  }
  if (textAt(content, 'schema') !== schema) throw wrong(`is not of schema ${schema}`);
  if (!isWhole(content)) throw wrong('is damaged');
  return content;
}

/** Whether the fields for queries and figures are there, and their names can stand in a query. */
function isWhole(run: unknown): run is DistributedRun {
  const [name = '', shape = ''] = [textAt(run, 'name'), textAt(run, 'shape')];
  const [operations, stages] = [listAt(run, 'operations'), listAt(run, 'stages')];
  const numbers = (of: unknown, ...names: string[]) => names.every((key) => numberAt(of, key) !== undefined);
  return (
    /^[a-z0-9-]{1,63}$/.test(name) &&
    Object.hasOwn(shapes, shape) &&
    numbers(at(run, 'slo'), 'errors') &&
    Array.isArray(at(run, 'slo', 'bounds')) &&
    operations.length > 0 &&
    operations.every((id) => typeof id === 'string' && /^[\w.-]+$/.test(id)) &&
    Number.isInteger(numberAt(run, 'parallelism')) &&
    stages.length > 0 &&
    stages.every((stage) => numbers(stage, 'from', 'to', 'durationMs')) &&
    numbers(at(run, 'plan'), 'rate', 'durationMs', 'warmupMs', 'inFlight')
  );
}
