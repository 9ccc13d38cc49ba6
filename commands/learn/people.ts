// Finds out which player made which call (calls that carry a login's credential belong to its player), and how sessions
// travel.

import { playerIdIn } from '../../engine/players/own-names.ts';
import { withoutScheme } from '../../engine/players/session.ts';
import { rankOf } from '../../engine/players/session-token.ts';
import type { SessionTransport } from '../../engine/target/session-transport.ts';
import { leavesOf } from '../../engine/values/json-walk.ts';
import type { CallMatch } from './match/match-call.ts';
import { cookiesIn, jsonOf, type ObservedCall } from './observed-call.ts';
import { isPlainWord } from './privacy.ts';
import { Tally } from './tally.ts';

export interface Person {
  /** Equal for two sessions of one player, as far as the target's answers show the player's id. */
  readonly key: string;
  readonly id?: string;
  name?: string;
}

/** A value that a login's answer handed out. */
interface Credential {
  readonly person: Person;
  /** As a session's transport writes it: a JSON Pointer, `cookie:NAME`, or a header's name. */
  readonly source: string;
}

/** A credential as a later call carried it. */
export interface Carried extends Credential {
  readonly as: 'cookie' | 'bearer' | 'header' | 'query';
  /** Name of the cookie, the header or the query parameter. */
  readonly name: string;
}

const shortest = 6;
const longest = 8 * 1024;
const mostCredentials = 20_000;

export function createPeople() {
  const handedOut = new Map<string, Credential>();
  const outsiders = new Map<string, Person>();
  const byId = new Map<string, Person>();
  let logins = 0;

  const hand = (value: unknown, credential: Credential) => {
    if (typeof value !== 'string' || value.length < shortest || value.length > longest) return;
    if (handedOut.size < mostCredentials && !handedOut.has(value)) handedOut.set(value, credential);
  };

  const carriedBy = ({ request, url }: ObservedCall): Carried[] => {
    const found: Carried[] = [];
    const look = (value: string, as: Carried['as'], name: string) => {
      const credential = handedOut.get(value);
      if (credential) found.push({ ...credential, as, name });
    };
    for (const [name, value] of request.headers) {
      if (name === 'cookie') for (const [cookie, held] of cookiesIn(value)) look(held, 'cookie', cookie);
      else if (name === 'authorization' && /^Bearer +/i.test(value))
        look(withoutScheme(value), 'bearer', name);
      else look(value, 'header', name);
    }
    for (const [name, value] of url.searchParams) look(value, 'query', name);
    return found;
  };

  return {
    carriedBy,

    /** To be called in the first pass, as `noteName` is: captures are not always in order. */
    noteLogin(observedCall: ObservedCall): void {
      const { answer, url } = observedCall;
      logins += 1;
      const id = playerIdIn(jsonOf(answer));
      const person = (id === undefined ? undefined : byId.get(id)) ?? newPerson(id ?? `login ${logins}`, id);
      if (id !== undefined) byId.set(id, person);
      const token = url.searchParams.get('token');
      for (const [name, value] of answer.headers) {
        if (name === 'set-cookie') {
          const [[cookie, held] = ['', '']] = cookiesIn(value);
          hand(held, { person, source: `cookie:${cookie}` });
        } else if (/^x-|auth|token|session/.test(name)) hand(withoutScheme(value), { person, source: name });
      }
      // Where two places hold the same value, the one whose name says more about a session counts.
      const leaves = leavesOf(jsonOf(answer) ?? null).sort((a, b) => rankOf([a.name]) - rankOf([b.name]));
      for (const { pointer, value } of leaves)
        if (value !== token && value !== id)
          hand(typeof value === 'string' ? withoutScheme(value) : value, { person, source: pointer });
    },

    noteName(observedCall: ObservedCall, { params }: CallMatch): void {
      const person = carriedBy(observedCall)[0]?.person;
      const { providerPlayerName } = params;
      if (person && providerPlayerName !== undefined) person.name = providerPlayerName;
    },

    /** The player who made the call; all calls of a file without a known credential count as one player's. */
    callerOf(observedCall: ObservedCall): Person {
      const [carried] = carriedBy(observedCall);
      if (carried) return carried.person;
      const { source } = observedCall;
      const person = outsiders.get(source) ?? newPerson(`file ${source}`, undefined);
      outsiders.set(source, person);
      return person;
    },
  };
}

const newPerson = (key: string, id: string | undefined): Person => ({ key, ...(id !== undefined && { id }) });

// Finds how the session travels: as which credentials of a login later calls carried.

export class Travels {
  /** Calls that carried anything. */
  calls = 0;
  readonly ways = new Tally(200);
}

/** Adds one successful call. */
export function addCall(travels: Travels, carried: readonly Carried[]): void {
  if (carried.length === 0) return;
  travels.calls += 1;
  const ways = carried.map(({ as, name, source }) => JSON.stringify([as, name, source]));
  for (const way of new Set(ways)) travels.ways.add(way);
}

/** Whether a call shows that its host wants the session. A cookie does not: a browser sends it wherever it matches. */
export const isWanted = (carried: readonly Carried[]): boolean => carried.some(({ as }) => as !== 'cookie');

/** What belongs to the session is carried by at least this share of the calls that carry any credential. */
const share = 0.8;

/**
 * The transport; undefined where calls carried nothing known.
 * @param isShareable whether the name of a field may stand in a profile
 */
export function transportOf(
  { calls, ways }: Travels,
  isShareable: (key: string) => boolean,
): SessionTransport | undefined {
  const usual = ways
    .ranked()
    .filter(([, count]) => count >= calls * share)
    .map(([way]) => JSON.parse(way) as [Carried['as'], string, string])
    .filter(
      ([, name, source]) =>
        isShareableName(name) && source.split('/').every((key) => key === '' || isShareableName(key)),
    )
    .sort((a, b) => (a.join(' ') < b.join(' ') ? -1 : 1));
  const cookies = usual.filter(([as]) => as === 'cookie').map(([, name]) => name);
  const parts: SessionTransport[] = [
    ...(cookies.length > 0 ? [{ kind: 'cookie', names: cookies } as const] : []),
    ...usual.flatMap(([as, name, source]): SessionTransport[] => {
      if (as === 'bearer') return [{ kind: 'bearer', source }];
      return as === 'cookie' ? [] : [{ kind: as, name, source }];
    }),
  ];
  return parts.length > 1 ? { kind: 'combined', parts } : parts[0];

  function isShareableName(name: string): boolean {
    return isPlainWord(name.replace(/^cookie:/, '').replace(/^[_.]+/, '')) && isShareable(name);
  }
}
