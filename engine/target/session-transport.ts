// Defines how a session's credential travels, and the evidence that it is one. Holds no secrets.
import type { Host } from '../../catalog/operation.ts';
import { variableOf } from './settings.ts';
import type { Target } from './target.ts';
import { isLoopback } from './transport.ts';

/**
 * How a credential travels. A `source` is where the login's answer holds it: a JSON Pointer into its body
 * (begins with `/`, or is empty), `cookie:NAME`, or the name of a header. A `name` is what it goes back under.
 */
export type SessionTransport =
  | { readonly kind: 'cookie'; readonly names: readonly string[] }
  /** `scheme` of the Authorization header; Bearer where it is left out. */
  | { readonly kind: 'bearer'; readonly source: string; readonly scheme?: string }
  | { readonly kind: 'header'; readonly name: string; readonly source: string }
  | { readonly kind: 'query'; readonly name: string; readonly source: string }
  | { readonly kind: 'combined'; readonly parts: readonly SessionTransport[] };

/** Statuses of the calls that proved the session. */
export interface SessionEvidence {
  /** Catalog id. */
  readonly operation: string;
  readonly without: number;
  readonly spoiled: number;
  readonly with: number;
  readonly differs: 'status' | 'content';
}

export type OtherHost = Exclude<Host, 'base'>;

/** What is known of the session on a host besides the main API's. Plain data, without secrets. */
export type HostSession =
  /** The profile says that the session is sent there. */
  | { readonly kind: 'stated' }
  /** A call succeeds with the session there, and is refused without it. */
  | { readonly kind: 'taken'; readonly evidence: SessionEvidence }
  | Wall;

/** A call is refused there, and no session is known that opens it. */
export interface Wall {
  /**
   * `refused`: with the session as well. `plain-http`: not tried, since others on the way could read the session.
   * `withheld`: the profile forbids sending it there. `no-session`: nobody is signed in.
   */
  readonly kind: 'refused' | 'plain-http' | 'withheld' | 'no-session';
  /** Catalog id of the refused call, and its status: 401 or 403. */
  readonly operation: string;
  readonly status: number;
}

type Known = Pick<Target, 'hosts' | 'profile' | 'sessions'>;

/** Returns whether the session is sent to this host. */
export function takesSession({ hosts, profile, sessions }: Known, host: Host): boolean {
  if (host === 'base') return true;
  const taken = profile?.session?.hosts?.[host] ?? sessions?.[host]?.kind === 'taken';
  return taken && isConfidential(hosts[host]);
}

/** Returns whether nothing is known of the session on this host, as where preflight ran out of time to try it. */
export const isSessionUntried = (target: Known, host: Host): boolean =>
  !takesSession(target, host) &&
  target.sessions?.[host as OtherHost] === undefined &&
  target.profile?.session?.hosts?.[host as OtherHost] !== false;

/** Returns whether nobody on the way can read what is sent to this URL: https, or this machine. */
export const isConfidential = (url: string | undefined): boolean =>
  url !== undefined && (/^https:/i.test(url) || isLoopback(url));

/** Phrases that follow the status of a refused call in a message; `remedyOfWall` recognises each of them. */
const phrases = {
  taken: 'though the session of the main API is sent there',
  refused: 'the session of the main API is refused there too',
  'plain-http': 'the session is not sent there, where plain http would show it',
  withheld: 'the profile keeps the session from this host',
  'no-session': 'nobody is signed in, so no session could be tried there',
  unknown: 'nothing before the run showed that this host wants the session',
} as const;

type Phrase = keyof typeof phrases;

/**
 * The phrase that says what is known of the session on a host that refuses a call.
 * @param noSession why nobody is signed in
 */
export function wallPhrase(target: Known, host: OtherHost, noSession: string | undefined): string {
  if (noSession !== undefined) return `${phrases['no-session']}: ${noSession}`;
  if (takesSession(target, host)) return phrases.taken;
  const found = target.sessions?.[host];
  return phrases[isWall(found) ? found.kind : 'unknown'];
}

/** The remedy for a call that another host refuses. @param detail the check's detail, which holds the `wallPhrase` */
export function remedyOfWall(host: OtherHost, detail: string): string {
  const phrase = (Object.keys(phrases) as Phrase[]).find((each) => detail.includes(phrases[each]));
  return remedies(host)[phrase ?? 'refused'];
}

/** The remedy for a wall that was found. */
export const remedyFor = (host: OtherHost, { kind }: Wall): string => remedies(host)[kind];

const remedies = (host: OtherHost): Readonly<Record<Phrase, string>> => ({
  taken: `set LOGIN_TOKEN to a token that is let in there, or put what ${nameOf[host]} wants besides into headers of the profile`,
  refused:
    host === 'cdn'
      ? 'let files be fetched without a sign-in or with the session of the main API, put what they want instead into headers of the profile, or set a GAME_VERSION that exists'
      : 'let the logging API take calls without a sign-in or with the session of the main API, or put what it wants instead into headers of the profile',
  'plain-http': `set ${variableOf[host]} to an https URL, or run Assay on the machine of ${nameOf[host]}: over plain http the session is sent to this machine alone`,
  withheld: `say in the profile that the session is sent there ({"session": {"hosts": {"${host}": true}}}), or put what ${nameOf[host]} wants instead into headers`,
  'no-session': `let somebody sign in (BASE_URL, LOGIN_TOKEN): the session is then tried on ${nameOf[host]} too`,
  unknown: `${host === 'cdn' ? 'let files be fetched without a sign-in, set a GAME_VERSION that exists, or, ' : ''}where ${nameOf[host]} wants the session, say so in the profile: {"session": {"hosts": {"${host}": true}}}`,
});

const nameOf: Readonly<Record<OtherHost, string>> = {
  cdn: 'the client-data host',
  gamelogs: 'the logging API',
};

/** What was found of the session on another host, as one line for people. */
export function hostSessionLine(host: OtherHost, found: HostSession): string {
  if (found.kind === 'stated') return `${host}: the session is sent there too, as the profile says`;
  if (found.kind === 'taken') {
    const { operation, without, with: answer } = found.evidence;
    return `${host}: wants the session too, and gets it (${operation} answers ${answer} with it, ${without} without)`;
  }
  return `${host}: ${wallIn(found)}; ${remedyFor(host, found)}`;
}

/** `logs.logsBatch answers 401; the session of the main API is refused there too` */
export const wallIn = ({ kind, operation, status }: Wall): string =>
  `${operation} answers ${status}; ${phrases[kind]}`;

export const isWall = (found: HostSession | undefined): found is Wall =>
  found !== undefined && found.kind !== 'stated' && found.kind !== 'taken';
