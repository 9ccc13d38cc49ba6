// Does a host besides the main API's take the session? It is tried where a call is refused without it, and kept where
// it opens that call. It goes to no host that was not given, and to none where somebody in between could read it.
import { areas, operationById } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { type Ask, requestOf } from '../http/ask.ts';
import type { Client } from '../http/client.ts';
import { type Exchange, isSuccess, type Request, statusOf } from '../http/exchange.ts';
import { createBodies } from '../players/bodies.ts';
import { write } from '../players/body-template.ts';
import { areAtOdds, beside, type Session, signed, spoiled } from '../players/session.ts';
import type { Discovery, Found } from '../players/session-discovery.ts';
import { next } from '../players/session-reading.ts';
import {
  type HostSession,
  isConfidential,
  isWall,
  type OtherHost,
  type Wall,
} from '../target/session-hosts.ts';
import type { SessionEvidence } from '../target/session-transport.ts';
import type { Target } from '../target/target.ts';

export interface SessionTrial {
  /**
   * Puts a call to a host besides the main API's: without the session at first, and with it where that is what the host
   * wants. Never rejects.
   */
  readonly send: (operation: Operation, request: Request) => Promise<Exchange>;
  /** Puts some calls of a host, so that what it wants is known before a run. Never rejects. */
  readonly sample: (host: OtherHost, target: Target) => Promise<void>;
  /** What was found. */
  readonly sessions: () => NonNullable<Target['sessions']>;
  /** The sign-in, with the session as it is by now: it may travel in another way beside the main API's. */
  readonly discovery: () => Discovery | undefined;
}

export interface TrialOptions {
  readonly client: Client;
  readonly target: Target;
  readonly discovery: Discovery | undefined;
  /** No body is sent that a host could take. */
  readonly readOnly: boolean;
}

/** The session is tried with so many calls of a host. */
const mostTries = 6;
/** So many other ways of carrying it are tried with the first of them. */
const mostWays = 6;
/** So many bodies of a call. */
const mostBodies = 3;

const { clientData, logs } = areas;
/** What tells most: a few files that any client fetches, none of them large, and every batch. */
const telling: Readonly<Record<OtherHost, readonly Operation[]>> = {
  cdn: [clientData.contentMetadata, clientData.dlcList, clientData.collections, clientData.eulaDefinition],
  gamelogs: [logs.logsBatch, logs.analyticsBatch],
};

