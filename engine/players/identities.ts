// Knows by which values an answer names a player of this run (id, name, token), and which player sent a request.
import type { Request } from '../http/exchange.ts';
import { type Session, sessionOf } from './session.ts';

export interface Identities {
  /** Records that the session belongs to the account: its requests, id, names and tokens are then the account's. */
  readonly noteSession: (session: Session, account: number) => void;
  /** Records one more value that names the account. */
  readonly noteValue: (account: number, value: unknown) => void;
  /** The number of the account whose session signed a request; undefined where none of this run's did. */
  readonly senderOf: (request: Request) => number | undefined;
  /** The number of the one account that a value names; undefined where it names none, or several. */
  readonly ownerOf: (value: unknown) => number | undefined;
  /** As `ownerOf`, for a value that `canonical` returned. */
  readonly ownerOfCanonical: (value: string) => number | undefined;
  /** Whether both accounts have the same player id: two of the given tokens belong to one player of the target. */
  readonly areOne: (account: number, other: number) => boolean;
}

/** Most values that are remembered: some megabytes. A run of 5,000 requests learns about a thousand. */
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
  // A run does this for every value of every answer, and nearly all values are plain ASCII, or UUIDs.
  const plain = (notAscii.test(value) ? value.normalize('NFC') : value).trim().toLowerCase();
  if (plain.length < 32 || plain.length > 38) return plain;
  return /^\{?[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}\}?$/.test(plain)
    ? plain.replace(/[{}-]/g, '')
    : plain;
}

export function createIdentities(): Identities {
  const accounts = new WeakMap<Session, number>();
  const owners = new Map<string, Set<number>>();

  const noteValue = (account: number, value: unknown) => {
    const key = canonical(value);
    if (key === undefined || key === '') return;
    const known = owners.get(key);
    if (known) known.add(account);
    else if (owners.size < mostValues) owners.set(key, new Set([account]));
  };

  /** The player's id of each account, by account number. */
  const ids = new Map<number, string>();

  const ownerOfCanonical = (value: string) => {
    const found = owners.get(value);
    return found?.size === 1 ? found.values().next().value : undefined;
  };

  return {
    noteValue,
    noteSession(session, account) {
      accounts.set(session, account);
      const { playerId, names = [], secrets } = session;
      const id = canonical(playerId);
      if (id !== undefined) ids.set(account, id);
      for (const value of [playerId, ...names, ...secrets]) noteValue(account, value);
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
