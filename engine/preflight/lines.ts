// Writes preflight's findings for people, one line each.
import { areas } from '../../catalog/catalog.ts';
import { pathInWords, worthTrying } from '../../catalog/words.ts';
import type { TransportKind } from '../http/exchange.ts';
import { described } from '../players/session.ts';
import { type Discovery, triedWith } from '../players/sign-in-discovery.ts';
import { type HostSession, hostSessionLine, isWall, type OtherHost } from '../target/session-transport.ts';
import { variableOf } from '../target/settings.ts';
import type { Target } from '../target/target.ts';
import { insecureLine, isLoopback } from '../target/transport.ts';
import { quoted } from '../values/text.ts';
import { typed } from '../values/typed-command.ts';
import { doubtLine } from './doubtful-words.ts';
import { type FoundWords, wordsIn } from './find-words.ts';
import type { Preflight, Reach } from './preflight.ts';
import { type FoundSegments, folderOf, wrongGivenVersion } from './segments.ts';

type Unreached = Extract<Reach, { reachable: false }>;

/** For each way in which a host is not reached: its meaning, and what to check. */
export const trouble: Readonly<Record<TransportKind, string>> = {
  refused: 'nothing accepts connections there; check the port, and that it is up',
  dns: 'its name is not known to DNS; check the spelling',
  reset: 'it closes connections without an answer',
  timeout: 'it accepts and does not answer in time, or swallows the connection',
  tls: 'no trust in its TLS; check its certificate, and http against https',
  protocol: 'what answers there does not speak HTTP',
  'too-large': 'its answer to an unknown path is too large',
  aborted: 'the run was stopped',
  budget: 'the time for the run was over',
};

const unsigned =
  'nobody whom this machine trusts has signed its certificate; name the one to trust with TLS_CA=FILE (PEM), or look at none (--insecure)';

/** For each code of a certificate that is not trusted: its meaning, and what to do. */
const certificateErrors: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED:
    'its certificate has expired; renew it, or judge the server without looking at it (--insecure)',
  CERT_ALTNAME_INVALID:
    'its certificate is issued for another name; give the URL with that name, or judge the server without looking at it (--insecure)',
  SELF_SIGNED_CERT: unsigned,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unsigned,
  UNABLE_TO_GET_ISSUER_CERT: unsigned,
};

/** Why a host is not reached, and what to check or set. */
export function troubleOf({ host, error, message, instead }: Unreached): string {
  if (instead !== undefined) {
    const [spoken, given] = instead.startsWith('https:') ? ['https', 'http'] : ['plain http', 'https'];
    return `${spoken} is spoken there, and ${variableOf[host]} says ${given}; set ${variableOf[host]}=${instead}`;
  }
  const distrusted = Object.entries(certificateErrors).find(([code]) => message.includes(code));
  return distrusted?.[1] ?? trouble[error];
}

/** `base: not reached at http://127.0.0.1:1 (refused): …`, with what to check or set. */
export function unreachedLine(found: Unreached, target: Target): string {
  const url = target.hosts[found.host] ?? '';
  return `${found.host}: not reached at ${url} (${found.error}): ${whyUnreached(found, target)}`;
}

/** The last part of `unreachedLine`: why the host is not reached. */
export function whyUnreached(found: Unreached, target: Target): string {
  const proxy = proxyOf(target.hosts[found.host] ?? '', target);
  // A proxy between Assay and the target may be the cause: the kind of failure shows which of the two it is.
  return proxy === undefined || found.instead
    ? troubleOf(found)
    : `through the proxy ${proxy}: ${found.message}`;
}

/** `base: answers in 3 ms, unrouted paths get 404 (JSON)` */
export function hostLine(found: Reach, target: Target): string {
  if (!found.reachable) {
    return unreachedLine(found, target);
  }
  const { GET, POST } = found.unrouted;
  const unrouted = GET === POST ? GET : `${GET} to GET and ${POST} to POST`;
  return `${found.host}: answers in ${Math.max(1, Math.round(found.latencyMs))} ms, unrouted paths get ${unrouted}`;
}

