import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { unknownId } from './unknown-id.ts';

test.each([404, 403, 200])('the status for an id that nobody has is a behaviour: %i', async (status) => {
  const { judgement, asked } = await rehearse(unknownId, areas.match.get, ({ params }) =>
    params === undefined ? { body: { matchId: 'assay-matchId' } } : { status, body: 'null' },
  );
  expect(judgement).toMatchObject({ kind: 'observed', behaviour: String(status) });
  expect(asked).toEqual([{}, { params: { matchId: 'assay-mb1d11e' } }]);
});

test('a write is asked as a player whom no other check reads', async () => {
  const { judgement, asked } = await rehearse(unknownId, areas.match.quit, ({ params }) =>
    params === undefined ? { body: {} } : { status: 404, body: 'null' },
  );
  expect(judgement).toMatchObject({ kind: 'observed', behaviour: '404' });
  expect(asked).toEqual([{}, { as: 'fuzzer', params: { matchId: 'assay-mb1d11e' } }]);
});
