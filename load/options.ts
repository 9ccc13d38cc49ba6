// Checks the options of `load` and turns them into values.
import { resolve } from 'node:path';
import { catalog, operationById } from '../catalog/catalog.ts';
import { readRegularFile, UnfitFile } from '../engine/files.ts';
import { ConfigurationError, orMistakes } from '../engine/values/configuration-error.ts';
import { didYouMean, quoted } from '../engine/values/text.ts';
import type { Arrivals } from './arrivals/schedule.ts';
import { peakOf, type Shape, type ShapeName, shapeNamed, shapes } from './arrivals/shapes.ts';
import { type RawExportOptions, refuseStray } from './distributed/export/export-options.ts';
import type { Connections } from './k6/plan.ts';
import { defaultErrors, parseSlo, type Slo } from './slo.ts';

/** As typed by a user. */
export interface RawSubject {
  readonly operation?: string;
  readonly seed?: string;
  readonly profile?: string;
  readonly insecure?: boolean;
  readonly connections?: string;
  readonly out: string;
}

export interface RawLoadOptions extends RawExportOptions, RawSubject {
  readonly rate: number;
  /** ms */
  readonly duration?: number;
  readonly shape: string;
  readonly slo?: string;
  readonly perOperationSlo?: string;
  readonly maxRate: number;
  readonly arrivals: string;
  readonly live?: boolean;
  readonly segments: number;
}

export interface CheckedLoadOptions {
  /** Journeys per second. */
  readonly rate: number;
  readonly durationMs: number;
  readonly shapeName: ShapeName;
  readonly shape: Shape;
  readonly slo: Slo;
  readonly perOperation: Readonly<Record<string, Slo>>;
  readonly arrivals: Arrivals;
  readonly connections: Connections;
  /** k6 processes. */
  readonly segments: number;
}

/** @throws ConfigurationError for another value than shared and per-player */
export function connectionsIn({ connections = 'shared' }: RawSubject): Connections {
  if (connections === 'shared' || connections === 'per-player') return connections;
  throw new ConfigurationError([`--connections: ${quoted(connections)}; expected shared or per-player`]);
}

/** @param mistakes gets a line for another value than poisson and even */
export function arrivalsIn({ arrivals }: { readonly arrivals: string }, mistakes: string[]): Arrivals {
  if (arrivals !== 'poisson' && arrivals !== 'even')
    mistakes.push(`--arrivals: ${quoted(arrivals)}; expected poisson or even`);
  return arrivals === 'even' ? 'even' : 'poisson';
}

/** The default SLO: one request in a thousand may be wrong. */
const noBounds: Slo = { bounds: [], errors: defaultErrors };

/** @throws ConfigurationError with one line per mistake */
export function checkedLoadOptions(raw: RawLoadOptions, cwd: string): CheckedLoadOptions {
  const mistakes: string[] = [];
  const attempt = <T>(make: () => T, otherwise: T): T => orMistakes(mistakes, make, otherwise);
  const { rate, maxRate, segments } = raw;
  const shapeName = attempt(() => shapeNamed(raw.shape), 'steady');
  const shape: Shape = shapes[shapeName];
  const slo = raw.slo === undefined ? noBounds : attempt(() => parseSlo(raw.slo ?? ''), noBounds);
  const file = raw.perOperationSlo;
  const perOperation = file === undefined ? {} : attempt(() => readPerOperation(file, cwd), {});
  const arrivals = arrivalsIn(raw, mistakes);
  const peak = peakOf(shape, rate);
  if (peak > maxRate)
    mistakes.push(
      `--rate: ${shapeName} at ${rate}/s goes up to ${peak} journeys per second, above --max-rate ${maxRate}; give a higher --max-rate if that is meant`,
    );
  const connections = attempt(() => connectionsIn(raw), 'shared');
  attempt(() => refuseStray(raw, segments), undefined);
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  const durationMs = raw.duration ?? shape.durationMs;
  return { rate, durationMs, shapeName, shape, slo, perOperation, arrivals, connections, segments };
}

const mostBytes = 256 * 1024;

/** `{"party.create": "p95=80ms"}`: an SLO by operation id. */
function readPerOperation(file: string, cwd: string): Record<string, Slo> {
  const wrong = (what: string) => new ConfigurationError([`--per-operation-slo: ${quoted(file)} ${what}`]);
  let content: unknown;
  try {
    content = JSON.parse(readRegularFile(resolve(cwd, file), mostBytes).toString('utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The parser's own message quotes the file, whatever bytes it holds.
    const why = error instanceof UnfitFile ? 'expected a file of at most 256 KiB' : 'no JSON';
    throw wrong(`cannot be read (${code ?? why}); expected JSON such as {"party.create": "p95=80ms"}`);
  }
  if (content === null || typeof content !== 'object' || Array.isArray(content))
    throw wrong('holds no object; expected JSON such as {"party.create": "p95=80ms"}');
  const mistakes: string[] = [];
  const read = Object.entries(content).flatMap(([id, text]): [string, Slo][] => {
    if (!operationById(id)) {
      const ids = catalog.map((each) => each.id);
      mistakes.push(`--per-operation-slo: ${quoted(id)} is no operation${didYouMean(id, ids)}`);
      return [];
    }
    const own: string[] = [];
    const slo = orMistakes(own, () => parseSlo(String(text)), undefined);
    mistakes.push(...own.map((line) => line.replace('--slo:', `--per-operation-slo: ${id}:`)));
    return slo === undefined ? [] : [[id, slo]];
  });
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return Object.fromEntries(read);
}
