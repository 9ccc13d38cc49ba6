// How one operation is answered beside paths that cannot have a route. A read is looked at as a run looks at it; of an operation
// that changes something, only what cannot change anything is asked.
import { areas } from '../../catalog/catalog.ts';
import type { Host, Operation } from '../../catalog/operation.ts';
import { rowMatching, segmentsOf } from '../../catalog/path-templates.ts';
import { noAnswer } from '../../engine/compare/with-controls.ts';
import { type Ask, nobody } from '../../engine/http/ask.ts';
import type { Client } from '../../engine/http/client.ts';
import { type Exchange, header, membersOf, statusOf } from '../../engine/http/exchange.ts';
import type { InconclusiveReason } from '../../engine/judgement.ts';
import type { Evidence } from '../../engine/probe/evidence.ts';
import { type Alone, answersOf, compareWith } from '../../engine/probe/served/samples.ts';
import { createPointers } from '../../engine/run/pointers.ts';
import type { Target } from '../../engine/target/target.ts';
import { matchCall } from '../learn/match/match-call.ts';

/** Plain data. */
export interface Sighted {
  readonly id: string;
  readonly host: Host;
  /**
   * `open`: a run could not say either whether it is served, and `reason` says why. `silent`: it gave no answer.
   * `untold`: nobody looked, or only a call that changes something would tell.
   */
  readonly seen: 'served' | 'unrouted' | 'redirected' | 'open' | 'silent' | 'untold';
  /** 0 where there was no answer. */
  readonly status: number;
  readonly reason?: InconclusiveReason;
}

interface Sights {
  readonly ask: Evidence['ask'];
  readonly control: Evidence['control'];
  /** A run's own look at a read. */
  readonly alone: (operation: Operation) => Promise<Alone>;
  readonly isRead: (operation: Operation) => boolean;
  /** The main API refuses whoever is not signed in, so that a call without a credential does nothing. */
  readonly refusesNobody: boolean;
  /** Is the session sent to this host? */
  readonly takesSession: (host: Host) => boolean;
}

/** Of a read: what its verdict takes; of what changes something, the verdict itself. */
export type Look = { readonly row: Operation; readonly status: number; readonly alone: Alone } | Sighted;

/** Looks at operations; each look may ask several times. Never rejects. */
export function createObservation({ ask, control, alone, isRead, refusesNobody, takesSession }: Sights) {
  const read = async (row: Operation): Promise<Look> => {
    const found = await alone(row);
    return { row, status: statusOf(await ask(row)), alone: found };
  };

  /** Beside two paths that cannot have a route, asked in the same way. */
  const isUnlike = async (row: Operation, put: Ask, answer: Exchange): Promise<boolean | undefined> => {
    const answers = answersOf(ask, row, answer, put);
    const compared = await Promise.all(
      (['sibling', 'root'] as const).map((kind) => compareWith(control, row, kind, answers, put)),
    );
    if (compared.some(({ failed, unstable }) => failed || unstable)) return undefined;
    return compared.every(({ differs }) => differs);
  };

  /** Whether a call that nobody signed tells what has a route: it does where the login shows by it, and a read. */
  let telling: Promise<boolean> | undefined;
  const nobodyIsReported = () => {
    telling ??= Promise.all(
      [
        { row: areas.auth.login, put: { ...unsigned('base'), params: { token: '' } } },
        { row: areas.me.location, put: { as: nobody } },
      ].map(async ({ row, put }) => {
        const answer = await ask(row, put);
        return !noAnswer(answer) && (await isUnlike(row, put, answer)) === true;
      }),
    ).then((seen) => seen.every(Boolean));
    return telling;
  };

  const write = async (row: Operation): Promise<Sighted> => {
    const { id, host } = row;
    const asGet = hasGet(row) ? undefined : await ask(row, plainGet);
    const status = asGet ? statusOf(asGet) : 0;
    const as = (seen: Sighted['seen'], reason?: InconclusiveReason): Sighted => ({
      ...{ id, host, seen, status },
      ...(reason && { reason }),
    });
    if (asGet && noAnswer(asGet)) return as(asGet.error?.kind === 'budget' ? 'untold' : 'silent');
    // Whatever a route for another method says to a GET, it is not what a path without one gets.
    if (asGet && (await isUnlike(row, plainGet, asGet))) return as('served');
    const [options, other] = await Promise.all([
      ask(row, plainOptions),
      control(row, 'tail', 1, plainOptions),
    ]);
    if (allows(options, row) && !allows(other, row)) return as('served');
    if (host === 'base' && !refusesNobody) return as('untold');
    const put = host !== 'base' && takesSession(host) ? sayingNothing : unsigned(host);
    const answer = await ask(row, put);
    const unlike = noAnswer(answer) ? undefined : await isUnlike(row, put, answer);
    if (unlike) return as(missing.has(statusOf(answer)) ? 'unrouted' : 'served');
    if (unlike === undefined) return as('untold');
    const said = statusOf(answer);
    if (host === 'base') return as(said === 404 && (await nobodyIsReported()) ? 'unrouted' : 'untold');
    // A log is asked by whom a run asks it: what is said here is said there too.
    if (said === 404) return as('unrouted');
    if (said === 401 || said === 403) return as('open', 'auth-wall');
    return said < 300 || said > 499 ? as('open', 'catch-all') : as('untold');
  };

  return (row: Operation): Promise<Look> => (isRead(row) ? read(row) : write(row));
}

