// Lends players to scenarios: new ones while there are some, then those that earlier scenarios gave back.
import type { OrWhy } from '../values/or-why.ts';
import type { People } from './accounts.ts';
import type { Player } from './players.ts';
import type { Account } from './session-renewal.ts';

export type Spread = OrWhy<{
  readonly players: readonly Player[];
  /** The players that may have played before: in another scenario or, where their tokens are fixed, in another run. */
  readonly reused: readonly Player[];
}>;

export interface ScenarioPeople {
  /** Takes this many distinct players that no other scenario has meanwhile; otherwise returns why there are too few. */
  spread(count: number, purpose: string): Promise<Spread>;
  /** One more player for a scenario that is under way; waits 2 s at most for one. */
  spare(purpose: string): Promise<Spread>;
  /** Gives players back: where accounts are few, the next scenario gets them. */
  release(players: readonly Player[]): void;
}

interface ScenarioPeopleOptions {
  readonly people: People;
  /** The first and the last number of the accounts that only scenarios use. */
  readonly first: number;
  readonly last: number;
  /** Accounts up to this number are those of single checks. */
  readonly forChecks: number;
  /** Scenarios use the accounts of single checks, which then wait; otherwise only where there are too few others. */
  readonly borrows: boolean;
  /** The players existed before this run. */
  readonly outlives: boolean;
  /** Makes the player of an account, for a scenario. */
  readonly play: (name: string, account: Account) => Player;
  /** Called when a scenario gets the account. */
  readonly lend: (account: Account) => void;
  /** Awaited before the first player of a scenario signs in. */
  readonly before: () => Promise<void>;
}

/** A scenario that waits for players. */
interface Waiting {
  readonly count: number;
  readonly flow: string;
  /** The players it may have. */
  readonly from: readonly Account[];
  /** The players that it gets in every run, where players outlive the run. */
  readonly own: readonly Account[] | undefined;
  /** How often it was offered players who have met. */
  rounds: number;
  readonly end: (found: readonly Account[] | undefined) => void;
}

/** The first player, as whom steps ask whether an operation is served: lent only where there are too few others. */
const asker = 1;
/** Most times that a scenario declines players who have met, and waits for others. */
const mostRounds = 8;
/** After this time without a returned player, in ms, the first scenario in line takes any free players. */
const othersAfterMs = 1_000;
/** How long the first scenario in line waits for returned players before it runs without them, in ms. */
const longestWaitMs = 30_000;

/** How long a scenario under way waits for one more player, in ms: others may wait for it meanwhile. */
const spareWaitMs = 2_000;

