// Writes the manifests of the k6-operator: one TestRun, and the scripts and data that its pods mount. Pure.
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { type Call, type Data, referenceTo, type Visit } from '../k6/plan.ts';
import { k6Version } from '../k6-install/build.ts';
import type { Ready } from '../prepare/ready.ts';
import { countingAlone } from '../run/k6-process.ts';

// How many generator pods a rate needs, and how large each has to be.

/**
 * What one k6 2.2 process takes, measured on Linux x64 with these scripts against a target that does nothing: resident
 * memory of 70 MiB at 200 requests/s and 116 at 4,900; 0.25 cores at 800 requests/s, 0.85 at 4,500. Writing metrics to
 * Prometheus comes on top, and so does every journey that waits for its answer.
 */
const cost = {
  mib: 130,
  mibPerJourney: 0.1,
  cores: 0.06,
  coresPerRequest: 0.0003,
} as const;

/** Largest share of its resources that a generator may use: beyond it, a run measures the generator. */
const headroom = 0.7;
const leastCores = 0.25;

/**
 * What a pod asks for, in quantities of Kubernetes: `500m`, `256Mi`. No processor limit: a throttled generator is late.
 * @param pod most journeys under way, and requests per second
 */
export function sizeOf(pod: { readonly inFlight: number; readonly requestsPerSecond: number }) {
  const used = cost.cores + pod.requestsPerSecond * cost.coresPerRequest;
  const cores = Math.max(leastCores, used / headroom);
  const mib = cost.mib + pod.inFlight * cost.mibPerJourney;
  const memory = `${Math.ceil(mib / headroom / 64) * 64}Mi`;
  return { requests: { cpu: `${Math.ceil(cores * 20) * 50}m`, memory }, limits: { memory } };
}

/**
 * Pods for a rate.
 * @param ceiling journeys per second that one generator was seen to give while it stayed fast
 */
export const generatorsFor = (rate: number, ceiling: number): number =>
  Math.max(1, Math.ceil(rate / (ceiling * headroom)));

/** Journeys per second of one generator that a plan may count on. */
export const countedOn = (ceiling: number): number => ceiling * headroom;

export interface Exported {
  /** The name of the TestRun, and a tag of every sample: a DNS label. */
  readonly name: string;
  readonly parallelism: number;
  /** Texts by flat name, `journey.ts`, `plan.json` and the log batches among them. */
  readonly files: Readonly<Record<string, string>>;
  /** Players come from a Secret. */
  readonly players: boolean;
  /** Environment variables of the profile's secrets, each from a Secret of its own. */
  readonly variables: readonly string[];
  /** Where the pods write their metrics: a base URL. */
  readonly prometheus: string;
  /** No certificate is checked. */
  readonly insecure: boolean;
  readonly size: ReturnType<typeof sizeOf>;
}

type Document = Readonly<Record<string, unknown>>;

/** Most bytes of a ConfigMap or a Secret, keys and values together. */
export const mostBytes = 1_048_576;
/** Bytes kept for metadata and what Kubernetes adds to it. */
const spareBytes = 32_768;

