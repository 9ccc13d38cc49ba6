// Writes what a Kubernetes run needs as texts: k6 scripts, manifests, plan and run file.
import { readFileSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { dirname, join, normalize } from 'node:path/posix';
import { stringify } from 'yaml';
import { root } from '../../engine/files.ts';
import { quotedWord } from '../../engine/values/shell.ts';
import { threeDigits } from '../../engine/values/text.ts';
import { typedWith } from '../../engine/values/typed-command.ts';
import { peakOf, stagesOf } from '../arrivals/shapes.ts';
import type { Data } from '../k6/plan.ts';
import { type CheckedExportOptions, type CheckedLoadOptions, ownAddresses } from '../options.ts';
import type { Ready } from '../prepare/ready.ts';
import { requestsOf, sharedPlanOf } from '../step/open-load.ts';
import { planOf, requestedStep, warmupMs } from '../step/plan.ts';
import {
  countedOn,
  type Exported,
  generatorsFor,
  manifestsOf,
  metricsSecret,
  playersFile,
  playersMount,
  playersSecret,
  referring,
  sizeOf,
  variableSecret,
  withinConfigMap,
} from './manifests.ts';
import { type DistributedRun, runFileText } from './run-file.ts';

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
 * Reads the entry and every module that it imports.
 * @param entry path from the repository's root, with forward slashes
 * @param read gives the text of such a path
 * @returns texts by flat file name; the name of the entry is the last part of its path
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

const entry = 'load/k6/journey.ts';
const batchFile = 'batches.json';
const placeholderPrometheus = 'http://PROMETHEUS:9090';

interface About {
  readonly journey: string;
  /** How a user named it: a journey, or `--operation ID`. */
  readonly subject: string;
  /** Arguments of `npm run load --` that sign in as many players. */
  readonly again: string;
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
  const { journey, seed, embedded } = about;
  const { shape, shapeName, rate, durationMs, connections, slo, perOperation } = options;
  const name = nameOf(journey, now);
  const requestsPerJourney = requestsOf(ready.visits);
  const players = ready.data.groups.length > 0;
  const target = embedded ? placeholderHosts(ready.hosts) : ready.hosts;
  const step = requestedStep(options, { journey, seed, requestsPerJourney, segments: parallelism });
  const stages = stagesOf(shape, rate, durationMs, warmupMs);
  const dataFile = players ? `${playersMount}/${playersFile}` : `./${batchFile}`;
  const shared = sharedPlanOf(
    { ...ready, hosts: target },
    { connections, dataFile, batchFile: `./${batchFile}` },
  );
  const { visits, named: variables } = referring(ready.visits, ready.target.profile?.variables ?? {});
  const { plan, inFlight } = planOf(shared, visits, step, stages, parallelism);
  const peak = peakOf(shape, rate);
  const exported: Exported = {
    name,
    parallelism,
    players,
    variables,
    prometheus,
    insecure: ready.target.transport?.insecure ?? false,
    size: sizeOf({
      inFlight: plan.inFlight,
      requestsPerSecond: (peak * requestsPerJourney) / parallelism,
    }),
    files: withinConfigMap(
      {
        ...flatModules(entry, (path) => readFileSync(pathJoin(root, path), 'utf8')),
        'plan.json': JSON.stringify(plan),
      },
      ready.data.batches,
      (batches) => ({ [batchFile]: JSON.stringify({ groups: [], batches } satisfies Data) }),
    ),
  };
  const placeholders = placeholdersOf(ready, embedded, prometheus, ceiling);
  const [configMap, testRun] = manifestsOf(exported);
  const run: DistributedRun = {
    journey,
    requestsPerJourney,
    target,
    name,
    seed,
    parallelism,
    stages,
    connections,
    shape: shapeName,
    slo,
    perOperation,
    operations: [...new Set(ready.visits.flatMap(({ calls }) => calls.map(({ operation }) => operation.id)))],
    plan: { ...step, inFlight },
  };
  const paper = { ...about, run, exported, peak, inOnePod: plan.inFlight, ceiling, placeholders, out };
  return {
    files: {
      'run.json': runFileText(run),
      'plan.md': paperOf(paper),
      'testrun.yaml': yaml(testRun),
      'configmap.yaml': yaml(configMap),
    },
    placeholders,
  };
}

/** Writes scripts as literal blocks with unchanged lines, and without anchors. */
const yaml = (document: unknown): string =>
  stringify(document, { lineWidth: 0, blockQuote: 'literal', aliasDuplicateObjects: false });

const placeholderHosts = (hosts: Ready['hosts']) =>
  Object.fromEntries(Object.keys(hosts).map((host) => [host, `http://${host.toUpperCase()}-URL.invalid`]));

/** One sentence for each thing to replace before the run: what was not given, and what pods lack. */
function placeholdersOf(
  { target: { transport = {} }, hosts }: Ready,
  embedded: boolean,
  prometheus: string,
  ceiling: number | undefined,
): string[] {
  const { ca, proxies = {} } = transport;
  const isProxied = Object.values(hosts).some((url) => proxies[new URL(url).origin] !== undefined);
  return [
    embedded &&
      'the target: no BASE_URL, CDN_URL or GAMELOGS_URL was given, so bodies, ids and the session are those that the embedded server takes; export again with them set',
    prometheus === placeholderPrometheus &&
      `${placeholderPrometheus}: where the pods write their metrics (--collect URL)`,
    ceiling === undefined &&
      'CEILING, what one generator gives, is not measured: how many pods are needed is not known (--ceiling N)',
    ...(embedded ? [] : ownAddresses(hosts).map((address) => `${address}: an address that the pods reach`)),
    ca !== undefined &&
      'TLS_CA: pods trust what their image trusts; mount the file and name it in SSL_CERT_FILE of the runner',
    isProxied &&
      'the proxy: pods ask the target directly; where they may not, set HTTP_PROXY or HTTPS_PROXY of the runner',
  ].filter((line) => line !== false);
}

// plan.md: what was exported, what is still missing, and how to run and collect it.

interface Paper extends Pick<About, 'journey' | 'subject' | 'again'> {
  readonly run: DistributedRun;
  readonly exported: Exported;
  /** Journeys per second at most. */
  readonly peak: number;
  /** Most journeys in flight in one pod. */
  readonly inOnePod: number;
  /** Journeys per second of one generator; undefined where nobody measured it. */
  readonly ceiling: number | undefined;
  readonly placeholders: readonly string[];
  readonly out: string;
}

const rates = [1, 2, 5, 10, 20] as const;

function paperOf(paper: Paper): string {
  const { run, exported, journey, peak, inOnePod, ceiling, placeholders, out } = paper;
  const { name, parallelism, size } = exported;
  return `# ${name}

Journey ${journey}, up to ${peak} journeys/s (${threeDigits(peak * run.requestsPerJourney)} requests/s), by ${parallelism} generator pods: ${threeDigits(peak / parallelism)} journeys/s and at most ${inOnePod} journeys in flight each. All share one schedule and one seed: together they send what one process would have sent.

To: ${Object.entries(run.target)
    .map(([host, url]) => `${host} ${url}`)
    .join(', ')}
${placeholders.length === 0 ? '' : `\n## To be replaced first\n\n${placeholders.map((line) => `- ${line}`).join('\n')}\n`}
## How many generators

${generators(paper)}

Each pod asks for ${size.requests.cpu} of processor and ${size.requests.memory} of memory. It has no limit on processors: a generator that is throttled is late. \`separate: false\` lets pods share a node; set it to true where there are at least ${parallelism} nodes, so that no two share a network card.

## Run

${steps(paper)}

## Collect

The verdict is not any pod's own: each sees its share alone. When the TestRun has finished:

    ${typedWith('load')} --collect ${quotedWord(exported.prometheus)} --out ${quotedWord(out)}

It reads the metrics tagged \`testid="${name}"\`, merges the histograms, and writes the same load.json as a run on one machine; a pod that died makes it INVALID. Prometheus has to be started with \`--web.enable-remote-write-receiver\`. Pods count times in buckets 1.1 % wide, so a quantile is off by less than 1 %. One export is for one run: export again for the next.
${ceiling === undefined ? '' : `\nCounted on: ${threeDigits(countedOn(ceiling))} journeys/s per generator, 70 % of the ceiling.\n`}`;
}

function generators({ peak, ceiling, exported: { parallelism }, subject, journey }: Paper): string {
  if (ceiling === undefined)
    return `**Not known: CEILING was not measured.** Pods for a rate = rate / (0.7 × CEILING), rounded up. CEILING is the highest rate at which one generator stays fast on a target that does nothing: the \`generator.ceiling\` of a \`${typedWith('capacity')} ${subject}\` that ended GENERATOR_LIMITED, or what \`npm run bench -- ceiling ${journey}\` prints, on a machine like the nodes. Export again with \`--ceiling N\`.`;
  const rows = rates.map(
    (times) => `| ${threeDigits(peak * times)} | ${generatorsFor(peak * times, ceiling)} |`,
  );
  const needed = generatorsFor(peak, ceiling);
  const enough =
    needed > parallelism
      ? `**Too few pods: ${parallelism}, and ${needed} are needed.**`
      : `Enough pods: ${parallelism}, and ${needed} are needed.`;
  return `${enough} One generator gives ${threeDigits(ceiling)} journeys/s; 70 % of that is counted on.\n\n| journeys/s | pods |\n| ---: | ---: |\n${rows.join('\n')}`;
}

function steps({ exported, again }: Paper): string {
  const { name, players, variables, parallelism } = exported;
  const all = [
    `The operator is installed in the cluster (written for k6-operator v1.6.0, \`k6.io/v1alpha1\`).`,
    ...(players
      ? [
          `Players, signed in right before, from this machine into a Secret; they are in no file:\n\n       ${typedWith('load', 'quietly')} ${again} --export players | kubectl create secret generic ${playersSecret(name)} --from-file=${playersFile}=/dev/stdin`,
        ]
      : []),
    ...variables.map(
      (variable) =>
        `A secret of the profile: \`printf %s "$${variable}" | kubectl create secret generic ${variableSecret(name, variable)} --from-file=${variable}=/dev/stdin\`.`,
    ),
    `Where Prometheus wants a password: \`kubectl create secret generic ${metricsSecret} --from-literal=username=… --from-file=password=FILE\`.`,
    `\`kubectl apply -f configmap.yaml -f testrun.yaml\``,
    `\`kubectl get testrun ${name}\` until its stage is \`finished\`; \`kubectl delete testrun ${name}\` afterwards. There is no \`cleanup: post\`: it would take the logs of a pod that died with it. ${parallelism} runners start together.`,
  ];
  return all.map((line, nth) => `${nth + 1}. ${line}`).join('\n');
}
