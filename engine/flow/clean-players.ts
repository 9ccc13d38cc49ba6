// Checks that a player who may have played before is in no party, no queue and no match.
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { sameOutline } from '../compare/content.ts';
import type { Ask } from '../http/ask.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Player } from '../players/players.ts';

const { party, match, queue } = areas;

interface CleanPlayersOptions {
  readonly send: (player: Player, operation: Operation, ask?: Ask) => Promise<Exchange>;
  /** Waits that many ms: a replica may show late that a player left. */
  readonly pause: (ms: number) => Promise<unknown>;
}

/** What a teardown did not put back. */
export interface Remainder {
  readonly operation: Operation;
  /** One line: the scenario, and how the teardown call ended. */
  readonly line: string;
}

export interface CleanPlayers {
  /** What an earlier scenario left on a player, after one more try to undo it; undefined where they are shown clean. */
  readonly traceOf: (player: Player) => Promise<string | undefined>;
  /** Notes what the teardown of these players' scenario could not put back. */
  readonly note: (players: readonly Player[], remainders: readonly Remainder[]) => void;
}

const rereadAfterMs: readonly number[] = [0, 250, 500];
/** Ids of match and queue operations: no documented read shows their state, so only the answer to a teardown does. */
const unread = new Set(Object.values({ ...match, ...queue }).map(({ id }) => id));

export function createCleanPlayers({ send, pause }: CleanPlayersOptions): CleanPlayers {
  const leave = (player: Player, disband: 'true' | 'false') =>
    send(player, party.leave, { params: { disband } });
  const left = new Map<number, string>();
  let reference: Promise<Exchange> | undefined;

  /** The party details of a player who is in no party: the first player leaves any party of an earlier run. */
  const unattached = (player: Player): Promise<Exchange> => {
    reference ??= leave(player, 'false').then(() => send(player, party.details));
    return reference;
  };

  return {
    async traceOf(player) {
      const remainder = left.get(player.account);
      if (remainder !== undefined) return remainder;
      const clean = await unattached(player);
      if (sameOutline(await send(player, party.details), clean)) return undefined;
      // One of the two ways to leave may be broken.
      for (const disband of ['false', 'true'] as const) {
        await leave(player, disband);
        for (const ms of rereadAfterMs) {
          await pause(ms);
          if (sameOutline(await send(player, party.details), clean)) return undefined;
        }
      }
      return `player ${player.account} is not shown to be in no party (${party.details.id}), although they left`;
    },
    note(players, remainders) {
      const remainder = remainders.find(({ operation }) => unread.has(operation.id));
      if (remainder === undefined) return;
      for (const { account } of players) left.set(account, `an earlier scenario left ${remainder.line}`);
    },
  };
}
