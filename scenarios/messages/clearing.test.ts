import { expect, test, vi } from 'vitest';
import { rehearseFlow } from '../../fixtures/check/flow/rehearsed.ts';
import messages from '../messages.ts';

/** The judgement of a list that is cleared, and is then so. */
async function judged(cleared: (nth: number) => readonly object[]) {
  let isCleared = false;
  let nth = 0;
  const { play } = rehearseFlow(({ operation }) => {
    if (operation === 'messages.clear') isCleared = true;
    if (operation !== 'messages.list') return {};
    return { body: { mail: isCleared ? cleared(++nth) : [{ id: 'm-1' }, { id: 'm-2' }] } };
  });
  vi.useFakeTimers();
  try {
    const playing = play(messages, 'cleared-list');
    await vi.runAllTimersAsync();
    return (await playing)[0];
  } finally {
    vi.useRealTimers();
  }
}

const both = ['m-1', 'm-2'];

test.each<[string, (nth: number) => readonly object[], object]>([
  ['empty', () => [], { kind: 'pass' }],
  ['as it was', () => both.map((id) => ({ id })), { kind: 'violation' }],
  ['as it was, with a clock', (nth) => both.map((id) => ({ id, asked: nth })), { kind: 'violation' }],
  [
    'all marked, and written in another order each time',
    (nth) => both.map((id) => (nth % 2 ? { id, deleted: true } : { deleted: true, id })),
    { reason: 'unknown-resource' },
  ],
  ['all marked', () => both.map((id) => ({ id, deleted: true })), { reason: 'unknown-resource' }],
])('a list that is cleared is %s', async (_, cleared, told) => {
  expect(await judged(cleared)).toMatchObject(told);
});
