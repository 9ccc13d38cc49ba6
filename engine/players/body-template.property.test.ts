import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../target/profile-validation.ts';
import { fill, placeholdersIn } from './body-template.ts';

const names = ['player.id', 'other.id', 'value', 'partyId'] as const;
const name = fc.constantFrom(...names);
const text = fc.oneof(
  fc.string(),
  name.map((each) => `{{${each}}}`),
  fc.tuple(fc.string(), name, fc.string()).map(([a, each, b]) => `${a}{{${each}}}${b}`),
  fc.constantFrom(
    '{{',
    '}}',
    '{{ }}',
    '{{value',
    '{{value:number}}',
    '{{{value}}}',
    '{{constructor}}',
    '{{__proto__}}',
  ),
);
const { template } = fc.letrec<{ template: Json }>((tie) => ({
  template: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('template'), { maxLength: 3 }),
    fc.dictionary(text, tie('template'), { maxKeys: 3 }),
  ),
}));
const values = fc.record(
  Object.fromEntries(names.map((each) => [each, fc.oneof(fc.string(), fc.nat(), fc.jsonValue())])),
  { requiredKeys: [] },
) as fc.Arbitrary<Record<string, Json>>;

test('a body is whole or not written at all, and what is missing is a placeholder that it holds', () => {
  fc.assert(
    fc.property(template, values, (body, given) => {
      const filled = fill(body, given);
      const held = placeholdersIn(body);
      if (!filled.ok) {
        expect(filled.missing.length).toBeGreaterThan(0);
        expect(held).toEqual(expect.arrayContaining([...filled.missing]));
        return;
      }
      expect(held.filter((each) => given[each] === undefined)).toEqual([]);
      expect(() => JSON.parse(JSON.stringify(filled.body))).not.toThrow();
    }),
  );
});

test('nothing but placeholders is touched', () => {
  const plain = fc
    .jsonValue()
    .filter((value) => placeholdersIn(value as Json).length === 0) as fc.Arbitrary<Json>;
  fc.assert(
    fc.property(plain, values, (body, given) => {
      expect(JSON.stringify(fill(body, given))).toBe(JSON.stringify({ ok: true, body }));
    }),
  );
});

test('a value is put in as it is: a placeholder in it is none', () => {
  fc.assert(
    fc.property(fc.string(), (given) => {
      const nested = `${given}{{other.id}}`;
      expect(fill({ a: '{{value}}', b: 'x{{value}}' }, { value: nested })).toEqual({
        ok: true,
        body: { a: nested, b: `x${nested}` },
      });
    }),
  );
});