export const playersMount = '/players';
export const playersFile = 'players.json';
export const playersSecret = (name: string): string => `${name}-players`;
export const variableSecret = (name: string, variable: string): string =>
  `${name}-${variable.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;
export const metricsSecret = 'assay-prometheus';

const bytesOf = (files: Exported['files']): number =>
  Object.entries(files).reduce(
    (sum, [name, text]) => sum + Buffer.byteLength(name) + Buffer.byteLength(text),
    0,
  );

/**
 * Returns the files, with as many of the log batches as fit into a ConfigMap.
 * @throws ConfigurationError where it does not even hold one of each kind
 */
export function withinConfigMap(
  files: Exported['files'],
  batches: Data['batches'],
  textOf: (batches: Data['batches']) => Exported['files'],
): Exported['files'] {
  for (let most = 16; most >= 1; most /= 2) {
    const kept = Object.entries(batches).map(([kind, bodies]) => [kind, bodies.slice(0, most)] as const);
    const all = { ...files, ...textOf(Object.fromEntries(kept)) };
    if (bytesOf(all) <= mostBytes - spareBytes) return all;
  }
  throw new ConfigurationError([
    '--export: scripts and bodies are more than the 1 MiB that a ConfigMap holds; load from here with --segments',
  ]);
}

export function manifestsOf(exported: Exported): Document[] {
  const { name, files } = exported;
  const metadata = { name, labels: { 'app.kubernetes.io/name': 'assay' } };
  return [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: files },
    { apiVersion: 'k6.io/v1alpha1', kind: 'TestRun', metadata, spec: specOf(exported) },
  ];
}

function specOf(exported: Exported): Document {
  const { name, parallelism, players, size } = exported;
  const mounts = players && {
    volumes: [{ name: 'players', secret: { secretName: playersSecret(name), defaultMode: 0o444 } }],
    volumeMounts: [{ name: 'players', mountPath: playersMount, readOnly: true }],
  };
  const image = `grafana/k6:${k6Version}`;
  return {
    parallelism,
    separate: false,
    arguments: `--tag testid=${name}`,
    script: { configMap: { name, file: 'journey.ts' } },
    // The initializer needs the same image and mounts; some operators do not take them from the runner.
    initializer: { image, ...mounts },
    runner: { image, env: environment(exported), resources: size, ...mounts },
  };
}

function environment({ name, prometheus, variables, insecure }: Exported) {
  const fromSecret = (key: string) => ({
    valueFrom: { secretKeyRef: { name: metricsSecret, key, optional: true } },
  });
  return [
    // A variable, not an argument: the initializer gets the same arguments, and knows no outputs.
    { name: 'K6_OUT', value: 'experimental-prometheus-rw' },
    { name: 'K6_PROMETHEUS_RW_SERVER_URL', value: `${prometheus.replace(/\/+$/, '')}/api/v1/write` },
    { name: 'K6_PROMETHEUS_RW_PUSH_INTERVAL', value: '1s' },
    { name: 'K6_PROMETHEUS_RW_USERNAME', ...fromSecret('username') },
    { name: 'K6_PROMETHEUS_RW_PASSWORD', ...fromSecret('password') },
    { name: 'K6_NO_USAGE_REPORT', value: 'true' },
    ...Object.entries(countingAlone).map(([name, value]) => ({ name, value })),
    { name: 'K6_AUTO_EXTENSION_RESOLUTION', value: 'false' },
    ...(insecure ? [{ name: 'K6_INSECURE_SKIP_TLS_VERIFY', value: 'true' }] : []),
    ...variables.map((variable) => ({
      name: variable,
      valueFrom: { secretKeyRef: { name: variableSecret(name, variable), key: variable } },
    })),
  ];
}

// Sessions reach the cluster only by a pipe into a Secret; no other file that is written holds one.

/** Shortest secret that is searched for: shorter ones occur in texts by chance. */
const fewest = 6;
const spare = 16_384;

/** @throws ConfigurationError where a secret of the target or a player's session is in what will be written */
export function refuseSecrets({ target, data }: Ready, texts: readonly string[]): void {
  const sessions = data.groups.flatMap((actors) =>
    actors.flatMap(({ headers, query, values }) => [...Object.values(headers), query, values.token ?? '']),
  );
  const secrets = new Set([...target.secrets, ...sessions].filter(({ length }) => length >= fewest));
  const all = texts.join('\n');
  if (![...secrets].some((secret) => all.includes(secret))) return;
  throw new ConfigurationError([
    '--export: a secret stands in a body, a path or part of a header, and the export would hold it in plain text; say it as a header of the profile from a variable, or load from here with --segments',
  ]);
}

/** Replaces secrets in headers by references to the variables of the profile; `named` lists these variables. */
export function referring(
  visits: readonly Visit[],
  variables: Readonly<Record<string, string>>,
): { readonly visits: readonly Visit[]; readonly named: readonly string[] } {
  const named = new Set<string>();
  const without = (value: string) => {
    const [variable] = Object.entries(variables).find(([, secret]) => secret === value) ?? [];
    if (variable === undefined) return value;
    named.add(variable);
    return referenceTo(variable);
  };
  const headersOf = ({ headers }: Call) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, without(value)]));
  const visitsWithReferences = visits.map((visit) => ({
    ...visit,
    calls: visit.calls.map((call) => ({ ...call, headers: headersOf(call) })),
  }));
  return { visits: visitsWithReferences, named: [...named].sort() };
}

/** Keeps as many groups of players as a Secret holds. */
export function withinSecret({ groups }: Data, say: (line: string) => void): Data {
  let bytes = 0;
  const kept = groups.filter((actors) => {
    bytes += Buffer.byteLength(JSON.stringify(actors)) + 1;
    return bytes < mostBytes - spare;
  });
  if (kept.length < groups.length)
    say(
      `players: ${kept.length} groups of ${groups.length} fit into the 1 MiB of a Secret; the others are left out`,
    );
  return { groups: kept, batches: {} };
}
