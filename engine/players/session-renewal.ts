// Keeps one account of the target signed in: sends its calls, renews a session that ended (also after a 401), and
// orders calls that must not overlap.
import type { Client, SendOptions } from '../http/client.ts';
import type { Exchange, Request } from '../http/exchange.ts';
import { createLock } from '../values/lock.ts';
import { switchPoint } from '../values/switch-points.ts';
import { next, type Session, signed } from './session.ts';
import type { Liveness } from './session-end.ts';

/** An account of the target: signs in once, and again when the session ends, and sends its calls. */
export interface Account {
  /** Counted from 1; the account signs in with the token of this number. */
  readonly number: number;
  /** The player's own id, from the login's answer. */
  readonly id: string | undefined;
  /** The session in force; signs in where there is none. Undefined where the target refuses that. */
  session(): Promise<Session | undefined>;
  /**
   * Sends a request as this account. Where the session has ended, renews it and repeats the request: up to 20 times, 3
   * of them with sessions that no answer proved alive.
   */
  sendSigned(request: Request, options: SendOptions): Promise<Exchange>;
  /** Runs work that signs this player in, alone: the sign-in may end the sessions of other calls. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Sends a call that ends its session, such as a logout, with a new session that no other call uses. */
  sendApart(request: Request, options: SendOptions): Promise<Exchange>;
  /** Runs work with a new session of this player, alone: a sign-in may end the sessions of other calls. */
  apart<T>(work: (session: Session | undefined) => Promise<T>): Promise<T>;
}

interface AccountOptions {
  readonly number: number;
  /** The session to start with, where the account has one. */
  readonly first: Session | undefined;
  readonly signIn: () => Promise<Session | undefined>;
  readonly client: Pick<Client, 'send'>;
  readonly liveness: Liveness;
  /** The target replaces the session with every answer, so the calls must go one after another. */
  readonly rotates: boolean;
  /** Keeps a session that ended: the caller wants to see how the target answers it. */
  readonly neverRenews?: boolean;
  /** The status with which the target refuses anonymous callers; 401 where it does not refuse them. */
  readonly refusal: number;
  /** Called with every session that an answer gave to replace the previous one. */
  readonly note: (session: Session) => void;
}

interface LivenessResult {
  readonly alive: boolean;
  /** The session that was checked, or the one that the answer to the check gave in its place. */
  readonly latest: Session;
}

/** Renewals in a row after which the account stops signing in: calls with the new sessions were refused, too. */
const mostRenewalsInVain = 20;
/** A refused call is a reason to check the session and renew it. The prover replaces this by `false`. */
export const isReasonToRenew = switchPoint((isRefused: boolean) => isRefused);

/** Tries of one call with sessions that no call has proven alive: a target may end every session at once. */
const mostUnprovenTries = 3;
/** All tries of one call. A session may end after a number of calls, and other calls may use it up before this one. */
const mostTries = 20;

export function createAccount(options: AccountOptions): Account {
  const { number, client, liveness, rotates, neverRenews, refusal, note } = options;
  const lock = createLock();
  /** The last liveness check, and the session that it is about. */
  const checks = new Map<Session, { readonly begunAt: number; readonly result: Promise<LivenessResult> }>();
  /** The session in force, or the sign-in that gets it. */
  let held: Promise<Session | undefined> | undefined = options.first && Promise.resolve(options.first);
  let id = options.first?.playerId;
  let renewalsInVain = 0;
  /** A clock that counts answers and liveness checks: it shows which came first. */
  let now = 0;
  /** Sessions that an answer proved alive. */
  const proven = new WeakSet<Session>();

  const signIn = async (): Promise<Session | undefined> => {
    const session = await options.signIn();
    id ??= session?.playerId;
    return session;
  };

  const session = (): Promise<Session | undefined> => {
    held ??= signIn();
    return held;
  };

  /**
   * Returns the session to use after this one has ended. Only the first of several callers signs in. Undefined once too
   * many renewals in a row were in vain.
   */
  const renew = async (dead: Session): Promise<Session | undefined> => {
    const before = held;
    const current = await before;
    // Another caller may have renewed it while this one waited.
    if (held !== before || current !== dead) return session();
    renewalsInVain += 1;
    if (renewalsInVain > mostRenewalsInVain) return undefined;
    held = signIn();
    return held;
  };

  /** Whether another session is in force by now. A refusal of the old one shows nothing about the new one. */
  const isReplaced = async (old: Session): Promise<boolean> => {
    const inForce = await held;
    return inForce !== undefined && inForce !== old;
  };

  /** Returns the session to use after an answer: the one that it gives, which replaces the one that was sent. */
  const follow = (sent: Session, following: Session | undefined): Session => {
    if (!rotates || !following) return sent;
    note(following);
    held = Promise.resolve(following);
    return following;
  };

  /**
   * Checks whether the session was alive after an answer had come. One check serves all calls that were answered before
   * it began. An older check counts only if it found the session ended: a live one may have ended since.
   * @param answeredAt when the answer came, by the clock `now`
   */
  const wasAlive = async (sent: Session, answeredAt: number): Promise<LivenessResult> => {
    for (let known = checks.get(sent); known; known = checks.get(sent)) {
      if (known.begunAt > answeredAt || !(await known.result).alive) return known.result;
      if (checks.get(sent) === known) break;
    }
    now += 1;
    const result = liveness(sent).then((life) => ({
      alive: life.alive,
      latest: follow(sent, life.next),
    }));
    checks.clear();
    checks.set(sent, { begunAt: now, result });
    return result;
  };

  const isRefused = ({ response }: Exchange) => response?.status === 401 || response?.status === refusal;

  const sendRenewing = async (request: Request, options: SendOptions): Promise<Exchange> => {
    let sent = await session();
    let exchange: Exchange | undefined;
    let unprovenTries = 0;
    for (let tries = 0; sent && unprovenTries < mostUnprovenTries && tries < mostTries; tries++) {
      // A repeated call has waited its turn already, and a short-lived session would not last another wait.
      const hurried = tries > 0 ? { ...options, priority: 0 } : options;
      exchange = await client.send(signed(request, sent), hurried);
      now += 1;
      const answeredAt = now;
      const current = follow(sent, next(sent, exchange));
      if (!isRefused(exchange)) {
        renewalsInVain = 0;
        proven.add(current);
      }
      if (!isReasonToRenew(isRefused(exchange)) || neverRenews) return exchange;
      // The target may refuse the call itself, so the session is checked by another call.
      let ended = current;
      if (!(await isReplaced(current))) {
        const { alive, latest } = await wasAlive(current, answeredAt);
        if (alive) proven.add(latest);
        if (alive && !(await isReplaced(latest))) return exchange;
        ended = latest;
      }
      sent = await renew(ended);
      if (!proven.has(current)) unprovenTries += 1;
    }
    return exchange ? { ...exchange, unsigned: true } : client.send(request, options);
  };

  const apart: Account['apart'] = (work) =>
    lock.alone(async () => {
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
    sendSigned: (request, options) =>
      rotates
        ? lock.alone(() => sendRenewing(request, options))
        : lock.together(() => sendRenewing(request, options)),
    async sendApart(request, options) {
      const own = await lock.together(signIn);
      if (own) {
        const exchange = await client.send(signed(request, own), options);
        if (!isRefused(exchange) || (await liveness(own)).alive) return exchange;
      }
      // Another sign-in may have ended the session before the call came: repeats the call while no other one runs.
      return apart((session) => client.send(session ? signed(request, session) : request, options));
    },
    apart,
    alone: (work) => lock.alone(work),
  };
}
