import { expect, test } from 'vitest';
import type { Result } from '../../engine/run/result.ts';
import { sampleResult } from '../../fixtures/kit/sample-run.ts';
import { sequences } from './cause-blocks.ts';

const calls = [
  { step: 'create', by: 'leader', operation: 'party.create', answer: '201', times: 1, body: '{"id":"<p>"}' },
  { step: 'join', by: 'guest', operation: 'party.join', answer: '200', times: 1 },
  { step: 'left-view', by: 'leader', operation: 'party.details', answer: '200', times: 12 },
  { step: 'own-view', by: 'guest', operation: 'party.details', answer: '500', times: 1 },
] as const;

const failed = (step: string, sequence: Result['sequence'], actual = '200 with it'): Result =>
  sampleResult({ id: `party/${step}`, outcome: 'fail', actual, ...(sequence && { sequence }) });

/** A row for each, its cells in text. */
function rows(...results: readonly Result[]): string[][] {
  const [table = ''] = /<tbody>.*<\/tbody>/s.exec(sequences(results).html) ?? [];
  return table
    .split('<tr')
    .slice(1)
    .map((row) =>
      row
        .split(/<t[hd][^>]*>/)
        .slice(1)
        .map((cell) => cell.replace(/<[^>]*>/g, '').trim()),
    );
}

test('a call stands in the column of its player, and a step that failed says what came back', () => {
  const steps = [failed('left-view', calls.slice(0, 3)), failed('own-view', calls, '500')];
  expect(rows(...steps)).toEqual([
    ['create', 'POST party.create', '', '201 {&quot;id&quot;:&quot;&lt;p&gt;&quot;}'],
    ['join', '', 'POST party.join', '200'],
    ['left-view', 'GET party.details 12 times', '', '✗ 200 with it'],
    ['own-view', '', 'GET party.details', '✗ 500'],
  ]);
  expect(sequences(steps).html.match(/<details/g)).toHaveLength(1);
});

test('each scenario is drawn once, and the first is unfolded', () => {
  const [{ html }, other] = [sequences([failed('a', calls), failed('b', calls.slice(1))]), calls.slice(2)];
  expect(html.match(/<details/g)).toHaveLength(2);
  expect(html.match(/<details open/g)).toHaveLength(1);
  expect(rows(failed('own-view', other))[0]?.[0]).toBe('left-view');
});

test('what reads a page aloud has a name for each drawing, and no header without a text', () => {
  const twice = [
    ...calls,
    { step: 'own-view', by: 'leader', operation: 'party.get', answer: '200', times: 1 },
  ];
  const { html } = sequences([failed('own-view', twice), failed('left-view', calls.slice(1, 3))]);
  const labels = Array.from(html.matchAll(/aria-label="([^"]*)"/g), ([, label]) => label);
  expect(labels).toHaveLength(2);
  expect(new Set(labels).size).toBe(2);
  expect(html).not.toMatch(/<th[^>]*><\/th>/);
});

test('a rule has no sequence', () => {
  expect(sequences([failed('left-view', undefined), sampleResult()]).html).toBe('');
});
