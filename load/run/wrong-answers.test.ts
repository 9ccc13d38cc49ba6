import { expect, test } from 'vitest';
import { answerOf, wrongAnswers, wrongText } from './wrong-answers.ts';

test('rows of one operation and answer are one, the most frequent first', () => {
  const rows = wrongAnswers([
    { operation: 'party.create', answer: '500', count: 4 },
    { operation: 'queue.cancel', answer: '404', count: 79 },
    { operation: 'queue.cancel', answer: '404', count: 1 },
    { operation: 'queue.cancel', answer: '500', count: 0 },
  ]);
  expect(wrongText(rows)).toBe('queue.cancel 404 x 80, party.create 500 x 4');
});

test('many different ones are bounded, and none is lost from the sum', () => {
  const rows = wrongAnswers(
    Array.from({ length: 500 }, (_, nth) => ({ operation: `row.${nth}`, answer: '404', count: 2 })),
  );
  expect(rows).toHaveLength(40);
  expect(rows.at(-1)).toEqual({ operation: 'others', answer: 'others', count: 922 });
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(1_000);
  expect(wrongText(rows)).toBe('row.0 404 x 2, row.1 404 x 2, row.10 404 x 2, row.100 404 x 2, and 992 more');
});

test('a kind is reported as the status that it is, or in words', () => {
  expect(['status 409', 'status 5xx', 'timeout', 'body'].map(answerOf)).toEqual([
    '409',
    '5xx',
    'timeout',
    'wrong body',
  ]);
});
