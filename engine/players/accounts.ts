// Assigns accounts: single checks share some, others belong to one operation or scenario. Signs them in when needed.
import type { Client } from '../http/client.ts';
import type { TransportError } from '../http/exchange.ts';
import type { Target } from '../target/target.ts';
import { once } from '../values/once.ts';
import type { OrWhy } from '../values/or-why.ts';
import { switchPoint } from '../values/switch-points.ts';
import type { Session } from './session.ts';
import type { Liveness } from './session-end.ts';
import { type Account, createAccount } from './session-renewal.ts';
import { type SignedIn, signInWith } from './sign-in.ts';
import type { Found } from './sign-in-discovery.ts';
import type { GivenToken, PlayerTokens } from './tokens.ts';

/** Most accounts that single checks share. */
const mostForChecks = 32;
/** Accounts for operations that change something: one each, and some for those that a profile declares to do so. */
const mostForOperations = 80;
/** How many players are active at once when all scenarios run. */
const enoughForScenarios = 80;

/** With fewer accounts, scenarios borrow those of single checks, which then wait until the scenarios are over. */
const enoughForBoth = 8;
export const areFew = (accounts: number): boolean => accounts < enoughForBoth;

interface Layout {
  /** Accounts from 1 up to this one are those of single checks. */
  readonly forChecks: number;
  /** Accounts after those, up to this one, belong to operations that change something; none where both are equal. */
  readonly forOperations: number;
}

/** With few accounts, single checks get a third of them, at least two, and no operation has one of its own. */
export function layoutOf(accounts: number): Layout {
  const third = Math.max(2, Math.floor(accounts / 3));
  const forChecks = Math.min(mostForChecks, accounts, third);
  const isRoomy = accounts >= mostForChecks + mostForOperations + enoughForScenarios;
  return { forChecks, forOperations: isRoomy ? mostForChecks + mostForOperations : forChecks };
}

/** The accounts that exist: signed in when first needed, and distinguished by the ids that the target gives them. */
export interface People {
  /** The account of a number, signed in; or the reason why the target refuses it or takes it for another account. */
  person(number: number): Promise<Person>;
  /** The same account in a second session, which nobody else uses and which is not renewed; undefined where refused. */
  again(number: number): Promise<Account | undefined>;
  /** The account with a session that was made elsewhere, as by a forged token; it is not renewed. */
  holding(number: number, session: Session): Account;
  /** The reason why no further account is tried; undefined while one may be. */
  exhausted(): string | undefined;
  /** The last account that the target took for another one; undefined where there is none. */
  mistaken(): Mistaken | undefined;
  /** How many sessions were found to be over, so that their players signed in again. */
  renewals(): number;
}

/** An account that the target takes for another, since it gives both one player id. */
interface Mistaken {
  readonly why: string;
  readonly account: Account;
  /** The number of that other account. */
  readonly other: number;
}

type Person = OrWhy<{ readonly account: Account }>;

interface PeopleOptions {
  readonly client: Client;
  /** Signs in; repeats a call that meets a server error. */
  readonly unjudged: Client;
  readonly target: Target;
  readonly tokens: PlayerTokens;
  readonly discovery: Found;
  readonly liveness: Liveness;
  readonly note: (session: Session, account: number) => void;
}

/** Stops making accounts after this many were refused or taken for another. */
const mostInVain = 3;

interface Signing {
  readonly why: string;
  readonly from: GivenToken['from'];
}

/** The status with which this target refuses anonymous callers; 401 where it does not refuse them. */
export const refusalOf = switchPoint((without: number) => (without >= 300 && without < 500 ? without : 401));

const oneId = (from: GivenToken['from']) =>
  `its login answers both with one player id (${from === 'test JWT' ? 'test JWTs' : from})`;

/** The remedy where a detail says that the login gives several tokens one player id: more such tokens do not help. */
export function remedyOfOneId(detail: string): string | undefined {
  const [, from] = /one player id \(([^)]*)\)/.exec(detail) ?? [];
  if (from === undefined) return undefined;
  if (from === 'test JWTs')
    return 'let the login make a player of each test JWT (by its sub): it answers several with one player id; or set LOGIN_TOKEN to tokens of several players';
  const verb = from === 'LOGIN_TOKEN_COMMAND' ? 'print' : 'hold';
  return `let ${from} ${verb} tokens of different players: the login answers several with one player id`;
}

function whyRefused(
  number: number,
  { why, unheard }: { readonly why?: string; readonly unheard?: TransportError },
): string {
  if (why !== undefined) return why;
  if (unheard?.kind === 'budget') return 'the time for the whole run was over before more had signed in';
  if (unheard !== undefined) return `player ${number} got no answer to the login: ${unheard.message}`;
  return `the target refuses to sign in player ${number}`;
}

