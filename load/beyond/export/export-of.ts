// Everything that an export writes, as texts: from a target that was looked at to manifests, plan and run file.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import type { CheckedLoadOptions } from '../../command/options.ts';
import type { Data, Plan } from '../../k6/plan.ts';
import type { Ready } from '../../prepare/ready.ts';
import { peakOf, stagesOf } from '../../shapes/shapes.ts';
import { requestsOf, sharedPlanOf } from '../../step/open-load.ts';
import { planOf } from '../../step/plan-of.ts';
import { requestedStep, warmupMs } from '../../step/requested.ts';
import { runFileText } from '../run-file.ts';
import { sizeOf } from './generators.ts';
import { type Exported, manifestsOf, needsVolume, playersFile, playersMount } from './manifests.ts';
import { flatModules } from './modules.ts';
import { nameOf } from './name.ts';
import type { CheckedExportOptions } from './options.ts';
import { paperOf } from './paper.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const entry = 'load/k6/journey.ts';
const batchFile = 'batches.json';
const placeholderPrometheus = 'http://PROMETHEUS:9090';

/** @returns texts by path within the folder */
export function exportOf(
  ready: Ready,
  about: { readonly journey: string; readonly seed: string; readonly embedded: boolean },
  options: CheckedLoadOptions,
  { parallelism, ceiling, prometheus = placeholderPrometheus }: CheckedExportOptions,
  out: string,
  now: number,
): { readonly files: Readonly<Record<string, string>>; readonly placeholders: readonly string[] } {
  const { journey, seed, embedded } = about;
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
  const { plan, wanted } = planOf(shared, ready.visits, step, stages, parallelism);
  const whole: Plan = { ...plan, summaryFile: '/tmp/summary.json' };
  const batches: Data = { casts: [], batches: ready.data.batches };
  const peak = peakOf(options.shape, options.rate);
  const exported: Exported = {
    name,
    parallelism,
    players,
    prometheus,
    size: sizeOf(Math.ceil(plan.vus / parallelism), (peak * requestsPerJourney) / parallelism),
    files: {
      ...flatModules(entry, (path) => readFileSync(join(root, path), 'utf8')),
      'plan.json': JSON.stringify(whole),
      [batchFile]: JSON.stringify(batches),
    },
  };
  const placeholders = placeholdersOf(embedded, prometheus === placeholderPrometheus, ceiling);
  const [holder, testRun] = manifestsOf(exported);
  const { rate } = options;
  const onPaper = {
    exported,
    journey,
    rate,
    peak,
    vus: plan.vus,
    requestsPerJourney,
    ceiling,
    target: hosts,
  };
  const run = {
    ...{
      name,
      journey,
      requestsPerJourney,
      shape: options.shapeName,
      seed,
      target: hosts,
      parallelism,
      stages,
    },
    slo: options.slo,
    perOperation: options.perOperation,
    operations: [...new Set(ready.visits.flatMap(({ calls }) => calls.map(({ operation }) => operation.id)))],
    capped: plan.vus < wanted,
    leadMs: plan.leadMs,
    plan: step,
  };
  const volume = needsVolume(exported.files);
  return {
    files: {
      'run.json': runFileText(run),
      'plan.md': paperOf({ ...onPaper, placeholders, out }),
      'testrun.yaml': stringify(testRun),
      [volume ? 'volume.yaml' : 'configmap.yaml']: stringify(holder),
      ...(volume &&
        Object.fromEntries(Object.entries(exported.files).map(([file, text]) => [`files/${file}`, text]))),
    },
    placeholders,
  };
}

const placeholderHosts = (hosts: Ready['hosts']) =>
  Object.fromEntries(Object.keys(hosts).map((host) => [host, `http://${host.toUpperCase()}-URL.invalid`]));

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
