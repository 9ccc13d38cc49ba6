import { areas } from '../../fixtures/catalog/catalog.ts';
import { effects } from '../../fixtures/catalog/clauses/effects/effects.ts';
import { open } from '../../fixtures/catalog/clauses/open.ts';
import { valuesIn } from '../../fixtures/check/flow/any-order.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import { silenced } from '../../fixtures/check/flow/refusal.ts';
import { type Exchange, statusOf } from '../../fixtures/client/exchange.ts';
import { inParty, makeParty } from './made.ts';

const { party } = areas;
const clauses = effects.party;
const anyState = open['open.flows'];

const { autoJoinKey: _, ...queryWithoutKey } = party.get.query;
/** The call of a player who has no key. */
const getWithoutKey = { ...party.get, query: queryWithoutKey };

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
      await stage.seesNot('stranger', { ...inParty(stage.of(seen), "the leader's party"), outsider: true });
    },
  );

  step(
    'stranger-read',
    [party.get],
    anyState,
    'what a stranger is told of a party, without and with its key',
    async (stage) => {
      const { partyId, answer } = stage.of(read);
      const reads = async (operation: typeof getWithoutKey, key?: string) => {
        const params = { partyId, ...(key !== undefined && { autoJoinKey: key }) };
        const exchange = await stage.put('stranger', operation, { params });
        silenced(exchange);
        return exchange;
      };
      const without = await reads(getWithoutKey);
      const wrong = await reads(party.get, stage.unique('nokey'));
      const key = await stage.identifier(answer, party.get, 'autoJoinKey').catch(() => undefined);
      const right = key === undefined ? undefined : await reads(party.get, key);
      const told = (exchange: Exchange) =>
        `${statusOf(exchange)}${right ? share(exchange, right, answer) : ''}`;
      stage.observe(
        `without the key ${told(without)}, with a wrong one ${told(wrong)}, ${right ? `with it ${statusOf(right)}` : 'and no key was told'}`,
        right ?? without,
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
      await stage.sets('leader', party.update, {
        params: { partyId },
        value: stage.unique(word),
        shownIn: (value) => inParty(value, 'what was written'),
      });
    },
  );

  step(
    'player-state',
    [party.setPlayerState, party.details],
    clauses.changed,
    'the state that a member sets stands in the party',
    async (stage) => {
      stage.of(created);
      await stage.sets('leader', party.setPlayerState, {
        params: { playerId: stage.id('leader') },
        value: stage.unique(word),
        shownIn: (value) => inParty(value, 'the state that was set'),
      });
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

/**
 * How much an answer shows of what is shown with the key; nothing where either was refused or is no JSON.
 * @param leader what the leader is shown: places that come and go are not in both
 */
function share(exchange: Exchange, withKey: Exchange, leader: Exchange): string {
  const placesIn = (each: Exchange) => new Set(valuesIn(each).keys());
  const shown = placesIn(withKey).intersection(placesIn(leader));
  if (shown.size === 0 || !isSuccess(exchange) || !isSuccess(withKey)) return '';
  return shown.isSubsetOf(placesIn(exchange)) ? ' (shows as much)' : ' (shows less)';
}

const isSuccess = (exchange: Exchange) => Math.floor(statusOf(exchange) / 100) === 2;
