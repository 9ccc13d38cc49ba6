import { describe, expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { choicesFor, valuesFor } from './parameters.ts';

const { archives, auth, match, messages, party, playerName } = areas;

describe('the value of a parameter', () => {
  test('is the own one of the player from an answer, before what was given', () => {
    const { params, unknown } = valuesFor(match.get, { matchId: 'given' }, { matchId: 'found' }, 'invented');
    expect(params).toEqual({ matchId: 'found' });
    expect(unknown).toEqual([]);
  });

  test('is what was given, before a free choice', () => {
    expect(valuesFor(messages.listLimited, { limit: '3' }, {}, 'invented').params).toEqual({ limit: '3' });
    expect(valuesFor(messages.listLimited, {}, {}, 'invented').params).toEqual({ limit: '10' });
  });

  test('is invented where nobody knows one, and then it is unknown', () => {
    expect(valuesFor(archives.story, {}, {}, 'invented')).toEqual({
      params: { storyId: 'invented' },
      unknown: ['storyId'],
    });
  });

  test('a free choice is no unknown resource', () => {
    expect(valuesFor(messages.listInbox, {}, {}, 'invented').unknown).toEqual([]);
  });

  test('is the target’s own word where the free choice is a neutral word', () => {
    const { friends } = areas.players;
    const platformIn = (words: Readonly<Record<string, string>>) =>
      valuesFor(friends, choicesFor({ words, wordsAt: {} }), {}, 'invented').params.platform;
    expect([platformIn({ storefront: 'bazaar' }), platformIn({ game: 'arena' })]).toEqual([
      'bazaar',
      'storefront',
    ]);
    expect(choicesFor(undefined).platform).toBe('storefront');
  });

  test('a name to be set is always a new one', () => {
    const { params, unknown } = valuesFor(playerName.set, { providerPlayerName: 'taken' }, {}, 'invented');
    expect([params, unknown]).toEqual([{ providerPlayerName: 'invented' }, []]);
  });

  test('each parameter of an operation has one', () => {
    expect(Object.keys(valuesFor(party.get, {}, {}, 'x').params)).toEqual(['partyId', 'autoJoinKey']);
    expect(Object.keys(valuesFor(auth.login, {}, {}, 'x').params)).toEqual(['token']);
  });
});
