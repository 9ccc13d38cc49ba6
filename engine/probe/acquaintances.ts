// Records which players of a run have met: an answer to one may then name the other.
import type { Identities } from '../players/identities.ts';
import { switchPoint } from '../values/switch-points.ts';

export interface Acquaintances {
  /** Records that these accounts may name one another from now on. */
  readonly acquaint: (accounts: Iterable<number>) => void;
  /**
   * Acquaints the caller with each player that a request names, and with everybody in a party or match that it names
   * (canonical values).
   */
  readonly noteRequest: (caller: number, values: Iterable<string>) => void;
  /** Records that the account knows the id of a party or a match, from an answer or from its own request. */
  readonly noteMembership: (id: string, account: number) => void;
  readonly holds: (id: string, account: number) => boolean;
  /** Records that the account entered the queue, where it may be matched with every other player in it. */
  readonly enterQueue: (account: number) => void;
  readonly areAcquainted: (one: number, other: number) => boolean;
}

const mostIds = 50_000;

export function createAcquaintances({
  ownerOf,
  areOne,
}: Pick<Identities, 'ownerOf' | 'areOne'>): Acquaintances {
  const acquainted = new Map<number, Set<number>>();
  const holders = new Map<string, Set<number>>();
  const queued = new Set<number>();

  const acquaint = (accounts: Iterable<number>) => {
    const all = [...accounts];
    for (const one of all) {
      const others = acquainted.get(one) ?? new Set();
      for (const other of all) others.add(other);
      acquainted.set(one, others);
    }
  };

  return {
    acquaint,
    noteRequest(caller, values) {
      for (const value of values) {
        const owner = ownerOf(value);
        if (owner !== undefined && owner !== caller) acquaint([caller, owner]);
        const inside = holders.get(value);
        if (inside === undefined || inside.has(caller)) continue;
        for (const each of inside) acquaint([caller, each]);
        inside.add(caller);
      }
    },
    noteMembership(id, account) {
      const known = holders.get(id);
      if (known) known.add(account);
      else if (holders.size < mostIds) holders.set(id, new Set([account]));
    },
    holds: (id, account) => holders.get(id)?.has(account) === true,
    enterQueue: (account) => void queued.add(account),
    areAcquainted: (one, other) =>
      areOne(one, other) ||
      acquainted.get(one)?.has(other) === true ||
      (queued.has(one) && queued.has(other)),
  };
}

/** Whether an answer to one player may name the other. */
export const haveMet = switchPoint(
  ({ areAcquainted }: Pick<Acquaintances, 'areAcquainted'>, one: number, other: number): boolean =>
    areAcquainted(one, other),
);
