import { expect, test } from 'vitest';
import { formOf } from '../../engine/players/body-template.ts';
import { bodyOf } from '../k6/request.ts';
import { batchBodies, bodyFor } from './bodies.ts';

test('batches are of different sizes, most of them small, and the same for one seed', () => {
  const form = formOf([{ message: '{{unique}}' }], 'guess');
  const bodies = batchBodies(form, 'log') ?? [];
  const sizes = bodies.map((body) => JSON.parse(body).length).sort((a, b) => a - b);
  expect(new Set(sizes).size).toBeGreaterThan(5);
  expect(sizes[0]).toBeGreaterThanOrEqual(1);
  expect(sizes.at(-1)).toBeLessThanOrEqual(200);
  expect(sizes[8]).toBeLessThan(60);
  expect(batchBodies(form, 'log')).toEqual(bodies);
});

test('a list under a name keeps what stands beside it', () => {
  const form = formOf({ client: 'x', logs: [{ message: 'm' }] }, 'guess');
  const [body = '{}'] = batchBodies(form, 'analytics') ?? [];
  const { client, logs } = JSON.parse(body);
  expect([client, logs[0]?.sequence]).toEqual(['x', 1]);
});

test('records that a profile states are repeated with values of their own', () => {
  const form = formOf([{ id: '{{unique}}', at: '{{now}}', kind: 'fixed' }], 'profile');
  const records = (batchBodies(form, 'log') ?? []).flatMap((body) => JSON.parse(body));
  expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
  expect(records.every(({ kind }) => kind === 'fixed')).toBe(true);
});

test.each([[{}], [null], ['text'], [{ logs: [] }]])('%j holds no list of records', (template) => {
  expect(batchBodies(formOf(template, 'guess'), 'log')).toBeUndefined();
});

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
  const body = written(
    { to: '{{other.id}}', note: 'for {{other.id}} ({{unique}})' },
    { 'other.id': 'a"b', unique: 'u' },
  );
  expect(JSON.parse(body ?? '')).toEqual({ to: 'a"b', note: 'for a"b (u)' });
});

test('identifiers that go out as numbers stand without quotes, other values do not', () => {
  const body = written({ to: '{{other.id}}', mark: '{{unique}}' }, { 'other.id': '42', unique: '7' }, true);
  expect(body).toBe('{"to":42,"mark":"7"}');
});

test('what a template says is a number stands without quotes, and in no other place', () => {
  const body = written(
    { ids: ['{{other.id:number}}'], as: 'to {{other.id:number}}', '{{other.id:number}}': '{{other.id}}' },
    { 'other.id': '42' },
  );
  expect(body).toBe('{"ids":[42],"as":"to 42","42":"42"}');
});

test('a value that nobody knows makes no body', () => {
  expect(written({ of: '{{matchId}}' }, {})).toBeUndefined();
});
