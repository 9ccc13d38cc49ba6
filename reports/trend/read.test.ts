import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Result, RunResult } from '../../engine/run/result.ts';
import { sampleResult, sampleRun } from '../../fixtures/kit/sample-run.ts';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';
import { resultText } from '../write.ts';
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