const missing: ReadonlySet<number> = new Set([405, 501]);
const plainGet: Ask = { as: 'main', method: 'GET', body: null };
const plainOptions: Ask = { as: 'main', method: 'OPTIONS', body: null };
const cutOff = '{"a":';

/** By somebody who is let in, where a host wants that. */
const sayingNothing: Ask = { as: 'main', body: null };

/** Whoever did not guard a call still cannot read the half of a body; to a log, nothing at all is sent. */
const unsigned = (host: Host): Ask => ({ as: nobody, body: host === 'base' ? cutOff : null });

/** Can a call like this change nothing, whatever the operation? */
export const isHarmless = ({ method, host }: Operation, ask: Ask): boolean =>
  ask.method === 'OPTIONS' ||
  (ask.method === 'GET' && method !== 'GET') ||
  (host !== 'base' && method !== 'GET' && ask.body === null) ||
  (ask.as === nobody && method !== 'GET' && ask.body === unsigned(host).body);

/** An operation, perhaps this one, answers a GET of this path. */
const hasGet = (row: Operation) =>
  rowMatching({ host: row.host, method: 'GET' }, segmentsOf(row)) !== undefined;

const allows = (exchange: Exchange, { method }: Operation) =>
  membersOf(header(exchange, 'allow')?.toUpperCase() ?? '').includes(method);

// What answers tell besides what they were asked for: the target's clock, and how much haste it allows.

/** Plain data, of one host. */
export interface Seen {
  readonly calls: number;
  /** How far its clock is ahead of ours, in ms, to about a second; undefined where no answer has a Date. */
  readonly clockAheadMs?: number;
  /** How many calls were answered 429, waited for or not. */
  readonly limited: number;
  /** What a header tells of its limit, as `ratelimit-limit: 50`. */
  readonly limit?: string;
}

interface Watch {
  /** Sends through the client it was made with. */
  readonly client: Client;
  readonly seen: (host: Host) => Seen;
  readonly calls: () => number;
  /** How many of all calls were answered 429, waited for or not. */
  readonly limited: () => number;
  /** Pointers of the profile at identifiers that no answer had, a line each. */
  readonly unmatched: () => readonly string[];
}

/** Watches all that is sent from now on; hosts that share a URL are told alike. */
export function watch(client: Client, { hosts, profile }: Pick<Target, 'hosts' | 'profile'>): Watch {
  const pointers = createPointers(profile);
  const exchanges = new Map<Host, Exchange[]>();
  let calls = 0;
  let limited = 0;
  const given = Object.entries(hosts) as [Host, string][];
  return {
    client: {
      ...client,
      async send(request, options) {
        calls += 1;
        const exchange = await client.send(request, options);
        if (isLimited(exchange)) limited += 1;
        const called = matchCall(request.method, new URL(request.url));
        if (called) pointers.note(called.operation.id, exchange);
        for (const [host, url] of given)
          if (request.url.startsWith(`${url}/`))
            exchanges.set(host, [...(exchanges.get(host) ?? []), exchange]);
        return exchange;
      },
    },
    seen: (host) => seenIn(exchanges.get(host) ?? []),
    calls: () => calls,
    limited: () => limited,
    unmatched: pointers.unmatched,
  };
}

function seenIn(exchanges: readonly Exchange[]): Seen {
  const ahead = exchanges.flatMap(clockAhead).sort((a, b) => a - b);
  const middle = ahead[Math.floor(ahead.length / 2)];
  const limit = exchanges.map(limitReported).find((each) => each !== undefined);
  return {
    calls: exchanges.length,
    limited: exchanges.filter(isLimited).length,
    ...(middle !== undefined && { clockAheadMs: middle }),
    ...(limit !== undefined && { limit }),
  };
}

const isLimited = ({ response, waits }: Exchange) => response?.status === 429 || waits > 0;

/** A Date is cut to its second, so that half a second is what it lacks in the mean. */
function clockAhead(exchange: Exchange): number[] {
  const at = Date.parse(header(exchange, 'date') ?? '');
  return Number.isNaN(at) ? [] : [at + 500 - (exchange.startedAt + exchange.durationMs)];
}

const limits = [
  'ratelimit-policy',
  'ratelimit-limit',
  'x-ratelimit-limit',
  'x-rate-limit-limit',
  'ratelimit',
];

function limitReported(exchange: Exchange): string | undefined {
  for (const name of limits) {
    const value = header(exchange, name);
    if (value !== undefined) return `${name}: ${value.slice(0, 60).replace(/[^\x20-\x7e]/g, '?')}`;
  }
  return undefined;
}
