// Tries the session on the hosts besides the main API's where they refuse a call without it, and uses it where they
// accept the call with it. The session goes to given hosts only, and to none where somebody in between could read it.
import { areas, catalog, operationById } from '../../catalog/catalog.ts';
import { type Operation, parametersOf } from '../../catalog/operation.ts';
import { isAmbient } from '../../catalog/request-path.ts';
import { type Ask, requestOf } from '../http/ask.ts';
import type { Client } from '../http/client.ts';
import { type Exchange, isSuccess, type Request, statusOf } from '../http/exchange.ts';
import { createBodies } from '../players/bodies.ts';
import { write } from '../players/body-template.ts';
import { areAtOdds, beside, next, type Session, signed, spoiled } from '../players/session.ts';
import type { Discovery, Found } from '../players/sign-in-discovery.ts';
import {
  type HostSession,
  isConfidential,
  isWall,
  type OtherHost,
  type SessionEvidence,
  type Wall,
} from '../target/session-transport.ts';
import { surroundingsOf, type Target } from '../target/target.ts';

export interface SessionTrial {
  /**
   * Sends a call to a host besides the main API's: without the session at first, and with it where the host requires
   * it. Never rejects.
   */
  readonly send: (operation: Operation, request: Request) => Promise<Exchange>;
  /** Sends some calls to a host, so that a run knows from the start whether it requires the session. Never rejects. */
  readonly tryHost: (host: OtherHost, target: Target) => Promise<void>;
  /** What each host does with the session. */
  readonly sessions: () => NonNullable<Target['sessions']>;
  /** The sign-in, with the session as it is now: another host may have added a second way of carrying it. */
  readonly discovery: () => Discovery | undefined;
}

interface TrialOptions {
  readonly client: Client;
  readonly target: Target;
  readonly discovery: Discovery | undefined;
  /** Sends no body that a host could accept. */
  readonly readOnly: boolean;
}

/** Most calls of a host that are tried with the session. */
const mostTries = 6;
/** Most other ways of carrying the session that are tried with a call; none after all of them were refused. */
const mostWays = 6;
/** Most bodies that are tried per call. */
const mostBodies = 3;

const { clientData, logs } = areas;
/** Calls that show most about a host: a few small files that every client fetches, and every batch. */
const tellingCalls: Readonly<Record<OtherHost, readonly Operation[]>> = {
  cdn: [clientData.contentMetadata, clientData.dlcList, clientData.collections, clientData.eulaDefinition],
  gamelogs: [logs.logsBatch, logs.analyticsBatch],
};
/** Most other calls of a host that are sampled. */
const mostSamples = 4;

/** Calls of a host that the profile does not omit: those that show most, or others that need no parameter. */
function sampleCalls(host: OtherHost, { profile }: Pick<Target, 'profile'>): readonly Operation[] {
  const isMeant = ({ id }: Operation) => profile?.omitted.has(id) !== true;
  const telling = tellingCalls[host].filter(isMeant);
  if (telling.length > 0) return telling;
  const needsNone = (operation: Operation) => parametersOf(operation).every(isAmbient);
  const others = catalog.filter((operation) => operation.host === host && isMeant(operation));
  return others.filter(needsNone).slice(0, mostSamples);
}

