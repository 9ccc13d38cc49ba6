import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { judgementOf } from '../../engine/judgement.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { fakeContext } from '../../fixtures/kit/fake-context.ts';
import { unknownIdBody, withUnknownIds } from './unknown-id-body.ts';

test.each<[string, readonly string[]]>([
  ['{"playerId":"player-7","note":"player-7"}', ['{"playerId":"player-900000007","note":"player-7"}']],
  ['{"of":{"message_ids":["00ab1f"]}}', ['{"of":{"message_ids":["11bc21"]}}']],
  [
    '{"storyId":"tome-1","entryId":"e-2","entry_id":"e-2"}',
    [
      '{"storyId":"tome-900000001","entryId":"e-2","entry_id":"e-2"}',
      '{"storyId":"tome-1","entryId":"e-900000002","entry_id":"e-900000002"}',
    ],
  ],
  ['{"value":"7"}', []],
  ['[', []],
])('the body %s with unknown ids', (body, made) => {
  expect(withUnknownIds(body)).toEqual(made);
});

/** @param plain the body of the plain call */
const judged = (plain: string, status = 200) => {
  const asked: (string | undefined)[] = [];
  const context = fakeContext({
    async ask(_, { body } = {}) {
      const isPlain = body === undefined;
      if (!isPlain) asked.push(String(body));
      const exchange = exchangeOf({ status: isPlain ? 200 : status, body: {} });
      return { ...exchange, request: { ...exchange.request, body: isPlain ? plain : String(body) } };
    },
  });
  return judgementOf(unknownIdBody.judge(areas.players.addFriend, context)).then(({ kind }) => [kind, asked]);
};

test.each([
  [404, 'pass'],
  [200, 'pass'],
  [500, 'violation'],
])('an unknown id that is answered %i', async (status, expected) => {
  const [kind, asked] = await judged('{"playerId":"player-7"}', status);
  expect(kind).toBe(expected);
  expect(asked?.[0]).toBe('{"playerId":"player-900000007"}');
});

test('a call whose plain body names no id is not asked', async () => {
  expect(await judged('{}')).toEqual(['not-applicable', []]);
});
