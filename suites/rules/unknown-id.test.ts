import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { unknownId } from './unknown-id.ts';

test.each([404, 403, 200])('the status for an id that nobody has is a behaviour: %i', async (status) => {
  const { judgement, asked } = await rehearse(unknownId, areas.match.get, ({ params }) =>
    params === undefined ? { body: { matchId: 'assay-matchId' } } : { status, body: 'null' },
  );
  expect(judgement).toMatchObject({ kind: 'observed', behaviour: String(status) });
  expect(asked.slice(0, 2)).toEqual([{}, { params: { matchId: 'assay-mb1d11e' } }]);
});

test('a write is asked as a player whom no other check reads', async () => {
  const { judgement, asked } = await rehearse(unknownId, areas.match.quit, ({ params }) =>
    params === undefined ? { body: {} } : { status: 404, body: 'null' },
  );
  expect(judgement).toMatchObject({ kind: 'observed', behaviour: '404' });
  expect(asked).toEqual([{}, { as: 'fuzzer', params: { matchId: 'assay-mb1d11e' } }]);
});

test.each([
  [{ asRefusal: 9, asSuccess: 1 }, 'violation'],
  [{ asRefusal: 9, asSuccess: 3 }, 'observed'],
  [{ asRefusal: 7, asSuccess: 1 }, 'observed'],
])('an error that is called a success, where other operations refuse so: %o', async (statuses, kind) => {
  const { judgement } = await rehearse(
    unknownId,
    areas.match.get,
    ({ params }) =>
      params === undefined
        ? { body: { matchId: 'assay-matchId' } }
        : { status: 200, body: { error: { code: 'NO_MATCH' } }, refuses: true },
    { refusalStatuses: async () => statuses },
  );
  expect(judgement.kind).toBe(kind);
  if (kind === 'violation')
    expect(judgement).toMatchObject({ clause: 'sense.refusal-status', level: 'inferred' });
});

test('a page for whatever is not found is no match', async () => {
  const { judgement } = await rehearse(unknownId, areas.match.get, ({ params }, { id }) => {
    if (params === undefined) return { body: { matchId: 'assay-matchId' } };
    return id === areas.match.get.id ? { body: '<html></html>' } : { status: 404 };
  });
  expect(judgement.kind).toBe('observed');
});

test.each([
  [200, 404, 'violation'],
  [200, 200, 'observed'],
  [204, 404, 'observed'],
  [404, 404, 'observed'],
])('a match that is shown by such an id with %i, where others answer %i: %s', async (own, others, kind) => {
  const { judgement } = await rehearse(unknownId, areas.match.get, ({ params }, { id }) => {
    if (params === undefined) return { body: { matchId: 'assay-matchId' } };
    return { status: id === areas.match.get.id ? own : others, body: null };
  });
  expect(judgement.kind).toBe(kind);
  if (kind === 'violation')
    expect(judgement).toMatchObject({ clause: 'sense.unknown-id', level: 'inferred' });
});
