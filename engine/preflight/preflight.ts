// Runs before the first check: reaches each host, signs in, and finds the words and segments of the target.
import type { Host } from '../../catalog/operation.ts';
import { onHost } from '../../catalog/request-path.ts';
import { type ErrorRepeats, withErrorRepeats } from '../compare/passing-errors.ts';
import { plainHeaders } from '../http/ask.ts';
import type { Client } from '../http/client.ts';
import { type Exchange, header, json, mediaType, type TransportKind, text } from '../http/exchange.ts';
import type { Redactor } from '../http/redact.ts';
import type { Discovery } from '../players/sign-in-discovery.ts';
import { createPlayerTokens } from '../players/tokens.ts';
import { createRefusalWatch } from '../target/refusal-form.ts';
import { isWall } from '../target/session-transport.ts';
import { type Target, withSegments } from '../target/target.ts';
import { ConfigurationError } from '../values/configuration-error.ts';
import { scramble } from '../values/nonexistent.ts';
import { randomFrom } from '../values/random.ts';
import { is3xx } from '../values/status.ts';
import { findDescription } from './api-description.ts';
import { createSources, putter, type Sources } from './ask-target.ts';
import { doubtWords } from './doubtful-words.ts';
import {
  type Discovered,
  discoverByAnyName,
  type FoundWords,
  findGame,
  findOpen,
  inWords,
  together,
} from './find-words.ts';
import {
  givenVersionLine,
  hintsOf,
  hostLine,
  isBaseAway,
  openStageLines,
  planLine,
  segmentsLine,
  sessionLines,
  signInLine,
  transportLines,
  whyUnreached,
  wordLines,
} from './lines.ts';
import { type FoundSegments, findSegments, foundFor, wrongGivenVersion } from './segments.ts';
import { createSessionTrial } from './try-session.ts';
import {
  findMisplaced,
  findResemblances,
  type Misplaced,
  otherScheme,
  placementLine,
  placements,
  type Resemblance,
  resemblancePlacement,
} from './wrong-address.ts';

/** Plain data. */
export type Reach =
  | {
      readonly host: Host;
      readonly reachable: true;
      /** The answer to an unrouted path, as `404 (JSON)`. */
      readonly unrouted: { readonly GET: string; readonly POST: string };
      /** The faster of the two answers, connecting included, in ms. */
      readonly latencyMs: number;
    }
  | {
      readonly host: Host;
      readonly reachable: false;
      readonly error: TransportKind;
      readonly message: string;
      /** The URL with the other scheme, where the host speaks that one. */
      readonly instead?: string;
    };

/** Asks one given host twice; never rejects. */
async function reach(client: Client, target: Target, host: Host): Promise<Reach> {
  const random = randomFrom(target.seed, target.runId, 'reach', host);
  const url = onHost(target.hosts[host] ?? '', `/${scramble('unrouted', random)}`);
  const headers = [...plainHeaders, ...target.headers];
  const options = { priority: 0, noWait: true };
  const [get, post] = await Promise.all([
    client.send({ method: 'GET', url, headers }, options),
    client.send(
      { method: 'POST', url, headers: [...headers, ['content-type', 'application/json']], body: '{}' },
      options,
    ),
  ]);
  const answered = [get, post].filter(({ response }) => response);
  const isSilent = answered.length === 0 && get.error !== undefined;
  // Servers that speak TLS alone close the connection, or answer plain http with a 400.
  const isDoubtful = /^http:/i.test(url) && answered.every(({ response }) => response?.status === 400);
  const error = isSilent ? get.error : { kind: 'protocol' as const, message: 'https is spoken there' };
  if (error !== undefined && (isSilent || isDoubtful)) {
    const instead = await otherScheme(client, target, target.hosts[host] ?? '', error.kind);
    if (isSilent || instead !== undefined)
      return {
        host,
        reachable: false,
        error: error.kind,
        message: error.message,
        ...(instead !== undefined && { instead }),
      };
  }
  return {
    host,
    reachable: true,
    unrouted: { GET: reachInWords(get), POST: reachInWords(post) },
    latencyMs: Math.min(...answered.map(({ durationMs }) => durationMs)),
  };
}