export function createSessionTrial({ client, target, discovery, readOnly }: TrialOptions): SessionTrial {
  const { profile } = target;
  const signedIn = discovery?.kind === 'found' ? discovery : undefined;
  let session = signedIn?.session;
  const found = new Map<OtherHost, HostSession>();
  const tries = new Map<OtherHost, number>();
  let turn: Promise<unknown> = Promise.resolve();

  const put = (request: Request) => client.send(request, { priority: 0 });
  const stated = (host: OtherHost) => profile?.session?.hosts?.[host];
  const isTaken = (host: OtherHost) =>
    session !== undefined &&
    isConfidential(target.hosts[host]) &&
    (stated(host) ?? found.get(host)?.kind === 'taken');

  /** One after another: a session may be good for one call, whose answer hands out the next. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const worked = turn.then(work);
    turn = worked.catch(() => {});
    return worked;
  };

  const putSigned = async (request: Request, as: Session): Promise<Exchange> => {
    const exchange = await put(signed(request, as));
    if (signedIn?.recipe.rotates) session = next(as, exchange) ?? as;
    return exchange;
  };

  /** Of two walls the one that is told: whichever call comes first in the table, so that every run says the same. */
  const noteWall = (host: OtherHost, wall: Wall) => {
    const ids = telling[host].map(({ id }) => id);
    const known = found.get(host);
    if (isWall(known) && ids.indexOf(known.operation) < ids.indexOf(wall.operation)) return;
    found.set(host, wall);
  };

  /** Why it is not tried there; undefined where it may be. */
  const whyNot = (host: OtherHost): Wall['kind'] | undefined => {
    if (session === undefined) return 'no-session';
    if (stated(host) === false) return 'withheld';
    return isConfidential(target.hosts[host]) ? undefined : 'plain-http';
  };

  const refused = async (operation: Operation, request: Request, without: Exchange): Promise<Exchange> => {
    const host = operation.host as OtherHost;
    if (session !== undefined && isTaken(host)) return putSigned(request, session);
    const wall = { operation: operation.id, status: statusOf(without) };
    const why = whyNot(host);
    const times = tries.get(host) ?? 0;
    if (why !== undefined || times >= mostTries) {
      if (why !== undefined) noteWall(host, { kind: why, ...wall });
      return without;
    }
    tries.set(host, times + 1);
    const tried = await tryWays(operation, request, without, times === 0 ? mostWays : 0);
    if (tried === 'refused') noteWall(host, { kind: 'refused', ...wall });
    if (typeof tried === 'string') return without;
    found.set(host, { kind: 'taken', evidence: tried.evidence });
    return tried.answer;
  };

  /** The session as it is, then beside it what else the login's answer holds, in other ways. */
  const tryWays = async (operation: Operation, request: Request, without: Exchange, most: number) => {
    const own = session as Session;
    const { recipe, otherWays = [] } = signedIn as Found;
    const others = recipe.rotates ? [] : otherWays.filter((other) => !areAtOdds(own, other));
    let isAnswered = false;
    for (const way of [own, ...others.slice(0, most).map((other) => beside(own, other))]) {
      const answer = await putSigned(request, way === own ? (session as Session) : way);
      isAnswered ||= !isSilent(answer);
      if (!isOpen(answer)) continue;
      const wrongWay = spoiled(way === own ? (session as Session) : way);
      const [wrong, again] = await Promise.all([put(signed(request, wrongWay)), put(request)]);
      // It lets in whom it likes: nothing that is sent makes a difference.
      if (!isRefused(again)) return 'unsteady';
      // Whatever stands there makes it refuse otherwise, as a store does that knows no such credential.
      if (statusOf(wrong) === statusOf(answer) && !isSuccess(answer)) continue;
      if (way !== own && !(await isTakenByMainApi(way))) continue;
      if (way !== own) session = way;
      const evidence: SessionEvidence = {
        operation: operation.id,
        without: statusOf(without),
        spoiled: statusOf(wrong),
        with: statusOf(answer),
        differs: 'status',
      };
      return { answer, evidence };
    }
    return isAnswered ? 'refused' : 'unsteady';
  };

  const isTakenByMainApi = async (way: Session): Promise<boolean> => {
    const operation = operationById(signedIn?.evidence.operation ?? '');
    if (operation === undefined) return false;
    const answer = await put(signed(requestOf(operation, {}, around(operation, target)), way));
    return statusOf(answer) === signedIn?.evidence.with;
  };

  const send: SessionTrial['send'] = async (operation, request) => {
    const host = operation.host as OtherHost;
    if (session !== undefined && isTaken(host)) return inTurn(() => putSigned(request, session as Session));
    const without = await put(request);
    return isRefused(without) ? inTurn(() => refused(operation, request, without)) : without;
  };

  /** What opened may have been a call that says little, such as one for a file that is not there. */
  const tellBetter = async (host: OtherHost, [row]: readonly Operation[], settled: Target): Promise<void> => {
    const [ask] = row ? asksOf(row, settled, readOnly) : [];
    if (row === undefined || ask === undefined || found.get(host)?.kind !== 'taken') return;
    const request = requestOf(row, ask, around(row, settled));
    const without = await put(request);
    const tried = isRefused(without) ? await inTurn(() => tryWays(row, request, without, 0)) : undefined;
    if (typeof tried === 'object') found.set(host, { kind: 'taken', evidence: tried.evidence });
  };

  const sample: SessionTrial['sample'] = async (host, settled) => {
    const rows = telling[host].filter(({ id }) => !profile?.omitted.has(id));
    if (isTaken(host)) return tellBetter(host, rows, settled);
    found.delete(host);
    tries.delete(host);
    const seen = await Promise.all(
      rows.map(async (row) => {
        for (const ask of asksOf(row, settled, readOnly)) {
          const answer = await send(row, requestOf(row, ask, around(row, settled)));
          if (isTaken(host) || isSuccess(answer)) return isSuccess(answer);
        }
        return false;
      }),
    );
    if (isTaken(host)) return tellBetter(host, rows, settled);
    const wall = found.get(host);
    // Of a host that answers everybody, a 403 is about that one call: many a store says so of what it does not hold.
    if (isWall(wall) && wall.status === 403 && seen.some(Boolean)) found.delete(host);
  };

  return {
    send,
    sample,
    sessions: () => {
      const known = (['cdn', 'gamelogs'] as const).flatMap((host) => {
        const known = stated(host) && isTaken(host) ? ({ kind: 'stated' } as const) : found.get(host);
        return known === undefined ? [] : [[host, known] as const];
      });
      return Object.fromEntries(known);
    },
    discovery: () =>
      signedIn === undefined || session === undefined
        ? discovery
        : { ...signedIn, session, recipe: { ...signedIn.recipe, transport: session.transport } },
  };
}

/** A call's plain form; of a batch at first nothing that could be logged, then bodies that it may take. */
function asksOf(row: Operation, target: Target, readOnly: boolean): Ask[] {
  if (row.method === 'GET') return [{}];
  const { runId } = target;
  const values = { now: new Date().toISOString(), unique: `assay-${runId}`, value: `assay-${runId}` };
  const written = createBodies(target)
    .forms(row)
    .flatMap((form) => {
      const writing = write(form, values);
      return writing.ok ? [writing.written] : [];
    });
  return [{ body: null }, ...(readOnly ? [] : written.slice(0, mostBodies))];
}

const around = ({ host }: Operation, { hosts, ambient, headers, profile: words }: Target) => ({
  ...{ host: hosts[host] ?? '', ambient, headers, words, params: {} },
});

const isRefused = (exchange: Exchange) => [401, 403].includes(statusOf(exchange));

/** Returns whether the answer says nothing of the credential: a rate limit, an outage, or no answer. */
const isSilent = (exchange: Exchange) => [0, 429, 502, 503, 504].includes(statusOf(exchange));

/** Returns whether the call passed the check of its credential, however it was answered then. */
function isOpen(exchange: Exchange): boolean {
  const status = statusOf(exchange);
  return isSuccess(exchange) || (status >= 400 && !isSilent(exchange) && ![401, 403, 407].includes(status));
}
