import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { type Answer, rehearse, type Script } from '../../fixtures/kit/rule-rehearsal.ts';
import { anonymous } from './anonymous.ts';

const operation = areas.general.currencies;
const mine: Answer = { body: { playerId: 'player-1111', coins: 5 } };
const refused: Answer = { status: 401 };
const to =
  (nobodys: Answer): Script =>
  ({ as }) =>
    as === '(nobody)' ? nobodys : mine;

test.each<[Answer, string]>([
  [refused, '401'],
  [{ status: 403 }, '403'],
  [mine, '200, in the same form as signed in'],
  [{ body: {} }, '200, in another form than signed in'],
])('what is answered without a credential is a behaviour: %j', async (answer, behaviour) => {
  expect((await rehearse(anonymous, operation, to(answer))).judgement).toMatchObject({
    kind: 'observed',
    behaviour: `without a credential: ${behaviour}`,
  });
});

test('without a session there is nothing to compare with', async () => {
  const facts = { noSession: () => 'nobody could sign in' };
  expect((await rehearse(anonymous, operation, () => refused, facts)).judgement).toMatchObject({
    behaviour: 'without a credential: 401',
  });
});
