import { expect, test } from 'vitest';
import { createQueue } from './request-queue.ts';

function recorded(limit: number, turn: () => number = () => 0) {
  const started: string[] = [];
  const sleeps: number[] = [];
  let wake = () => {};
  const queue = createQueue<string>({
    limit,
    turn,
    start: (item) => started.push(item),
    sleep: (ms) => {
      sleeps.push(ms);
      return new Promise((resolve) => {
        wake = resolve;
      });
    },
  });
  return { queue, started, sleeps, wake: () => wake() };
}

test('items start at once up to the limit, and one for each release', () => {
  const { queue, started } = recorded(2);

  for (const item of ['a', 'b', 'c', 'd']) queue.push(item, 1);
  expect(started).toEqual(['a', 'b']);
  queue.release();
  expect(started).toEqual(['a', 'b', 'c']);
});

test('lower numbers first, the front before its own level', () => {
  const { queue, started } = recorded(1);

  queue.push('running', 3);
  queue.push('last', 3);
  queue.push('middle', 1);
  queue.push('again', 1, true);
  queue.push('first', 0);
  for (let i = 0; i < 4; i++) queue.release();

  expect(started).toEqual(['running', 'first', 'again', 'middle', 'last']);
});

test('order holds over thousands', () => {
  const { queue, started } = recorded(1);
  const items = Array.from({ length: 5000 }, (_, index) => `${index}`);

  for (const item of items) queue.push(item, 2);
  for (const _ of items) queue.release();

  expect(started).toEqual(items);
});

test('when it is nobody’s turn one sleep is begun, for all', async () => {
  let wait = 40;
  const { queue, started, sleeps, wake } = recorded(5, () => wait);

  queue.push('a', 1);
  queue.push('b', 1);
  expect(started).toEqual([]);
  expect(sleeps).toEqual([40]);
  wait = 0;
  wake();
  await Promise.resolve();

  await expect.poll(() => started).toEqual(['a', 'b']);
});

test('narrowed, fewer are in flight, and releases widen it again', () => {
  const { queue, started } = recorded(8);
  const inFlight = () => started.length - released;
  let released = 0;
  const release = () => {
    released += 1;
    queue.release();
  };
  for (let i = 0; i < 100; i++) queue.push(`${i}`, 1);

  queue.narrow();
  for (let i = 0; i < 4; i++) release();
  expect(inFlight()).toBe(4);
  for (let i = 0; i < 40; i++) release();
  expect(inFlight()).toBe(8);
});

test('clearing gives back what has not started', () => {
  const { queue, started } = recorded(1);
  for (const item of ['a', 'b', 'c']) queue.push(item, 1);

  expect(queue.clear()).toEqual(['b', 'c']);
  queue.release();
  expect(started).toEqual(['a']);
});

test('what goes past the queue waits for its places, and nothing starts in them', async () => {
  const { queue, started } = recorded(3);
  const ends = new Map<string, () => void>();
  const beside = (name: string, places: number) =>
    queue.beside(places, () => {
      started.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const tick = () => new Promise(setImmediate);

  for (const item of ['a', 'b']) queue.push(item, 1);
  const two = beside('two beside', 2);
  const one = beside('one beside', 1);
  queue.push('c', 1);
  await tick();
  expect(started).toEqual(['a', 'b']);
  queue.release();
  await tick();
  expect(started).toEqual(['a', 'b', 'two beside']);
  queue.release();
  await tick();
  expect(started).toEqual(['a', 'b', 'two beside', 'one beside']);
  ends.get('two beside')?.();
  await two;
  expect(started.at(-1)).toBe('c');
  ends.get('one beside')?.();
  await one;
});

test('places that are bounded later hold for both, and the limit is never widened', async () => {
  const { queue, started } = recorded(4);
  queue.atMost(2);
  for (const item of ['a', 'b', 'c']) queue.push(item, 1);
  expect(started).toEqual(['a', 'b']);
  // More than there are places for takes all of them.
  const all = queue.beside(9, async () => void started.push('beside'));
  queue.release();
  queue.release();
  await all;
  expect(started).toEqual(['a', 'b', 'beside', 'c']);
  queue.atMost(9);
  for (const item of ['d', 'e', 'f', 'g']) queue.push(item, 1);
  expect(started.length).toBe(7);
});
