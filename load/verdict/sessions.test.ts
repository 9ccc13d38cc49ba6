import { expect, test } from 'vitest';
import { isUnauthorised, unauthorisedSince } from './sessions.ts';

const wrongWith = (kinds: Readonly<Record<string, number>>, transport = 0) => ({
  errors: { wrong: Object.values(kinds).reduce((sum, each) => sum + each, 0), transport, kinds },
});
const line = (...errors: number[]) => errors.map((many, at) => ({ at: at + 1, errors: many }));

test('401 to nearly all that went wrong begins in the first second with a wrong answer', () => {
  const step = wrongWith({ 'status 401': 95, 'status 404': 3 });
  expect(unauthorisedSince(step, line(0, 0, 20, 40, 38))).toBe(3);
});

test.each([
  ['nothing went wrong', wrongWith({})],
  ['something else did as well', wrongWith({ 'status 401': 50, 'status 403': 50 })],
  ['many got no answer', wrongWith({ 'status 401': 50 }, 50)],
])('where %s, nobody says that sessions ended', (_, step) => {
  expect(isUnauthorised(step)).toBe(false);
  expect(unauthorisedSince(step, line(0, 9))).toBeUndefined();
});
