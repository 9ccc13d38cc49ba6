import { expect, test } from 'vitest';
import { sampleResult } from '../sample.ts';
import { interfaceMap } from './interface-map.ts';

const { html } = interfaceMap([
  sampleResult({ id: 'party.create#routed' }),
  sampleResult({ id: 'queue.enter#routed', outcome: 'not-applicable', reason: 'host-not-given' }),
]);

test('an operation that was not asked is told apart from one that does not apply, and leads nowhere', () => {
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
