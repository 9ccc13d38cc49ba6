import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readSummary } from './summary.ts';

function written(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay summary '));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'summary.json');
  writeFileSync(file, text);
  return file;
}

const durations = { avg: 2, med: 1, 'p(95)': 5, 'p(99)': 8, 'p(99.9)': 9, max: 10, count: 100 };

test('figures of the measured part are taken, errors are summed over operations and reported by kind', () => {
  const metrics = {
    'http_req_duration{part:measured}': { values: durations },
    'http_req_duration{part:measured,name:a}': { values: { ...durations, count: 60 } },
    'http_req_duration{part:measured,name:b}': { values: { ...durations, count: 40 } },
    'iterations{part:measured}': { values: { count: 50 } },
    'assay_unbegun{part:measured}': { values: { count: 3 } },
    dropped_iterations: { values: { count: 2 } },
    'assay_errors{part:measured,name:a,kind:status 404}': { values: { count: 4 } },
    'assay_errors{part:measured,name:b,kind:timeout}': { values: { count: 1 } },
    assay_lag: { values: { 'p(95)': 1, max: 7 } },
  };
  expect(readSummary([written(JSON.stringify({ metrics }))], ['a', 'b'])).toMatchObject({
    sent: 100,
    iterations: 50,
    unbegun: 3,
    dropped: 2,
    latency: { p50: 1, p95: 5, p99: 8, p999: 9, max: 10, mean: 2 },
    errors: { wrong: 4, transport: 1, kinds: { 'status 404': 4, timeout: 1 } },
    lagMs: { p95: 1, max: 7 },
    operations: { a: { count: 60, errors: { 'status 404': 4 } }, b: { count: 40, errors: { timeout: 1 } } },
  });
});

test('statuses are reported apart by operation, and by their class among the kinds', () => {
  const errors = (kind: string) => `assay_errors{part:measured,name:a,kind:${kind}}`;
  const metrics = {
    [errors('status 409')]: { values: { count: 5 } },
    [errors('status 500')]: { values: { count: 3 } },
    [errors('status 5xx')]: { values: { count: 1 } },
    [errors('status 503')]: { values: { count: 2 } },
  };
  const summary = readSummary([written(JSON.stringify({ metrics }))], ['a']);
  expect(summary?.errors).toEqual({
    wrong: 11,
    transport: 0,
    kinds: { 'status 4xx': 5, 'status 5xx': 4, 'status 503': 2 },
    byOperation: [
      { operation: 'a', answer: '409', count: 5 },
      { operation: 'a', answer: '500', count: 3 },
      { operation: 'a', answer: '503', count: 2 },
      { operation: 'a', answer: '5xx', count: 1 },
    ],
  });
});

test('a journey of one operation has the figures of all requests', () => {
  const metrics = { 'http_req_duration{part:measured}': { values: durations } };
  expect(readSummary([written(JSON.stringify({ metrics }))], ['a'])?.operations.a).toMatchObject({
    count: 100,
    p95: 5,
  });
});

test.each(['', '{', 'null', '{}', '{"metrics":7}'])('a file that holds %j is no summary', (text) => {
  expect(readSummary([written(text)], ['a'])).toBeUndefined();
});

test('no file is no summary', () => {
  expect(readSummary(['/nowhere/summary.json'], ['a'])).toBeUndefined();
});
