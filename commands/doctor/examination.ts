// Defines what doctor finds out about a target, as plain data: hosts, sign-in, words, gaps of the profile; and its time limits.
import { areas, catalog } from '../../catalog/catalog.ts';
import type { Host, Operation } from '../../catalog/operation.ts';
import type { Certificate } from '../../engine/http/connection.ts';
import type { Discovery } from '../../engine/players/session-discovery.ts';
import type { GivenToken } from '../../engine/players/tokens.ts';
import type { Reach } from '../../engine/preflight/preflight.ts';
import type { FoundSegments } from '../../engine/preflight/segments.ts';
import type { FoundWords } from '../../engine/preflight/words.ts';
import type { Profile } from '../../engine/target/profile.ts';
import type { Target } from '../../engine/target/target.ts';
import type { Misplaced } from './examine.ts';
import type { Share } from './share.ts';
import type { Seen, Sighted } from './sighting.ts';
import type { Words } from './verdicts.ts';

/** Limits of one examination; times in ms. */
export interface LookLimits {
  /** For the whole examination. */
  readonly lookMs: number;
  /** For everything except the operations. */
  readonly preflightMs: number;
  /** Until then another operation may be begun; what is under way has the rest of the time. */
  readonly beginMs: number;
  readonly callMs: number;
  /** Doctor reports a target that asks it to wait, and does not wait. */
  readonly retryBudgetMs: number;
  /** Low enough that no target takes it for a scan. */
  readonly mostCalls: number;
}

/** An examination ends within five seconds, the start of the process included. */
export const usualLimits: LookLimits = {
  lookMs: 3_600,
  preflightMs: 3_000,
  beginMs: 2_900,
  callMs: 2_000,
  retryBudgetMs: 300,
  mostCalls: 1_000,
};

// Operations for which the profile leaves something to guesses.

/** Plain data: ids of operations, in the catalog's order. */
interface Lacking {
  /** Operations whose body the profile does not state. */
  readonly body: readonly string[];
  /** Operations without accepted statuses: any 2xx counts. */
  readonly accepts: readonly string[];
  /** Operations without a schema: their answers are not validated. */
  readonly schema: readonly string[];
}

/** Covers operations that the profile does not leave out. Bodies of bytes count as stated: no JSON is guessed there. */
export function lackingIn({
  operations,
  omitted,
  session,
}: Pick<Profile, 'operations' | 'omitted' | 'session'>): Lacking {
  const meant = catalog.filter(({ id }) => !omitted.has(id));
  const without = (rows: readonly Operation[], key: 'body' | 'accepts' | 'schema') =>
    rows.filter(({ id }) => operations[id]?.[key] === undefined).map(({ id }) => id);
  return {
    body: without(meant.filter(sendsJson), 'body').filter(
      (id) => id !== areas.auth.login.id || session?.body === undefined,
    ),
    accepts: without(meant, 'accepts'),
    schema: without(meant, 'schema'),
  };
}

const sendsJson = ({ method, path }: Operation) =>
  (method === 'POST' || method === 'PUT') && !path.endsWith('/binary');

/** One given host. */
export interface HostSample {
  readonly host: Host;
  readonly url: string;
  readonly reach: Reach;
  readonly seen: Seen;
  /** Of https alone. */
  readonly certificate?: Certificate;
  /** Of the operations that the profile does not leave out. */
  readonly sample: readonly Sighted[];
  /** How much of it a run could judge; undefined where that is not known. */
  readonly share: Share | undefined;
}

export interface Examination {
  readonly target: Target;
  readonly hosts: readonly HostSample[];
  /** Holds secrets: never shown as it stands. Undefined where there was no base host to sign in to. */
  readonly discovery: Discovery | undefined;
  /** What a second player signed in with whom the login answers with the id of the first; undefined where none is. */
  readonly onePlayer: GivenToken['from'] | undefined;
  /** Undefined where the version was given, or there is no CDN host to ask. */
  readonly segments: FoundSegments | undefined;
  /** Where the version was given: the version that has files, the given one first; or the versions that the API names. */
  readonly elsewhere: FoundSegments | undefined;
  /** Hosts that serve nothing where they were said to be, and whose operations another one's address answers. */
  readonly misplaced: readonly Misplaced[];
  readonly words: Words;
  /** The target's own words as far as they are known; undefined where those in use fit. */
  readonly ownWords: FoundWords | undefined;
  /** Undefined where there is no profile. */
  readonly lacking: Lacking | undefined;
  /** Pointers of the profile at identifiers that no answer had, a line each. */
  readonly unmatched: readonly string[];
  /** Calls that a run has in flight. */
  readonly concurrency: number;
  /** Sent altogether. */
  readonly calls: number;
  /** When it was looked at, in ms since the epoch, and for how long. */
  readonly at: number;
  readonly tookMs: number;
}
