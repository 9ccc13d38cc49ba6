import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catalog } from '../../catalog/catalog.ts';
import { readProfile } from './profile.ts';

const keys = [
  'words',
  'wordsAt',
  'parameters',
  'headers',
  'session',
  'operations',
  'omit',
  'waivers',
  'sources',
  '$schema',
];
const inner = [
  'body',
  'accepts',
  'ids',
  'schema',
  'effect',
  'transport',
  'jwt',
  'kind',
  'check',
  'expires',
  'env',
  'operation',
];
const ids = catalog.slice(0, 5).map(({ id }) => id);
const key = fc.oneof(
  fc.constantFrom(...keys, ...inner, ...ids, '__proto__', 'constructor', 'toString', '', '\u202e\x7f\x9b'),
  fc.string({ unit: 'binary' }),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom('{{other.id}}', '{{', '/a/~2', '2026-02-30', 'https://a.test', 'HS256', -0, 1e308),
    fc.array(tie('value'), { maxLength: 3 }),
    // As text, since a dictionary would lose a member of the name __proto__.
    fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs)),
  ),
}));

const isSound = (text: string) => {
  const read = readProfile(text, {});
  if ('profile' in read) return;
  expect(read.mistakes.length).toBeGreaterThan(0);
  expect(read.mistakes.length).toBeLessThanOrEqual(20);
  for (const mistake of read.mistakes) {
    expect(mistake).toMatch(/^\d+:\d+ \S/);
    // One line, and nothing in it that steers a terminal.
    expect(mistake).not.toMatch(/[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
    expect(mistake.length).toBeLessThan(2_000);
  }
};

test('any text is a profile, or a bounded list of mistakes with their places', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), isSound), { numRuns: 300 });
});

test('so is any JSON under the keys of a profile', () => {
  const written = fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 4 });
  fc.assert(
    fc.property(written, (given) => isSound(JSON.stringify(given))),
    { numRuns: 300 },
  );
});

test('so is a profile that was cut, or had a character changed', () => {
  const whole = JSON.stringify({
    words: { game: 'arena' },
    headers: { 'x-client': '1' },
    operations: { 'party.create': { body: { a: '{{value}}' }, accepts: [201], ids: { partyId: '/id' } } },
    omit: [{ operation: 'auth.publicKey', reason: 'none' }],
  });
  fc.assert(
    fc.property(
      fc.nat(whole.length),
      fc.string({ unit: 'binary', maxLength: 2 }),
      fc.nat(3),
      (at, put, cut) => {
        isSound(whole.slice(0, at) + put + whole.slice(at + cut));
      },
    ),
    { numRuns: 300 },
  );
});
