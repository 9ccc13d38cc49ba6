// Keeps one account of the target signed in: sends its calls, renews a session that ended, and orders calls
// that must not overlap.
import type { Client } from '../http/client.ts';
import type { Exchange, Request } from '../http/exchange.ts';
import type { SendOptions } from '../http/request.ts';
import { switchPoint } from '../values/switch-points.ts';
import { next, type Session, signed } from './session.ts';
import type { Liveness } from './session-end.ts';

/** A readers-writer lock: runs work side by side, or one piece alone, in the order of arrival. */
export interface Lock {
  together<T>(work: () => Promise<T>): Promise<T>;
  /** Runs work alone: after all work that was admitted before, and before all that comes later. Must not be nested. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

export function createLock(): Lock {
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

/** An account of the target: signs in once, and again when the session ends, and sends its calls. */
export interface Account {
  /** Counted from 1; the account signs in with the token of this number. */
  readonly number: number;
  /** The player's own id, from the login's answer. */
  readonly id: string | undefined;
  /** The session in force; undefined where the target refused to sign it in. */
  session(): Promise<Session | undefined>;
  /** Sends a request as this account. Where the session has ended, renews it and sends the request once more. */
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
  /** The session to start with, where the account has one. */
  readonly first: Session | undefined;
  readonly signIn: () => Promise<Session | undefined>;
  readonly client: Pick<Client, 'send'>;
  readonly liveness: Liveness;
  /** Every answer gives the next session, so calls go one after another. */
  readonly rotates: boolean;
  /** Does not renew a session that ended, since the caller wants its answers. */
  readonly keepsDead?: boolean;
  /** The status of a call without a session, where that is not a success. */
  readonly refusal: number;
  /** Called with every session that the account gets. */
  readonly note: (session: Session) => void;
}

/** The result of a liveness check; `latest` is the session that replaced it, where every answer gives a new one. */
interface Lasting {
  readonly alive: boolean;
  readonly latest: Session;
}

/** Failed renewals after which it stops signing in: the target's sessions end before they can be used. */
const mostInVain = 20;
/** Returns whether a refused call is a reason to check the session and renew it. */
export const renewsOn = switchPoint((isRefused: boolean) => isRefused);

/** Sends a call again where its session had ended when it arrived: by age, or because of another sign-in. */
const mostTimes = 3;
/** Tries of a call, those included whose session had served others: one may be over after so many calls. */
const mostTries = 20;

export function createAccount(options: AccountOptions): Account {
  const { number, client, liveness, rotates, keepsDead, refusal, note } = options;
  const lock = createLock();
  const checks = new Map<Session, { readonly turn: number; readonly lasting: Promise<Lasting> }>();
  let held: Promise<Session | undefined> | undefined = options.first && Promise.resolve(options.first);
  let id = options.first?.playerId;
  let inVain = 0;
  let turns = 0;
  /** Sessions that were seen alive. */
  const lived = new WeakSet<Session>();

  const signIn = async (): Promise<Session | undefined> => {
    const session = await options.signIn();
    id ??= session?.playerId;
    return session;
  };

  const session = (): Promise<Session | undefined> => {
    held ??= signIn();
    return held;
  };

  /** The session after this one, which has ended or is replaced already. Many callers with one ended session sign in once. */
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

  /** Whether another call has renewed it meanwhile: a refusal then says nothing of the one in force, dead or not. */
  const isReplaced = async (by: Session): Promise<boolean> => {
    const inForce = await held;
    return inForce !== undefined && inForce !== by;
  };

  /** Replaces the session by the one that an answer gives. */
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
    let times = 0;
    for (let tries = 0; sent && times < mostTimes && tries < mostTries; tries++) {
      // A repeated call has waited its turn already, and a short-lived session would not last another wait.
      const hurried = tries > 0 ? { ...options, priority: 0 } : options;
      exchange = await client.send(signed(request, sent), hurried);
      turns += 1;
      const turn = turns;
      const current = follow(sent, next(sent, exchange));
      if (!refused(exchange)) {
        inVain = 0;
        lived.add(current);
      }
      if (!renewsOn(refused(exchange)) || keepsDead) return exchange;
      let ended = current;
      if (!(await isReplaced(current))) {
        const { alive, latest } = await wasAlive(current, turn);
        if (alive) lived.add(latest);
        if (alive && !(await isReplaced(latest))) return exchange;
        ended = latest;
      }
      sent = await renew(ended);
      if (!lived.has(current)) times += 1;
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
    send: (request, options) =>
      rotates ? lock.alone(() => put(request, options)) : lock.together(() => put(request, options)),
    async sendApart(request, options) {
      const own = await lock.together(signIn);
      if (own) {
        const exchange = await client.send(signed(request, own), options);
        if (!refused(exchange) || (await liveness(own)).alive) return exchange;
      }
      // Another sign-in may have ended the session before the call: repeats it while no other call runs.
      return apart((session) => client.send(session ? signed(request, session) : request, options));
    },
    apart,
    alone: (work) => lock.alone(work),
  };
}
