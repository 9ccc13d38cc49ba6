import { describe, expect, test } from 'vitest';
import { areas, catalog } from '../../catalog/catalog.ts';
import { guessesFor, mostForms, under } from './candidate-bodies.ts';

const { general, messages, party, players } = areas;
const takesJson = catalog.filter(
  ({ method, path }) => (method === 'POST' || method === 'PUT') && !path.endsWith('/binary'),
);
const templates = (operation: (typeof catalog)[number]) =>
  guessesFor(operation)
    .filter(({ idsAsNumbers }) => !idsAsNumbers)
    .map(({ template }) => JSON.stringify(template));

describe.each(takesJson.map((operation) => [operation.id, operation] as const))(
  'the forms of %s',
  (_, operation) => {
    test('begin with the empty object, are few, and differ', () => {
      expect(templates(operation)[0]).toBe('{}');
      expect(templates(operation).length).toBeGreaterThan(1);
      expect(templates(operation).length).toBeLessThanOrEqual(mostForms);
      expect(new Set(templates(operation)).size).toBe(templates(operation).length);
    });
  },
);

test.each([
  [general.config, []],
  [party.delete, []],
  [players.setBinaryState, []],
  [messages.clear, ['null', '{"messageIds":["{{messageId}}"]}']],
])('%o has forms of its own kind', (operation, expected) => {
  expect(templates(operation)).toEqual(expected);
});

test.each([
  [
    'another player',
    'other.id',
    [
      party.invite,
      players.addFriend,
      players.removeFriend,
      players.block,
      players.unblock,
      players.addRecentlyPlayed,
    ],
  ],
  [
    'what is to be found again',
    'value',
    [players.setState, party.update, party.setPlayerState, areas.me.setRichPresence],
  ],
  ['a message', 'messageId', [messages.claim, messages.markAs]],
] as const)('calls that mean %s have several forms that carry it', (_, name, operations) => {
  for (const operation of operations) {
    const carrying = guessesFor(operation).filter(({ carries }) => carries.includes(name));
    expect(carrying.length, operation.id).toBeGreaterThan(1);
  }
});

test('a form that names an id comes first for ids that are numbers, no other does', () => {
  const [withId, asText] = guessesFor(general.redeem);
  expect(
    guessesFor(players.block)
      .map(({ idsAsNumbers }) => idsAsNumbers)
      .slice(0, 3),
  ).toEqual([undefined, true, undefined]);
  expect([withId?.idsAsNumbers, asText?.idsAsNumbers]).toEqual([undefined, undefined]);
});

test('placeholders are names that a run can know', () => {
  const known =
    /^(player\.id|other\.id|value|unique|now|stateName|gameVersion|(party|match|message|story|archive|page|node)Id|autoJoinKey|queueToken|characterName|currency|redeemableCode|providerPlayerName)$/;
  const strange = takesJson
    .flatMap(guessesFor)
    .flatMap(({ carries }) => carries.filter((name) => !known.test(name)));
  expect(strange).toEqual([]);
});

test('a value stands under all its names at once, in both spellings, then under each alone', () => {
  expect(under({ playerId: 'x', ids: ['x'] })).toEqual([
    { playerId: 'x', player_id: 'x', ids: ['x'] },
    { playerId: 'x' },
    { player_id: 'x' },
    { ids: ['x'] },
  ]);
});

test('a name that has one spelling stands once', () => {
  expect(under({ mode: 1 })).toEqual([{ mode: 1 }, { mode: 1 }]);
});
