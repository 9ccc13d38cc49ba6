// The players of a run: created when first needed, and distinct accounts for as many as the target allows.
import { areas, operationById } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { withErrorRepeats } from '../compare/passing-errors.ts';
import type { Client, SendOptions } from '../http/client.ts';
import type { Exchange, Request } from '../http/exchange.ts';
import type { Redactor, Secrets } from '../http/redact.ts';
import { takesSession } from '../target/session-transport.ts';
import type { Target } from '../target/target.ts';
import { once } from '../values/once.ts';
import { areFew, createPeople, createRoom, layoutOf, type Room } from './accounts.ts';
import { createIdentities, type Identities } from './identities.ts';
import { createScenarioPeople, type ScenarioPeople, type Spread } from './scenario-people.ts';
import { type Session, secretsIn, signed } from './session.ts';
import { createLiveness, type DeadSession, endSession } from './session-end.ts';
import type { Account } from './session-renewal.ts';
import { signInWith } from './sign-in.ts';
import type { Found } from './sign-in-discovery.ts';
import { createPlayerTokens } from './tokens.ts';

export interface Players extends ScenarioPeople, Pick<Room, 'hasRoom'> {
  /** How many players can have a token of their own. */
  readonly accounts: number;
  /** Accounts are so few that scenarios borrow those of single checks. */
  readonly areFew: boolean;
  /** The players existed before this run, and the next run uses them again. */
  readonly outlive: boolean;
  /** Finds the sender of a request, and the player that a value in an answer names. */
  readonly identities: Identities;
  /** Returns whether an id belongs to a player who was signed in. */
  isOne(id: string): boolean;
  /** The player of a name, signed in where the target allows it. Where accounts are few, names share them. */
  player(name: string): Promise<Player>;
  /** Reserves an account for one name alone; false where no account is left. */
  ownOf(name: string): Promise<boolean>;
  /** This many players that only this attack uses, or the reason why there are too few. */
  forAttack(count: number, purpose: string): Promise<Spread>;
  /** One more player for a scenario that is under way, where one is free soon; otherwise the reason why not. */
  spare(purpose: string): Promise<Spread>;
  /**
   * Sends a request as this player: adds the credential, follows a session that changes with every answer (calls then
   * go one after another), and renews one that stopped working and repeats the request: up to 20 times, 3 of them with
   * sessions that no answer proved alive. Hosts that do not take the session get no credential. Never rejects.
   */
  sendAsPlayer(
    player: Player,
    operation: Operation,
    request: Request,
    options?: SendOptions,
  ): Promise<Exchange>;
  /** The request with this player's credential; undefined where there is none, or every answer replaces it. */
  signedFor(player: Player, operation: Operation, request: Request): Promise<Request | undefined>;
  readonly forging: Forging;
  /** Sends with a session made for this call alone, for calls that end sessions. Never rejects. */
  sendApart(operation: Operation, request: Request, options?: SendOptions): Promise<Exchange>;
  /** The same player once more, in a new session that is not renewed; undefined where the target refuses. */
  withSecondSession(player: Player): Promise<Player | undefined>;
  /** Two players with a test JWT each, where the login gives all of them one id; otherwise undefined. */
  lookalikes(): Promise<readonly [Player, Player] | undefined>;
  /** A session that was logged out, after the logout took effect; made once per run. */
  deadSession(): Promise<DeadSession>;
  /** The token that a name signs in with. */
  tokenFor(name: string): Promise<string | undefined>;
  /** The login token and the session that a request of this run carries. */
  secretsIn(request: Request): Pick<Secrets, 'token' | 'session'>;
}

interface PlayersOptions {
  readonly client: Client;
  readonly target: Target;
  readonly redactor: Pick<Redactor, 'learn'>;
  /** How sign-in works here, and player 1's token and session. */
  readonly discovery: Found;
}

/** Ways into the target other than a player's own session: made tokens and altered sessions. */
export interface Forging {
  /** How many sessions of this run's players were found to be over, so that their players signed in again. */
  readonly renewals: () => number;
  /** The source of the tokens of this run's players. */
  readonly tokensFrom: Found['from'];
  /** A token of that player with these claims; undefined where none can be signed here. */
  readonly tokenWith: (
    player: Player,
    claims: Readonly<Record<string, unknown>>,
  ) => Promise<string | undefined>;
  /** Signs in with that token in the known way. @param like the player whose number the call carries */
  readonly enter: (token: string, like: Player) => Promise<Entered>;
  /** A player that sends this player's session with one secret replaced; undefined where there is no session. */
  readonly carrying: (player: Player, secret: string, instead: string) => Promise<Player | undefined>;
}

export type Entered =
  /** With a session that is not renewed. */
  | { readonly kind: 'in'; readonly player: Player; readonly login: Exchange }
  | { readonly kind: 'refused' }
  /** A rate limit, a server error or silence. */
  | { readonly kind: 'unheard' };

/** Names whose sessions are ended by checks; each gets its own account where there are enough. */
const ender = 'session-ender';
const loggedOut = 'logged-out';
/** The player whose token the login operation is called with. */
const login = 'login';

