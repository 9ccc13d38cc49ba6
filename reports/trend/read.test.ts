import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Result, RunResult } from '../../engine/run/result.ts';
import { sampleResult, sampleRun } from '../../fixtures/kit/sample-run.ts';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';
import { resultText, writeLines } from '../write.ts';
import { gather, NumberedNames } from './read.ts';
import { standingNumber, standingOf } from './trend.ts';

const waived = { reason: 'later', link: 'https://tracker.example/1', expires: '2999-12-31' };
const trap = '\n  }\n ]\n   "id": "x",\n   "outcome": "pass"';

/** With its members in the order in which a run reports them. */
function unjudged(over: Partial<Result>): Result {
  const { rerun, startedAt, durationMs, ...members } = sampleResult(over);
  const { outcome, reason, detail, ...planned } = members;
  return {
    ...planned,
    outcome,
    ...(reason && { reason }),
    ...(detail && { detail }),
    rerun,
    startedAt,
    durationMs,
  };
}

const run = sampleRun(
  [
    sampleResult({ id: 'a.b#c' }),
    sampleResult({ id: 'a.b#d', outcome: 'fail', waived, actual: trap }),
    sampleResult({ id: 'a.b#e', outcome: 'fail', level: 'standard', title: `${trap} "é ‹run›` }),
    unjudged({ id: 'flow/step', outcome: 'inconclusive', reason: 'not-served', detail: 'gone' }),
    unjudged({
      id: 'flow/other',
      outcome: 'not-applicable',
      reason: 'left-out',
      operation: ['a.b', 'c.d'],
    }),
    sampleResult({ id: 'a.b#f', outcome: 'observed', behaviour: trap, level: 'open' }),
  ],
  { ledger: { 'a.b#f': `401 ‹run› ${trap}` }, latency: { 'a.b': [1, 2, 3, 4, 5, 6] } },
);

function historyOf(text: string) {
  const path = join(scratchFolder(), 'night.json');
  writeFileSync(path, text);
  const { history } = gather([{ path, isNamed: true }]);
  const [stored] = history.runs;
  if (!stored) throw new Error('nothing was read');
  const { facts, standings, behaviours } = stored;
  return {
    facts,
    checks: history.checks.list.map((id, at) => [id, standingOf(standings[at] ?? 0)]),
    ledger: history.points.list.map((id, at) => [id, history.behaviours.list[(behaviours[at] ?? 0) - 1]]),
  };
}

test('a result in another layout says the same', () => {
  expect(historyOf(JSON.stringify(run))).toEqual(historyOf(resultText(run)));
  expect(historyOf(resultText(run))).toMatchObject({
    facts: { served: 182, latency: { typical: 3, slow: 3 } },
    checks: [
      ['a.b#c', { outcome: 'pass', level: 'documented' }],
      ['a.b#d', { outcome: 'fail', level: 'documented', waived: true }],
      ['a.b#e', { outcome: 'fail', level: 'standard' }],
      ['flow/step', { outcome: 'inconclusive', reason: 'not-served' }],
      ['flow/other', { outcome: 'not-applicable', reason: 'left-out' }],
      ['a.b#f', { outcome: 'observed', level: 'open' }],
    ],
    ledger: [['a.b#f', `401 ‹run› ${trap}`]],
  });
});

test.each([
  ['cut off', resultText(run).slice(0, -400), 'is not JSON; it may have been cut off'],
  ['of another schema', '{"schema":"assay.result/2"}', 'schema is "assay.result/2\\", expected'],
  [
    'with a summary that lacks an outcome',
    resultText({ ...run, summary: {} } as RunResult),
    'summary has no',
  ],
  [
    'with a ledger that is none',
    resultText({ ...run, ledger: ['x'] } as never),
    'ledger is a list: it must be object',
  ],
  [
    'with an outcome that is none',
    resultText(run).replace('"outcome": "pass"', '"outcome": "passed"'),
    'checks[0].outcome is',
  ],
  ['that is empty', '', 'is empty; give a result.json that a run wrote'],
  ['that is no text', '\u007fELF\u0002', 'is not JSON; give a result.json that a run wrote'],
])('a file %s is refused, and says why', (_, text, problem) => {
  expect(() => historyOf(text)).toThrow(problem.replace('\\"', '"'));
});

describe('a result with run.json and results.jsonl beside it', () => {
  /** What a trend reads of a folder with this run's result.json, and what `change` leaves beside it. */
  function gathered(change: (folder: string) => void, result = resultText(run)) {
    const folder = scratchFolder();
    const path = join(folder, 'result.json');
    writeFileSync(path, result);
    change(folder);
    const { history, unread } = gather([{ path, isNamed: false }]);
    const runs = history.runs.map((stored) => ({ ...stored, file: stored.file === path }));
    return { runs, checks: history.checks.list, points: history.points.list, unread: unread.length };
  }
  const cutOff = resultText(run).slice(0, -400);
  const lines = (change: (text: string) => string) => (folder: string) => {
    const path = join(folder, 'results.jsonl');
    writeLines(run, folder);
    writeFileSync(path, change(readFileSync(path, 'utf8')));
  };
  const instead = (file: string, make: (path: string) => void) => (folder: string) => {
    writeLines(run, folder);
    rmSync(join(folder, file));
    make(join(folder, file));
  };

  test('is read from its lines, to the same', () => {
    const alone = gathered(() => {});
    expect(alone.checks).toHaveLength(6);
    expect(gathered((folder) => writeLines(run, folder))).toEqual(alone);
    expect(gathered((folder) => writeLines(run, folder), cutOff)).toEqual(alone);
  });

  test.each<[string, (folder: string) => void]>([
    ['of a run that did not end', instead('run.json', () => {})],
    ['of another run', (folder) => writeLines({ ...run, runId: 'other' }, folder)],
    ['with a run.json that is cut off', instead('run.json', (path) => writeFileSync(path, '{"schema":'))],
    ['with a run.json that is no run', instead('run.json', (path) => writeFileSync(path, 'null'))],
    ['with lines that are cut off', lines((text) => text.slice(0, -20))],
    ['with a line that is no check', lines((text) => text.replace('"outcome":"pass"', '"outcome":"passed"'))],
    ['with a line that is nothing', lines((text) => text.replace(/\n.*\n/, '\nnull\n'))],
    ['with a line without an end', lines(() => 'x'.repeat(5_000_000))],
    ['with no lines', lines(() => '')],
    ['with a folder for lines', instead('results.jsonl', (path) => mkdirSync(path))],
  ])('is read itself beside one %s', (_, change) => {
    expect(gathered(change)).toEqual(gathered(() => {}));
    expect(gathered(change, cutOff)).toMatchObject({ runs: [], unread: 1 });
  });
});

test('more different ids than anybody has are refused', () => {
  const names = new NumberedNames('check ids', { count: 2, length: 3, total: 5 });
  expect(['abc', 'de', 'abc'].map((name) => names.numberOf(name))).toEqual([0, 1, 0]);
  expect(() => names.numberOf('f')).toThrow('too many different check ids');
  expect(() => names.numberOf('four')).toThrow('one of its check ids has more than 3 characters');
});

test('every standing has a number of its own', () => {
  const numbers = Array.from({ length: 1800 }, (_, at) => at + 1);
  for (const number of numbers) expect(standingNumber(standingOf(number))).toBe(number);
});