const proxyOf = (url: string, { transport }: Target) => {
  const proxy = transport?.proxies?.[URL.parse(url)?.origin ?? ''];
  return proxy === undefined ? undefined : new URL(proxy).origin;
};

/** Lines that hold for every call of the run, written before anything is sent. */
export function transportLines(target: Target): string[] {
  const { insecure = false, caFile } = target.transport ?? {};
  const throughs = Object.entries(target.hosts).flatMap(([host, url]) => {
    const proxy = proxyOf(url, target);
    return proxy === undefined ? [] : [`${host} through ${proxy}`];
  });
  return [
    ...(insecure ? [insecureLine] : []),
    ...(caFile === undefined ? [] : [`certificates are checked against ${quoted(caFile)} (TLS_CA) alone`]),
    ...(throughs.length === 0 ? [] : [`asked through a proxy: ${throughs.join(', ')}`]),
  ];
}

/** The warning about a target that accepts test JWTs. This is right on a test stage, so no check fails for it. */
export function openStageLines(signIn: Discovery, { embedded }: Pick<Target, 'embedded'>): string[] {
  if (embedded || signIn.kind !== 'found' || signIn.from !== 'test JWT') return [];
  return [
    'warning: test JWTs sign in, and their secret is published, so anybody can sign in as anybody; right on a test stage alone',
  ];
}

/** The token, the session and its evidence; or why there is no session, and what to do. */
export function signInLine(signIn: Discovery, { profile }: Pick<Target, 'profile'>): string {
  switch (signIn.kind) {
    case 'found': {
      const { operation, without, spoiled, with: answer, differs } = signIn.evidence;
      const others =
        without === spoiled ? `${without} without` : `${without} without, ${spoiled} with a wrong one`;
      const shows = differs === 'status' ? others : 'and says something else without';
      const accepted = `a ${signIn.from === 'test JWT' ? 'test JWT' : `token of ${signIn.from}`} is accepted`;
      return `sign-in: ${accepted}; the session is ${described(signIn.session.transport)}${signIn.recipe.rotates ? ', a new one in every answer' : ''} (${operation} answers ${answer} with it, ${shows})`;
    }
    case 'refused':
      if (signIn.status === 429)
        return 'sign-in: the login answers 429: it allows no more calls for now; try again later, or more slowly (--rate)';
      if (signIn.status >= 500)
        return `sign-in: the login answers ${signIn.status} to the ${signIn.from === 'test JWT' ? 'test JWT' : `token of ${signIn.from}`}, a fault of the target's own; look at its log, and that all it needs is up`;
      return signIn.from === 'test JWT'
        ? `sign-in: the login answers ${signIn.status} to a test JWT; set LOGIN_TOKEN (several tokens: several players) or LOGIN_TOKEN_COMMAND`
        : `sign-in: the login answers ${signIn.status} to the token of ${signIn.from}; check that it is valid and not expired`;
    case 'no-credential':
      if (signIn.missingWhereStated)
        return `sign-in: the login answers ${signIn.status} without a credential where the profile says that it stands; check session.transport`;
      return `sign-in: the login answers ${signIn.status}, but nothing in its answer makes a difference to later calls (${signIn.tried} possible credentials tried)${triedWith(signIn)}`;
    case 'no-difference':
      return `sign-in: no call is answered differently with ${described(signIn.transport)}, which the profile states; check session.transport`;
    case 'any-credential': {
      const { operation, without, with: answer } = signIn.evidence;
      return `sign-in: any credential is believed: ${operation} answers ${answer} with a spoiled one as with the real one, ${without} without; whoever makes one up is signed in`;
    }
    case 'unrouted':
      return `sign-in: ${pathInWords(areas.auth.login, profile)} is answered ${signIn.status} as an unrouted path is, so there is no login${givenStorefront(profile)}`;
    case 'unreachable':
      return `sign-in: the login was not answered (${signIn.error})`;
    case 'no-token':
      return `sign-in: ${signIn.why}`;
  }
}

