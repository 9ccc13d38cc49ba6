import { expect, test } from 'vitest';
import { createInFlight } from './body-limits.ts';

const MiB = 2 ** 20;

const piece = 64 * 1024;

/** So many readers of the largest body, which all read what they may, in turn; the most that they held together. */
function mostHeld(count: number): number {
  const inFlight = createInFlight({ connections: count });
  const readers = Array.from({ length: count }, () => ({ read: 0, isHeld: false }));
  const going = new Set(readers);
  let [held, most] = [0, 0];
  while (going.size > 0) {
    const before = held + most;
    for (const reader of going) {
      if (reader.isHeld) continue;
      const wasLarge = reader.read > inFlight.share;
      reader.read += piece;
      held += piece;
      most = Math.max(most, held);
      if (!wasLarge && reader.read > inFlight.share) {
        reader.isHeld = !inFlight.enter(reader, () => {
          reader.isHeld = false;
        });
      }
      if (reader.read < inFlight.maxBytes) continue;
      held -= reader.read;
      going.delete(reader);
      inFlight.leave(reader);
    }
    expect(held + most, 'somebody goes on').not.toBe(before);
  }
  return most;
}

test.each([1, 8, 41, 200])('largest answers on %i connections hold no more than 48 MiB together', (count) => {
  // What comes at once has to be taken, whatever the share.
  expect(mostHeld(count)).toBeLessThanOrEqual(48 * MiB + count * piece);
});

test('half a megabyte is within the share of each of the connections of a run', () => {
  expect(createInFlight({ connections: 41 }).share).toBeGreaterThan(MiB / 2);
});

test('a reader that ends while it waits is not waited for', () => {
  const inFlight = createInFlight({ connections: 1, maxBytes: MiB, most: MiB });
  const [first, second, third] = [{}, {}, {}];
  const resumed: string[] = [];
  inFlight.enter(first, () => {});
  inFlight.enter(second, () => resumed.push('second'));
  inFlight.enter(third, () => resumed.push('third'));
  inFlight.leave(second);
  inFlight.leave(first);
  expect(resumed).toEqual(['third']);
});
