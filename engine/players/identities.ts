// Knows by which values an answer names a player of this run (id, name, token), and which player sent a request.
import type { Request } from '../http/exchange.ts';
import { type Session, sessionOf } from './session.ts';

export interface Identities {
  /** A session of an account: from now on its requests, its id, its names and its tokens are the account's. */
  readonly note: (session: Session, account: number) => void;
  /** The account goes by this value. */
  readonly learn: (account: number, value: unknown) => void;
  /** The number of the account that signed a request; undefined of anybody else's. */
  readonly senderOf: (request: Request) => number | undefined;
  /** The number of the one account that a value names; undefined where it names none, or several. */
  readonly ownerOf: (value: unknown) => number | undefined;
  /** The target knows both as one player: two of the tokens that were given are of one account. */
  readonly areOne: (account: number, other: number) => boolean;
  /** The same of a value that is canonical already. */
  readonly ownerOfCanonical: (value: string) => number | undefined;
}

/** Together they take some megabytes; a run of 5,000 requests learns about a thousand. */
const mostValues = 50_000;
const longest = 4_096;

const notAscii = /[^\0-\x7f]/;

/**
 * An identifier in one spelling: servers write a number as text, letters in either case, and a UUID with or without
 * hyphens. Undefined where the value can be no identifier.
 */
export function canonical(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
  if (typeof value !== 'string' || value === '' || value.length > longest) return undefined;
  // A run asks this of every value of every answer, and hardly one is anything but plain ASCII, or a UUID.
  const plain = (notAscii.test(value) ? value.normalize('NFC') : value).trim().toLowerCase();
  if (plain.length < 32 || plain.length > 38) return plain;
  return /^\{?[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}\}?$/.test(plain)
    ? plain.replace(/[{}-]/g, '')
    : plain;
}

export function createIdentities(): Identities {
  const accounts = new WeakMap<Session, number>();
  const owners = new Map<string, Set<number>>();

  const learn = (account: number, value: unknown) => {
    const key = canonical(value);
    if (key === undefined || key === '') return;
    const known = owners.get(key);
    if (known) known.add(account);
    else if (owners.size < mostValues) owners.set(key, new Set([account]));
  };

  /** Their own ids, by account. */
  const ids = new Map<number, string>();

  const ownerOfCanonical = (value: string) => {
    const found = owners.get(value);
    return found?.size === 1 ? found.values().next().value : undefined;
  };

  return {
    learn,
    note(session, account) {
      accounts.set(session, account);
      const { playerId, names = [], secrets } = session;
      const id = canonical(playerId);
      if (id !== undefined) ids.set(account, id);
      for (const value of [playerId, ...names, ...secrets]) learn(account, value);
    },
    senderOf(request) {
      const session = sessionOf(request);
      return session && accounts.get(session);
    },
    ownerOf: (value) => ownerOfCanonical(canonical(value) ?? ''),
    ownerOfCanonical,
    areOne: (account, other) => ids.has(account) && ids.get(account) === ids.get(other),
  };
}
