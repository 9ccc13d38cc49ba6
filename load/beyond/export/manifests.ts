// What the k6-operator runs: one TestRun, and the scripts and data that its pods mount. Pure.
import { k6Version } from '../../install/version.ts';
import type { Size } from './generators.ts';

export interface Exported {
  /** Of the TestRun, and tag of every sample: a DNS label. */
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
  readonly size: Size;
}

export type Document = Readonly<Record<string, unknown>>;

/** Of a ConfigMap or a Secret, keys and values together. */
export const mostBytes = 1_048_576;
/** Metadata and what Kubernetes adds to it. */
const spareBytes = 32_768;

export const playersMount = '/players';
export const playersFile = 'players.json';
export const playersSecret = (name: string): string => `${name}-players`;
export const variableSecret = (name: string, variable: string): string =>
  `${name}-${variable.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;
export const metricsSecret = 'assay-prometheus';

/** Too much for a ConfigMap goes on a volume. */
export const needsVolume = (files: Exported['files']): boolean =>
  Object.entries(files).reduce(
    (sum, [name, text]) => sum + Buffer.byteLength(name) + Buffer.byteLength(text),
    0,
  ) >
  mostBytes - spareBytes;

export function manifestsOf(exported: Exported): Document[] {
  const { name, files } = exported;
  const metadata = { name, labels: { 'app.kubernetes.io/name': 'assay' } };
  const holder = needsVolume(files)
    ? {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata,
        spec: { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '1Gi' } } },
      }
    : { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: files };
  return [holder, { apiVersion: 'k6.io/v1alpha1', kind: 'TestRun', metadata, spec: specOf(exported) }];
}

function specOf(exported: Exported): Document {
  const { name, parallelism, files, players, size } = exported;
  const file = 'journey.ts';
  const mounts = players && {
    volumes: [{ name: 'players', secret: { secretName: playersSecret(name), defaultMode: 0o444 } }],
    volumeMounts: [{ name: 'players', mountPath: playersMount, readOnly: true }],
  };
  const image = `grafana/k6:${k6Version}`;
  return {
    parallelism,
    separate: false,
    arguments: `--tag testid=${name}`,
    script: needsVolume(files)
      ? { volumeClaim: { name, file, readOnly: true } }
      : { configMap: { name, file } },
    // It packs the very same files: said apart for operators that do not take it from the runner.
    initializer: { image, ...mounts },
    runner: { image, env: environment(exported), resources: size, ...mounts },
  };
}

function environment({ name, prometheus, variables, insecure }: Exported) {
  const fromSecret = (key: string) => ({
    valueFrom: { secretKeyRef: { name: metricsSecret, key, optional: true } },
  });
  return [
    // By variable: the initializer takes the same arguments, and knows no outputs.
    { name: 'K6_OUT', value: 'experimental-prometheus-rw' },
    { name: 'K6_FEATURES', value: 'native-histograms' },
    { name: 'K6_PROMETHEUS_RW_SERVER_URL', value: `${prometheus.replace(/\/+$/, '')}/api/v1/write` },
    { name: 'K6_PROMETHEUS_RW_PUSH_INTERVAL', value: '1s' },
    { name: 'K6_PROMETHEUS_RW_USERNAME', ...fromSecret('username') },
    { name: 'K6_PROMETHEUS_RW_PASSWORD', ...fromSecret('password') },
    { name: 'K6_NO_USAGE_REPORT', value: 'true' },
    { name: 'K6_AUTO_EXTENSION_RESOLUTION', value: 'false' },
    ...(insecure ? [{ name: 'K6_INSECURE_SKIP_TLS_VERIFY', value: 'true' }] : []),
    ...variables.map((variable) => ({
      name: variable,
      valueFrom: { secretKeyRef: { name: variableSecret(name, variable), key: variable } },
    })),
  ];
}