export function createPeople(options: PeopleOptions): People {
  const { client, unjudged, target, tokens, discovery, liveness, note } = options;
  const { recipe, evidence } = discovery;
  const idOf = new Map<string, number>();
  let inVain = 0;
  let renewals = 0;
  let lastWhy = '';
  let mistaken: Mistaken | undefined;

  const no = (why: string): Person => {
    inVain += 1;
    lastWhy = why;
    return { ok: false, why };
  };
  const exhausted = () => (inVain >= mostInVain ? lastWhy : undefined);

  const signIn = async (nth: number): Promise<SignedIn & Partial<Signing>> => {
    const given = await tokens.of(nth);
    if ('why' in given) return { refused: true, why: given.why };
    const signed = await signInWith(recipe, unjudged, target, { token: given.token, nth });
    if ('session' in signed) note(signed.session, nth);
    return { ...signed, from: given.from };
  };

  const accountOf = (number: number, first: Session, neverRenews = false): Account =>
    createAccount({
      number,
      first,
      neverRenews,
      signIn: async () => {
        renewals += 1;
        const signed = await signIn(number);
        return 'session' in signed ? signed.session : undefined;
      },
      client,
      liveness,
      rotates: recipe.rotates,
      refusal: refusalOf(evidence.without),
      note: (session) => note(session, number),
    });

  const person = once(async (number: number): Promise<Person> => {
    const why = exhausted();
    if (why !== undefined) return { ok: false, why };
    const first = number === 1 ? { session: discovery.session, from: discovery.from } : await signIn(number);
    const signed = 'session' in first || first.refused ? first : await signIn(number);
    if (!('session' in signed)) {
      const refusal = whyRefused(number, signed);
      // The time for the run is over: no later account can sign in.
      if (signed.unheard?.kind === 'budget') inVain = mostInVain;
      // One bad token of a list shows nothing about the next one.
      return number <= target.loginTokens.length && inVain < mostInVain
        ? { ok: false, why: refusal }
        : no(refusal);
    }
    const { playerId } = signed.session;
    const other = playerId === undefined ? undefined : idOf.get(playerId);
    if (other !== undefined) {
      const why = `the target takes player ${number} for player ${other}, since ${oneId(signed.from ?? discovery.from)}`;
      mistaken = { why, account: accountOf(number, signed.session), other };
      return no(why);
    }
    if (playerId !== undefined) idOf.set(playerId, number);
    return { ok: true, account: accountOf(number, signed.session) };
  });

  const again = async (number: number): Promise<Account | undefined> => {
    const signed = await signIn(number);
    return 'session' in signed ? accountOf(number, signed.session, true) : undefined;
  };

  note(discovery.session, 1);
  void person(1);
  const holding = (number: number, session: Session) => accountOf(number, session, true);
  return { person, again, holding, exhausted, mistaken: () => mistaken, renewals: () => renewals };
}

/** Reserves accounts for single names, where the target admits enough players. */
export interface Room {
  /** Returns whether an account is left for each name that needs its own; false once the target admits no more. */
  hasRoom(): Promise<boolean>;
  /** The account that is reserved for this name; undefined where none is left. */
  own(name: string): Promise<Account | undefined>;
}

interface RoomOptions {
  readonly people: Pick<People, 'person' | 'exhausted'>;
  readonly layout: Layout;
  /** The accounts of names that every run needs: they sign in first. */
  readonly others: () => Promise<readonly Account[]>;
}

export function createRoom({ people, layout, others }: RoomOptions): Room {
  const { forChecks, forOperations } = layout;
  const numbers = new Map<string, number>();
  let found: Promise<boolean> | undefined;

  /** Signs in the needed accounts before an optional one, which might take the last room that a target has. */
  const findRoom = async (): Promise<boolean> => {
    if (forOperations <= forChecks) return false;
    const first = await others();
    if (new Set(first).size < first.length) return false;
    return (await people.person(forChecks + 1)).ok;
  };

  const hasRoom = async (): Promise<boolean> => {
    found ??= findRoom();
    return (await found) && people.exhausted() === undefined;
  };

  return {
    hasRoom,
    async own(name) {
      if (!(await hasRoom())) return undefined;
      const number = numbers.get(name) ?? forChecks + numbers.size + 1;
      if (number > forOperations) return undefined;
      numbers.set(name, number);
      const person = await people.person(number);
      return person.ok ? person.account : undefined;
    },
  };
}
