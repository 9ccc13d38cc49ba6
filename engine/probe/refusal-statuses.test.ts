import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { marked } from '../target/refusal-form.ts';
import { createRefusalStatusWatch } from './refusal-statuses.ts';

const { match, party, general } = areas;
const refusal = { error: { code: 'NOT_FOUND' } };

test('counts operations by the statuses with which they say that they refuse', () => {
  const watch = createRefusalStatusWatch(undefined);
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
