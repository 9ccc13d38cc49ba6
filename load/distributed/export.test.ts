import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readTarget } from '../../engine/target/target.ts';
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { k6ForTests } from '../../fixtures/kit/programs.ts';
import { sampleData, samplePlan, sampleSecret } from '../../fixtures/kit/sample-step.ts';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';
import { type CheckedExportOptions, checkedLoadOptions } from '../options.ts';
import type { Ready } from '../prepare/ready.ts';
import { exportOf, flatModules } from './export.ts';
import { refuseSecrets } from './manifests.ts';
import { readRunFile } from './run-file.ts';

// What is written, as k6 and a reader of YAML that knows nothing of us see it.
const k6 = await k6ForTests();
const raw = {
  rate: 90,
  shape: 'steady',
  out: 'out',
  maxRate: 1000,
  segments: 1,
  arrivals: 'poisson',
  slo: 'p95=80ms',
};
const options = checkedLoadOptions(raw, '/');
const about = { journey: 'queue', subject: 'queue', again: 'queue --rate 90', seed: 'seed', embedded: false };
const given: CheckedExportOptions = {
  kind: 'k8s',
  parallelism: 3,
  ceiling: 100,
  prometheus: 'http://prometheus:9090',
};
const BASE_URL = 'http://game.test';
const target = readTarget({ BASE_URL }, { cwd: '/nowhere' });
const ready: Ready = {
  target,
  hosts: { base: BASE_URL },
  visits: samplePlan().plan.visits,
  data: sampleData,
  spare: [],
  conserves: [],
  hasMet: false,
  evidence: undefined,
  redactor: { url: String, body: String },
  exclusive: true,
};

const exported = (more: Partial<CheckedExportOptions> = {}, embedded = false) =>
  exportOf(ready, { ...about, embedded }, options, { ...given, ...more }, 'out', 1_700_000_000_000);

test('a whole export: TestRun, ConfigMap, run file and plan, and nothing to be replaced', () => {
  const { files, placeholders } = exported();
  expect(Object.keys(files).sort()).toEqual(['configmap.yaml', 'plan.md', 'run.json', 'testrun.yaml']);
  expect(placeholders).toEqual([]);
  const { metadata, spec } = parse(files['testrun.yaml'] ?? '');
  expect(metadata.name).toMatch(/^assay-queue-[a-z0-9]+$/);
  expect(spec.arguments).toBe(`--tag testid=${metadata.name}`);
  expect(
    Object.keys(parse(files['configmap.yaml'] ?? '').data).every((key) => /^[-._a-zA-Z0-9]+$/.test(key)),
  ).toBe(true);
});

test('an address of this machine is to be replaced', () => {
  const hosts = { base: 'http://127.0.0.1:9' };
  const { placeholders } = exportOf({ ...ready, hosts }, about, options, given, 'out', 1_700_000_000_000);
  expect(placeholders).toEqual(['BASE_URL http://127.0.0.1:9: an address that the pods reach']);
});

test('the plan on paper says whether the pods are enough, and how many a higher rate needs', () => {
  expect(exported().files['plan.md']).toContain('Enough pods: 3, and 2 are needed.');
  expect(exported().files['plan.md']).toContain('| 900 | 13 |');
  expect(exported({ parallelism: 1 }).files['plan.md']).toContain('Too few pods: 1, and 2 are needed.');
});

test('without a target and without a ceiling it is written all the same, and says what is missing', () => {
  const { files, placeholders } = exported({ ceiling: undefined }, true);
  expect(placeholders).toEqual([
    expect.stringContaining('the target: no BASE_URL'),
    expect.stringContaining('CEILING'),
  ]);
  expect(files['configmap.yaml']).toContain('http://BASE-URL.invalid');
  for (const line of placeholders) expect(files['plan.md']).toContain(line);
});

test('no session is in what is written, and an export that would hold one is refused', () => {
  const { files } = exported();
  expect(Object.values(files).join('')).not.toContain(sampleSecret);
  expect(() => refuseSecrets(ready, [`header: Bearer ${sampleSecret}`])).toThrow(ConfigurationError);
  expect(() => refuseSecrets(ready, Object.values(files))).not.toThrow();
});

