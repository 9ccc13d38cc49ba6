// Observes how one operation is answered beside unrouted paths. Reads are asked as a run asks them; operations that
// change something only get calls that cannot change anything.

import { areas } from '../../catalog/catalog.ts';
import type { Host, Operation } from '../../catalog/operation.ts';
import { operationsMatching, segmentsOf } from '../../catalog/path-templates.ts';
import { noAnswer, silenceOf } from '../../engine/compare/no-answer.ts';
import { type Ask, nobody } from '../../engine/http/ask.ts';
import type { Client } from '../../engine/http/client.ts';
import { allows, type Exchange, header, statusOf } from '../../engine/http/exchange.ts';
import type { InconclusiveReason } from '../../engine/judgement.ts';
import type { Evidence } from '../../engine/probe/evidence.ts';
import { open, type Routed, served } from '../../engine/probe/served/routed-table.ts';
import { type Alone, answersOf, compareWith } from '../../engine/probe/served/samples.ts';
import { createPointerWatch } from '../../engine/run/pointers.ts';
import type { Target } from '../../engine/target/target.ts';
import { median } from '../../engine/values/quantile.ts';
import { matchCall } from '../learn/match/match-call.ts';

/** Plain data. */
export interface Sampled {
  readonly id: string;
  readonly host: Host;
  /**
   * `open`: a run could not say either whether it is served, and `reason` says why. `silent`: it gave no answer.
   * `untold`: it was not asked, or only a call that changes something would show whether it is served.
   */
  readonly seen: 'served' | 'unrouted' | 'redirected' | 'open' | 'silent' | 'untold';
  /** 0 where there was no answer. */
  readonly status: number;
  readonly reason?: InconclusiveReason;
}

interface ObservationCalls {
  readonly ask: Evidence['ask'];
  readonly control: Evidence['control'];
  /** Observes a read as a run does. */
  readonly alone: (operation: Operation) => Promise<Alone>;
  readonly isRead: (operation: Operation) => boolean;
  /** The main API refuses anonymous callers, so a call without a credential changes nothing. */
  readonly refusesNobody: boolean;
  /** Whether the session is sent to this host. */
  readonly takesSession: (host: Host) => boolean;
}

/** How an operation was answered, and what that shows without a look at other operations (`alone`). */
export interface Reading {
  readonly operation: Operation;
  readonly status: number;
  readonly alone: Alone;
}

const absent = (why: string): Routed => ({ served: false, kind: 'unrouted', why });
const unknown = open('prerequisite-failed', 'only a call that changes something would show it');

/** Observes operations; each observation may make several calls. Never rejects. */
export function createObservation({
  ask,
  control,
  alone,
  isRead,
  refusesNobody,
  takesSession,
}: ObservationCalls) {
  const read = async (operation: Operation): Promise<Reading> => {
    const found = await alone(operation);
    return { operation, status: statusOf(await ask(operation)), alone: found };
  };

  /** Whether an answer differs from those of two paths without a route, asked in the same way; undefined if unclear. */
  const isUnlike = async (operation: Operation, put: Ask, answer: Exchange): Promise<boolean | undefined> => {
    const answers = answersOf(ask, operation, answer, put);
    const compared = await Promise.all(
      (['sibling', 'root'] as const).map((kind) => compareWith(control, operation, kind, answers, put)),
    );
    if (compared.some(({ failed, unstable }) => failed || unstable)) return undefined;
    return compared.every(({ differs }) => differs);
  };

  /** Whether an anonymous call shows that a path has a route: it does where it shows those of the login and a read. */
  let unsignedShown: Promise<boolean> | undefined;
  const unsignedCallsShowRoutes = () => {
    unsignedShown ??= Promise.all(
      [
        { operation: areas.auth.login, put: { ...unsigned('base'), params: { token: '' } } },
        { operation: areas.me.location, put: { as: nobody } },
      ].map(async ({ operation, put }) => {
        const answer = await ask(operation, put);
        return !noAnswer(answer) && (await isUnlike(operation, put, answer)) === true;
      }),
    ).then((seen) => seen.every(Boolean));
    return unsignedShown;
  };

  const write = async (operation: Operation): Promise<Reading> => {
    const asGet = hasGet(operation) ? undefined : await ask(operation, plainGet);
    return { operation, status: asGet ? statusOf(asGet) : 0, alone: await withoutChange(operation, asGet) };
  };

  const withoutChange = async (operation: Operation, asGet: Exchange | undefined): Promise<Routed> => {
    const { host } = operation;
    const silence = asGet && silenceOf(asGet);
    if (silence) return open(silence.reason, silence.why);
    // A route for another method answers a GET differently from a path without any route.
    if (asGet && (await isUnlike(operation, plainGet, asGet))) return served('GET shows a route');
    const [options, other] = await Promise.all([
      ask(operation, plainOptions),
      control(operation, 'tail', 1, plainOptions),
    ]);
    if (allows(options, operation.method) && !allows(other, operation.method))
      return served('OPTIONS lists its method');
    if (host === 'base' && !refusesNobody) return unknown;
    const put = host !== 'base' && takesSession(host) ? sayingNothing : unsigned(host);
    const answer = await ask(operation, put);
    const status = statusOf(answer);
    const unlike = noAnswer(answer) ? undefined : await isUnlike(operation, put, answer);
    if (unlike === undefined) return unknown;
    if (unlike) return missing.has(status) ? absent(`${status}`) : served('an empty call shows a route');
    const why = `${status}, as paths that do not exist are answered`;
    if (host === 'base') return status === 404 && (await unsignedCallsShowRoutes()) ? absent(why) : unknown;
    // A log is asked by the same caller as in a run, so that both get the same answer.
    if (status === 404) return absent(why);
    if (status === 401 || status === 403) return open('auth-wall', why);
    return status < 300 || status > 499 ? open('catch-all', why) : unknown;
  };

  return (operation: Operation): Promise<Reading> => (isRead(operation) ? read(operation) : write(operation));
}

