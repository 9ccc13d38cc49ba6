import { expect, test } from 'vitest';
import { conservedSection } from './load-page.ts';

const rule = {
  rule: 'players.setState: the last write that was acknowledged is read',
  journey: 'states',
  looked: 40,
  acknowledged: 1_200,
  unknown: 3,
  broken: 0,
  examples: [],
};
const lost = { ...rule, broken: 7, examples: ['assay-3 wrote <a> and reads b'] };

test('shows nothing where no effect was looked at', () => {
  expect(conservedSection({ schema: 'assay.load/1' }).html).toBe('');
});

test('shows what held, and what could not be checked', () => {
  const { html } = conservedSection({
    rate: 20,
    conserved: [rule, { ...rule, notChecked: 'no read shows it' }],
  });
  expect(html).toContain('No rule was seen broken.');
  expect(html).toContain('<td>1,200</td>');
  expect(html).toContain('no read shows it');
});

test('shows where a load broke a rule, with an example', () => {
  const { html } = conservedSection({ rate: 200, conserved: [lost] });
  expect(html).toContain('It was first not so at 200 journeys/s.');
  expect(html).toContain('<li>assay-3 wrote &lt;a&gt; and reads b</li>');
});

test('of a search, shows each step that broke a rule, and a rule that held once', () => {
  const steps = [
    { rate: 50, conserved: [rule] },
    { rate: 100, conserved: [rule] },
    { rate: 200, conserved: [lost] },
  ];
  const { html } = conservedSection({ steps });
  expect(html.match(/<td>players\.setState/g)).toHaveLength(2);
  expect(html).toContain('It was first not so at 200 journeys/s.');
});
