import { expect, test } from 'vitest';
import { chart } from './chart.ts';

test('on a phone the name of the x axis stands below it, where it is not cut off', () => {
  const { html } = chart({
    says: 'a chart',
    height: 240,
    option: { xAxis: { type: 'value', name: 'offered' }, yAxis: { type: 'value' }, series: [] },
  });
  const anchors = [...html.matchAll(/text-anchor="(\w+)"[^>]*>offered</g)].map(([, anchor]) => anchor);
  expect(anchors).toEqual(['start', 'middle']);
});