const missing: ReadonlySet<number> = new Set([405, 501]);
const plainGet: Ask = { as: 'main', method: 'GET', body: null };
const plainOptions: Ask = { as: 'main', method: 'OPTIONS', body: null };
const cutOff = '{"a":';

/** A call without a body by a signed-in player, for hosts that require one. */
const sayingNothing: Ask = { as: 'main', body: null };

/** An anonymous call with a truncated body, which not even an unguarded operation can read; a log gets no body. */
const unsigned = (host: Host): Ask => ({ as: nobody, body: host === 'base' ? cutOff : null });

/** Returns whether a call like this cannot change anything, whatever the operation. */
export const isHarmless = ({ method, host }: Operation, ask: Ask): boolean =>
  ask.method === 'OPTIONS' ||
  (ask.method === 'GET' && method !== 'GET') ||
  (host !== 'base' && method !== 'GET' && ask.body === null) ||
  (ask.as === nobody && method !== 'GET' && ask.body === unsigned(host).body);

/** Whether an operation, perhaps this one, answers a GET of this path. */
const hasGet = (operation: Operation) =>
  operationsMatching(operation.host, 'GET', segmentsOf(operation)).length > 0;

// Facts from the headers of all answers: the target's clock and its rate limit.

/** Plain data, of one host. */
export interface HostHeaders {
  readonly calls: number;
  /** How far its clock is ahead of ours, in ms, to about a second; undefined where no answer has a Date. */
  readonly clockAheadMs?: number;
  /** How many calls were answered 429, waited for or not. */
  readonly limited: number;
  /** The rate limit that a header states, as `ratelimit-limit: 50`. */
  readonly limit?: string;
}

interface Watch {
  /** Sends through the client it was made with. */
  readonly client: Client;
  readonly seen: (host: Host) => HostHeaders;
  readonly calls: () => number;
  /** How many of all calls were answered 429, waited for or not. */
  readonly limited: () => number;
  /** Pointers of the profile at identifiers that no answer had, a line each. */
  readonly unmatched: () => readonly string[];
}

/** Watches all that is sent from now on; hosts that share a URL share their facts. */
export function watch(client: Client, { hosts, profile }: Pick<Target, 'hosts' | 'profile'>): Watch {
  const pointers = createPointerWatch(profile);
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

function seenIn(exchanges: readonly Exchange[]): HostHeaders {
  const ahead = exchanges.flatMap(clockAhead);
  const limit = exchanges.map(limitIn).find((each) => each !== undefined);
  return {
    calls: exchanges.length,
    limited: exchanges.filter(isLimited).length,
    ...(ahead.length > 0 && { clockAheadMs: median(ahead) }),
    ...(limit !== undefined && { limit }),
  };
}

const isLimited = ({ response, waits }: Exchange) => response?.status === 429 || waits > 0;

/** A Date is truncated to the second, so half a second is added. */
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

function limitIn(exchange: Exchange): string | undefined {
  for (const name of limits) {
    const value = header(exchange, name);
    if (value !== undefined) return `${name}: ${value.slice(0, 60).replace(/[^\x20-\x7e]/g, '?')}`;
  }
  return undefined;
}
