// Examines a target: preflight, a second player, sampled operations, and hosts that serve nothing at their URL.

import { areas, catalog, operationById } from '../../catalog/catalog.ts';
import type { Host, Operation } from '../../catalog/operation.ts';
import { createErrorRepeats, type PassingErrors } from '../../engine/compare/passing-errors.ts';
import type { Client } from '../../engine/http/client.ts';
import { type Certificate, certificateOf } from '../../engine/http/connection.ts';
import type { Redactor } from '../../engine/http/redact.ts';
import type { PlannedCheck } from '../../engine/judgement.ts';
import { signInWith } from '../../engine/players/sign-in.ts';
import type { Discovery } from '../../engine/players/sign-in-discovery.ts';
import { createPlayerTokens, type GivenToken } from '../../engine/players/tokens.ts';
import type { FoundWords } from '../../engine/preflight/find-words.ts';
import { preflight, type Reach } from '../../engine/preflight/preflight.ts';
import type { FoundSegments } from '../../engine/preflight/segments.ts';
import type { Misplaced, Resemblance } from '../../engine/preflight/wrong-address.ts';
import { pinProblems } from '../../engine/run/pins.ts';
import { meantOperations, type Profile } from '../../engine/target/profile.ts';
import { isWall } from '../../engine/target/session-transport.ts';
import type { Target } from '../../engine/target/target.ts';
import { type HostHeaders, type Sampled, watch } from './observe-operation.ts';
import {
  inDeadAreas,
  sampleOperations,
  type Words,
  withWordInLogPaths,
  wordsOf,
} from './sample-operations.ts';
import { applying, type Share, shareOf, shareOfServed } from './share.ts';

/** Limits of one examination; times in ms. */
export interface ExamineLimits {
  /** For the whole examination. */
  readonly examineMs: number;
  /** For everything except the operations. */
  readonly preflightMs: number;
  /** No operation begins after this; those under way have the rest of the time. */
  readonly lastBeginMs: number;
  readonly callMs: number;
  /** Doctor reports a target that asks it to wait, and does not wait. */
  readonly waitBudgetMs: number;
  /** Low enough that no target takes it for a scan. */
  readonly mostCalls: number;
}

/** An examination ends within five seconds, the start of the process included. */
export const usualLimits: ExamineLimits = {
  examineMs: 3_600,
  preflightMs: 3_000,
  lastBeginMs: 2_900,
  callMs: 2_000,
  waitBudgetMs: 300,
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
  const without = (asked: readonly Operation[], key: 'body' | 'accepts' | 'schema') =>
    asked.filter(({ id }) => operations[id]?.[key] === undefined).map(({ id }) => id);
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
  readonly seen: HostHeaders;
  /** Calls that no check judges, and their server errors that vanished on repetition. */
  readonly passingErrors: PassingErrors;
  /** The certificate of an https host. */
  readonly certificate?: Certificate;
  /** The sampled operations, without those that the profile leaves out. */
  readonly sample: readonly Sampled[];
  /** How much of it a run could judge; undefined where that is not known. */
  readonly share: Share | undefined;
  /** How much it could judge if the profile left out all that is not served; undefined where that is not known. */
  readonly shareOfServed?: number | undefined;
}

export interface Examination {
  readonly target: Target;
  readonly hosts: readonly HostSample[];
  /** Holds secrets: never shown as it stands. Undefined where there was no base host to sign in to. */
  readonly discovery: Discovery | undefined;
  /** The source of a second player's token, where the login answers both players with one id; undefined otherwise. */
  readonly tokenSourceWithSameId: GivenToken['from'] | undefined;
  /** Undefined where the version was given, or there is no CDN host to ask. */
  readonly segments: FoundSegments | undefined;
  /** Where the version was given: segments that have files (that version is tried first), or versions the API names. */
  readonly elsewhere: FoundSegments | undefined;
  /** Hosts that serve nothing at their URL, while another URL answers their operations. */
  readonly misplaced: readonly Misplaced[];
  /** Hosts that serve nothing at any URL tried, with the host whose operations their URL answers, if there is one. */
  readonly resemblances: readonly Resemblance[];
  readonly words: Words;
  /** The target's own words as far as they are known; undefined where those in use fit. */
  readonly ownWords: FoundWords | undefined;
  /** Undefined where there is no profile. */
  readonly lacking: Lacking | undefined;
  /** Pointers of the profile at identifiers that no answer had, a line each. */
  readonly unmatched: readonly string[];
  /** What is wrong with the behaviours that the profile expects, a line each. */
  readonly pinProblems: readonly string[];
  /** Calls that a run has in flight. */
  readonly concurrency: number;
  /** How many calls were sent altogether. */
  readonly calls: number;
  /** When the examination began, in ms since the epoch. */
  readonly at: number;
  readonly tookMs: number;
}

interface SecondPlayerOptions {
  readonly target: Target;
  readonly client: Client;
  readonly redactor: Redactor;
  readonly discovery: Discovery | undefined;
}

/**
 * Signs in a second player; that may end the first one's session. Never rejects.
 * @returns the source of the second token, where the login answers both players with one id; otherwise undefined
 */
