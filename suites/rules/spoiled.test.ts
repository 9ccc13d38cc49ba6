import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { type Answer, rehearse, type Script } from '../../fixtures/kit/rule-rehearsal.ts';
import { spoiledCredential } from './spoiled.ts';

const operation = areas.general.currencies;
const mine: Answer = { body: { playerId: 'player-1111', coins: 5 } };
const refused: Answer = { status: 401 };
const to =
  (answerToSpoiled: Answer): Script =>
  ({ as }) =>
    as === '(spoiled)' ? answerToSpoiled : mine;

test.each<[Answer, string]>([
  [refused, '401'],
  [{ status: 403 }, '403'],
  [mine, '200, in the same form as signed in'],
  [{ body: {} }, '200, in another form than signed in'],
])('records the answer to a spoiled credential as a behaviour: %j', async (answer, behaviour) => {
  expect((await rehearse(spoiledCredential, operation, to(answer))).judgement).toMatchObject({
    kind: 'observed',
    behaviour: `with a spoiled credential: ${behaviour}`,
  });
});

test('is inconclusive without a session, since there is no credential to spoil', async () => {
  const facts = { noSession: () => 'nobody could sign in' };
  expect((await rehearse(spoiledCredential, operation, to(refused), facts)).judgement).toMatchObject({
    reason: 'no-session',
  });
});
