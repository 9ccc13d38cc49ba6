// Undoes what single checks joined or created (parties, tickets, matches, friendships, blocks), and lists the values
// that a run wrote and no documented call removes.
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import type { Ask } from '../http/ask.ts';
import { answerLeaves, answerText, type Exchange, isSuccess, type Response } from '../http/exchange.ts';
import type { Player } from '../players/players.ts';
import type { CleanUp } from '../probe/context.ts';
import { poll } from './polling.ts';

const { party, queue, match, players } = areas;

type Undo = readonly [Operation, Ask];
type Send = (player: Player, operation: Operation, ask: Ask) => Promise<Exchange>;

const leave: Undo = [party.leave, { params: { disband: 'true' } }];
const cancel: Undo = [queue.cancel, {}];

const quit = (response: Response): Undo[] =>
  matchesIn(response).map((matchId) => [match.quit, { params: { matchId } }]);

/** The match that an answer names; none where it names none. */
function matchesIn(response: Response): readonly string[] {
  const id = answerLeaves({ response }).find(
    ({ name, value }) => /^match_?id$/i.test(name) && isId(value),
  )?.value;
  return id === undefined ? [] : [String(id)];
}
const isId = (value: unknown) => typeof value === 'number' || (typeof value === 'string' && value !== '');

/** The same body takes the effect back by another operation. Without a JSON object there is nothing to undo. */
const sameBody =
  (operation: Operation) =>
  (_: Response, { body }: Exchange['request']): Undo[] =>
    typeof body === 'string' && body.startsWith('{') ? [[operation, { body }]] : [];

/** Finds the calls that undo the effect of a call, by operation id. */
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
 * Takes players out of the matches that the queue put them in. Only the player who entered the queue last is told the
 * match, and leaving the queue does not end it.
 */
