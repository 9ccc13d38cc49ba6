// Finds hosts whose URL is wrong: another scheme, another host's URL, or too much or too little of a path prefix.
import { areas } from '../../catalog/catalog.ts';
import { allHosts, type Host, type Operation } from '../../catalog/operation.ts';
import { nobody, pathOf, requestOf } from '../http/ask.ts';
import type { Client } from '../http/client.ts';
import { certificateOf } from '../http/connection.ts';
import { statusOf, type TransportKind } from '../http/exchange.ts';
import { variableOf } from '../target/settings.ts';
import type { Target } from '../target/target.ts';
import { scramble } from '../values/nonexistent.ts';
import { randomFrom } from '../values/random.ts';
import { is2xx, is4xx } from '../values/status.ts';

/** A host that serves nothing at its own URL, while its operations are answered at another one. */
export interface Misplaced {
  /** The host that the operations belong to. */
  readonly host: Host;
  /** Where the operations are answered: at another host's URL, or at this URL. */
  readonly at: Host | `${'http' | 'https'}:${string}`;
  /** How many of the operations tried there are answered. */
  readonly answered: number;
  readonly tried: number;
}

const { auth, clientData, general, logs, me } = areas;

/** A few operations that show most about a host; each is compared with a path beside it that cannot have a route. */
const telling: Readonly<Record<Host, readonly Operation[]>> = {
  base: [auth.publicKey, me.location, general.healthcheck],
  cdn: [clientData.catalog, clientData.contentMetadata],
  gamelogs: [logs.logsBatch, logs.analyticsBatch],
};
/** The fewest answered operations that show a host: a single one may be answered by chance. */
const enough = 2;
/** Most path segments that are cut from the end of a URL. */
const mostCut = 3;
/** Most prefixes of a description that are tried. */
const mostPrefixes = 2;

interface SearchOptions {
  readonly target: Target;
  readonly client: Client;
  /** Hosts that may serve nothing at their given URL; the URLs of the others count as right. */
  readonly suspects: readonly Host[];
  /** The version that the main API names. */
  readonly version: string | undefined;
}

/** Finds other URLs that serve the suspects. Sends GET alone, a few per URL, without a credential. Never rejects. */
export async function findMisplaced(
  options: SearchOptions & {
    /** Hosts that answer. */
    readonly reachable: readonly Host[];
  },
): Promise<Misplaced[]> {
  const { target, suspects, reachable } = options;
  const found = suspects.map(async (host): Promise<Misplaced[]> => {
    const own = target.hosts[host] ?? '';
    const others = reachable.filter((at) => target.hosts[at] !== own);
    const there = [
      ...others.map((at) => ({ at, url: target.hosts[at] ?? '' })),
      ...[...shortened(own), ...(host === 'base' ? lengthened(own, target) : [])].map((url) => ({
        at: url as Misplaced['at'],
        url,
      })),
    ];
    const seen = await Promise.all(
      there.map(async ({ at, url }) => ({ host, at, ...(await answersAt(host, url, options)) })),
    );
    const isTwice = (at: string) => own.startsWith(at) && isBeginning(host, own.slice(at.length));
    const elsewhere = seen.filter(({ answered, at }) => answered >= (isTwice(at) ? 1 : enough));
    if (elsewhere.length === 0) return [];
    const here = await answersAt(host, own, options);
    return servesNothing(host, here.answered) ? elsewhere : [];
  });
  return (await Promise.all(found)).flat();
}

/** A host that serves none of its operations that were tried. Another one, whose URL was not given, may stand there. */
export interface Resemblance extends Pick<Misplaced, 'answered' | 'tried'> {
  readonly host: Host;
  /** The host whose operations are answered at this URL; undefined where there is none. */
  readonly as: Host | undefined;
}

/** Finds what answers at the URLs of the suspects. Sends calls as `findMisplaced` does, and never rejects. */
export async function findResemblances(options: SearchOptions): Promise<Resemblance[]> {
  const { hosts } = options.target;
  const found = options.suspects.map(async (host): Promise<Resemblance[]> => {
    const own = hosts[host] ?? '';
    const isOpen = (as: Host) => hosts[as] === undefined || (host === 'base' && hosts[as] === own);
    const others = allHosts.filter((as) => as !== host && isOpen(as));
    if (others.length === 0 && host !== 'base') return [];
    const [here, ...there] = await Promise.all(
      [host, ...others].map(async (as) => ({ as, ...(await answersAt(as, own, options)) })),
    );
    if (here === undefined || !servesNothing(host, here.answered)) return [];
    const like = there.find(({ answered }) => answered >= enough);
    return like === undefined ? [{ ...here, host, as: undefined }] : [{ ...like, host }];
  });
  return (await Promise.all(found)).flat();
}

/** Whether the host serves nothing. Any server may answer one call of the main API, such as the healthcheck. */
const servesNothing = (host: Host, answered: number) => answered < (host === 'base' ? enough : 1);

/** Whether every path begins with the ending of the URL: it is then sent twice, and one answer elsewhere is enough. */
const isBeginning = (host: Host, ending: string): boolean =>
  ending !== '' && telling[host].every(({ path }) => path.startsWith(`${ending}/`));

/** The URL without its last path segment, without its last two, and so on: `/api/v1` begins every path anyway. */
function shortened(url: string): string[] {
  const { origin, pathname } = new URL(url);
  const segments = pathname.split('/').filter(Boolean);
  return Array.from({ length: Math.min(segments.length, mostCut) }, (_, cut) =>
    [origin, ...segments.slice(0, segments.length - cut - 1)].join('/'),
  );
}

