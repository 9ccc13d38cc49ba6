import { areas } from '../../fixtures/catalog/catalog.ts';
import { effects } from '../../fixtures/catalog/clauses/effects/effects.ts';
import { open } from '../../fixtures/catalog/clauses/open.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import { statusOf } from '../../fixtures/client/exchange.ts';
import { inParty, makeParty } from './made.ts';

const { party } = areas;
const clauses = effects.party;
const anyState = open['open.flows'];

/** A party from its making to its end, and what one sees of it who is not in it. */
export function leading(flow: Flow): void {
  const { step } = flow.scene('leader', 'stranger');

  const created = step('create', [party.create], clauses.called, 'a player makes a party', async (stage) => ({
    partyId: await makeParty(stage, 'leader'),
  }));

  const seen = step(
    'details',
    [party.details, party.create],
    clauses.made,
    'the leader is in the party that was made',
    async (stage) => {
      const { partyId } = stage.of(created);
      await stage.sees('leader', inParty(partyId, "the party's id"));
      return partyId;
    },
  );

  const read = step(
    'read',
    [party.get, party.create],
    clauses.made,
    'the leader reads the party by its id',
    async (stage) => {
      const { partyId } = stage.of(created);
      const view = { operation: party.get, params: { partyId }, value: partyId, what: "the party's id" };
      const answer = await stage.sees('leader', view);
      return { partyId, answer };
    },
  );

  step(
    'leader-in-view',
    [party.details, party.create],
    clauses.made,
    'the view of the party names its leader',
    async (stage) => {
      stage.of(seen);
      await stage.sees('leader', inParty(stage.id('leader'), "the leader's id"));
    },
  );

  step(
    'stranger-view',
    [party.details],
    clauses.keptOut,
    "a stranger's own party is another, or none",
    async (stage) => {
      await stage.seesNot('stranger', inParty(stage.of(seen), "the leader's party"));
    },
  );

  step(
    'stranger-read',
    [party.get],
    anyState,
    'what a stranger is told of a party, without and with its key',
    async (stage) => {
      const { partyId, answer } = stage.of(read);
      const without = await stage.put('stranger', party.get, { params: { partyId, autoJoinKey: 'none' } });
      const key = await stage.identifier(answer, party.get, 'autoJoinKey').catch(() => undefined);
      const withKey =
        key && (await stage.put('stranger', party.get, { params: { partyId, autoJoinKey: key } }));
      stage.observe(
        `without the key ${statusOf(without)}, with it ${withKey ? statusOf(withKey) : 'no key was told'}`,
        withKey || without,
      );
    },
  );

  const word = 'assayparty';
  step(
    'update',
    [party.update, party.get],
    clauses.changed,
    'what the leader writes to the party stands in it',
    async (stage) => {
      const { partyId } = stage.of(created);
      const value = stage.unique(word);
      const until = { ...inParty(value, 'what was written') };
      await stage.done('leader', party.update, { params: { partyId }, carry: { value }, until });
      await stage.sees('leader', until);
    },
  );

  step(
    'player-state',
    [party.setPlayerState, party.details],
    clauses.changed,
    'the state that a member sets stands in the party',
    async (stage) => {
      stage.of(created);
      const value = stage.unique(word);
      const until = inParty(value, 'the state that was set');
      const params = { playerId: stage.id('leader') };
      await stage.done('leader', party.setPlayerState, { params, carry: { value }, until });
      await stage.sees('leader', until);
    },
  );

  const ended = step(
    'delete',
    [party.delete],
    clauses.called,
    'the leader deletes the party',
    async (stage) => {
      const { partyId } = stage.of(read);
      await stage.done('leader', party.delete, { params: { partyId } });
      return partyId;
    },
  );

  step(
    'deleted-details',
    [party.details, party.delete],
    clauses.ended,
    'the leader is no longer in the party that was deleted',
    async (stage) => {
      await stage.seesNot('leader', inParty(stage.of(ended), 'the party that was deleted'));
    },
  );

  step(
    'deleted-read',
    [party.get, party.delete],
    anyState,
    'what reading a party that was deleted is answered',
    async (stage) => {
      const partyId = stage.of(ended);
      await stage.observeAnswer('leader', party.get, { params: { partyId } });
    },
  );

  step(
    'deleted-join',
    [party.join, party.delete],
    anyState,
    'what joining a party that was deleted is answered',
    async (stage) => {
      stage.of(ended);
      await stage.observeAnswer('stranger', party.join, { params: { playerId: stage.id('leader') } });
    },
  );
}
