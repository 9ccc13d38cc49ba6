// Puts a credential on a request: a player's, none, a spoiled one, or that of a session that is over.
import type { Operation } from '../../catalog/operation.ts';
import { type Caller, dead, nobody, own, spoiled } from '../http/ask.ts';
import type { Client } from '../http/client.ts';
import type { Exchange, Request } from '../http/exchange.ts';
import type { SendOptions } from '../http/request.ts';
import type { Player, Players } from '../players/players.ts';
import { type Session, signed, spoiled as spoil } from '../players/session.ts';
import type { DeadSession } from '../players/session-end.ts';
import { takesSession } from '../target/session-transport.ts';
import type { Target } from '../target/target.ts';

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

  /** Never rejects. */
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
