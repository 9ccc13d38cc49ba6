import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { diffCapacity, isCapacity, refuseLoads } from './capacity.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-capacity-'));
afterAll(() => rmSync(folder, { recursive: true }));
let written = 0;

function stored(over: object = {}): string {
  const path = join(folder, `${written++}.json`);
  const value = {
    schema: 'assay.capacity/1',
    verdict: 'FOUND',
    capacity: 180,
    interval: [174, 187],
    unit: 'journeys/s',
    journey: 'logs',
    arrivals: 'poisson',
    slo: 'p95=80ms,errors=0.1%',
    startedAt: '2026-01-02T03:04:05.678Z',
    ...over,
  };
  writeFileSync(path, JSON.stringify(value));
  return path;
}

const diff = (before: object, after: object) => diffCapacity(stored(before), stored(after), false);

describe('two capacities', () => {
  test('whose intervals overlap are not distinguished', () => {
    const { text, exitCode } = diff({}, { capacity: 176, interval: [170, 183] });
    expect(text).toBe(
      'No clear difference: capacity of logs (−2.2 %)\n' +
        'A  FOUND 180 journeys/s, interval 174 to 187 · 2026-01-02 03:04 UTC\n' +
        'B  FOUND 176 journeys/s, interval 170 to 183 · 2026-01-02 03:04 UTC\n',
    );
    expect(exitCode).toBe(0);
  });

  test('are worse, and red, where the later one lies below', () => {
    const { text, exitCode } = diff({}, { capacity: 150, interval: [144, 157] });
    expect(text).toMatch(/^Worse: capacity of logs \(−16\.7 %\)\n/);
    expect(exitCode).toBe(1);
  });

  test('are worse where effects went wrong that were right before, and never better for it', () => {
    const wrong = { verdict: 'WRONG_UNDER_LOAD', capacity: 250, interval: [240, 260] };
    expect(diff({}, wrong)).toMatchObject({ exitCode: 1, text: expect.stringMatching(/^Worse: /) });
    expect(diff(wrong, { capacity: 400, interval: [390, 410] }).text).toMatch(/^No clear difference: /);
  });

  test('are shown with three digits at most', () => {
    const { text } = diff({ capacity: 180.44, interval: [174.52, 1_234.56] }, {});
    expect(text).toContain('FOUND 180 journeys/s, interval 175 to 1,230 ·');
  });

  test('are better where the later one lies above', () => {
    expect(diff({}, { capacity: 250, interval: [240, null] })).toMatchObject({ exitCode: 0 });
    expect(diff({}, { capacity: 250, interval: [240, null] }).text).toMatch(/^Better: /);
  });

  test('are worse where the later target is not the same twice', () => {
    expect(diff({}, { verdict: 'UNSTABLE' }).exitCode).toBe(1);
  });

  test('are no better than one that was not found', () => {
    expect(diff({ verdict: 'UNSTABLE' }, {}).text).toMatch(/^No clear difference: /);
    const generator = { verdict: 'GENERATOR_LIMITED', capacity: 100, interval: [100, 101] };
    expect(diff(generator, {}).text).toMatch(/^No clear difference: /);
  });

  test('of which one side is not known reach to the end', () => {
    expect(diff({ interval: [null, 50] }, {}).text).toMatch(/^Better: /);
    expect(diff({ interval: [174, null] }, { interval: [500, 600] }).text).toMatch(/^No clear difference: /);
  });

  test('are compared where the earlier file counts journeys of one request as requests', () => {
    expect(diff({ unit: 'requests/s' }, {}).text).toMatch(/^No clear difference: /);
  });

  test('as data hold the same', () => {
    const { text } = diffCapacity(stored(), stored({ interval: [100, 110] }), true);
    expect(JSON.parse(text)).toMatchObject({ schema: 'assay.capacity-diff/1', change: 'worse', exitCode: 1 });
  });
});

describe('what cannot be compared is reported in a line', () => {
  test.each([
    [{ slo: 'p99=80ms,errors=0.1%' }, 'slo was p95=80ms,errors=0.1% and is p99=80ms,errors=0.1%'],
    [{ arrivals: 'even' }, 'arrivals was poisson and is even'],
    [{ capacity: 'much' }, 'has no rate as capacity'],
    [{ interval: [1] }, 'has no rate as interval[1]'],
    [{ journey: 7 }, 'has no journey'],
    [{ schema: 'assay.load/1' }, 'is no capacity.json'],
  ])('a file with %j is refused, since it $1', (over, problem) => {
    expect(() => diff({}, over)).toThrow(problem);
  });
});

test('a load is refused in one line that names what is compared instead, once for one file', () => {
  const load = stored({ schema: 'assay.load/1' });
  expect(() => refuseLoads(load, load)).toThrow(
    /^diff: "[^"]+" is the load\.json of a load, and loads are not compared: .* two capacity\.json of "npm run capacity".* "npm run trend"$/,
  );
  expect(() => refuseLoads(stored(), load)).toThrow(load);
  expect(() => refuseLoads(stored(), join(folder, 'none'))).not.toThrow();
});

test('a file is a capacity by what it says of itself', () => {
  expect(isCapacity(stored())).toBe(true);
  expect(isCapacity(stored({ schema: 'assay.result/1' }))).toBe(false);
  expect(isCapacity(join(folder, 'none'))).toBe(false);
  expect(isCapacity(folder)).toBe(false);
});