function reachInWords(exchange: Exchange): string {
  const { response, error } = exchange;
  if (!response) return `no answer (${error?.kind})`;
  const { status } = response;
  if (is3xx(status)) return `${status} to ${destination(header(response, 'location') ?? 'nowhere')}`;
  const wall = status === 401 || status === 403 ? ', perhaps a wall' : '';
  return `${status} (${kindOfBody(exchange)}${status < 300 ? ', catch-all' : wall})`;
}

/** The target of a redirect without its query, which may hold anything. */
const destination = (location: string) =>
  location
    .replace(/[?#].*/s, '')
    .slice(0, 80)
    .replace(/[^\x20-\x7e]/g, '?');

function kindOfBody({ response }: Exchange): string {
  if (!response || response.body.length === 0) return 'empty';
  if (json(response).ok) return 'JSON';
  const type = mediaType(response) ?? '';
  if (type.includes('html') || /^\s*<(!doctype html|html)/i.test(text(response).slice(0, 200))) return 'HTML';
  return type.startsWith('text/') || type === '' ? 'text' : type.slice(0, 40);
}

/** What preflight finds out about a target: its client data's segments, and its own words. */
interface Settled {
  /** Undefined where the version was given, or no host can be asked. */
  readonly segments: FoundSegments | undefined;
  /** Where the version was given: segments with files, the given ones tried first; or the versions of the API. */
  readonly elsewhere: FoundSegments | undefined;
  /** Undefined where the words in use fit, or no host can be asked. */
  readonly words: FoundWords | undefined;
  /** Undefined where the base host was not given or does not answer. */
  readonly discovery: Discovery | undefined;
  /** The target with all of these facts, and with the session's use on other hosts. */
  readonly target: Target;
}

interface Settling {
  readonly client: Client;
  readonly target: Target;
  readonly signedIn: Partial<Discovered>;
  readonly sources: Sources;
  readonly reachable: (host: Host) => boolean;
  readonly readOnly: boolean;
  /** Resolves to undefined where the promise takes too long. */
  readonly inTime: <T>(promise: Promise<T>) => Promise<T | undefined>;
}

async function settle(how: Settling): Promise<Settled> {
  const { client, signedIn, sources, reachable, readOnly, inTime } = how;
  const { discovery, storefront } = signedIn;
  const target = inWords(how.target, together({ storefront }));
  const trial = createSessionTrial({ client, target, discovery, readOnly });
  const put = (of: Target) => putter(client, of, discovery, trial);
  const isGiven = target.given.includes('gameVersion');
  // Where the given version is wrong, the report names a folder that has files, so other versions are sought as well.
  const sought = isGiven
    ? { ...target, given: target.given.filter((name) => name === 'versionPattern') }
    : target;
  const [looked, game] = await Promise.all([
    reachable('cdn') ? inTime(findSegments(client, sought, discovery, sources, trial)) : undefined,
    reachable('base') ? inTime(findGame(put(target), target, discovery, sources)) : undefined,
  ]);
  const [segments, elsewhere] = isGiven ? [undefined, looked] : [looked, undefined];
  const there = looked?.found ? withSegments(target, foundFor(target, looked.segments)) : target;
  const word = game?.game?.word ?? how.target.profile?.words.game;
  const wordsAt =
    word === undefined || word === 'game'
      ? undefined
      : await inTime(findOpen(put(there), there, word, !readOnly));
  const doubted = await inTime(doubtWords(put(there), there, discovery));
  const words = together({ storefront, game, wordsAt, ...(doubted && { doubted }) });
  const spelled = inWords(there, words);
  const besides = (['cdn', 'gamelogs'] as const).filter(reachable);
  await inTime(Promise.all(besides.map((host) => trial.tryHost(host, spelled))));
  const { cdn, ...others } = trial.sessions();
  // Where other files are served, or none under this folder and version, a store may answer 403 for a missing file.
  const isWrong = elsewhere ? wrongGivenVersion(elsewhere, spelled) !== undefined : segments?.found === false;
  const isAbsence = isWall(cdn) && cdn.status === 403 && (isWrong || looked?.found === true);
  const sessions = { ...(cdn && !isAbsence && { cdn }), ...others };
  const known = Object.keys(sessions).length > 0 ? { ...spelled, sessions } : spelled;
  return { segments, elsewhere, words, discovery: trial.discovery(), target: known };
}

/**
 * What a run finds before its first check: which hosts answer, how they answer unrouted paths, and who can sign in.
 * Plain data; `discovery` holds secrets and is never recorded as it stands.
 */
export interface Preflight extends Settled {
  readonly hosts: readonly Reach[];
  /** No host answers, so there is nothing to judge: exit code 2. */
  readonly nothingReachable: boolean;
  /** For each given host that does not answer: why. */
  readonly unreachable: Readonly<Partial<Record<Host, string>>>;
  /** Hosts that serve nothing at their given URL, while another URL answers their operations. */
  readonly misplaced: readonly Misplaced[];
  /** Hosts that serve nothing of what was tried, where no other URL serves it. */
  readonly resemblances: readonly Resemblance[];
  /** A line for each URL that is surely wrong, with what to set: nothing can be judged with such a URL. */
  readonly mistakes: readonly string[];
  /** What keeps a run from judging much, a line each with what to do. */
  readonly hints: readonly string[];
  /** The findings, in plain lines. */
  readonly lines: readonly string[];
}

interface PreflightOptions {
  readonly client: Client;
  readonly target: Target;
  readonly redactor: Pick<Redactor, 'learn'>;
  /** How many calls of which effect are planned; reported where a host is not loopback. */
  readonly calls?: Readonly<Record<string, number>> | undefined;
  /** Sends only reads and the sign-in. */
  readonly readOnly?: boolean;
  /** Counts the server errors that did not come again, by origin. */
  readonly repeats?: ErrorRepeats;
  /** The time for all of it, in ms: by default 12,000, and more where answers are slow; five sixths to reach hosts. */
  readonly withinMs?: number;
}

const defaultMs = 12_000;
/** Most calls in a row: the sign-in, trying its credentials, the words, the segments, the session elsewhere. */
const answersInARow = 36;
const mostMoreMs = 30_000;
/** A description is optional: one that takes longer is not waited for. */
const describesWithinMs = 4_000;

/**
 * Asks every given host, then signs in.
 * @throws ConfigurationError where the settings leave nothing to sign in with
 */
export async function preflight(options: PreflightOptions): Promise<Preflight> {
  const { target, redactor, calls, readOnly = false, withinMs = defaultMs } = options;
  const refusals = createRefusalWatch();
  const client = withErrorRepeats(watched(options.client, target.hosts.base, refusals.note), options.repeats);
  let endsAt = performance.now() + withinMs;
  const given = Object.keys(target.hosts) as Host[];
  const asked = given.map((host) =>
    bounded(reach(client, target, host), (withinMs * 5) / 6, lateReach(host)),
  );
  const base = asked[given.indexOf('base')];
  const tokens = createPlayerTokens(target, redactor);
  const sources = createSources();
  // Made while the hosts are asked: signing has a library to load, and LOGIN_TOKEN_COMMAND may take its time.
  if (base) void tokens.of(1);
  const describing = base?.then((found) =>
    found.reachable ? bounded(findDescription(client, target), describesWithinMs, undefined) : undefined,
  );
  // A host that fails slowly must not delay the sign-in on another host.
  const signingIn = base?.then((found) => {
    if (!found.reachable) return undefined;
    if (options.withinMs === undefined) endsAt += Math.min(answersInARow * found.latencyMs, mostMoreMs);
    const discovering = discoverByAnyName(client, target, tokens, redactor, sources, describing);
    return bounded(discovering, endsAt - performance.now(), { discovery: lateSignIn });
  });
  const [hosts, signedIn = {}, described] = await Promise.all([Promise.all(asked), signingIn, describing]);
  const early: Partial<Discovered> = signedIn;
  if (early.discovery?.kind === 'no-token') throw new ConfigurationError([early.discovery.why]);
  const reachable = (wanted: Host) => hosts.some(({ host, reachable }) => host === wanted && reachable);
  const inTime = <T>(promise: Promise<T>) => bounded(promise, endsAt - performance.now(), undefined);
  const readOf = { ...target, ...(described && { described }) };
  const settled = await settle({ client, target: readOf, signedIn, sources, reachable, readOnly, inTime });
  const { segments, elsewhere, words, discovery } = settled;
  const search = {
    client,
    target: settled.target,
    suspects: suspectsOf(target, settled).filter(reachable),
    reachable: hosts.flatMap(({ host, reachable }) => (reachable ? [host] : [])),
    version: segments?.found === false ? segments.reported[0] : undefined,
  };
  const misplaced = (await inTime(findMisplaced(search))) ?? [];
  const found = misplaced.length > 0 ? [] : ((await inTime(findResemblances(search))) ?? []);
  // Where all is refused, a gateway may stand before the right host.
  const resemblances = found.filter(({ as }) => as !== undefined || discovery?.kind === 'unrouted');
  const likeOthers = resemblances.filter(({ as }) => as !== undefined);
  const linesOf = (these: readonly Resemblance[]) =>
    these.flatMap((each) => placementLine(resemblancePlacement(each, target)));
  const form = refusals.form();
  const nothingReachable = hosts.every(({ reachable }) => !reachable);
  return {
    hosts,
    nothingReachable,
    unreachable: Object.fromEntries(
      hosts.flatMap((found) => (found.reachable ? [] : [[found.host, whyUnreached(found, target)]])),
    ),
    ...settled,
    target: { ...settled.target, ...(form && { refusalForm: form }) },
    misplaced,
    resemblances,
    hints: [
      ...linesOf(resemblances),
      // Another word would not help where another server answers.
      ...hintsOf(
        {
          ...settled,
          hosts,
          ...(resemblances.some(({ host }) => host === 'base') && { words: undefined }),
          ...(likeOthers.some(({ host }) => host === 'base') && { discovery: undefined }),
        },
        target,
      ),
    ],
    mistakes: mistakesOf(hosts, misplaced, target),
    lines: [
      ...(target.settingRemarks ?? []),
      // A wrong version causes much of what follows, so its line comes first.
      ...(elsewhere ? givenVersionLine(elsewhere, target) : []),
      ...transportLines(target),
      ...hosts.map((found) => hostLine(found, target)),
      ...linesOf(resemblances),
      ...(discovery ? [signInLine(discovery, target), ...openStageLines(discovery, target)] : []),
      ...sessionLines(settled.target),
      ...(segments && (segments.found || !isWall(settled.target.sessions?.cdn))
        ? [segmentsLine(segments, target, isBaseAway(hosts))]
        : []),
      ...(described ? [`description: ${described.at} is read for words and bodies`] : []),
      ...(words ? wordLines(words) : []),
      ...(calls
        ? planLine(
            given.filter(reachable).map((host) => target.hosts[host] ?? ''),
            calls,
          )
        : []),
    ],
  };
}

/** The client; answers from that URL pass through `note`. */
const watched = (
  client: Client,
  url: string | undefined,
  note: (exchange: Exchange) => Exchange,
): Client => ({
  ...client,
  send: async (request, options) => {
    const exchange = await client.send(request, options);
    return url !== undefined && request.url.startsWith(`${url}/`) ? note(exchange) : exchange;
  },
});

/** Hosts that may have a wrong URL: nobody could sign in, no file was found, or a host like that stands beside it. */
function suspectsOf({ hosts }: Target, { discovery, segments, elsewhere }: Settled): Host[] {
  const isBase =
    discovery?.kind === 'unrouted' || (discovery?.kind === 'refused' && discovery.likeUnrouted) || false;
  const isFiles = hosts.cdn !== undefined && (segments ?? elsewhere)?.found !== true;
  const hasPrefix = (url = '') => (URL.parse(url)?.pathname ?? '/') !== '/';
  const isLogs = isBase || isFiles || hosts.base === undefined || hasPrefix(hosts.gamelogs);
  return [
    ...(isBase ? ['base' as const] : []),
    ...(isFiles ? ['cdn' as const] : []),
    ...(isLogs && hosts.gamelogs !== undefined ? ['gamelogs' as const] : []),
  ];
}

function mistakesOf(hosts: readonly Reach[], misplaced: readonly Misplaced[], target: Target): string[] {
  const lost = new Set(misplaced.map(({ host }) => host));
  return [
    ...hosts.flatMap((found) => (!found.reachable && found.instead ? [hostLine(found, target)] : [])),
    ...placements(misplaced, lost, target).flatMap(placementLine),
  ];
}

/** The promise, or `late` after that many ms. Calls under way then end by the client's deadline, and are ignored. */
async function bounded<T, Late>(promise: Promise<T>, ms: number, late: Late): Promise<T | Late> {
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<Late>((settle) => {
    timer = setTimeout(() => settle(late), Math.max(0, ms));
  });
  return Promise.race([promise, overdue]).finally(() => clearTimeout(timer));
}

const message = 'not answered in time';
const lateSignIn: Discovery = { kind: 'unreachable', error: 'timeout', message };
const lateReach = (host: Host): Reach => ({ host, reachable: false, error: 'timeout', message });
