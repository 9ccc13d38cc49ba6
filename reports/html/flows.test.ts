import { expect, test } from 'vitest';
import type { Result } from '../../engine/run/result.ts';
import { sampleResult } from '../../fixtures/kit/sample-run.ts';
import { flowLines, interfaceMap } from './flows.ts';

const played = sampleResult({ id: 'party/create' });
const idle = (id: string, reason: Result['reason'] = 'host-not-given') =>
  sampleResult({ id, outcome: 'not-applicable', reason });

/** Texts of the panel, and its lines of steps. */
function panel(...checks: readonly Result[]): { readonly text: string; readonly lines: number } {
  const { html } = flowLines(checks);
  return {
    text: html.replace(/<[^>]*>/g, '').trim(),
    lines: html.split('class="flow"').length - 1,
  };
}

test('a flow with a step that was played has a line, in which the others have their places', () => {
  const { text, lines } = panel(played, idle('party/full'));
  expect(lines).toBe(1);
  expect(text).not.toContain('not played');
  expect(text).toContain('-the call is served: not applicable');
});

test('flows that were not played are named, with the reason', () => {
  const { text, lines } = panel(
    played,
    idle('friends/invite'),
    idle('logs/one'),
    idle('store/buy', 'read-only'),
  );
  expect(lines).toBe(1);
  expect(text).toContain('not played (host-not-given): friends, logs');
  expect(text).toContain('not played (read-only): store');
});

test('where none was played there is no line', () => {
  expect(panel(idle('logs/one'))).toEqual({ text: 'Flows\n\nnot played (host-not-given): logs', lines: 0 });
});

test('where no flow was asked for there is no panel', () => {
  expect(panel(sampleResult())).toEqual({ text: '', lines: 0 });
});

const { html } = interfaceMap([
  sampleResult({ id: 'party.create#routed' }),
  sampleResult({ id: 'queue.enter#routed', outcome: 'not-applicable', reason: 'host-not-given' }),
]);

test('an operation that was not asked is distinguished from one that does not apply, and leads nowhere', () => {
  expect(html).toMatch(/<a class="cell pass" href="#operation=party.create" title="party.create: passed/);
  expect(html).toMatch(/<a class="cell not-applicable" href="#operation=queue.enter"/);
  expect(html).toContain('<span class="cell unasked" title="party.leave: not asked">');
  expect(html).toContain('<span>archives</span>');
  expect(html).toMatch(/class="legend">.*not asked<\/li><\/ul>/);
});

test('a run that asked everything has no such word in its legend', () => {
  const ids = Array.from(html.matchAll(/title="([\w.]+):/g), ([, id]) => id);
  const whole = interfaceMap(ids.map((id) => sampleResult({ id: `${id}#routed` }))).html;
  expect(whole).not.toContain('not asked');
});
