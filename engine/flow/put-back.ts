// Undoes what single checks joined or made (parties, tickets, matches, friendships, blocks), and names the values that a run
// wrote and that no documented call takes back.
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import type { Ask } from '../http/ask.ts';
import { type Exchange, isSuccess, json, type Response } from '../http/exchange.ts';
import type { Player } from '../players/players.ts';
import type { CleanUp } from '../probe/context.ts';
import { leavesOf } from '../values/json-walk.ts';

const { party, queue, match, players } = areas;

type Undo = readonly [Operation, Ask];

const leave: Undo = [party.leave, { params: { disband: 'true' } }];
const cancel: Undo = [queue.cancel, {}];

const quit = (response: Response): Undo[] =>
  matchesIn(response).map((matchId) => [match.quit, { params: { matchId } }]);

/** The match that an answer names; none where it names none. */
function matchesIn(response: Response): readonly string[] {
  const parsed = json(response);
  const leaves = parsed.ok ? leavesOf(parsed.value) : [];
  const id = leaves.find(({ name, value }) => /^match_?id$/i.test(name) && isId(value))?.value;
  return id === undefined ? [] : [String(id)];
}
const isId = (value: unknown) => typeof value === 'number' || (typeof value === 'string' && value !== '');

/** The call with the same body takes the effect back; bad input that was accepted names nobody. */
const sameBody =
  (operation: Operation) =>
  (_: Response, { body }: Exchange['request']): Undo[] =>
    typeof body === 'string' && body.startsWith('{') ? [[operation, { body }]] : [];

/** What takes back the effect of a call, by operation id. */
const undoing: Readonly<Record<string, (response: Response, request: Exchange['request']) => Undo[]>> = {
  [party.create.id]: () => [leave],
  [party.join.id]: () => [leave],
  [party.acceptInvite.id]: () => [leave],
  [queue.enter.id]: (response) => [cancel, ...quit(response)],
  [match.create.id]: quit,
  [players.addFriend.id]: sameBody(players.removeFriend),
  [players.block.id]: sameBody(players.unblock),
};

/**
 * Takes players out of the matches that the queue made of them. The match is in the answer to
 * the player who came last, not to who waited, and leaving the queue does not end it.
 */
export function createMatchExits(send: (player: Player, operation: Operation, ask: Ask) => Promise<unknown>) {
  const queued = new Map<Player, Set<string>>();
  return {
    /** Notes an answer to a player. */
    note(player: Player, { id }: Operation, { response }: Exchange): void {
      if (id !== queue.enter.id || response === undefined) return;
      queued.set(player, new Set([...(queued.get(player) ?? []), ...matchesIn(response)]));
    },
    /** Those of these players who entered the queue quit every match that it named to one of them. */
    async leave(people: readonly Player[]): Promise<void> {
      const own = people.filter((player) => queued.has(player));
      const named = new Set(own.flatMap((player) => [...(queued.get(player) ?? [])]));
      for (const player of own) {
        queued.delete(player);
        for (const matchId of named) await send(player, match.quit, { params: { matchId } });
      }
    },
  };
}

interface Noted {
  readonly player: Player;
  readonly undo: Undo;
}

export interface PutBack {
  /** Notes a call of a single check, where it had an effect that a documented call takes back. */
  readonly note: (player: Player, operation: Operation, exchange: Exchange) => void;
  /** What is to be taken back by now, each once; what is noted later is none of it. */
  readonly cleanUps: (
    send: (player: Player, operation: Operation, ask: Ask) => Promise<Exchange>,
  ) => readonly CleanUp[];
}

export function createPutBack(): PutBack {
  const noted = new Map<string, Noted>();
  return {
    note(player, { id }, exchange) {
      const { request, response } = exchange;
      const undos = response && isSuccess(exchange) ? undoing[id]?.(response, request) : undefined;
      for (const undo of undos ?? []) {
        const [operation, { params, body }] = undo;
        const key = JSON.stringify([player.account, operation.id, params, body?.toString()]);
        noted.set(key, { player, undo });
      }
    },
    cleanUps(send) {
      const all = [...noted.values()];
      noted.clear();
      // The player who waited longer gets no answer with the match: the other one does.
      const matches = all.filter(({ undo: [operation] }) => operation === match.quit);
      return all.map(({ player, undo: [operation, ask] }) => ({
        scenario: `single checks of player ${player.account}`,
        operation,
        async put() {
          const answer = await send(player, operation, ask);
          const others = operation === queue.cancel ? matches.filter((each) => each.player !== player) : [];
          for (const { undo } of others) await send(player, ...undo);
          return answer;
        },
      }));
    },
  };
}

const { game, me, onboarding, playerName } = areas;

/** Values of a player that are replaced for good, by operation id: what was there before is not asked for. */
const writes: Readonly<Record<string, string>> = {
  [playerName.set.id]: 'name',
  [game.loadout.id]: 'loadouts',
  [game.saveVoiceOver.id]: 'voice-over',
  [me.setRichPresence.id]: 'rich presence',
  [onboarding.updateProgress.id]: 'onboarding',
  [players.setState.id]: 'states',
};

/** @param outlive the players were there before the run and stay: the values of new accounts were nobody's */
export function createWrittenValues(outlive: boolean) {
  const written = new Map<string, Set<Player['account']>>();
  return {
    /** Notes an answer to a player. */
    note({ account }: Pick<Player, 'account'>, { id }: Operation, exchange: Exchange): void {
      const what = outlive ? writes[id] : undefined;
      if (what === undefined || !isSuccess(exchange)) return;
      written.set(what, (written.get(what) ?? new Set()).add(account));
    },
    /** `states of 3 players: as this run wrote them`, a line for each kind of value. */
    lines: (): string[] =>
      Array.from(
        written,
        ([what, { size }]) =>
          `${what} of ${size} ${size === 1 ? 'player' : 'players'}: as this run wrote them, since no call takes that back`,
      ).sort(),
  };
}
