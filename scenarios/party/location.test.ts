import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { judgeStep } from '../../fixtures/kit/flow-rehearsal.ts';
import { expectLocation } from './location.ts';

const { party } = areas;
const api = 'http://127.0.0.1:9/game';

const partyId = 'p-1';
const read = exchangeOf({ status: 200, body: { id: partyId, leader: 'l-1' } });

/** The judgement of a Location, where there is a party at that path, and the paths that were asked. */
async function judged(location: string | undefined, status = 201, body: object = { id: partyId }) {
  const made = exchangeOf({ status, headers: location === undefined ? {} : { location } });
  const answer = { ...made, request: { ...made.request, url: `${api}${party.create.path}` } };
  const asked: (string | undefined)[] = [];
  const { judgement } = await judgeStep(
    (context) => expectLocation(context, answer, { partyId, read }),
    ({ ask: { path } }) => {
      asked.push(path);
      return path === '/api/v1/party/p-1' ? { body } : { status: 404 };
    },
    {},
    [party.create],
  );
  return { judgement, asked };
}

test.each(['/game/api/v1/party/p-1', 'party/p-1', `${api}/api/v1/party/p-1#it`])(
  'a Location of %s leads to the party',
  async (location) => {
    const { judgement, asked } = await judged(location);
    expect([judgement?.kind, asked]).toEqual(['pass', ['/api/v1/party/p-1']]);
  },
);

test('a Location that leads nowhere is a violation', async () => {
  const { judgement } = await judged('/game/api/v1/party/p-2');
  expect(judgement).toMatchObject({ kind: 'violation', actual: '404' });
});

test.each<[string, object, string]>([
  ['another party', { id: 'p-7', leader: 'l-2' }, 'violation'],
  ['the party in other words', { party: { partyId } }, 'pass'],
  ['what names no party', { state: 'open' }, 'pass'],
])('a Location that leads to %s', async (_, body, kind) => {
  const { judgement } = await judged('/game/api/v1/party/p-1', 201, body);
  expect(judgement?.kind).toBe(kind);
});

test.each<[string, string | undefined, number]>([
  ['another host', 'http://10.0.0.7:8080/api/v1/party/p-2', 201],
  ['a path outside the API', '/api/v1/party/p-2', 201],
  ['no place', undefined, 201],
  ['a party that was there before', '/game/api/v1/party/p-2', 200],
])('a Location of %s is not followed', async (_, location, status) => {
  const { judgement, asked } = await judged(location, status);
  expect([judgement, asked]).toEqual([expect.objectContaining({ reason: 'not-triggered' }), []]);
});
