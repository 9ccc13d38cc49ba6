// Assigns players to scenarios: no other check uses them, and where there are few, scenarios take turns.
import type { Account } from './account.ts';
import type { People } from './accounts.ts';
import { type Player, playerOf } from './player.ts';

export type Spread =
  | { readonly ok: true; readonly players: readonly Player[] }
  | { readonly ok: false; readonly why: string };

export interface ScenarioPeople {
  /** Takes this many distinct players that no other check uses; or the reason why there are too few. */
  spread(count: number, purpose: string): Promise<Spread>;
  /** Gives players back: where accounts are few, the next scenario gets them. */
  release(players: readonly Player[]): void;
}

export interface ScenarioPeopleOptions {
  readonly people: People;
  /** Numbers of the accounts that only scenarios play. */
  readonly first: number;
  readonly last: number;
  /** Accounts up to this number are those of single checks: lent only where there are no others. */
  readonly forChecks: number;
  readonly tokenOf: (number: number) => Promise<string | undefined>;
  /** Awaited before the first of them signs in. */
  readonly before: () => Promise<void>;
  /** Gets the account that a player was given. */
  readonly note: (player: Player, account: Account) => void;
}

/** A scenario that has waited this long for players runs without them. */
const longestWaitMs = 30_000;

export function createScenarioPeople(options: ScenarioPeopleOptions): ScenarioPeople {
  const { people, first, last, forChecks, tokenOf, before, note } = options;
  const taken = new Set<Account>();
  /** Players made for scenarios, in the order in which they are lent again. */
  const known: Account[] = [];
  const waiting: (() => void)[] = [];
  /** Sign-ins of scenarios. */
  const underWay: Promise<unknown>[] = [];
  /** A player who was in a scenario is no longer new: there may be blocks, parties and claimed gifts. */
  const lent = new Set<Account>();
  let number = first;
  let ready: Promise<void> | undefined;
  let lendable: Promise<readonly Account[]> | undefined;

  const fresh = async (): Promise<Account | undefined> => {
    while (number <= last && people.exhausted() === undefined) {
      number += 1;
      const person = await people.person(number - 1);
      if (!person.ok) continue;
      known.push(person.account);
      taken.add(person.account);
      return person.account;
    }
    return undefined;
  };

  /** Accounts of single checks; the first player's comes last, since it sends the most calls. */
  const ofChecks = (): Promise<readonly Account[]> => {
    lendable ??= Promise.all(
      Array.from({ length: forChecks }, (_, nth) => people.person(forChecks - nth)),
    ).then((found) => found.flatMap((person) => (person.ok ? [person.account] : [])));
    return lendable;
  };

  const free = (accounts: readonly Account[]) => accounts.filter((account) => !taken.has(account));

  const release = (accounts: Iterable<Account>): void => {
    for (const account of accounts) taken.delete(account);
    for (const wake of waiting.splice(0)) wake();
  };

  /** Takes all the players at once, so that a scenario that waits holds none. */
  const take = async (count: number): Promise<readonly Account[] | string> => {
    const until = Date.now() + longestWaitMs;
    const signingIn = Promise.all(Array.from({ length: count }, fresh));
    underWay.push(signingIn);
    const made = (await signingIn).filter((each) => each !== undefined);
    if (made.length === count) return made;
    release(made);
    // The number of players is known only once the sign-ins that other scenarios began have ended.
    await Promise.all(underWay);
    const all = [...known, ...(await ofChecks())];
    if (all.length < count) return tooFew(all.length, count);
    while (Date.now() < until) {
      const found = free(all).slice(0, count);
      if (found.length === count) {
        for (const account of found) taken.add(account);
        return found;
      }
      await turn(until - Date.now());
    }
    return `all ${all.length} players that the target allows are taken by other scenes`;
  };

  const turn = (ms: number) =>
    new Promise<void>((wake) => {
      const timer = setTimeout(wake, Math.max(0, ms));
      waiting.push(() => {
        clearTimeout(timer);
        wake();
      });
    });

  const tooFew = (there: number, count: number): string =>
    `${count} different players are needed and there ${there === 1 ? 'is one' : `are ${there}`}: ${
      people.exhausted() ?? people.mistaken() ?? 'LOGIN_TOKEN holds no more tokens'
    }`;

  const accounts = new WeakMap<Player, Account>();
  return {
    async spread(count, purpose) {
      ready ??= before();
      await ready;
      const found = await take(count);
      if (typeof found === 'string') return { ok: false, why: found };
      const players = found.map((account, nth) => {
        const isWorn = lent.has(account) || account.number <= forChecks;
        lent.add(account);
        const player = playerOf(
          `${purpose} ${nth + 1}`,
          account,
          () => tokenOf(account.number),
          () => isWorn,
        );
        accounts.set(player, account);
        note(player, account);
        return player;
      });
      return { ok: true, players };
    },
    release: (players) => release(players.flatMap((player) => accounts.get(player) ?? [])),
  };
}