test('a secret header of the profile is given by the name of its variable, in the files and to the pods', () => {
  const secret = 'key-of-the-house';
  const profile = {
    words: {},
    wordsAt: [],
    variables: { API_KEY: secret },
  } as unknown as Ready['target']['profile'];
  const visits = ready.visits.map((visit) => ({
    ...visit,
    calls: visit.calls.map((call) => ({ ...call, headers: { 'x-api-key': secret } })),
  }));
  const guarded = { ...ready, visits, target: { ...target, profile, secrets: [secret] } } as Ready;
  const { files } = exportOf(guarded, about, options, given, 'out', 1);
  expect(() => refuseSecrets(guarded, Object.values(files))).not.toThrow();
  expect(files['configmap.yaml']).toContain('{{API_KEY}}');
  expect(files['testrun.yaml']).toContain('key: API_KEY');
  expect(files['plan.md']).toContain('--from-file=API_KEY=/dev/stdin');
});

test('who collects reads from the run file what was asked for', () => {
  const { files } = exported();
  const path = join(scratchFolder(), 'run.json');
  writeFileSync(path, files['run.json'] ?? '');
  expect(readRunFile(path)).toMatchObject({
    journey: 'queue',
    parallelism: 3,
    slo: { bounds: [{ name: 'p95', ms: 80 }] },
    plan: { rate: 90, durationMs: 30_000, warmupMs: 1_000, arrivals: 'poisson' },
  });
});

test.each(['{', '{}', '{"schema":"assay.distributed/1"}'])('a run file that says %s is refused', (text) => {
  const path = join(scratchFolder(), 'run.json');
  writeFileSync(path, text);
  expect(() => readRunFile(path)).toThrow('expected the run.json that --export wrote');
});

test.skipIf(k6 === undefined)(
  'k6 reads the files of the ConfigMap as they will lie in a pod, and packs them',
  () => {
    const mutated = scratchFolder();
    const { data } = parse(exported().files['configmap.yaml'] ?? '') as { data: Record<string, string> };
    for (const [name, text] of Object.entries(data)) writeFileSync(join(mutated, name), text);
    const players = join(mutated, 'players.json');
    writeFileSync(players, JSON.stringify(sampleData));
    const plan = JSON.parse(data['plan.json'] ?? '');
    expect(plan.dataFile).toBe('/players/players.json');
    expect(plan.inFlight).toBe(Math.ceil(JSON.parse(exported().files['run.json'] ?? '').plan.inFlight / 3));
    writeFileSync(join(mutated, 'plan.json'), JSON.stringify({ ...plan, dataFile: players }));
    // As the operator's initializer does, with the arguments of the TestRun.
    const settings = {
      env: { HOME: mutated },
      cwd: mutated,
      encoding: 'utf8',
      timeout: 10_000,
      killSignal: 'SIGKILL',
    } as const;
    execFileSync(k6 ?? '', ['archive', 'journey.ts', '-O', 'packed.tar', '--tag', 'testid=x'], settings);
    const output = execFileSync(k6 ?? '', ['inspect', '--execution-requirements', 'packed.tar'], settings);
    expect(JSON.parse(output)).toMatchObject({ maxVUs: 3, scenarios: { journey: { vus: 3 } } });
  },
);

const sources: Record<string, string> = {
  'a/b/entry.ts':
    "import { x } from 'k6';\nimport { y } from '../c.ts';\nimport type { Z } from './types.ts';\n",
  'a/c.ts': "export { y } from './b/d.ts';\nconst text = \"from './not-an-import.ts'\";\n",
  'a/b/d.ts': 'export const y = 1;\n',
};

function read(path: string): string {
  const text = sources[path];
  if (text === undefined) throw new Error(`${path} was read`);
  return text;
}

test('an entry and all that it loads lie side by side, and find each other', () => {
  expect(flatModules('a/b/entry.ts', read)).toEqual({
    'entry.ts':
      "import { x } from 'k6';\nimport { y } from './a.c.ts';\nimport type { Z } from './a.b.types.ts';\n",
    'a.c.ts': "export { y } from './a.b.d.ts';\nconst text = \"from './not-an-import.ts'\";\n",
    'a.b.d.ts': 'export const y = 1;\n',
  });
});
