import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../engine/judgement.ts';
import type { Result } from '../../engine/run/result.ts';
import { sampleResult, sampleRun } from '../../fixtures/kit/sample-run.ts';
import { trendHtml } from './html.ts';
import { addRun, emptyHistory } from './read.ts';
import { trendText } from './text.ts';
import { type Course, clockOf, courseOf, type TrendRun, trendOf } from './trend.ts';

type Night = Partial<Result> & { readonly strict?: boolean };

const letters: Readonly<Record<string, Night | undefined>> = {
  '+': { outcome: 'pass' },
  '-': { outcome: 'fail' },
  w: { outcome: 'fail', waived: { reason: 'r', link: 'l', expires: '2999-12-31' } },
  '?': { outcome: 'inconclusive', reason: 'needs-body' },
  g: { outcome: 'inconclusive', reason: 'not-served' },
  h: { outcome: 'harness-error' as Outcome },
};

/** The course of one check through nights, a letter each; a blank night asked something else. */
function course(nights: string, more: Readonly<Record<number, Night>> = {}): Course | undefined {
  const history = emptyHistory();
  for (const [at, letter] of [...nights].entries()) {
    const night = letters[letter];
    const { strict = false, ...over } = { ...night, ...more[at] };
    const checks = night ? [sampleResult({ id: 'a.b#c', ...over })] : [sampleResult({ id: 'x.y#z' })];
    const options = { strict, readOnly: false, minJudged: 80, only: [], rerun: false };
    addRun(history, `${at}`, sampleRun(checks, { options }));
  }
  const check = history.checks.list.indexOf('a.b#c');
  return check === -1 ? undefined : courseOf(check, history.runs);
}

describe('a check', () => {
  test.each([
    ['that never failed has no course to tell', '++++', undefined],
    ['that broke once and stayed broken is broken', '+++---', 'broken'],
    ['that failed from the first night on is broken', '---', 'broken'],
    ['that broke once and was mended is good', '++--++', 'good'],
    ['that fails every other night is flaky', '+-+-+', 'flaky'],
    ['that flips, and happens to pass, is flaky', '+-+-++++++', 'flaky'],
    ['that flipped and then failed five times running is broken', '+-+-+-----', 'broken'],
    ['that flipped and then failed four times running is flaky', '+-+-+----', 'flaky'],
    ['that broke, was mended, and has broken again switched three times', '+++--++--', 'flaky'],
    ['that flipped longer than 30 nights ago is good', `+-+-${'+'.repeat(30)}`, 'good'],
    ['that flipped within 30 nights is flaky', `+-+-${'+'.repeat(27)}`, 'flaky'],
  ])('%s', (_, nights, health) => {
    expect(course(nights)?.health).toBe(health);
  });

  test.each([
    ['could not be judged', '+?+?+?+'],
    ['was not asked', '+ + + +'],
    ['was spoilt by an error of our own', '+h+h+h+'],
  ])('that %s now and then is not flaky', (_, nights) => {
    expect(course(nights)).toBeUndefined();
  });

  test('that is no longer served broke, and is mended when it is back', () => {
    expect(course('+gg+')).toMatchObject({ broke: [1], mended: [3], health: 'good' });
  });

  test('that could not be judged between two failures broke once', () => {
    expect(course('+-?-')).toMatchObject({ broke: [1], since: 1, streak: 2 });
  });

  test('that fails from the first night on was seen to break by nobody', () => {
    expect(course('--')).toMatchObject({ broke: [], since: 0 });
  });

  test('that is new and fails at once has broken', () => {
    expect(course('  -')).toMatchObject({ broke: [2] });
  });

  test('that was not among those of a partial run is not new', () => {
    const history = emptyHistory();
    const part = { strict: false, readOnly: false, minJudged: 80, only: ['x'], rerun: false };
    const runs = [
      sampleRun([sampleResult({ id: 'x.y#z' })], { options: part }),
      sampleRun([sampleResult({ id: 'a.b#c', outcome: 'fail' })]),
    ];
    for (const run of runs) addRun(history, 'f', run);
    expect(courseOf(1, history.runs)?.broke).toEqual([]);
  });

  test('whose failure is waived fails, and did not break', () => {
    expect(course('+w')).toMatchObject({ broke: [], health: 'broken', isWaived: true });
  });

  test('of good sense that fails in a strict night alone did not break', () => {
    const strict = { 1: { level: 'inferred', strict: true } } as const;
    expect(course('+-', { 0: { level: 'inferred' }, ...strict })).toBeUndefined();
  });
});

test('a mended break is shown as such, with its history in one row, and a check that never broke is not', () => {
  const history = emptyHistory();
  for (const [at, outcomes] of [...'+--++'].map((letter, at) => [at, letter] as const)) {
    const checks = [
      sampleResult({ id: 'a.b#c', ...letters[outcomes] }),
      sampleResult({ id: 'a.b#d', outcome: 'pass' }),
    ];
    const run = sampleRun(checks, { runId: `${at}`, startedAt: `2026-01-0${at + 1}T00:00:00.000Z` });
    addRun(history, `${at}`, run);
  }
  const trend = trendOf({ history, loads: [], unread: [], files: [] } as never);
  expect(trend.mended).toMatchObject([{ id: 'a.b#c', lately: '+--++', streak: 2 }]);
  const text = trendText(trend, { colour: false, width: 120 });
  expect(text).toContain(
    'mended: 1 check\n  a.b#c  mended on 2026-01-04 00:00 UTC, good in 2 runs since: +--++',
  );
  expect(text).not.toContain('a.b#d');
});

