import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { marked } from '../target/refusal-form.ts';
import { createRefusalStatusWatch } from './refusal-statuses.ts';

const { match, party, general } = areas;
const refusal = { error: { code: 'NOT_FOUND' } };

test('counts operations by the statuses with which they say that they refuse', () => {
  const watch = createRefusalStatusWatch(undefined, () => true);
  const note = (operation: Operation, status: number, body: object = refusal) =>
    watch.note(operation, marked(undefined, exchangeOf({ status, body })));
  note(match.get, 404);
  note(match.get, 404);
  note(party.get, 403);
  // A refusal whose body says nothing shows no habit, nor does a success.
  note(match.quit, 404, {});
  note(general.version, 200, { version: 1 });
  expect(watch.of('base')).toEqual({ asRefusal: 2, asSuccess: 0 });
  note(party.get, 200);
  expect(watch.of('base')).toEqual({ asRefusal: 1, asSuccess: 1 });
  expect(watch.of('cdn')).toEqual({ asRefusal: 0, asSuccess: 0 });
});

test('a status for who calls, or of another path, is no habit of the handlers', () => {
  const watch = createRefusalStatusWatch(undefined, ({ path }, { url }) => url.endsWith(path));
  const note = (operation: Operation, status: number, path = operation.path) => {
    const exchange = exchangeOf({ status, body: refusal });
    watch.note(operation, { ...exchange, request: { ...exchange.request, url: `http://h${path}` } });
  };
  for (const status of [401, 405, 429]) note(party.get, status);
  note(party.get, 404, '/elsewhere');
  expect(watch.of('base').asRefusal).toBe(0);
  note(party.get, 404);
  expect(watch.of('base').asRefusal).toBe(1);
});

const asking = (operation: Operation, status: number, body: object | string, sent = '{}') => {
  const exchange = exchangeOf({ status, body });
  return [
    operation,
    {
      ...exchange,
      request: { ...exchange.request, method: operation.method, url: 'http://h/x', body: sent },
    },
  ] as const;
};

test('a refusal of bad input in a text is seen where all of that status are, and others are objects', () => {
  const watch = createRefusalStatusWatch(undefined, () => true);
  watch.note(...asking(match.get, 404, refusal));
  watch.note(...asking(party.get, 422, 'no'));
  expect(watch.forms('base')).toEqual({ inJson: 1 });
  watch.note(...asking(party.get, 401, refusal));
  expect(watch.forms('base')).toEqual({ inJson: 2 });
  watch.note(...asking(party.get, 403, refusal));
  expect(watch.forms('base')).toMatchObject({ inJson: 2, inText: { status: 422, operations: 1 } });
  const before = watch.forms('base');
  watch.note(...asking(match.quit, 409, 'no'));
  expect(watch.forms('base')).toEqual({ inJson: 2 });
  watch.note(...asking(match.quit, 409, refusal));
  expect(watch.forms('base')).toEqual({ ...before, inJson: 3 });
  watch.note(...asking(party.create, 422, refusal));
  expect(watch.forms('base')).toEqual({ inJson: 4 });
});

test('refusals with a status of success are seen on operations that refuse with a 4xx as well', () => {
  const watch = createRefusalStatusWatch(undefined, () => true);
  const denied = { success: false, message: 'no' };
  const refusing = [party.get, party.create, party.leave, match.create];
  for (const operation of refusing) watch.note(...asking(operation, 409, refusal));
  for (const operation of refusing) watch.note(...asking(operation, 200, denied));
  // Another handler may refuse who may not, or success may be all that an answer tells.
  watch.note(...asking(match.get, 403, refusal));
  watch.note(...asking(match.get, 200, denied));
  watch.note(...asking(match.quit, 409, refusal));
  watch.note(...asking(match.quit, 200, { success: true }));
  expect(watch.forms('base')).toEqual({ inJson: 6 });
  watch.note(...asking(match.quit, 200, denied));
  expect(watch.forms('base')).toMatchObject({ inJson: 6, inSuccess: { operations: 5 } });
});

test('who is not signed in is told so in the form of the other refusals of that call', () => {
  const watch = createRefusalStatusWatch(undefined, () => true);
  watch.note(...asking(party.get, 401, 'sign in'));
  watch.note(...asking(party.get, 403, refusal));
  expect(watch.forms('base')).toMatchObject({ inJson: 1, inText: { status: 401, operations: 1 } });
});

test('what a gateway or a framework may have refused shows no form', () => {
  const watch = createRefusalStatusWatch(undefined, () => true);
  watch.note(...asking(party.get, 401, 'sign in'));
  watch.note(...asking(party.get, 400, 'no JSON', '{"a":'));
  watch.note(...asking(party.get, 400, ''));
  expect(watch.forms('base')).toEqual({ inJson: 0 });
});
