// Decides which player makes each call, which call that player makes before it, and which credential it carries. No
// answer depends on other checks: readers change nothing, and each operation that changes something has its own player.
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import type { ControlKind } from '../compare/controls.ts';
import { type Ask, type Caller, dead, nobody, own, spoiled } from '../http/ask.ts';
import type { Client, SendOptions } from '../http/client.ts';
import type { Exchange, Request } from '../http/exchange.ts';
import type { Player, Players } from '../players/players.ts';
import { type Session, signed, spoiled as spoil } from '../players/session.ts';
import type { DeadSession } from '../players/session-end.ts';
import { takesSession } from '../target/session-transport.ts';
import type { Target } from '../target/target.ts';
import { once } from '../values/once.ts';

interface CallersOptions {
  readonly players: Pick<Players, 'areFew' | 'ownOf' | 'hasRoom'> | undefined;
  /** Returns whether the operation needs a change first: a party made, a match created. */
  readonly needsChange: (operation: Operation) => boolean;
}

const main = 'main';
/** The player for reads whose data must not change meanwhile. */
export const reader = 'reader';

export function createCallers({ players, needsChange }: CallersOptions) {
  /** The player who makes the operation's plain call. A call that ends a session or a party has a player of its own. */
  const plain = once(async (operation: Operation): Promise<Caller> => {
    if (operation.ends === 'session') return 'session-ender';
    // Where accounts are few, scenarios borrow the other players, so that the first one makes this call.
    if (operation.ends === 'party') return players?.areFew ? main : operation.id;
    const changes = operation.effect !== 'read' || needsChange(operation);
    const isOwn = changes && operation.host === 'base' && (await players?.ownOf(operation.id));
    return isOwn ? operation.id : main;
  });

  return {
    /** The caller of this ask, by name. */
    async of(operation: Operation, { as }: Ask = {}): Promise<Caller> {
      if (as === undefined || as === own) return plain(operation);
      // Where every operation has its own caller, no other call of this run changes what that caller reads.
      return as === reader && (await players?.hasRoom()) ? plain(operation) : as;
    },
    /**
     * The caller of an operation's control: one player for all operations that change something, so that they share the
     * control, except where the path names a resource of the operation's own caller.
     * @param unknown parameters whose value may name nothing that exists
     */
    ofControl: (
      { id, ends, identifiers }: Operation,
      kind: ControlKind,
      caller: Caller,
      unknown: readonly string[],
    ): Caller => {
      const isOwn = caller === id && ends === undefined;
      const isNamed = kind !== 'root' && Object.keys(identifiers).some((name) => !unknown.includes(name));
      return isOwn && !isNamed ? main : caller;
    },
  };
}

/** A call that goes before another. */
interface Preparation {
  readonly operation: Operation;
  /** Who makes it, where that is not the player whose call it goes before. */
  readonly as?: Caller;
  /** Values of placeholders in its body, where they are not those of its plain call. */
  readonly fill?: Readonly<Record<string, string>>;
}

/** States can be read once they were set. Only the plain call's player sets them, so that other players' differ. */
const setBefore: ReadonlyMap<Operation, Preparation> = new Map<Operation, Preparation>([
  [areas.players.fullProfile, { operation: areas.players.setBinaryState }],
  [areas.players.challengeUIData, { operation: areas.players.setState }],
  [
    areas.players.newLoresUIData,
    { operation: areas.players.setState, fill: { stateName: 'NewLoresUIData' } },
  ],
  [
    areas.players.seenNewsArticles,
    { operation: areas.players.setState, fill: { stateName: 'SeenNewsArticles' } },
  ],
  [
    areas.players.seenStoreItems,
    { operation: areas.players.setState, fill: { stateName: 'SeenStoreItems' } },
  ],
]);

/** The search asks for the name that the plain call of the other operation gives its player. */
const nameIsTaken: Preparation = { operation: areas.playerName.set, as: own };

/**
 * The call that goes before an operation: most operations of area party need a party, named or not.
 * @param isPlain whether it is the player who makes the operation's plain call
 */
export function preparing(operation: Operation, isPlain: boolean): Preparation | undefined {
  if (operation.area === 'party' && operation !== areas.party.create)
    return { operation: areas.party.create };
  if (operation === areas.playerName.search) return nameIsTaken;
  return isPlain ? setBefore.get(operation) : undefined;
}

interface CredentialsOptions {
  readonly client: Client;
  readonly target: Pick<Target, 'hosts' | 'profile' | 'sessions'>;
  readonly players: Players | undefined;
  /** Awaited before each call of a player. */
  readonly asking?: ((player: Player, operation: Operation, request: Request) => Promise<void>) | undefined;
  /** Called with each answer to a player, and the request without a session. */
  readonly answered?: ((player: Player, operation: Operation, exchange: Exchange) => void) | undefined;
}

const nobodySignedIn: DeadSession = { ok: false, why: 'nobody could sign in' };

export function createCredentials({ client, target, players, asking, answered }: CredentialsOptions) {
  const deadSession = () => players?.deadSession() ?? Promise.resolve(nobodySignedIn);

  const isPlayer = (caller: Caller | undefined): caller is string =>
    caller !== undefined && ![own, nobody, dead, spoiled].includes(caller);

  /** The credential of a call that expects a refusal. */
  const invalid = async (caller: Caller): Promise<Session | undefined> => {
    if (caller === dead) {
      const over = await deadSession();
      return over.ok ? over.session : undefined;
    }
    if (caller !== spoiled) return undefined;
    const session = await (await players?.player('main'))?.session();
    return session && spoil(session);
  };

  /** Sends a request with the credential of its caller. Never rejects. */
  const sendAs = async (
    operation: Operation,
    request: Request,
    caller: Caller,
    options: SendOptions,
  ): Promise<Exchange> => {
    if (!takesSession(target, operation.host)) return client.send(request, options);
    if (players && caller === 'session-ender') return players.sendApart(operation, request, options);
    if (players && isPlayer(caller)) {
      const player = await players.player(caller);
      await asking?.(player, operation, request);
      const exchange = await players.sendAsPlayer(player, operation, request, options);
      answered?.(player, operation, { ...exchange, request });
      return exchange;
    }
    const session = await invalid(caller);
    return client.send(session ? signed(request, session) : request, options);
  };

  return {
    sendAs,
    deadSession,
    isPlayer,
    /** A token that nobody has signed in with yet in this run, where the target's settings allow one. */
    freshToken: async () => (await players?.tokenFor('login')) ?? 'assay',
  };
}