export function createMatchExits(send: Send) {
  const queued = new Map<Player, Set<string>>();
  return {
    /** Notes an answer to a player. */
    note(player: Player, { id }: Operation, { response }: Exchange): void {
      if (id !== queue.enter.id || response === undefined) return;
      queued.set(player, new Set([...(queued.get(player) ?? []), ...matchesIn(response)]));
    },
    /** Makes the given players who entered the queue quit every match that the queue named to one of them. */
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
  /** The call to undo entered the queue. */
  readonly isOfQueue: boolean;
}

export interface PutBack {
  /** Notes a call of a single check, where it had an effect that a documented call undoes. */
  readonly note: (player: Player, operation: Operation, exchange: Exchange) => void;
  /** Returns how to undo what was noted so far, each effect once, and forgets it. */
  readonly cleanUps: (send: Send) => readonly CleanUp[];
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
        noted.set(key, { player, undo, isOfQueue: id === queue.enter.id });
      }
    },
    cleanUps(send) {
      const all = [...noted.values()];
      noted.clear();
      // Only the player who entered the queue last was told the match, so all waiting players quit that match, too.
      const matches = all.filter(({ isOfQueue, undo: [operation] }) => isOfQueue && operation === match.quit);
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

const { archives, game, general, me, messages, mysteryBox, onboarding, playerName, ranks } = areas;

/** Values of a player that a call replaces. */
interface Kind {
  readonly what: string;
  /** The call that shows them to their player; undefined where no documented call does. */
  readonly read?: (player: Player, request: Exchange['request']) => Undo | undefined;
}

const named = [
  players.challengeUIData,
  players.newLoresUIData,
  players.seenNewsArticles,
  players.seenStoreItems,
];
const nameOfBinary = 'FullProfile';
const nameOfState = ({ path }: Operation) => path.split('/').at(-1) as string;
const saidBy = ({ url, body }: Exchange['request']) =>
  `${url} ${typeof body === 'string' && body.length < mostBody ? body : ''}`;
const mostBody = 2 ** 16;

const kinds: Readonly<Record<string, Kind>> = {
  [playerName.set.id]: { what: 'name', read: () => [playerName.get, {}] },
  [game.loadout.id]: { what: 'loadouts' },
  [game.saveVoiceOver.id]: { what: 'voice-over', read: () => [game.voiceOver, {}] },
  [me.setRichPresence.id]: {
    what: 'rich presence',
    read: ({ id }) => (id === undefined ? undefined : [general.richPresence, { params: { playerId: id } }]),
  },
  [archives.updateActiveNode.id]: { what: 'active node', read: () => [archives.activeNode, {}] },
  [archives.readPage.id]: { what: 'pages read' },
  [general.purchase.id]: { what: 'purchases' },
  [general.redeem.id]: { what: 'codes redeemed' },
  [messages.claim.id]: { what: 'messages' },
  [messages.clear.id]: { what: 'messages' },
  [messages.markAs.id]: { what: 'messages' },
  [mysteryBox.claim.id]: { what: 'weekly gift' },
  [onboarding.playBotMatch.id]: { what: 'onboarding' },
  [onboarding.updateProgress.id]: { what: 'onboarding' },
  [players.addRecentlyPlayed.id]: { what: 'players met' },
  [ranks.claimRewards.id]: { what: 'rank rewards' },
  [players.setBinaryState.id]: {
    what: 'states',
    read: (_, { url }) => (url.includes(nameOfBinary) ? [players.fullProfile, {}] : undefined),
  },
  [players.setState.id]: {
    what: 'states',
    read(_, request) {
      const state = named.find((each) => saidBy(request).includes(nameOfState(each)));
      return state && [state, {}];
    },
  },
};

interface Replaced {
  readonly player: Player;
  readonly operation: Operation;
  readonly what: string;
  readonly view: Undo | undefined;
  readonly before: Promise<Exchange> | undefined;
  /** The last request that was accepted. */
  last?: Exchange['request'];
}

export interface WrittenValues {
  /** Reads the value of a player before the first call that replaces it. */
  readonly before: (
    player: Player,
    operation: Operation,
    request: Exchange['request'],
    send: Send,
  ) => Promise<void>;
  /** Notes an answer to a player. */
  readonly note: (player: Player, operation: Operation, exchange: Exchange) => void;
  /**
   * Writes the earlier values back.
   * @returns what this run replaced for good, a line for each kind
   */
  readonly putBack: (
    send: Send,
    repeat: (player: Player, operation: Operation, request: Exchange['request']) => Promise<Exchange>,
  ) => Promise<string[]>;
}

/** @param outlive whether the players exist before and after the run; new accounts have nothing to put back */
export function createWrittenValues(outlive: boolean): WrittenValues {
  const replaced = new Map<string, Replaced>();
  const keyOf = ({ account }: Pick<Player, 'account'>, { id }: Operation, view: Undo | undefined) =>
    `${account} ${id} ${view?.[0].id}`;

  const found = (player: Player, operation: Operation, request: Exchange['request'], send?: Send) => {
    const kind = outlive ? kinds[operation.id] : undefined;
    if (kind === undefined) return undefined;
    const view = kind.read?.(player, request);
    const key = keyOf(player, operation, view);
    const known = replaced.get(key) ?? {
      player,
      operation,
      view,
      what: kind.what,
      before: view && send?.(player, ...view),
    };
    replaced.set(key, known);
    return known;
  };

  return {
    async before(player, operation, request, send) {
      await found(player, operation, request, send)?.before;
    },
    note(player, operation, exchange) {
      if (!isSuccess(exchange)) return;
      const known = found(player, operation, exchange.request);
      if (known) known.last = exchange.request;
    },
    async putBack(send, repeat) {
      const left = await Promise.all(
        [...replaced.values()].map(async ({ last, view, before, ...own }) => {
          if (last === undefined) return [];
          const now = view && (await send(own.player, ...view));
          const was = await before;
          if (now && was && sameValues(was, now)) return [];
          const back = now && was && requestOfBefore(last, was, now);
          if (back === undefined || view === undefined) return [own];
          if (!isSuccess(await repeat(own.player, own.operation, back))) return [own];
          const { holds } = await poll(
            () => send(own.player, ...view),
            (answer) => sameValues(was as Exchange, answer),
          );
          return holds ? [] : [own];
        }),
      );
      return Array.from(
        Map.groupBy(left.flat(), ({ what }) => what),
        ([what, all]) => {
          const { size } = new Set(all.map(({ player }) => player.account));
          return `${what} of ${size} ${size === 1 ? 'player' : 'players'}: as this run left them: nothing stood there before, or it was not taken back`;
        },
      ).sort();
    },
  };
}

const valuesOf = (answer: Exchange): ReadonlyMap<string, unknown> =>
  new Map(answerLeaves(answer).map(({ pointer, value }) => [pointer, value]));

/** Whether both answers show the same texts; numbers and times do not count, since a write may change them. */
function sameValues(before: Exchange, after: Exchange): boolean {
  const [was, is] = [valuesOf(before), valuesOf(after)];
  const texts = (values: ReadonlyMap<string, unknown>) =>
    [...values].filter(([, value]) => typeof value === 'string' && !/^\d{4}-\d\d-\d\dT/.test(value));
  if (isSuccess(before) !== isSuccess(after)) return false;
  return is.size > 0 ? String(texts(was)) === String(texts(is)) : answerText(before) === answerText(after);
}

/** The request with the values that stood there before in place of its own; undefined where nothing stood there. */
function requestOfBefore(
  request: Exchange['request'],
  before: Exchange,
  now: Exchange,
): Exchange['request'] | undefined {
  if (!isSuccess(before)) return undefined;
  if (request.body instanceof Uint8Array) return { ...request, body: before.response?.body ?? nothing };
  const was = valuesOf(before);
  const changed = [...valuesOf(now)].filter(([pointer, value]) => was.get(pointer) !== value);
  const sent = changed.filter(
    ([, value]) => typeof value === 'string' && value !== '' && saysText(request, value),
  ) as [string, string][];
  const instead = new Map(sent.map(([pointer, value]) => [value, was.get(pointer)]));
  if (instead.size !== 1) return undefined;
  const [[own, earlier] = []] = instead;
  if (own === undefined || typeof earlier !== 'string') return undefined;
  return {
    ...request,
    url: request.url.replaceAll(encodeURIComponent(own), encodeURIComponent(earlier)),
    ...(request.body !== undefined && { body: request.body.replaceAll(inJson(own), inJson(earlier)) }),
  };
}

const nothing = new Uint8Array();
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
const saysText = ({ url, body = '' }: Exchange['request'], text: string) =>
  url.includes(encodeURIComponent(text)) || (typeof body === 'string' && body.includes(`"${inJson(text)}"`));
