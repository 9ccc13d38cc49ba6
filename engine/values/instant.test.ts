import { expect, test } from 'vitest';
import { instantOf } from './instant.ts';

test.each([
  ['2026-01-02T03:04:05Z', Date.UTC(2026, 0, 2, 3, 4, 5)],
  ['2026-01-02T03:04:05.250+01:00', Date.UTC(2026, 0, 2, 2, 4, 5, 250)],
  [1_767_323_045, 1_767_323_045_000],
  [1_767_323_045_250, 1_767_323_045_250],
  // Without a zone it may be anywhere.
  ['2026-01-02T03:04:05', undefined],
  ['yesterday', undefined],
  [42, undefined],
  [null, undefined],
])('%j is the instant %s', (value, instant) => {
  expect(instantOf(value)).toBe(instant);
});
