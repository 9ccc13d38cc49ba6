import { areas } from '../../fixtures/catalog/catalog.ts';
import { effects } from '../../fixtures/catalog/clauses/effects/effects.ts';
import { open } from '../../fixtures/catalog/clauses/open.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import { nameIs, takeName } from './take.ts';

const { playerName } = areas;
const clauses = effects.names;
const anyState = open['open.flows'];

/** A plain name: taken, read, searched for, and nobody else's. */
export function taking(flow: Flow): void {
  const { step } = flow.scene('player', 'other');

  const taken = step('set', [playerName.set], clauses.kept, 'a player takes a name', (stage) =>
    takeName(stage, 'player', stage.unique('Assay')),
  );

  const read = step(
    'read',
    [playerName.get, playerName.set],
    clauses.kept,
    'the player reads the name that was taken',
    async (stage) => {
      const value = stage.of(taken);
      await stage.sees('player', nameIs(value, 'the name that was taken'));
      return value;
    },
  );

  const found = step(
    'search',
    [playerName.search, playerName.set],
    clauses.found,
    'another player finds the player by that name',
    async (stage) => {
      const name = stage.of(taken);
      await stage.sees('other', {
        operation: playerName.search,
        params: { playerName: name },
        value: stage.player('player').id ?? name,
        what: 'the player',
      });
      return name;
    },
  );

  step(
    'search-other-case',
    [playerName.search],
    anyState,
    'whether a search minds the case of letters',
    async (stage) => {
      const name = stage.of(found);
      const params = { playerName: name.toUpperCase() };
      const answer = await stage.put('other', playerName.search, { params });
      stage.observe(
        stage.mentioned(answer, stage.player('player').id ?? name) ? 'it does not' : 'it does',
        answer,
      );
    },
  );

  step(
    'search-nobody',
    [playerName.search],
    clauses.found,
    'a search for a name that nobody took does not find the player',
    async (stage) => {
      stage.of(found);
      await stage.seesNot('other', {
        operation: playerName.search,
        params: { playerName: stage.unique('Nobody') },
        value: stage.id('player'),
        outsider: true,
        what: 'the player, under a name that nobody took',
      });
    },
  );

  step(
    'other-untouched',
    [playerName.get, playerName.set],
    clauses.own,
    "another player's name is not the one that was taken",
    async (stage) => {
      await stage.seesNot('other', {
        operation: playerName.get,
        value: stage.of(read),
        outsider: true,
        what: "the first player's name",
      });
    },
  );

  const renamed = step(
    'set-again',
    [playerName.set, playerName.get],
    clauses.kept,
    'a player takes another name',
    async (stage) => {
      stage.of(read);
      const name = stage.unique('Renamed');
      if ((await takeName(stage, 'player', name)) !== name)
        stage.cannotTell('needs-body', `the profile fixes the name that ${playerName.set.id} takes`);
      await stage.sees('player', nameIs(name, 'the new name'));
      return name;
    },
  );

  step(
    'set-taken',
    [playerName.set],
    anyState,
    'what taking a name that another player has is answered',
    async (stage) => {
      const params = { providerPlayerName: stage.of(renamed) };
      await stage.observeAnswer('other', playerName.set, { params });
    },
  );

  step(
    'set-long',
    [playerName.set],
    anyState,
    'what taking a name of 300 letters is answered',
    async (stage) => {
      stage.of(taken);
      const params = { providerPlayerName: 'a'.repeat(300) };
      await stage.observeAnswer('other', playerName.set, { params });
    },
  );
}