test('a warning is new in the run that first has it, and not where it is waived, nor again after a run that could not judge it', () => {
  const history = emptyHistory();
  const nights: readonly Night[] = [
    { outcome: 'pass' },
    { outcome: 'inconclusive', reason: 'needs-body' },
    { outcome: 'warn' },
    { outcome: 'inconclusive', reason: 'needs-body' },
    { outcome: 'warn' },
    { outcome: 'pass' },
    { ...letters.w, outcome: 'warn' },
    { outcome: 'pass' },
    { outcome: 'warn' },
  ];
  for (const [at, night] of nights.entries()) {
    const startedAt = `2026-01-0${at + 1}T00:00:00.000Z`;
    addRun(
      history,
      `${at}`,
      sampleRun([sampleResult({ id: 'a/b', ...night })], { runId: `${at}`, startedAt }),
    );
  }
  const trend = trendOf({ history, loads: [], unread: [] });
  expect(trend.runs.map(({ newlyWarned }) => newlyWarned.length)).toEqual([0, 0, 1, 0, 0, 0, 0, 0, 1]);
  expect(trendText(trend, { colour: false, width: 120 })).toContain('new warnings of the last run: 1\n  a/b');
  expect(trendHtml(trend)).toContain('<code>a/b</code>');
});

test.each([
  ['---', 'fails in every run, since'],
  ['- -', 'fails in every run that judged it (2 of 3), since'],
  ['-?-', 'fails in every run that judged it (2 of 3), since'],
  ['+--', 'fails in 2 runs, since'],
])('of the runs %j it counts those that judged what fails', (nights, counted) => {
  const history = emptyHistory();
  for (const [at, letter] of [...nights].entries()) {
    const night = letters[letter];
    const checks = [sampleResult({ id: night ? 'a.b#c' : 'x.y#z', ...night })];
    const run = sampleRun(checks, { runId: `${at}`, startedAt: `2026-01-0${at + 1}T00:00:00.000Z` });
    addRun(history, `${at}`, run);
  }
  const trend = trendOf({ history, loads: [], unread: [], files: [] } as never);
  expect(trendText(trend, { colour: false, width: 120 })).toContain(`a.b#c  ${counted}`);
});

/** A trend of nights in which one check stood like this, all of them green. */
function greenTrend(nights: string) {
  const history = emptyHistory();
  for (const [at, letter] of [...nights].entries()) {
    const run = sampleRun([sampleResult({ id: 'a.b#c', ...letters[letter] })], {
      runId: `${at}`,
      startedAt: `2026-01-0${at + 1}T00:00:00.000Z`,
      exitCode: 0,
      headline: { operations: 184, served: at === 1 ? 183 : 184, answered2xx: 183, verdict: 'CONFORMS' },
    });
    addRun(history, `${at}`, run);
  }
  return trendOf({ history, loads: [], unread: [], files: [] } as never);
}

test.each([
  ['+--', 'bad', '184 of 184 operations served, 1 failed.'],
  ['+-+', 'good', '184 of 184 operations served, 0 failed.'],
  ['+-w', 'good', '184 of 184 operations served, 1 failed (1 waived).'],
])('of the runs %j, green by a baseline or a waiver, the last looks %s', (nights, look, sentence) => {
  const trend = greenTrend(nights);
  expect(trendHtml(trend)).toMatch(new RegExp(`<header class="${look}">`));
  expect(trendHtml(trend)).toContain(`<h1>${sentence}</h1>`);
  const last = trendText(trend, { colour: true, width: 120 }).split('\n')[1];
  const colours = { good: '\x1b[32m', bad: '\x1b[31m' };
  expect(last).toContain(colours[look as 'good' | 'bad']);
});

test('the scale of what is counted has whole numbers alone', () => {
  const [, chart = ''] = trendHtml(greenTrend('+-+')).split('id="served"');
  const labels = Array.from(
    chart
      .split('<details>', 1)
      .join()
      .matchAll(/>(\d[\d.,]*)</g),
    ([, label]) => label,
  );
  expect(labels).toContain('184');
  expect(labels.filter((label) => /[.,]/.test(label ?? ''))).toEqual([]);
});

test('runs of one minute are told apart by their seconds', () => {
  const at = (startedAt: string) => ({ startedAt }) as TrendRun;
  const nights = { runs: [at('2026-01-10T03:00:00.000Z'), at('2026-01-11T03:00:00.000Z')], loads: [] };
  expect(clockOf(nights)('2026-01-10T03:00:00.000Z')).toBe('2026-01-10 03:00 UTC');
  const twice = { runs: [at('2026-01-10T03:00:05.000Z'), at('2026-01-10T03:00:41.000Z')], loads: [] };
  expect(clockOf(twice)('2026-01-10T03:00:05.000Z')).toBe('2026-01-10 03:00:05 UTC');
});