/** The URL with what the target's own description puts before the paths of the interface. */
const lengthened = (url: string, { described }: Pick<Target, 'described'>): string[] =>
  (described?.prefixes ?? []).slice(0, mostPrefixes).map((prefix) => `${url.replace(/\/+$/, '')}${prefix}`);

async function answersAt(
  host: Host,
  url: string,
  { target, client, version }: SearchOptions,
): Promise<Pick<Misplaced, 'answered' | 'tried'>> {
  const { headers, profile: words, seed, runId } = target;
  const ambient = { ...target.ambient, ...(version !== undefined && { gameVersion: version }) };
  const around = { host: url, ambient, words, headers, params: {} };
  const ask = { as: nobody, method: 'GET', body: null } as const;
  const operations = telling[host];
  const there = await Promise.all(
    operations.map(async (operation) => {
      const path = pathOf(operation, ask, around);
      const random = randomFrom(seed, runId, operation.id);
      const beside = path.replace(/[^/]+$/, (segment) => scramble(segment, random));
      const statuses = () =>
        Promise.all(
          [path, beside].map((path) =>
            client.send(requestOf(operation, { ...ask, path }, around), { priority: 0 }).then(statusOf),
          ),
        );
      const [own, other] = await statuses();
      if (!isAnswer(host, own ?? 0) || own === other || other === 0) return false;
      // The answers to two paths may differ once by chance, so both are sent again.
      const [ownAgain, otherAgain] = await statuses();
      return ownAgain === own && otherAgain === other;
    }),
  );
  return { answered: there.filter(Boolean).length, tried: operations.length };
}

/** Whether the status shows a served path: of a file, a success alone; of a route, also a refused caller or method. */
function isAnswer(host: Host, status: number): boolean {
  if (is2xx(status)) return true;
  return host !== 'cdn' && is4xx(status) && status !== 404 && status !== 429;
}

/** One misplaced host in words: what was seen, and what to set. */
export interface Placement {
  readonly host: Host;
  readonly what: string;
  readonly remedy: string;
}

export const placementLine = (placement: Placement | undefined): string[] =>
  placement === undefined ? [] : [`${placement.what}; ${placement.remedy}`];

/** @param lost hosts that serve nothing at their given URL */
export function placements(
  misplaced: readonly Misplaced[],
  lost: ReadonlySet<Host>,
  { hosts }: Pick<Target, 'hosts'>,
): Placement[] {
  const isHost = (at: Misplaced['at']): at is Host => (allHosts as readonly string[]).includes(at);
  return misplaced.map(({ host, at, answered, tried }) => {
    const variable = variableOf[host];
    const there = isHost(at) ? variableOf[at] : at;
    const set = `set ${variable}=${isHost(at) ? hosts[at] : at}`;
    // Where three URLs are in each other's places, no two of them are simply swapped.
    const place = misplaced.find((each) => each.host === at)?.at ?? host;
    const claimant = misplaced.find((each) => each.at === host)?.host ?? at;
    const isSwapped = isHost(at) && lost.has(at) && place === host && claimant === at;
    const remedy = isSwapped
      ? `the two look swapped: ${set} and ${variableOf[at]}=${hosts[host]}`
      : isHost(at)
        ? `${set}, if that is where it is meant to stand`
        : at.length > (hosts[host] ?? '').length
          ? `the description of the API has that before the paths of the interface: ${set}`
          : `the paths of the interface begin with what ${variable} ends in, so it is sent twice: ${set}`;
    return {
      host,
      what: `${host}: nothing of it is served at ${variable}, and ${answered} of ${tried} operations of it that were tried at ${there} are answered there`,
      remedy,
    };
  });
}

const kindOf: Readonly<Record<Host, string>> = {
  base: 'the main API',
  cdn: 'the client-data host',
  gamelogs: 'the logging API',
};

/** @returns what was seen of a host that resembles another one, and what to set; undefined where that is not known */
export function resemblancePlacement(
  { host, as, answered, tried }: Resemblance,
  { hosts }: Pick<Target, 'hosts'>,
): Placement | undefined {
  const variable = variableOf[host];
  if (as !== undefined)
    return {
      host,
      what: `${host}: what answers at ${variable} looks like ${kindOf[as]}: ${answered} of ${tried} operations of that which were tried are answered, and none of ${kindOf[host]}`,
      remedy: `set ${variable} to ${kindOf[host]}${hosts[as] === undefined ? `, and ${variableOf[as]}=${hosts[host]}` : ''}`,
    };
  // The other hosts show too little: a file's version may be unknown, and the logging API has two paths only.
  if (host !== 'base') return undefined;
  return {
    host,
    what: `${host}: nothing that was tried of ${kindOf[host]} is answered at ${variable}, so another server may stand there`,
    remedy: `check first that ${hosts[host]} is the URL of ${kindOf[host]}, with its port and path prefix`,
  };
}

const closedEarly: ReadonlySet<TransportKind> = new Set(['tls', 'reset', 'protocol']);
const handshakeMs = 2_000;

/** The URL with the other scheme, where the host speaks that; undefined where it does not, or for other errors. */
export async function otherScheme(
  client: Client,
  { transport }: Pick<Target, 'transport'>,
  url: string,
  error: TransportKind,
): Promise<string | undefined> {
  if (!closedEarly.has(error)) return undefined;
  if (/^http:/i.test(url)) {
    const secure = url.replace(/^http:/i, 'https:');
    const { protocol } = (await certificateOf(secure, { ...transport, deadlineMs: handshakeMs })) ?? {};
    return protocol === undefined ? undefined : secure;
  }
  const plain = url.replace(/^https:/i, 'http:');
  const answer = await client.send({ method: 'GET', url: `${plain}/`, headers: [] }, { noWait: true });
  return answer.response === undefined ? undefined : plain;
}