async function signInSecond(options: SecondPlayerOptions): Promise<GivenToken['from'] | undefined> {
  const { target, client, redactor, discovery } = options;
  if (discovery?.kind !== 'found' || discovery.session.playerId === undefined) return undefined;
  const given = await createPlayerTokens(target, redactor, discovery).of(2);
  if ('why' in given) return undefined;
  const signed = await signInWith(discovery.recipe, client, target, { token: given.token, nth: 2 });
  if (!('session' in signed)) return undefined;
  for (const secret of signed.session.secrets) redactor.learn(secret);
  return signed.session.playerId === discovery.session.playerId ? given.from : undefined;
}

interface ExamineOptions {
  readonly target: Target;
  /** Its deadline ends before that of the whole examination. */
  readonly client: Client;
  readonly redactor: Redactor;
  readonly concurrency: number;
  /** For all but the operations, in ms. */
  readonly withinMs: number;
  /** No operation begins after this, in ms (default: `usualLimits.lastBeginMs`). */
  readonly lastBeginMs?: number;
  /** After this many calls, operations that were drawn by seed are left out. */
  readonly mostCalls: number;
  /** The checks that a run plans. */
  readonly planned: Promise<readonly PlannedCheck[]>;
  readonly now: () => number;
}

/**
 * Looks at a target: which hosts answer, whether a player can sign in, and whether the interface is served.
 * @throws ConfigurationError where the settings leave nothing to sign in with
 */
export async function examine(options: ExamineOptions): Promise<Examination> {
  const { target, redactor, concurrency, withinMs, mostCalls, now } = options;
  const { lastBeginMs = usualLimits.lastBeginMs } = options;
  const at = now();
  const watched = watch(options.client, target);
  const { client } = watched;
  const given = Object.keys(target.hosts) as Host[];
  const certificatesToCome = given.map((host) =>
    certificateOf(target.hosts[host] ?? '', { ...target.transport, deadlineMs: withinMs }),
  );
  const repeats = createErrorRepeats();
  const found = await preflight({ client, target, redactor, withinMs, readOnly: true, repeats });
  const { discovery, segments, elsewhere, words: ownWords } = found;
  const reachable = found.hosts.flatMap(({ host, reachable }) => (reachable ? [host] : []));
  const settled = await withWordInLogPaths(client, found.target, discovery, reachable);
  const isGiven = target.given.includes('gameVersion');
  const { sampled: seen, drawn } = await sampleOperations({
    target: settled,
    client,
    redactor,
    discovery,
    repeats,
    // Where there was no time to find client data, none of it can be reported as missing.
    hosts: reachable.filter((host) => host !== 'cdn' || segments || isGiven),
    concurrency,
    // Drawn operations are left out once the target has limited the rate.
    mayBegin: (isDrawn) =>
      now() - at < lastBeginMs && (!isDrawn || (watched.calls() < mostCalls && watched.limited() === 0)),
  });
  // Last of all: where there is one player, another sign-in may end the session that operations are looked at with.
  const isHurried = watched.limited() > 0 || now() - at >= lastBeginMs;
  const second = { target: settled, client, redactor, discovery };
  const tokenSourceWithSameId = isHurried ? undefined : await signInSecond(second);
  const words = wordsOf(seen, settled.profile);
  const sampled = inDeadAreas(
    seen.map((operation) =>
      mayBeSpelledOtherwise(operation, words) ? { ...operation, reason: 'word-unknown' } : operation,
    ),
  );
  const [planned, certificates] = [await options.planned, await Promise.all(certificatesToCome)];
  const checks = planned.filter(({ level }) => level === 'documented');
  const facts = {
    checks: applying(checks, settled),
    meant: meantOperations(settled),
    sampled,
    drawn,
    signedIn: discovery?.kind === 'found',
    walled: new Set<Host>((['cdn', 'gamelogs'] as const).filter((host) => isWall(settled.sessions?.[host]))),
  };
  return {
    target: settled,
    hosts: found.hosts.map((reach, nth) => {
      const { host } = reach;
      const certificate = certificates[nth];
      return {
        host,
        url: target.hosts[host] ?? '',
        reach,
        seen: watched.seen(host),
        passingErrors: sumOf(repeats.of(new URL(target.hosts[host] ?? '').origin), repeats.of(host)),
        sample: sampled.filter((operation) => operation.host === host),
        share: shareOf(host, facts),
        shareOfServed: shareOfServed(host, facts),
        ...(certificate && { certificate }),
      };
    }),
    discovery,
    tokenSourceWithSameId,
    misplaced: found.misplaced,
    resemblances: found.resemblances,
    segments,
    elsewhere,
    words,
    ownWords,
    lacking: target.profile && lackingIn(target.profile),
    concurrency,
    unmatched: watched.unmatched(),
    pinProblems: pinProblems(target.profile?.expects ?? {}, planned),
    calls: watched.calls(),
    at,
    tookMs: now() - at,
  };
}

const sumOf = (a: PassingErrors, b: PassingErrors): PassingErrors => ({
  calls: a.calls + b.calls,
  errors: a.errors + b.errors,
});

/** Whether an operation may only look missing: no served read confirms a word in its path, so it may be another. */
function mayBeSpelledOtherwise({ id, seen }: Sampled, { fits }: Words): boolean {
  const unknown = fits.filter(({ fit, given }) => fit === 'unknown' && given === undefined);
  const marks = operationById(id)?.words ?? [];
  return seen === 'unrouted' && marks.some(({ word }) => unknown.some((each) => each.word === word));
}
