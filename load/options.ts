// Checks the options of `load` and `capacity`, and turns them into values.
import { resolve } from 'node:path';
import { catalog, operationById } from '../catalog/catalog.ts';
import type { Host } from '../catalog/operation.ts';
import { readRegularFile, UnfitFile } from '../engine/files.ts';
import { variableOf } from '../engine/target/settings.ts';
import { isLoopback } from '../engine/target/transport.ts';
import { ConfigurationError, orMistakes } from '../engine/values/configuration-error.ts';
import { isObject } from '../engine/values/json-walk.ts';
import { didYouMean, quoted } from '../engine/values/text.ts';
import type { Arrivals } from './arrivals/schedule.ts';
import { peakOf, type Shape, shapeNamed, shapes } from './arrivals/shapes.ts';
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

export interface RawExportOptions {
  readonly export?: string;
  readonly parallelism?: number;
  /** Journeys per second of one generator; left out where nobody measured it. */
  readonly ceiling?: number;
  /** URL of a Prometheus. */
  readonly collect?: string;
  readonly allowLoopback?: boolean;
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
  /** k6 processes. */
  readonly segments: number;
}

export type CheckedLoadOptions = ReturnType<typeof checkedLoadOptions>;

/** @throws ConfigurationError for a word that is none of them */
function oneOf<Word extends string>(option: string, typed: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === typed);
  if (found !== undefined) return found;
  throw new ConfigurationError([`${option}: ${quoted(typed)}; expected ${words.join(' or ')}`]);
}

/** @throws ConfigurationError for another value than shared and per-player */
export const connectionsIn = ({ connections = 'shared' }: RawSubject): Connections =>
  oneOf('--connections', connections, ['shared', 'per-player']);

const arrivalsIn = ({ arrivals }: { readonly arrivals: string }): Arrivals =>
  oneOf('--arrivals', arrivals, ['poisson', 'even']);

/** The default SLO: one request in a thousand may be wrong. */
const noBounds: Slo = { bounds: [], errors: defaultErrors };

/** @throws ConfigurationError with one line per mistake */
export function checkedLoadOptions(raw: RawLoadOptions, cwd: string) {
  const mistakes: string[] = [];
  const attempt = <T>(make: () => T, otherwise: T): T => orMistakes(mistakes, make, otherwise);
  const { rate, maxRate, segments } = raw;
  const shapeName = attempt(() => shapeNamed(raw.shape), 'steady');
  const shape: Shape = shapes[shapeName];
  const slo = raw.slo === undefined ? noBounds : attempt(() => parseSlo(raw.slo ?? ''), noBounds);
  const file = raw.perOperationSlo;
  const perOperation: Readonly<Record<string, Slo>> =
    file === undefined ? {} : attempt(() => readPerOperation(file, cwd), {});
  const arrivals = attempt(() => arrivalsIn(raw), 'poisson');
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
  if (!isObject(content)) throw wrong('holds no object; expected JSON such as {"party.create": "p95=80ms"}');
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

// `load --export` and `--collect`.

export interface CheckedExportOptions {
  readonly kind: 'k8s' | 'players';
  readonly parallelism: number;
  readonly ceiling: number | undefined;
  /** Base URL; undefined where it was not given. */
  readonly prometheus: string | undefined;
}

/** @throws ConfigurationError with one line per mistake */
export function checkedExportOptions(raw: RawExportOptions): CheckedExportOptions {
  const mistakes: string[] = [];
  const { export: kind, parallelism = 1, ceiling, collect } = raw;
  const isKnown = kind === 'k8s' || kind === 'players';
  if (!isKnown) mistakes.push(`--export: ${quoted(kind ?? '')}; expected k8s, or players for its Secret`);
  const prometheus =
    collect === undefined ? undefined : orMistakes(mistakes, () => prometheusAt(collect), undefined);
  if (!isKnown || mistakes.length > 0) throw new ConfigurationError(mistakes);
  return { kind, parallelism, ceiling, prometheus };
}

/** @throws ConfigurationError where an option does not fit the others */
export function refuseStray(
  { export: kind, parallelism, ceiling, allowLoopback }: RawExportOptions,
  segments: number,
): void {
  if (kind === undefined && (parallelism !== undefined || ceiling !== undefined || allowLoopback))
    throw new ConfigurationError([
      '--parallelism, --ceiling and --allow-loopback belong to --export k8s; on this machine --segments N shares the load',
    ]);
  if (kind !== undefined && segments > 1)
    throw new ConfigurationError(['--segments is for this machine; an export takes --parallelism N']);
}

/**
 * @param hosts URLs of the target, by host
 * @returns the URLs on this machine, each after its variable: from a pod, they lead to the pod itself
 */
export const ownAddresses = (hosts: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(hosts).flatMap(([host, url]) =>
    url !== undefined && isLoopback(url) ? [`${variableOf[host as Host]} ${url}`] : [],
  );

/**
 * @returns a base URL without a slash at its end
 * @throws ConfigurationError where it is none, or carries a password that would be seen in a process list
 */
export function prometheusAt(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new ConfigurationError([
      `--collect: ${quoted(text)}; expected the URL of a Prometheus, such as http://prometheus:9090`,
    ]);
  if (url.username !== '' || url.password !== '')
    throw new ConfigurationError([
      '--collect: the URL carries a password; set PROMETHEUS_USERNAME and PROMETHEUS_PASSWORD instead',
    ]);
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

// `capacity`.

export interface RawCapacityOptions extends RawSubject {
  readonly slo?: string;
  readonly start: number;
  readonly maxRate: number;
  /** ms */
  readonly budget?: number;
  readonly atLeast?: number;
  readonly arrivals: string;
}

export type CheckedCapacityOptions = ReturnType<typeof checkedCapacityOptions>;

/** Default budgets in ms. A quantile further out needs more requests for the same certainty. */
const usualBudget = { p95: 420_000, beyond: 600_000 };

/** @throws ConfigurationError with one line per mistake */
export function checkedCapacityOptions(raw: RawCapacityOptions) {
  const mistakes: string[] = [];
  const slo = sloOf(raw.slo, mistakes);
  const isFarOut = slo?.bounds.some(({ quantile }) => quantile > 0.95) ?? false;
  const { start, maxRate, atLeast, budget: budgetMs = isFarOut ? usualBudget.beyond : usualBudget.p95 } = raw;
  if (start > maxRate) mistakes.push(`--start: ${start} is above --max-rate ${maxRate}; give a lower one`);
  const arrivals = orMistakes(mistakes, () => arrivalsIn(raw), undefined);
  if (mistakes.length > 0 || slo === undefined || arrivals === undefined)
    throw new ConfigurationError(mistakes);
  return { slo, start, maxRate, budgetMs, atLeast, arrivals };
}

function sloOf(text: string | undefined, mistakes: string[]): Slo | undefined {
  const slo = text === undefined ? undefined : orMistakes(mistakes, () => parseSlo(text), undefined);
  if (text === undefined)
    mistakes.push('capacity: no --slo; say what the target has to keep, such as --slo p95=80ms');
  if (slo?.bounds.length === 0)
    mistakes.push('--slo: no bound on latency, which a capacity needs; add one such as p95=80ms');
  return slo;
}
