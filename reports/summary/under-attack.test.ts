import { expect, test } from 'vitest';
import { sampleResult, sampleRun } from '../../fixtures/kit/sample-run.ts';
import { renderSummary } from '../console/console.ts';
import { renderHtml } from '../html/html.ts';
import { renderMarkdown } from '../markdown/markdown.ts';
import { attackLines, attackSummary } from './headline.ts';

const attack = true;
const script = '// eight calls\nconsole.log(1 < 2);';
const run = sampleRun([
  sampleResult({ id: 'party.create#answers' }),
  sampleResult({ attack, id: 'races/code', outcome: 'pass', detail: 'no violation in 3 rounds' }),
  sampleResult({ attack, id: 'races/name', outcome: 'observed', behaviour: 'one after another too' }),
  sampleResult({
    attack,
    id: 'races/grid',
    outcome: 'not-applicable',
    reason: 'not-exercised',
    detail: 'no value',
  }),
  sampleResult({ attack, id: 'retry/gift', outcome: 'observed', behaviour: 'at least once: …' }),
  sampleResult({ attack, id: 'isolation/unblock', outcome: 'warn', actual: 'the list is empty', script }),
]);
const summary =
  '4 of 5 made: 1 broken · 1 held · 1 not single-use (races/name) · 1 observed · 1 not exercised';

test('each attack is a line, what is broken first, with what was seen or is missing', () => {
  expect(attackLines(run.checks).map(({ check, ended, detail }) => [check.id, ended, detail])).toEqual([
    ['isolation/unblock', 'broken', 'the list is empty'],
    ['races/code', 'held', 'no violation in 3 rounds'],
    ['races/name', 'not single-use', 'one after another too'],
    ['retry/gift', 'observed', 'at least once: …'],
    ['races/grid', 'not exercised', 'no value'],
  ]);
});

test('every report has the section', () => {
  const console = renderSummary(run, { colour: false, width: 120, outDir: 'out', formats: [] });
  expect(console).toContain(`under attack: ${summary}`);
  expect(renderMarkdown(run)).toContain(`## Under attack\n\n${summary}`);
  expect(renderHtml(run)).toContain(`<h2>Under attack</h2><p>${summary}</p>`);
});

test('attacks that were not exercised are folded in report.html', () => {
  expect(renderHtml(run)).toMatch(/<details><summary>1 not exercised<\/summary>.*races%2Fgrid/s);
  const exercised = run.checks.filter(({ id }) => id !== 'races/grid');
  expect(renderHtml(sampleRun(exercised))).not.toContain('not exercised</summary>');
});

test('what stands in the way stands beside the verdict in every report', () => {
  const hinted = { ...run, hints: ['base: what answers at BASE_URL looks like <another> host; set it'] };
  const console = renderSummary(hinted, { colour: false, width: 120, outDir: 'out', formats: [] });
  expect(console).toContain('what stands in the way: base: what answers');
  expect(renderMarkdown(hinted)).toContain('- what stands in the way: base: what answers');
  expect(renderHtml(hinted)).toContain(
    '<li>what stands in the way: base: what answers at BASE_URL looks like &lt;another&gt;',
  );
  const known = { ...hinted, preflight: hinted.hints };
  expect(renderSummary(known, { colour: false, width: 120, outDir: 'out' })).not.toContain(
    'stands in the way',
  );
  expect(renderHtml(run) + renderMarkdown(run)).not.toContain('stands in the way');
});

test('a finding that one request cannot repeat has a script, in report.md and in report.html', () => {
  expect(renderMarkdown(run)).toContain(
    'repeats <code>isolation/unblock</code></summary>\n\n```js\n// eight calls\n',
  );
  expect(renderHtml(run)).toContain('<pre data-copy>// eight calls\nconsole.log(1 &lt; 2);</pre>');
});

test('a stage that lets anybody in is said beside the figures', () => {
  const behaviour = 'no signature is verified: anybody can sign in as anybody';
  const open = sampleResult({ attack, id: 'forged/signature', outcome: 'observed', behaviour });
  expect(attackSummary([open])).toBe(`1 observed; ${behaviour}`);
});

test('what time left out is counted, with what runs it', () => {
  const held = sampleResult({ attack, id: 'races/code', outcome: 'pass' });
  const late = ['budget: over', 'prerequisite-failed: a size: budget, over', 'needs-state: nothing'].map(
    (detail, at) =>
      sampleResult({ attack, id: `retry/${at}`, outcome: 'not-applicable', reason: 'not-exercised', detail }),
  );
  expect(attackSummary([held, ...late])).toBe(
    '1 of 4 made: 1 held · 3 not exercised, 2 of them for want of time (--attack on runs all)',
  );
  expect(attackSummary([held, ...late.slice(0, 2)])).toBe(
    '1 of 3 made: 1 held · 2 not exercised for want of time (--attack on runs all)',
  );
});

test.each([
  ['needs-players: nobody could sign in', 'since nobody could sign in'],
  ['prerequisite-failed: a token: no-session, nobody could sign in', 'since nobody could sign in'],
  ['target-lost: base stopped answering after party.get (answered 200)', 'since a host was gone'],
])('where %j, more time is not advised', (detail, why) => {
  const left = [detail, 'budget: not exercised: --attack on does it'].map((each, at) =>
    sampleResult({
      attack,
      id: `retry/${at}`,
      outcome: 'not-applicable',
      reason: 'not-exercised',
      detail: each,
    }),
  );
  expect(attackSummary(left)).toBe(`0 of 2 made: 2 not exercised, 1 of them ${why}`);
});

test('where the host is gone, an attack that was asked for says so too', () => {
  const lost = { outcome: 'inconclusive', reason: 'target-lost', detail: 'base stopped answering' } as const;
  expect(attackSummary([sampleResult({ attack, id: 'retry/0', ...lost })])).toBe(
    '0 of 1 made: 1 not exercised since a host was gone',
  );
});

test('a run that attacks nothing has none', () => {
  const off = sampleResult({ attack, outcome: 'not-applicable', reason: 'attack-off' });
  expect(attackSummary([off, sampleResult()])).toBeUndefined();
  expect(renderMarkdown(sampleRun([off]))).not.toContain('Under attack');
});
