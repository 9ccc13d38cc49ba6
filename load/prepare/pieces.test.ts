import { expect, test } from 'vitest';
import { formOf } from '../../fixtures/players/bodies/form.ts';
import { bodyOf } from '../k6/body.ts';
import { bodyFor } from './pieces.ts';

const each = new Set(['other.id', 'unique']);
const written = (
  template: Parameters<typeof formOf>[0],
  values: Record<string, string>,
  asNumbers = false,
) => {
  const form = { ...formOf(template, 'guess'), ...(asNumbers && { idsAsNumbers: true as const }) };
  const body = bodyFor(form, { mode: 'online' }, each);
  return (
    body &&
    bodyOf(
      body,
      (name) => values[name] ?? '',
      () => '',
    )
  );
};

test('a body without values of its own is one text', () => {
  expect(bodyFor(formOf({ mode: '{{mode}}' }, 'guess'), { mode: 'online' }, each)).toEqual({
    kind: 'text',
    text: '{"mode":"online"}',
  });
  expect(bodyFor(formOf(null, 'guess'), {}, each)).toEqual({ kind: 'none' });
});

test('values of an iteration are put in, escaped as JSON', () => {
  const told = written(
    { to: '{{other.id}}', note: 'for {{other.id}} ({{unique}})' },
    { 'other.id': 'a"b', unique: 'u' },
  );
  expect(JSON.parse(told ?? '')).toEqual({ to: 'a"b', note: 'for a"b (u)' });
});

test('identifiers that go out as numbers stand without quotes, other values do not', () => {
  const told = written({ to: '{{other.id}}', mark: '{{unique}}' }, { 'other.id': '42', unique: '7' }, true);
  expect(told).toBe('{"to":42,"mark":"7"}');
});

test('what a template says is a number stands without quotes, and in no other place', () => {
  const told = written(
    { ids: ['{{other.id:number}}'], as: 'to {{other.id:number}}', '{{other.id:number}}': '{{other.id}}' },
    { 'other.id': '42' },
  );
  expect(told).toBe('{"ids":[42],"as":"to 42","42":"42"}');
});

test('a value that nobody knows makes no body', () => {
  expect(written({ of: '{{matchId}}' }, {})).toBeUndefined();
});
