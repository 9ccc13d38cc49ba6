import { expect, test } from 'vitest';
import { createLock } from './lock.ts';

/** Work that reports when it begins and ends, and ends when it is let go. */
function works() {
  const events: string[] = [];
  const going = new Map<string, () => void>();
  const work = (name: string) => () => {
    events.push(`${name} begins`);
    return new Promise<void>((end) => going.set(name, end)).then(() => void events.push(`${name} ends`));
  };
  const end = async (name: string) => {
    going.get(name)?.();
    await new Promise((turn) => setImmediate(turn));
  };
  return { events, work, end };
}

test('work together begins at once', () => {
  const { events, work } = works();
  const lock = createLock();
  void lock.together(work('a'));
  void lock.together(work('b'));
  expect(events).toEqual(['a begins', 'b begins']);
});

test('work alone waits for what is inside, and what comes later waits for it', async () => {
  const { events, work, end } = works();
  const lock = createLock();
  void lock.together(work('a'));
  void lock.alone(work('alone'));
  void lock.together(work('b'));
  await end('a');
  await end('alone');
  await end('b');
  expect(events).toEqual(['a begins', 'a ends', 'alone begins', 'alone ends', 'b begins', 'b ends']);
});

test('work that fails lets the next one in', async () => {
  const lock = createLock();
  const failing = lock.alone(() => Promise.reject(new Error('no')));
  const next = lock.alone(async () => 'next');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('next');
});
