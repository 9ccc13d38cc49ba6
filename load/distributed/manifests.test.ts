import { expect, test } from 'vitest';
import { sampleCall, sampleData } from '../../fixtures/kit/sample-step.ts';
import { filled } from '../k6/plan.ts';
import {
  type Exported,
  generatorsFor,
  manifestsOf,
  mostBytes,
  referring,
  sizeOf,
  withinConfigMap,
  withinSecret,
} from './manifests.ts';
import { operatorFields } from './operator-fields.test-data.ts';

const exported: Exported = {
  name: 'assay-queue-1',
  parallelism: 3,
  files: { 'journey.ts': 'export {};', 'plan.json': '{}' },
  players: true,
  variables: ['API_KEY'],
  prometheus: 'http://prometheus:9090/',
  insecure: false,
  size: { requests: { cpu: '500m', memory: '256Mi' }, limits: { memory: '256Mi' } },
};

/** `spec.runner.env[].name` and what stands there. */
function leaves(value: unknown, at = ''): [string, unknown][] {
  if (Array.isArray(value)) return value.flatMap((each) => leaves(each, `${at}[]`));
  if (value === null || typeof value !== 'object') return [[at, value]];
  return Object.entries(value).flatMap(([name, each]) => leaves(each, at === '' ? name : `${at}.${name}`));
}

const kindOf = (value: unknown) => (Number.isInteger(value) ? 'integer' : typeof value);

test.each([
  ['a ConfigMap', exported],
  ['no players', { ...exported, players: false }],
  ['certificates unchecked', { ...exported, insecure: true }],
])('every field of a TestRun with %s is one that the operator knows, of its type', (_, given) => {
  const [, testRun] = manifestsOf(given);
  expect(testRun).toMatchObject({ apiVersion: 'k6.io/v1alpha1', kind: 'TestRun' });
  for (const [field, value] of leaves(testRun))
    expect([field, kindOf(value)]).toEqual([field, operatorFields[field]]);
});

test('scripts and data go into a ConfigMap, whose keys hold no slashes', () => {
  const [map, testRun] = manifestsOf(exported);
  expect(map).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: exported.files });
  expect(testRun).toMatchObject({
    spec: { parallelism: 3, script: { configMap: { name: 'assay-queue-1', file: 'journey.ts' } } },
  });
});

test('as many log batches are kept as a ConfigMap holds, and none is too few', () => {
  const kept = (length: number) => {
    const batches = { log: Array.from({ length: 16 }, () => 'x'.repeat(length)) };
    return withinConfigMap({ 'plan.json': '{}' }, batches, ({ log = [] }) => ({ log: log.join('') })).log;
  };
  expect([kept(100), kept(100_000)].map((text) => text?.length)).toEqual([1_600, 800_000]);
  expect(() => kept(mostBytes)).toThrow('more than the 1 MiB that a ConfigMap holds');
});

test('secrets are references: players are mounted, the password of Prometheus is looked up', () => {
  const { spec } = manifestsOf(exported)[1] as {
    spec: { runner: { env: { name: string }[]; volumes: unknown } };
  };
  expect(spec.runner.volumes).toEqual([
    { name: 'players', secret: { secretName: 'assay-queue-1-players', defaultMode: 0o444 } },
  ]);
  expect(spec.runner.env.find(({ name }) => name === 'K6_PROMETHEUS_RW_PASSWORD')).toEqual({
    name: 'K6_PROMETHEUS_RW_PASSWORD',
    valueFrom: { secretKeyRef: { name: 'assay-prometheus', key: 'password', optional: true } },
  });
});

test('a secret of the profile is a variable that a pod gets from a Secret', () => {
  const { spec } = manifestsOf(exported)[1] as { spec: { runner: { env: unknown } } };
  expect(spec.runner.env).toContainEqual({
    name: 'API_KEY',
    valueFrom: { secretKeyRef: { name: 'assay-queue-1-api-key', key: 'API_KEY' } },
  });
});

test('metrics are written to the Prometheus that was named', () => {
  const { spec } = manifestsOf(exported)[1] as { spec: { runner: { env: unknown } } };
  expect(spec.runner.env).toEqual(
    expect.arrayContaining([
      { name: 'K6_OUT', value: 'experimental-prometheus-rw' },
      { name: 'K6_PROMETHEUS_RW_SERVER_URL', value: 'http://prometheus:9090/api/v1/write' },
    ]),
  );
});

const visits = [
  {
    name: 'sample',
    weight: 1,
    calls: [{ ...sampleCall, headers: { accept: '*/*', 'x-api-key': 'key-of-the-house' } }],
  },
];

test('a header that holds a secret names its variable instead, and k6 fills it in', () => {
  const referenced = referring(visits, { API_KEY: 'key-of-the-house', OTHER: 'unused' });
  const headers = referenced.visits[0]?.calls[0]?.headers ?? {};
  expect(referenced.named).toEqual(['API_KEY']);
  expect(headers).toEqual({ accept: '*/*', 'x-api-key': '{{API_KEY}}' });
  expect(filled(headers, { API_KEY: 'key-of-the-house' })).toEqual(visits[0]?.calls[0]?.headers);
});

test('what no variable stands for is sent as it is', () => {
  expect(filled({ 'x-template': '{{name}}' }, {})).toEqual({ 'x-template': '{{name}}' });
});

test('so many players go into a Secret as it holds, and that others do not is said', () => {
  const lines: string[] = [];
  const [actors = []] = sampleData.groups;
  const long = actors.map((person) => ({ ...person, query: 'x'.repeat(300_000) }));
  const { groups } = withinSecret({ groups: [long, long, long, long, long], batches: {} }, (line) =>
    lines.push(line),
  );
  expect(groups).toHaveLength(3);
  expect(lines).toEqual([expect.stringContaining('3 groups of 5 fit')]);
});

test('a rate needs so many generators that each gives at most 70 % of what it can', () => {
  expect([100, 700, 701, 7_000].map((rate) => generatorsFor(rate, 1_000))).toEqual([1, 1, 2, 10]);
});

test('a pod is sized by its journeys in flight and its requests, with room above what was measured', () => {
  const small = sizeOf({ inFlight: 20, requestsPerSecond: 80 });
  expect(small).toEqual({ requests: { cpu: '250m', memory: '192Mi' }, limits: { memory: '192Mi' } });
  const measured = sizeOf({ inFlight: 1_500, requestsPerSecond: 4_900 });
  expect(Number.parseInt(measured.limits.memory, 10)).toBeGreaterThan(116);
  expect(Number.parseInt(measured.requests.cpu, 10)).toBeGreaterThan(850);
});
