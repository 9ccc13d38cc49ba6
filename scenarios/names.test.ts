import { expect, test } from 'vitest';
import { type Put, rehearseFlow, withoutWaits } from '../fixtures/kit/flow-rehearsal.ts';
import names from './names.ts';

/** What a search for a name that was given up says of the player, where it finds them so. */
async function judgedFormer(show: (id: string, now: string, asked: string) => unknown) {
  const now = new Map<number, string>();
  const owners = new Map<string, number>();
  const script = ({ operation, player, ask }: Put) => {
    const { providerPlayerName = '', playerName = '' } = (ask.params ?? {}) as Record<string, string>;
    if (operation === 'playerName.set') {
      now.set(player, providerPlayerName);
      owners.set(providerPlayerName, player);
    }
    if (operation === 'playerName.get') return { body: { name: now.get(player) } };
    const owner = owners.get(playerName);
    if (operation !== 'playerName.search' || owner === undefined) return { body: {} };
    return {
      body: { query: playerName, players: [show(`id-of-player-${owner}`, now.get(owner) ?? '', playerName)] },
    };
  };
  const { play } = rehearseFlow(script);
  return (await withoutWaits(() => play(names, 'search-former-name')))[0];
}

test.each<[string, Parameters<typeof judgedFormer>[0]]>([
  ['under that name', (playerId, _, name) => ({ playerId, name })],
  ['under the name that they have now', (playerId, name) => ({ playerId, name })],
])('a player is not found by a former name %s', async (_, show) => {
  expect(await judgedFormer(show)).toMatchObject({ kind: 'violation' });
});

test.each<[string, Parameters<typeof judgedFormer>[0]]>([
  ['with all their names', (playerId, now, asked) => ({ playerId, names: [now, asked] })],
  ['with the words that were asked for', (playerId, name, matched) => ({ playerId, name, matched })],
])('a player may be found by a former name %s', async (_, show) => {
  expect(await judgedFormer(show)).toMatchObject({ kind: 'pass' });
});

test('a server that takes short names alone is asked for one, and kept to it', async () => {
  const kept = async (keep: (name: string) => string) => {
    let name = '';
    const { play } = rehearseFlow(({ operation, ask }) => {
      const { providerPlayerName = '' } = (ask.params ?? {}) as Record<string, string>;
      if (operation !== 'playerName.set') return { body: { name } };
      if (providerPlayerName.length > 20) return { status: 422, body: { errors: { name: ['is too long'] } } };
      name = keep(providerPlayerName);
      return { body: { name } };
    });
    return (await withoutWaits(() => play(names, 'umlauts')))[0];
  };
  expect(await kept((name) => name)).toMatchObject({ kind: 'pass' });
  expect(await kept((name) => name.replace(/[^ -~]/g, '?'))).toMatchObject({ kind: 'violation' });
});