export function createScenarioPeople(options: ScenarioPeopleOptions): ScenarioPeople {
  const { people, first, last, forChecks, before, play, lend } = options;
  const taken = new Set<Account>();
  /** Players made for scenarios, in the order in which they are lent again. */
  const known: Account[] = [];
  const line: Waiting[] = [];
  /** Scenarios under way that wait for one more player. */
  const spares: ((found: Account | undefined) => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  /** Sign-ins of scenarios. */
  const underWay: Promise<unknown>[] = [];
  /** Players that were in a scenario: its blocks, parties and claimed gifts may remain. */
  const lent = new Set<Account>();
  /** For each account, the flows and the numbers of the accounts that it met there: `flow number`. */
  const met = new Map<Account, ReadonlySet<string>>();
  let number = first;
  /** How many players scenarios have asked for so far. */
  let turns = 0;
  let ready: Promise<void> | undefined;
  let theirs: Promise<readonly Account[]> | undefined;

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

  /** Accounts of single checks; the first player's comes last. */
  const ofChecks = (): Promise<readonly Account[]> => {
    theirs ??= Promise.all(
      Array.from({ length: forChecks }, (_, nth) => people.person(forChecks - nth)),
    ).then((found) => found.flatMap((person) => (person.ok ? [person.account] : [])));
    return theirs;
  };

  const all = async () => [...known, ...(await ofChecks())];

  /** Chooses players of whom as few as possible met in that flow before: some friendships cannot be ended. */
  const unacquainted = (accounts: readonly Account[], count: number, flow: string): Account[] => {
    const chosen: Account[] = [];
    const acquainted = (account: Account) =>
      chosen.filter((other) => met.get(account)?.has(`${flow} ${other.number}`)).length;
    for (const rest = [...accounts]; chosen.length < count; ) {
      const fewest = Math.min(...rest.map(acquainted));
      chosen.push(
        ...rest.splice(
          rest.findIndex((each) => acquainted(each) === fewest),
          1,
        ),
      );
    }
    return chosen;
  };

  /**
   * The players of a turn, in the order of their numbers: the order of sign-ins and returns is chance. A scenario has
   * the same players in each run, so that a later run finds at the same places what an earlier one left.
   */
  const inTurn = (accounts: readonly Account[], count: number, turn: number, flow: string) => {
    const sorted = accounts.toSorted((a, b) => a.number - b.number);
    const first = turn % sorted.length;
    return unacquainted([...sorted.slice(first), ...sorted.slice(0, first)], count, flow);
  };

  const introduce = (accounts: readonly Account[], flow: string): void => {
    for (const account of accounts) {
      const others = accounts.filter((other) => other !== account).map(({ number }) => `${flow} ${number}`);
      met.set(account, new Set([...(met.get(account) ?? []), ...others]));
    }
  };

  const haveMet = (accounts: readonly Account[], flow: string) =>
    accounts.some((one) => accounts.some(({ number }) => met.get(one)?.has(`${flow} ${number}`)));

  /** Players for a waiting scenario, none of them among `others`; undefined where it has to wait. */
  const chosenFor = (waiting: Waiting, others: ReadonlySet<Account>, isPatient: boolean) => {
    const { own, from, count, flow } = waiting;
    if (own && isPatient) return own.some((account) => others.has(account)) ? undefined : own;
    const free = from.filter((account) => !others.has(account));
    if (free.length < count) return undefined;
    const chosen = unacquainted(free, count, flow);
    const mayWait = isPatient && free.length < from.length && waiting.rounds < mostRounds;
    if (!mayWait || !haveMet(chosen, flow)) return chosen;
    waiting.rounds += 1;
    return undefined;
  };

  /** A waiting scenario blocks those behind it in line; otherwise one that needs many players might never get them. */
  const serveLine = (): void => {
    const wanted = new Set(taken);
    for (const waiting of [...line]) {
      const found = chosenFor(waiting, wanted, true);
      if (found) leaveLine(waiting, found);
      for (const account of found ?? waiting.own ?? waiting.from) wanted.add(account);
    }
    clearTimeout(timer);
    const [first] = line;
    if (first) timer = setTimeout(takeOthers, othersAfterMs, first);
  };

  const takeOthers = (waiting: Waiting): void => {
    const found = chosenFor(waiting, taken, false);
    if (found) giveUp(waiting, found);
    else timer = setTimeout(giveUp, longestWaitMs - othersAfterMs, waiting);
  };

  const giveUp = (waiting: Waiting, found?: readonly Account[]): void => {
    leaveLine(waiting, found);
    serveLine();
  };

  const leaveLine = (waiting: Waiting, found: readonly Account[] | undefined): void => {
    line.splice(line.indexOf(waiting), 1);
    for (const account of found ?? []) taken.add(account);
    if (found) introduce(found, waiting.flow);
    waiting.end(found);
  };

  const release = (accounts: Iterable<Account>): void => {
    for (const account of accounts) taken.delete(account);
    serveSpares();
    serveLine();
  };

  /** Takes all players at once, so that a waiting scenario holds none. Returns a reason where it cannot have them. */
  const take = async (count: number, flow: string): Promise<readonly Account[] | string> => {
    const turn = turns;
    turns += count;
    const signingIn = Promise.all(Array.from({ length: count }, fresh));
    underWay.push(signingIn);
    const made = (await signingIn).filter((each) => each !== undefined);
    if (made.length === count) {
      introduce(made, flow);
      return made;
    }
    release(made);
    // The number of players is known only once the sign-ins that other scenarios began have ended.
    await Promise.all(underWay);
    const lendable = options.borrows ? (await all()).filter(({ number }) => number !== asker) : known;
    const from = lendable.length < count ? await all() : lendable;
    if (from.length < count) return tooFew(from.length, count);
    const own = options.outlives ? inTurn(from, count, turn, flow) : undefined;
    // Which players a later scenario gets must not depend on whether this one has begun.
    if (own) introduce(own, flow);
    const found = await new Promise<readonly Account[] | undefined>((end) => {
      line.push({ count, flow, from, own, rounds: 0, end });
      serveLine();
    });
    return found ?? `the ${from.length} players that scenarios may have are taken by other scenarios`;
  };

  /** Takes a player that no scenario has; undefined where there is none. */
  const takeFree = (): Account | undefined => {
    const free = known.findLast((account) => !taken.has(account) && account.number !== asker);
    if (free) taken.add(free);
    return free;
  };

  /** Waits for a player, ahead of the line: a scenario under way holds players, and others may wait for those. */
  const awaitFree = (): Promise<Account | undefined> =>
    new Promise((resolve) => {
      const end = (found: Account | undefined) => {
        clearTimeout(timeout);
        resolve(found);
      };
      const timeout = setTimeout(() => {
        spares.splice(spares.indexOf(end), 1);
        end(undefined);
      }, spareWaitMs);
      spares.push(end);
    });

  const serveSpares = (): void => {
    while (spares.length > 0) {
      const found = takeFree();
      if (found === undefined) return;
      spares.shift()?.(found);
    }
  };

  const tooFew = (there: number, count: number): string =>
    `${count} different players are needed and there ${there === 1 ? 'is one' : `are ${there}`}: ${
      people.exhausted() ?? people.mistaken()?.why ?? 'LOGIN_TOKEN holds no more tokens'
    }`;

  const accounts = new WeakMap<Player, Account>();
  const lendOut = (found: readonly Account[], purpose: string): Spread => {
    const isReused = found.map(
      (account) => options.outlives || lent.has(account) || account.number <= forChecks,
    );
    const players = found.map((account, nth) => {
      lent.add(account);
      lend(account);
      const player = play(`${purpose} ${nth + 1}`, account);
      accounts.set(player, account);
      return player;
    });
    return { ok: true, players, reused: players.filter((_, nth) => isReused[nth]) };
  };

  return {
    async spread(count, purpose) {
      ready ??= before();
      await ready;
      const [flow = ''] = purpose.split(' ');
      const found = await take(count, flow);
      return typeof found === 'string' ? { ok: false, why: found } : lendOut(found, purpose);
    },
    async spare(purpose) {
      const found = takeFree() ?? (await fresh()) ?? (await awaitFree());
      if (found === undefined)
        return { ok: false, why: people.exhausted() ?? 'LOGIN_TOKEN holds no more tokens that are free' };
      return lendOut([found], purpose);
    },
    release: (players) => release(players.flatMap((player) => accounts.get(player) ?? [])),
  };
}
