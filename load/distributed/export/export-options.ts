// The options of an export, as typed by a user and as checked values.
import type { Host } from '../../../catalog/operation.ts';
import { variableOf } from '../../../engine/target/settings.ts';
import { isLoopback } from '../../../engine/target/transport.ts';
import { ConfigurationError, orMistakes } from '../../../engine/values/configuration-error.ts';
import { quoted } from '../../../engine/values/text.ts';

export interface RawExportOptions {
  readonly export?: string;
  readonly parallelism?: number;
  readonly ceiling?: number;
  readonly collect?: string;
  readonly allowLoopback?: boolean;
}

export interface CheckedExportOptions {
  readonly kind: 'k8s' | 'players';
  readonly parallelism: number;
  /** Journeys per second of one generator; undefined where nobody measured it. */
  readonly ceiling: number | undefined;
  /** Base URL; undefined where it was not given. */
  readonly prometheus: string | undefined;
}

/** @throws ConfigurationError with one line per mistake */
export function checkedExportOptions(raw: RawExportOptions): CheckedExportOptions {
  const mistakes: string[] = [];
  const { export: kind = '', parallelism = 1, ceiling } = raw;
  if (kind !== 'k8s' && kind !== 'players')
    mistakes.push(`--export: ${quoted(kind)}; expected k8s, or players for its Secret`);
  const { collect } = raw;
  const prometheus =
    collect === undefined ? undefined : orMistakes(mistakes, () => prometheusAt(collect), undefined);
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return { kind: kind as CheckedExportOptions['kind'], parallelism, ceiling, prometheus };
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
 * @returns those of this machine, each with the variable that names it: a pod that asks them asks itself
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
