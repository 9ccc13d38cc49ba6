// Writes what a Kubernetes run needs as texts: k6 scripts, manifests, plan and run file.
import { readFileSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { dirname, join, normalize } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { peakOf, stagesOf } from '../../arrivals/shapes.ts';
import type { Data, Plan } from '../../k6/plan.ts';
import type { CheckedLoadOptions } from '../../options.ts';
import type { Ready } from '../../prepare/ready.ts';
import { requestsOf, sharedPlanOf } from '../../step/open-load.ts';
import { planOf, requestedStep, warmupMs } from '../../step/plan.ts';
import { type DistributedRun, runFileText } from '../run-file.ts';
import { sizeOf } from './generators.ts';
import {
  type Exported,
  manifestsOf,
  needsVolume,
  playersFile,
  playersMount,
  referring,
} from './manifests.ts';
import type { CheckedExportOptions } from './options.ts';
import { type Paper, paperOf } from './readme-page.ts';

/** A DNS label made of the journey and the time, so that it is unique per run. */
function nameOf(journey: string, now: number): string {
  const plain = journey
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 30)
    .replace(/^-+|-+$/g, '');
  return `assay-${plain}-${now.toString(36)}`;
}

// The scripts as one flat folder: keys of a ConfigMap hold no slashes, so imports are rewritten.
const relative = /^((?:import|export)\b[^;'"]*?\bfrom )'(\.[^']+)'/gm;
/** Type imports, which are erased before k6 resolves them. */
const ofTypes = /^(?:import|export) type\b/;

/**
 * The entry and all that it loads.
 * @param entry path from the repository's root, with forward slashes
 * @param read gives the text of such a path
 * @returns texts by flat name; the entry's own is its last part
 */
export function flatModules(entry: string, read: (path: string) => string): Record<string, string> {
  const flat = (path: string) =>
    path === entry ? (path.split('/').at(-1) ?? path) : path.replaceAll('/', '.');
  const texts: Record<string, string> = {};
  const waiting = [entry];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (texts[flat(path)] !== undefined) continue;
    const from = dirname(path);
    texts[flat(path)] = read(path).replace(relative, (line, before: string, specifier: string) => {
      const found = normalize(join(from, specifier));
      if (!ofTypes.test(line)) waiting.push(found);
      return `${before}'./${flat(found)}'`;
    });
  }
  return texts;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
const entry = 'load/k6/journey.ts';
const batchFile = 'batches.json';
const placeholderPrometheus = 'http://PROMETHEUS:9090';

interface About extends Pick<Paper, 'journey' | 'subject' | 'again'> {
  readonly seed: string;
  /** No target was given, so the embedded server is exported with the run. */
  readonly embedded: boolean;
}

/** @returns texts by path within the folder */
export function exportOf(
  ready: Ready,
  about: About,
  options: CheckedLoadOptions,
  { parallelism, ceiling, prometheus = placeholderPrometheus }: CheckedExportOptions,
  out: string,
  now: number,
): { readonly files: Readonly<Record<string, string>>; readonly placeholders: readonly string[] } {
  const { journey, subject, again, seed, embedded } = about;
  const name = nameOf(journey, now);
  const requestsPerJourney = requestsOf(ready.visits);
  const players = ready.data.casts.length > 0;
  const hosts = embedded ? placeholderHosts(ready.hosts) : ready.hosts;
  const step = requestedStep(options, { journey, seed, requestsPerJourney, segments: parallelism });
  const stages = stagesOf(options.shape, options.rate, options.durationMs, warmupMs);
  const shared = sharedPlanOf(
    { ...ready, hosts },
    { dataFile: players ? `${playersMount}/${playersFile}` : `./${batchFile}`, batchFile: `./${batchFile}` },
  );
  const { visits, named: variables } = referring(ready.visits, ready.target.profile?.variables ?? {});
  const { plan, wanted, inFlight } = planOf(shared, visits, step, stages, parallelism);
  const whole: Plan = { ...plan, summaryFile: '/tmp/summary.json' };
  const batches: Data = { casts: [], batches: ready.data.batches };
  const peak = peakOf(options.shape, options.rate);
  const exported: Exported = {
    name,
    parallelism,
    players,
    variables,
    prometheus,
    insecure: ready.target.transport?.insecure ?? false,
    size: sizeOf({
      vus: Math.ceil(plan.vus / parallelism),
      calls: ready.visits.reduce((sum, { calls }) => sum + calls.length, 0),
      requestsPerSecond: (peak * requestsPerJourney) / parallelism,
    }),
    files: {
      ...flatModules(entry, (path) => readFileSync(pathJoin(root, path), 'utf8')),
      'plan.json': JSON.stringify(whole),
      [batchFile]: JSON.stringify(batches),
    },
  };
  const placeholders = [
    ...placeholdersOf(embedded, prometheus === placeholderPrometheus, ceiling),
    ...reachedOtherwise(ready),
  ];
  const [holder, testRun] = manifestsOf(exported);
  const named = { journey, requestsPerJourney, target: hosts };
  const paper = { ...named, exported, subject, again, peak, vus: plan.vus, ceiling, placeholders, out };
  const run: DistributedRun = {
    ...named,
    ...{ name, seed, parallelism, stages },
    shape: options.shapeName,
    slo: options.slo,
    perOperation: options.perOperation,
    operations: [...new Set(ready.visits.flatMap(({ calls }) => calls.map(({ operation }) => operation.id)))],
    capped: plan.vus < wanted,
    leadMs: plan.leadMs,
    plan: { ...step, inFlight },
  };
  const volume = needsVolume(exported.files);
  return {
    files: {
      'run.json': runFileText(run),
      'plan.md': paperOf(paper),
      'testrun.yaml': yaml(testRun),
      [volume ? 'volume.yaml' : 'configmap.yaml']: yaml(holder),
      ...(volume &&
        Object.fromEntries(Object.entries(exported.files).map(([file, text]) => [`files/${file}`, text]))),
    },
    placeholders,
  };
}

/** Scripts as they stand, and no anchors. */
const yaml = (document: unknown): string =>
  stringify(document, { lineWidth: 0, blockQuote: 'literal', aliasDuplicateObjects: false });

const placeholderHosts = (hosts: Ready['hosts']) =>
  Object.fromEntries(Object.keys(hosts).map((host) => [host, `http://${host.toUpperCase()}-URL.invalid`]));

/** Warns about certificate files and proxies of this machine, which pods do not have. */
function reachedOtherwise({ target: { transport = {} }, hosts }: Ready): string[] {
  const { ca, proxies = {} } = transport;
  const isProxied = Object.values(hosts).some((url) => proxies[new URL(url).origin] !== undefined);
  return [
    ...(ca === undefined
      ? []
      : [
          'TLS_CA: pods trust what their image trusts; mount the file and name it in SSL_CERT_FILE of the runner',
        ]),
    ...(isProxied
      ? [
          'the proxy: pods ask the target directly; where they may not, set HTTP_PROXY or HTTPS_PROXY of the runner',
        ]
      : []),
  ];
}

function placeholdersOf(embedded: boolean, noPrometheus: boolean, ceiling: number | undefined): string[] {
  return [
    ...(embedded
      ? [
          'the target: no BASE_URL, CDN_URL or GAMELOGS_URL was given, so bodies, ids and the session are those that the embedded server takes; export again with them set',
        ]
      : []),
    ...(noPrometheus ? [`${placeholderPrometheus}: where the pods write their metrics (--collect URL)`] : []),
    ...(ceiling === undefined
      ? [
          'CEILING, what one generator gives, is not measured: how many pods are needed is not known (--ceiling N)',
        ]
      : []),
  ];
}