/** How many players the login must take for one before it counts as giving everybody the same id. */
const mostAlike = 4;

/** Players that send bad input and floods. What a target stores of it must not show in other reads or later runs. */
const ruinedNames = ['fuzzer', 'leaver', 'crowd'];

/** The last accounts of single checks, for those players: one each, or one for all; none of fewer than three. */
function numbersOfRuined(forChecks: number): Readonly<Record<string, number>> {
  if (forChecks < 3) return {};
  const isEach = forChecks >= 2 * ruinedNames.length;
  return Object.fromEntries(ruinedNames.map((name, nth) => [name, forChecks - (isEach ? nth : 0)]));
}

export function createPlayers(options: PlayersOptions): Players {
  const { client, target, redactor, discovery } = options;
  // For calls that no check judges.
  const unjudged = withErrorRepeats(client);
  const tokens = createPlayerTokens(target, redactor, discovery);
  const sessions: Session[] = [];
  const identities = createIdentities();
  const note = (session: Session, account: number) => {
    for (const secret of session.secrets) redactor.learn(secret);
    sessions.push(session);
    identities.noteSession(session, account);
  };
  const probe = operationById(discovery.evidence.operation);
  const liveness = createLiveness(unjudged, target, probe ?? areas.me.location, discovery.evidence.differs);
  const people = createPeople({ client, unjudged, target, tokens, discovery, liveness, note });
  const layout = layoutOf(tokens.accounts);
  const isFew = areFew(tokens.accounts);
  const outlive = target.loginTokens.length > 0;
  const { forChecks } = layout;
  const ruined = numbersOfRuined(forChecks);
  const numbers = new Map(Object.entries({ main: 1, friend: Math.min(2, forChecks), ...ruined }));
  const lastOfOthers = Math.min(forChecks, ...Object.values(ruined).map((number) => number - 1));
  const accounts = new Map<string, Promise<Account>>();
  let dead: Promise<DeadSession> | undefined;
  let attackers = tokens.accounts;

  const tokenOf = async (number: number) => {
    const given = await tokens.of(number);
    return 'token' in given ? given.token : undefined;
  };

  const numberOf = (name: string): number => {
    const number = numbers.get(name) ?? Math.min(numbers.size + 1 - Object.keys(ruined).length, lastOfOthers);
    numbers.set(name, number);
    return number;
  };

  /** The account of a player; of the nearest player before it where the target refuses it or takes it for another. */
  const nearest = async (number: number): Promise<Account> => {
    const person = await people.person(number);
    return person.ok ? person.account : nearest(number - 1);
  };
  const account = (name: string): Promise<Account> => {
    const known = accounts.get(name);
    if (known) return known;
    const made = nearest(numberOf(name));
    accounts.set(name, made);
    void made.then(({ number }) => played.set(number, (played.get(number) ?? 0) + 1));
    return made;
  };

  const played = new Map<number, number>();
  /** Returns whether several names of this run play the account. */
  const isPlayedByOthers = ({ number }: Account) => (played.get(number) ?? 0) > 1;
  const player = once(async (name: string): Promise<Player> => {
    const own = await account(name);
    return playerOf(
      name,
      own,
      () => tokenOf(own.number),
      () => isPlayedByOthers(own),
    );
  });

  const held = new Map<Player, Account>();
  /** Makes a player of this account, under any name. */
  const holderOf = (
    name: string,
    own: Account,
    isShared = () => false,
    token = () => tokenOf(own.number),
  ): Player => {
    const made = playerOf(name, own, token, isShared);
    held.set(made, own);
    return made;
  };
  /** Accounts with which single checks sent calls that may change something, since a scenario last got them. */
  const inSingleChecks = new Set<Account>();
  const accountOf = async (of: Player): Promise<Account> => held.get(of) ?? account(of.name);

  const intruder = (like: Player, session: Session): Player => {
    for (const secret of session.secrets) redactor.learn(secret);
    sessions.push(session);
    return holderOf(`${like.name} forged`, people.holding(like.account, session), undefined, like.token);
  };

  const scenarios = createScenarioPeople({
    people,
    first: layout.forOperations + 1,
    last: tokens.accounts,
    forChecks,
    borrows: isFew,
    outlives: outlive,
    play: (name, own) => {
      const isLentMeanwhile = !isFew && own.number <= forChecks;
      return holderOf(name, own, () => isLentMeanwhile || inSingleChecks.has(own));
    },
    lend: (own) => void inSingleChecks.delete(own),
    // Signs in the players that every check needs before the target is full.
    before: async () => {
      await Promise.all(['main', 'friend'].map(player));
    },
  });
  const room = createRoom({
    people,
    layout,
    others: () => Promise.all(['main', 'friend', 'fuzzer', 'crowd'].map(account)),
  });

  const forAttack: Players['forAttack'] = async (count, purpose) => {
    if (tokens.forAttacks === 0) {
      const lent = await scenarios.spread(count, purpose);
      if (!lent.ok || lent.reused.length === 0) return lent;
      scenarios.release(lent.players);
      return {
        ok: false,
        why: 'an attack needs players who have not played before, and LOGIN_TOKEN holds no more',
      };
    }
    const numbers = Array.from({ length: count }, () => ++attackers);
    if (attackers > tokens.accounts + tokens.forAttacks)
      return { ok: false, why: `attacks have ${tokens.forAttacks} players, and all of them were used` };
    const found = await Promise.all(numbers.map((number) => people.person(number)));
    const players: Player[] = [];
    for (const person of found) {
      if (!person.ok) return person;
      players.push(holderOf(`${purpose} ${players.length + 1}`, person.account));
    }
    return { ok: true, players, reused: [] };
  };

  return {
    accounts: tokens.accounts,
    areFew: isFew,
    outlive,
    identities,
    player,
    hasRoom: room.hasRoom,
    async ownOf(name) {
      const own = await room.own(name);
      if (own && !accounts.has(name)) accounts.set(name, Promise.resolve(own));
      return own !== undefined;
    },
    spread: scenarios.spread,
    forAttack,
    spare: (purpose) => (tokens.forAttacks > 0 ? forAttack(1, purpose) : scenarios.spare(purpose)),
    release: scenarios.release,
    async sendAsPlayer(of, operation, request, sending = {}) {
      if (!takesSession(target, operation.host)) return client.send(request, sending);
      const own = await accountOf(of);
      if (!held.has(of) && operation.effect !== 'read') inSingleChecks.add(own);
      if (operation !== areas.auth.login) return own.sendSigned(request, sending);
      // This answer holds another player's session: it must not replace the caller's.
      const session = discovery.recipe.rotates ? undefined : await own.session();
      const put = () => client.send(session ? signed(request, session) : request, sending);
      // Other callers may use the account that signs in, and their sessions may end with it.
      const signingIn = await account(login);
      return isPlayedByOthers(signingIn) ? signingIn.alone(put) : put();
    },
    async signedFor(of, operation, request) {
      if (!takesSession(target, operation.host)) return request;
      if (discovery.recipe.rotates) return undefined;
      const session = await (await accountOf(of)).session();
      return session && signed(request, session);
    },
    async sendApart({ host }, request, sending = {}) {
      return host === 'base'
        ? (await account(ender)).sendApart(request, sending)
        : client.send(request, sending);
    },
    async lookalikes() {
      // Where the user gave the tokens, two of them may be one player's by mistake.
      if (discovery.from !== 'test JWT') return undefined;
      // Two tokens may be of one account, as where a player linked two ways to sign in; not all of them are.
      for (let number = 2; number <= mostAlike; number += 1)
        if ((await people.person(number)).ok) return undefined;
      const [found, first] = [people.mistaken(), await people.person(1)];
      if (found?.other !== 1 || !first.ok) return undefined;
      return [holderOf('one', first.account), holderOf('the other', found.account)];
    },
    async withSecondSession(of) {
      const own = await people.again(of.account);
      return own && holderOf(`${of.name} again`, own, () => of.shared, of.token);
    },
    forging: {
      renewals: people.renewals,
      tokensFrom: discovery.from,
      tokenWith: (of, claims) => tokens.withClaims(of.account, claims),
      async enter(token, like) {
        redactor.learn(token);
        const signing = { token, nth: like.account };
        const entered = await signInWith(discovery.recipe, unjudged, target, signing);
        if (!('session' in entered)) return { kind: entered.refused ? 'refused' : 'unheard' };
        return { kind: 'in', player: intruder(like, entered.session), login: entered.login };
      },
      async carrying(of, secret, instead) {
        redactor.learn(instead);
        const session = await of.session();
        if (session === undefined) return undefined;
        // A session is plain data, and JSON escapes no character of a JWT.
        return intruder(of, JSON.parse(JSON.stringify(session).replaceAll(secret, instead)));
      },
    },
    deadSession() {
      dead ??= account(loggedOut).then(async (own) => {
        const end = () => own.apart((session) => endSession({ client: unjudged, target, liveness, session }));
        // Where a player can have one session only, another sign-in may end this one before its logout does. All checks
        // of dead sessions depend on it, so it is tried once more.
        const ended = await end();
        return ended.ok ? ended : end();
      });
      return dead;
    },
    tokenFor: (name) => tokenOf(numberOf(name)),
    secretsIn: (request) => secretsIn(request, tokens.made(), sessions),
    isOne: (id) => sessions.some(({ playerId }) => playerId === id),
  };
}

/** A player: its name in this run, and its account at the target. */
export interface Player {
  readonly name: string;
  /** The number of its account, counted from 1. Players with one number share the account and its session. */
  readonly account: number;
  /** The player's own id, from the login's answer. */
  readonly id: string | undefined;
  /** Whether other checks of this run use the same account, so that its data may come from them. */
  readonly shared: boolean;
  token(): Promise<string | undefined>;
  /** The session in force; undefined where the target refused to sign this player in. */
  session(): Promise<Session | undefined>;
}

function playerOf(name: string, account: Account, token: Player['token'], isShared: () => boolean): Player {
  return {
    name,
    account: account.number,
    get id() {
      return account.id;
    },
    get shared() {
      return isShared();
    },
    token,
    session: () => account.session(),
  };
}
