// Keeps one person at the target signed in: sends the person's calls, renews a session that died, and orders calls
// that must not overlap.
import type { Client } from '../http/client.ts';
import type { Exchange, Request } from '../http/exchange.ts';
import type { SendOptions } from '../http/request.ts';
import { switchPoint } from '../values/switch-points.ts';
import { type Session, signed } from './session.ts';
import type { Liveness } from './session-end.ts';
import { next } from './session-renewal.ts';

/** A readers-writer lock: runs work side by side, or one piece alone, in the order of arrival. */
export interface Gate {
  together<T>(work: () => Promise<T>): Promise<T>;
  /** Begins once all that was let in before has ended; nothing else begins before it has. Not to be nested. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

export function createGate(): Gate {
  let alone: Promise<unknown> | undefined;
  const inside = new Set<Promise<unknown>>();

  const enter = <T>(running: Promise<T>): Promise<T> => {
    inside.add(running);
    const leave = () => void inside.delete(running);
    running.then(leave, leave);
    return running;
  };

  return {
    together: (work) => enter(alone ? alone.then(work) : work()),
    alone(work) {
      const before = Promise.allSettled([...inside]);
      const running = enter(before.then(work));
      const over = running.then(
        () => {},
        () => {},
      );
      alone = over;
      void over.then(() => {
        if (alone === over) alone = undefined;
      });
      return running;
    },
  };
}

/** A person at the target: signed in once, and again when the session dies. Sends the person's calls. */
export interface Account {
  /** Counted from 1: it signs in with the token of that number. */
  readonly number: number;
  /** The player's own id, from the login's answer. */
  readonly id: string | undefined;
  /** The session in force; undefined where the target refused to sign it in. */
  session(): Promise<Session | undefined>;
  /** Sends as this person; a session that stopped working on its own is renewed, and the call made once more. */
  send(request: Request, options: SendOptions): Promise<Exchange>;
  /** Makes a call that signs this player in and may end its other sessions; no other call runs meanwhile. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Sends with a session made for this call alone; for calls that end sessions. */
  sendApart(request: Request, options: SendOptions): Promise<Exchange>;
  /** Runs work with a new session of this player; no other call runs meanwhile, since a sign-in may end other sessions. */
  apart<T>(work: (session: Session | undefined) => Promise<T>): Promise<T>;
}

interface AccountOptions {
  readonly number: number;
  /** A session that it has already. */
  readonly first: Session | undefined;
  readonly signIn: () => Promise<Session | undefined>;
  readonly client: Pick<Client, 'send'>;
  readonly liveness: Liveness;
  /** Every answer hands out the next session: calls go one after another. */
  readonly rotates: boolean;
  /** Keeps a session that stopped working: the caller wants to see how it is answered. */
  readonly keepsDead?: boolean;
  /** How the target answers a call without a session, where that is no success. */
  readonly refusal: number;
  /** Called with every session that the account gets. */
  readonly note: (session: Session) => void;
}

/** What a check of a session found; `latest` replaced it meanwhile, where sessions change with every answer. */
interface Lasting {
  readonly alive: boolean;
  readonly latest: Session;
}

/** Stops signing in at a target whose sessions die before they can be used. */
const mostInVain = 20;
/** Returns whether a refused call is a reason to check the session and renew it. */
export const renewsOn = switchPoint((isRefused: boolean) => isRefused);

/** A call is sent again where its session was dead when it arrived: by age, or because of another sign-in. */
const mostTimes = 3;

export function createAccount(options: AccountOptions): Account {
  const { number, client, liveness, rotates, keepsDead, refusal, note } = options;
  const gate = createGate();
  const checks = new Map<Session, { readonly turn: number; readonly lasting: Promise<Lasting> }>();
  let held: Promise<Session | undefined> | undefined = options.first && Promise.resolve(options.first);
  let id = options.first?.playerId;
  let inVain = 0;
  let turns = 0;

  const signIn = async (): Promise<Session | undefined> => {
    const session = await options.signIn();
    id ??= session?.playerId;
    return session;
  };

  const session = (): Promise<Session | undefined> => {
    held ??= signIn();
    return held;
  };

  /** A new session in place of one that no longer works. Many callers with one dead session sign in once. */
  const renew = async (dead: Session): Promise<Session | undefined> => {
    const before = held;
    const current = await before;
    // Another caller may have renewed it while this one waited.
    if (held !== before || current !== dead) return session();
    inVain += 1;
    if (inVain > mostInVain) return undefined;
    held = signIn();
    return held;
  };

  /** Replaces the session by the one that an answer hands out. */
  const follow = (sent: Session, following: Session | undefined): Session => {
    if (!rotates || !following) return sent;
    note(following);
    held = Promise.resolve(following);
    return following;
  };

  /**
   * Was it alive after the answer of that turn came? One check serves all the calls that were answered before it: one
   * that was under way meanwhile may have met its end.
   */
  const wasAlive = async (sent: Session, turn: number): Promise<Lasting> => {
    for (let known = checks.get(sent); known; known = checks.get(sent)) {
      if (known.turn > turn || !(await known.lasting).alive) return known.lasting;
      if (checks.get(sent) === known) break;
    }
    turns += 1;
    const lasting = liveness(sent).then((life) => ({
      alive: life.alive,
      latest: follow(sent, life.next),
    }));
    checks.clear();
    checks.set(sent, { turn: turns, lasting });
    return lasting;
  };

  const refused = ({ response }: Exchange) => response?.status === 401 || response?.status === refusal;

  const put = async (request: Request, options: SendOptions): Promise<Exchange> => {
    let sent = await session();
    let exchange: Exchange | undefined;
    for (let times = 0; sent && times < mostTimes; times++) {
      // A repeated call has waited its turn already, and a short-lived session would not last another wait.
      const hurried = times > 0 ? { ...options, priority: 0 } : options;
      exchange = await client.send(signed(request, sent), hurried);
      turns += 1;
      const turn = turns;
      const current = follow(sent, next(sent, exchange));
      if (!refused(exchange)) inVain = 0;
      if (!renewsOn(refused(exchange)) || keepsDead) return exchange;
      const { alive, latest } = await wasAlive(current, turn);
      if (alive) return exchange;
      sent = await renew(latest);
    }
    return exchange ? { ...exchange, unsigned: true } : client.send(request, options);
  };

  const apart: Account['apart'] = (work) =>
    gate.alone(async () => {
      const own = await signIn();
      // Where no second sign-in is allowed, the call uses the only session there is and may end it.
      const given = own ?? (await held);
      if (!own) held = undefined;
      return work(given);
    });

  return {
    number,
    get id() {
      return id;
    },
    session,
    send: (request, options) =>
      rotates ? gate.alone(() => put(request, options)) : gate.together(() => put(request, options)),
    async sendApart(request, options) {
      const own = await gate.together(signIn);
      if (own) {
        const exchange = await client.send(signed(request, own), options);
        if (!refused(exchange) || (await liveness(own)).alive) return exchange;
      }
      // Another sign-in may have ended the session before the call: repeats it while no other call runs.
      return apart((session) => client.send(session ? signed(request, session) : request, options));
    },
    apart,
    alone: (work) => gate.alone(work),
  };
}
