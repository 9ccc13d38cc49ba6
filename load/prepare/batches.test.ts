import { expect, test } from 'vitest';
import { formOf } from '../../fixtures/players/bodies/form.ts';
import { batchBodies } from './batches.ts';

test('batches are of different sizes, most of them small, and the same for one seed', () => {
  const form = formOf([{ message: '{{unique}}' }], 'guess');
  const bodies = batchBodies(form, 'log', 1) ?? [];
  const sizes = bodies.map((body) => JSON.parse(body).length).sort((a, b) => a - b);
  expect(new Set(sizes).size).toBeGreaterThan(5);
  expect(sizes[0]).toBeGreaterThanOrEqual(1);
  expect(sizes.at(-1)).toBeLessThanOrEqual(200);
  expect(sizes[8]).toBeLessThan(60);
  expect(batchBodies(form, 'log', 1)).toEqual(bodies);
});

test('a list under a name keeps what stands beside it', () => {
  const form = formOf({ client: 'x', logs: [{ message: 'm' }] }, 'guess');
  const [body = '{}'] = batchBodies(form, 'analytics', 1) ?? [];
  const { client, logs } = JSON.parse(body);
  expect([client, logs[0]?.sequence]).toEqual(['x', 1]);
});

test('records that a profile states are repeated with values of their own', () => {
  const form = formOf([{ id: '{{unique}}', at: '{{now}}', kind: 'fixed' }], 'profile');
  const records = (batchBodies(form, 'log', 1) ?? []).flatMap((body) => JSON.parse(body));
  expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
  expect(records.every(({ kind }) => kind === 'fixed')).toBe(true);
});

test.each([[{}], [null], ['text'], [{ logs: [] }]])('%j holds no list of records', (template) => {
  expect(batchBodies(formOf(template, 'guess'), 'log', 1)).toBeUndefined();
});