/** What is known of the word for the store in the login's path. */
interface StorefrontWord {
  /** The profile gives one. */
  readonly isGiven: boolean;
  /** The document's own word is not served, while others are. */
  readonly isUnknown: boolean;
  /** Words that the target may mean. */
  readonly clues?: readonly string[] | undefined;
}

/** What to do where nobody is signed in. */
export function signInRemedy(signIn: Exclude<Discovery, { kind: 'found' }>, word: StorefrontWord): string {
  switch (signIn.kind) {
    case 'refused':
      if (signIn.status === 429) return 'it allows no more calls for now: try again later';
      if (signIn.status >= 500)
        return `mend the login, or wait until it is up; where only a token of yours is taken, set LOGIN_TOKEN`;
      return signIn.likeUnrouted
        ? 'paths that cannot exist are answered in the same way: the login may have another path (words in the profile), or stand behind a gateway'
        : 'the target has to trust the token: give one of its own';
    case 'no-credential':
    case 'no-difference':
      return 'say in the profile where the session stands and how it is sent back: session.transport';
    case 'any-credential':
      return 'let the target refuse a credential that it did not hand out';
    case 'unrouted': {
      if (word.isGiven)
        return `the profile gives another word for "storefront": leave it out of words, and the document's and those that the target names are tried`;
      if (!word.isUnknown)
        return `check BASE_URL and its path prefix: nothing answers at ${areas.auth.login.path}`;
      const trying = worthTrying(word.clues);
      return `the target may have another word for "storefront": name it in the profile, {"words": {"storefront": "…"}}${trying === undefined ? '' : `; ${trying}`}`;
    }
    case 'unreachable':
      return `look at the target's log; ${typed('run')} waits longer (--timeout)`;
    case 'no-token':
      return 'mend LOGIN_TOKEN_COMMAND, or set LOGIN_TOKEN';
  }
}

/** What keeps a run from judging much, a line each with what to do; for the end of a run that judged little. */
export function hintsOf(
  {
    hosts,
    discovery,
    segments,
    words,
    target: settled,
  }: Pick<Preflight, 'hosts' | 'discovery' | 'segments' | 'words' | 'target'>,
  target: Target,
): string[] {
  const { sessions = {} } = settled;
  const storefront: StorefrontWord = {
    isGiven: target.profile?.words.storefront !== undefined,
    isUnknown: words !== undefined,
    clues: words?.clues.map(({ word }) => word),
  };
  const isFileless = segments?.found === false && !isWall(sessions.cdn);
  return [
    ...hosts.flatMap((found) => (found.reachable ? [] : [hostLine(found, target)])),
    ...(discovery === undefined || discovery.kind === 'found'
      ? []
      : [`${signInLine(discovery, target)}; ${signInRemedy(discovery, storefront)}`]),
    ...(Object.entries(sessions) as [OtherHost, HostSession][]).flatMap(([host, found]) =>
      isWall(found) ? [hostSessionLine(host, found)] : [],
    ),
    ...(isFileless ? [segmentsLine(segments, target, isBaseAway(hosts))] : []),
    ...(words?.missing && !words.game ? wordLines({ ...words, doubted: [] }) : []),
  ];
}

/** Names the profile's word for "storefront", since a wrong one is a reason why there is no login. */
const givenStorefront = (profile: Target['profile']) => {
  const word = profile?.words.storefront;
  return word === undefined ? '' : ` (the profile gives ${quoted(word)} for "storefront" in words)`;
};

/**
 * One line for each host besides the main API's that asks for the session; none for a host that lets in everybody.
 * @param which `taken`: only the hosts that accept the session
 */