export function createSessionTrial({ client, target, discovery, readOnly }: TrialOptions): SessionTrial {
  const { profile } = target;
  const signedIn = discovery?.kind === 'found' ? discovery : undefined;
  const samples: Readonly<Record<OtherHost, readonly Operation[]>> = {
    cdn: sampleCalls('cdn', target),
    gamelogs: sampleCalls('gamelogs', target),
  };
  let session = signedIn?.session;
  const found = new Map<OtherHost, HostSession>();
  const tries = new Map<OtherHost, number>();
  /** Hosts that refused a call with 401 whatever carried the session; a 403 may be that of a missing file. */
  const refusedAllWays = new Set<OtherHost>();
  let turn: Promise<unknown> = Promise.resolve();

  const put = (request: Request) => client.send(request, { priority: 0 });
  const stated = (host: OtherHost) => profile?.session?.hosts?.[host];
  const isTaken = (host: OtherHost) =>
    session !== undefined &&
    isConfidential(target.hosts[host]) &&
    (stated(host) ?? found.get(host)?.kind === 'taken');

  /** Runs work one after another: a rotating session is good for one call, whose answer holds its successor. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const outcome = turn.then(work);
    turn = outcome.catch(() => {});
    return outcome;
  };

  const putSigned = async (request: Request, as: Session): Promise<Exchange> => {
    const exchange = await put(signed(request, as));
    if (signedIn?.recipe.rotates) session = next(as, exchange) ?? as;
    return exchange;
  };

  /** Keeps the wall of the call that comes first in the table, so that every run reports the same one. */
  const noteWall = (host: OtherHost, wall: Wall) => {
    const ids = samples[host].map(({ id }) => id);
    const known = found.get(host);
    if (isWall(known) && ids.indexOf(known.operation) < ids.indexOf(wall.operation)) return;
    found.set(host, wall);
  };

  /** Why the session is not sent to the host; undefined where it may be. */
  const obstacleTo = (host: OtherHost): Wall['kind'] | undefined => {
    if (session === undefined) return 'no-session';
    if (stated(host) === false) return 'withheld';
    return isConfidential(target.hosts[host]) ? undefined : 'plain-http';
  };

  const refused = async (operation: Operation, request: Request, without: Exchange): Promise<Exchange> => {
    const host = operation.host as OtherHost;
    if (session !== undefined && isTaken(host)) return putSigned(request, session);
    const wall = { operation: operation.id, status: statusOf(without) };
    const why = obstacleTo(host);
    const times = tries.get(host) ?? 0;
    if (why !== undefined || times >= mostTries) {
      if (why !== undefined) noteWall(host, { kind: why, ...wall });
      return without;
    }
    tries.set(host, times + 1);
    const tried = await tryWays(operation, request, without, refusedAllWays.has(host) ? 0 : mostWays);
    if (tried === 'refused') {
      if (wall.status === 401) refusedAllWays.add(host);
      noteWall(host, { kind: 'refused', ...wall });
    }
    if (typeof tried === 'string') return without;
    found.set(host, { kind: 'taken', evidence: tried.evidence });
    return tried.answer;
  };

  /** Tries the session as it is, then together with other values of the login's answer, carried in other ways. */
  const tryWays = async (operation: Operation, request: Request, without: Exchange, most: number) => {
    const mainSession = session as Session;
    const { recipe, otherWays = [] } = signedIn as Found;
    const others = recipe.rotates ? [] : otherWays.filter((other) => !areAtOdds(mainSession, other));
    let isSteady = true;
    for (const way of [mainSession, ...others.slice(0, most).map((other) => beside(mainSession, other))]) {
      const answer = await putSigned(request, way === mainSession ? (session as Session) : way);
      isSteady &&= !isSilent(answer);
      if (!passesAuthentication(answer)) continue;
      const wrongWay = spoiled(way === mainSession ? (session as Session) : way);
      const [wrong, again] = await Promise.all([put(signed(request, wrongWay)), put(request)]);
      // The call without the session passes now: the host's answer does not depend on the session.
      if (!isRefused(again)) return 'unsteady';
      // A spoiled session changes the refusal as well, as in a store that rejects any unknown credential.
      if (statusOf(wrong) === statusOf(answer) && !isSuccess(answer)) continue;
      if (way !== mainSession) {
        const main = await askMainApi(way);
        isSteady &&= main === undefined || !isSilent(main);
        if (main === undefined || statusOf(main) !== signedIn?.evidence.with) continue;
        session = way;
      }
      const evidence: SessionEvidence = {
        operation: operation.id,
        without: statusOf(without),
        spoiled: statusOf(wrong),
        with: statusOf(answer),
        differs: 'status',
      };
      return { answer, evidence };
    }
    return isSteady ? 'refused' : 'unsteady';
  };

  const askMainApi = async (way: Session): Promise<Exchange | undefined> => {
    const operation = operationById(signedIn?.evidence.operation ?? '');
    if (operation === undefined) return undefined;
    return put(signed(requestOf(operation, {}, surroundingsOf(target, operation)), way));
  };

  const send: SessionTrial['send'] = async (operation, request) => {
    const host = operation.host as OtherHost;
    if (session !== undefined && isTaken(host)) return inTurn(() => putSigned(request, session as Session));
    const without = await put(request);
    return isRefused(without) ? inTurn(() => refused(operation, request, without)) : without;
  };

  /** Repeats the trial on the first call of the table: the accepted call may have been one for a missing file. */
  const improveEvidence = async (
    host: OtherHost,
    [operation]: readonly Operation[],
    settled: Target,
  ): Promise<void> => {
    const [ask] = operation ? asksOf(operation, settled, readOnly) : [];
    if (operation === undefined || ask === undefined || found.get(host)?.kind !== 'taken') return;
    const request = requestOf(operation, ask, surroundingsOf(settled, operation));
    const without = await put(request);
    const tried = isRefused(without)
      ? await inTurn(() => tryWays(operation, request, without, 0))
      : undefined;
    if (typeof tried === 'object') found.set(host, { kind: 'taken', evidence: tried.evidence });
  };

  const tryHost: SessionTrial['tryHost'] = async (host, settled) => {
    const operations = samples[host];
    if (isTaken(host)) return improveEvidence(host, operations, settled);
    found.delete(host);
    tries.delete(host);
    refusedAllWays.delete(host);
    const seen = await Promise.all(
      operations.map(async (operation) => {
        for (const ask of asksOf(operation, settled, readOnly)) {
          const answer = await send(operation, requestOf(operation, ask, surroundingsOf(settled, operation)));
          if (isTaken(host) || isSuccess(answer)) return isSuccess(answer);
        }
        return false;
      }),
    );
    if (isTaken(host)) return improveEvidence(host, operations, settled);
    const wall = found.get(host);
    // The host answers other calls without a session: many stores send 403 for a file that they do not hold.
    if (isWall(wall) && wall.status === 403 && seen.some(Boolean)) found.delete(host);
  };

  return {
    send,
    tryHost,
    sessions: () => {
      const entries = (['cdn', 'gamelogs'] as const).flatMap((host) => {
        const known = stated(host) && isTaken(host) ? ({ kind: 'stated' } as const) : found.get(host);
        return known === undefined ? [] : [[host, known] as const];
      });
      return Object.fromEntries(entries);
    },
    discovery: () =>
      signedIn === undefined || session === undefined
        ? discovery
        : { ...signedIn, session, recipe: { ...signedIn.recipe, transport: session.transport } },
  };
}

/** The plain form of a read; for a batch, first an empty body that logs nothing, then bodies that may be accepted. */
function asksOf(operation: Operation, target: Target, readOnly: boolean): Ask[] {
  if (operation.method === 'GET') return [{}];
  const { runId } = target;
  const values = { now: new Date().toISOString(), unique: `assay-${runId}`, value: `assay-${runId}` };
  const written = createBodies(target)
    .forms(operation)
    .flatMap((form) => {
      const writing = write(form, values);
      return writing.ok ? [writing.written] : [];
    });
  return [{ body: null }, ...(readOnly ? [] : written.slice(0, mostBodies))];
}

const isRefused = (exchange: Exchange) => [401, 403].includes(statusOf(exchange));

/** Returns whether the answer shows nothing about the credential: a rate limit, an outage, or no answer. */
const isSilent = (exchange: Exchange) => [0, 429, 502, 503, 504].includes(statusOf(exchange));

/** Returns whether the call passed the check of its credential, whatever the answer is otherwise. */
function passesAuthentication(exchange: Exchange): boolean {
  const status = statusOf(exchange);
  return isSuccess(exchange) || (status >= 400 && !isSilent(exchange) && ![401, 403, 407].includes(status));
}
