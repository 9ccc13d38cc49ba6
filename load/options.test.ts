import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { journeyIn } from '../commands/load/open.ts';
import { ConfigurationError } from '../engine/values/configuration-error.ts';
import { scratchFolder } from '../fixtures/kit/scratch.ts';
import {
  checkedCapacityOptions,
  checkedExportOptions,
  checkedLoadOptions,
  ownAddresses,
  type RawCapacityOptions,
  type RawExportOptions,
  type RawLoadOptions,
  refuseStray,
} from './options.ts';

test.each([
  ['neither', [], 'capacity: no journey; give one, or --operation ID'],
  ['two', ['queue', 'cdn'], 'capacity: "cdn" beside "queue"; give one journey'],
])('%s is reported in one line', (_, args, message) => {
  expect(() => journeyIn('capacity', args, {})).toThrow(message);
});

const raw: RawLoadOptions = {
  rate: 50,
  shape: 'steady',
  out: 'out',
  maxRate: 1000,
  segments: 1,
  arrivals: 'poisson',
};

function linesOf(check: () => unknown): readonly string[] {
  try {
    check();
  } catch (error) {
    if (error instanceof ConfigurationError) return error.lines;
    throw error;
  }
  return [];
}

const mistakesOf = (options: Partial<RawLoadOptions>, cwd = '/') =>
  linesOf(() => checkedLoadOptions({ ...raw, ...options }, cwd));

test('what is not said has its default: the shape’s duration, one wrong answer in a thousand', () => {
  expect(checkedLoadOptions(raw, '/')).toMatchObject({
    rate: 50,
    durationMs: 30_000,
    slo: { bounds: [], errors: 0.001 },
    perOperation: {},
  });
});

test('every mistake is reported at once, each with what was expected', () => {
  expect(mistakesOf({ rate: 1001, shape: 'stady', slo: 'p95=soon', arrivals: 'odd' })).toEqual([
    expect.stringMatching(/^--shape: "stady" is no shape; did you mean "steady"\?/),
    expect.stringMatching(/^--slo: "p95=soon"; expected bounds/),
    expect.stringMatching(/^--arrivals: "odd"; expected poisson or even/),
    expect.stringMatching(/^--rate: steady at 1001/),
  ]);
});

test('a peak above --max-rate is refused, that of the shape included', () => {
  expect(mistakesOf({ rate: 1001 })).toHaveLength(1);
  expect(mistakesOf({ rate: 300, shape: 'spike' })).toEqual([
    expect.stringContaining('goes up to 1500 journeys per second, above --max-rate 1000'),
  ]);
  expect(mistakesOf({ rate: 300, shape: 'spike', maxRate: 1500 })).toEqual([]);
});

function fileOf(text: string): string {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'slo.json'), text);
  return folder;
}

test('an SLO per operation is read from its file', () => {
  const cwd = fileOf('{"party.create":"p99=80ms"}');
  const { perOperation } = checkedLoadOptions({ ...raw, perOperationSlo: 'slo.json' }, cwd);
  expect(perOperation['party.create']?.bounds).toEqual([{ name: 'p99', quantile: 0.99, ms: 80 }]);
});

test.each([
  ['{', 'cannot be read (no JSON); expected JSON such as'],
  ['\u001b[2J', 'cannot be read (no JSON); expected JSON such as'],
  ['[]', 'holds no object'],
  ['{"party.creat":"p95=1ms"}', '"party.creat" is no operation; did you mean "party.create"?'],
  ['{"party.create":"fast"}', 'party.create: "fast"; expected bounds'],
])('a file that holds %s is reported as what it is', (text, message) => {
  expect(mistakesOf({ perOperationSlo: 'slo.json' }, fileOf(text))).toEqual([
    expect.stringContaining(message),
  ]);
});

// Of an export.

const mistakesOfExport = (given: RawExportOptions) => linesOf(() => checkedExportOptions(given));

test('every mistake of an export is reported at once, each with what was expected', () => {
  expect(mistakesOfExport({ export: 'k9s', collect: 'prometheus:9090' })).toEqual([
    expect.stringMatching(/^--export: "k9s"; expected k8s/),
    expect.stringMatching(/^--collect: "prometheus:9090"; expected the URL of a Prometheus/),
  ]);
});

test('a password in the URL is refused and not repeated', () => {
  const [line = ''] = mistakesOfExport({ export: 'k8s', collect: 'http://me:hunter22@prometheus:9090' });
  expect(line).toContain('PROMETHEUS_PASSWORD');
  expect(line).not.toContain('hunter22');
});

test('an option that would say nothing is refused, and the right one is named', () => {
  expect(() => refuseStray({ parallelism: 3 }, 1)).toThrow('--segments N');
  expect(() => refuseStray({ export: 'k8s' }, 2)).toThrow('--parallelism N');
  expect(() => refuseStray({ export: 'k8s', parallelism: 3, ceiling: 9 }, 1)).not.toThrow();
});

test('addresses of this machine are named with the variable that holds them', () => {
  expect(
    ownAddresses({ base: 'http://127.0.0.1:8080', cdn: 'https://cdn.test', gamelogs: undefined }),
  ).toEqual(['BASE_URL http://127.0.0.1:8080']);
  expect(() => refuseStray({ allowLoopback: true }, 1)).toThrow('--allow-loopback');
});

// Of a search.

const search: RawCapacityOptions = {
  slo: 'p95=80ms',
  start: 50,
  maxRate: 2000,
  arrivals: 'poisson',
  out: 'reports/out',
};

test('a quantile beyond p95 has more time', () => {
  expect(checkedCapacityOptions(search).budgetMs).toBe(420_000);
  expect(checkedCapacityOptions({ ...search, slo: 'p99=80ms' }).budgetMs).toBe(600_000);
  expect(checkedCapacityOptions({ ...search, budget: 60_000 }).budgetMs).toBe(60_000);
});

test.each([
  [{ slo: undefined }, 'no --slo; say what the target has to keep'],
  [{ slo: 'p95' }, '--slo: "p95"; expected bounds'],
  [{ slo: 'errors=1%' }, '--slo: no bound on latency'],
  [{ start: 3000 }, '--start: 3000 is above --max-rate 2000'],
  [{ arrivals: 'random' }, '--arrivals: "random"; expected poisson or even'],
])('%j of a search is refused', (over, message) => {
  const { slo = undefined, ...rest } = { ...search, ...over };
  expect(() => checkedCapacityOptions({ ...rest, ...(slo !== undefined && { slo }) })).toThrow(message);
});

test('all mistakes of a search are reported at once', () => {
  expect(() => checkedCapacityOptions({ ...search, start: 3000, arrivals: 'y' })).toThrow(
    /--start(.|\n)*--arrivals/,
  );
});