export const sessionLines = (
  { sessions = {} }: Pick<Target, 'sessions'>,
  which: 'taken' | 'all' = 'all',
): string[] =>
  (Object.entries(sessions) as [OtherHost, HostSession][]).flatMap(([host, found]) =>
    which === 'taken' && isWall(found) ? [] : [hostSessionLine(host, found)],
  );

/** Whether the main API was given and does not answer. */
export const isBaseAway = (hosts: Preflight['hosts']): boolean =>
  hosts.some(({ host, reachable }) => host === 'base' && !reachable);

/**
 * The client data that is judged where GAME_VERSION is not set, and the evidence for it; or what to set.
 * @param isBaseAway the main API was given and did not answer
 */
export function segmentsLine(found: FoundSegments, { ambient, hosts }: Target, isBaseAway: boolean): string {
  if (found.found) {
    const { CDN_ROOT_FOLDER_PATH, gameVersion } = found.segments;
    const how = found.reportedBy === undefined ? '' : `; ${found.reportedBy} reports the version`;
    return `client data: files found under ${folderOf(CDN_ROOT_FOLDER_PATH, gameVersion)}${how}`;
  }
  const folder = folderOf(ambient.CDN_ROOT_FOLDER_PATH, ambient.gameVersion);
  const remedy = 'set GAME_VERSION and CDN_ROOT_FOLDER_PATH';
  if (found.ofAnyVersion)
    return `client data: ${folder} has files, and so has a version that does not exist; ${remedy}`;
  const because =
    hosts.base === undefined
      ? 'the main API, which could report the version, was not given'
      : isBaseAway
        ? 'the main API, which may report the version, does not answer'
        : found.reported.length === 0
          ? 'the main API reports no version'
          : `none under ${found.reported.map((version) => quoted(version)).join(', ')} that the main API reports`;
  return `client data: no files under ${folder}; ${because}; ${isBaseAway ? 'mend that first, or ' : ''}${remedy}`;
}

/** A line where the given version has no files and the API names another one; otherwise none. */
export function givenVersionLine(elsewhere: FoundSegments, target: Target): string[] {
  const wrong = wrongGivenVersion(elsewhere, target);
  return wrong === undefined ? [] : [`${wrong.what}; ${wrong.remedy}`];
}

/** The target's own words and their evidence; or the words to try. */
export function wordLines(found: FoundWords): string[] {
  const { missing, game, storefront, wordsAt, clues, doubted } = found;
  const words = wordsIn(found);
  const profile = {
    ...(Object.keys(words).length > 0 && { words }),
    ...(Object.keys(wordsAt).length > 0 && { wordsAt }),
  };
  const evidence = [
    ...(storefront
      ? [
          `words: storefront is "${storefront.word}" here: tried because ${storefront.because}, and its login lets in`,
        ]
      : []),
    ...(game
      ? [
          `words: game is called "${game.word}" here: tried because ${game.because}, and ${game.by.join(' and ')} are served by it alone`,
        ]
      : []),
  ];
  const keep =
    Object.keys(profile).length > 0 ? [`words: put into the profile: ${JSON.stringify(profile)}`] : [];
  const doubts = doubted.map(doubtLine);
  if (game || !missing) return [...evidence, ...keep, ...doubts];
  return [
    ...evidence,
    ...keep,
    ...doubts,
    `words: no read is served by the document's word "game"; ${worthTrying(clues.map(({ word }) => word)) ?? 'name the one of this target'} in the profile: {"words": {"game": "…"}}`,
  ];
}

/** The warning before calls to a target that others may use; empty where all these URLs are of this machine. */
export function planLine(urls: readonly string[], calls: Readonly<Record<string, number>>): string[] {
  const far = urls.filter((url) => !isLoopback(url));
  if (far.length === 0) return [];
  const { read = 0, own = 0, shared = 0 } = calls;
  return [
    `about to send to ${[...new Set(far)].join(', ')}: ${read} calls that read, ${own} that change their own test players, ${shared} that others may see (--read-only leaves out both)`,
  ];
}
