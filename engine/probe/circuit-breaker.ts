// Whether a host is still there: stops calls to one that has stopped answering, so that a dead target costs seconds and
// not the whole budget, and names the call that broke it.
import { areas } from '../../catalog/catalog.ts';
import type { Host } from '../../catalog/operation.ts';
import { onHost } from '../../catalog/request-path.ts';
import { plainHeaders } from '../http/ask.ts';
import type { Client, SendOptions } from '../http/client.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Target } from '../target/target.ts';
import { inSeconds } from '../values/text.ts';
import { createIncidentLog, type Sent } from './incident-log.ts';
import type { TimeoutBudget, Wait } from './timeout-budget.ts';

const tripsAfter = 8;
const gone = new Set(['refused', 'reset', 'timeout', 'dns', 'tls']);

/** How long a run waits for silent hosts to return, and how often for each. */
const returnMs = 5_000;
const mostReturns = 2;
const probeEveryMs = 500;

/** Time to wait for silent hosts to return, shared by all hosts of a run, which often go away together. */
export interface ReturnBudget {
  /** In ms. */
  readonly left: () => number;
  readonly wasted: (ms: number) => void;
}

export function createReturnBudget(): ReturnBudget {
  let left = returnMs;
  return {
    left: () => left,
    wasted: (ms) => {
      left = Math.max(0, left - ms);
    },
  };
}

export type Guarded = Pick<SendOptions, 'withhold' | 'deadlineMs'>;

export interface Breaker {
  /**
   * Sends a call, unless the host is lost by then. A call whose connection was refused while the host was away for a
   * moment is sent once more. Resolves when it is known whether the host is still there.
   */
  readonly guard: (operation: string, send: (options: Guarded) => Promise<Exchange>) => Promise<Exchange>;
  /** Notes that an attack cuts the connection of this call, named by method and path. */
  readonly cutOff: (call: string) => void;
  /** Why nothing is sent to the host any more; undefined while it answers. */
  readonly lost: () => string | undefined;
  /** The incidents of the host, a line each. */
  readonly incidents: () => readonly string[];
  /** Whether the host was away at any time since, so that it may have lost its state. @param since in ms */
  readonly wasAway: (since: number) => boolean;
}

interface BreakerOptions {
  readonly timeoutBudget: TimeoutBudget;
  readonly returnBudget: ReturnBudget;
  /** The name of the host in a line. */
  readonly name: string;
  /** Sends the host a plain request, with a short deadline of its own. */
  readonly probe: () => Promise<Exchange>;
  /** In ms; only differences count. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
  /** Why the host was never reachable: then nothing is sent to it, and nothing waits for it. */
  readonly never?: string | undefined;
}

/** Whether the exchange ended with an error that a host which is gone causes. */
const isGone = ({ error }: Exchange) => error !== undefined && gone.has(error.kind);

/**
 * Makes the breaker of one host. It probes the host after the first connection that is refused, and after eight equal
 * transport errors in a row. The host is lost when it answers no probe for some seconds, or its budget is spent.
 */
export function createBreaker(options: BreakerOptions): Breaker {
  const { name, probe, now, sleep, timeoutBudget, returnBudget } = options;
  const incidentLog = createIncidentLog();
  const lines: string[] = options.never === undefined ? [] : [`${name} was not reached: ${options.never}`];
  let kind = '';
  let count = 0;
  let returnsLeft = mostReturns;
  let why = options.never;
  let probing: Promise<boolean> | undefined;
  let lastAway = Number.NEGATIVE_INFINITY;

  const lose = (line: string) => {
    why = `${name} ${line}`;
    lines.push(why);
  };

  /** Probes until the host answers or no time is left to wait for it. */
  const probeUntilBack = async (): Promise<boolean> => {
    const silence = incidentLog.silence();
    const begun = now();
    const endsAt = begun + (returnsLeft > 0 ? returnBudget.left() : 0);
    for (let probes = 1; ; probes++) {
      const isBack = !isGone(await probe());
      if (!isBack) lastAway = now();
      if (why !== undefined) return false;
      if (isBack) {
        count = 0;
        if (probes > 1) {
          returnsLeft -= 1;
          lines.push(`${name} ${silence}; it came back after ${inSeconds(now() - begun)}`);
        }
        return true;
      }
      if (now() >= endsAt) {
        returnBudget.wasted(now() - begun);
        lose(
          `${silence} (${kind}; ${probes === 1 ? 'one further probe' : `${probes} further probes`} got no answer either)`,
        );
        return false;
      }
      await sleep(probeEveryMs);
    }
  };

  /** Resolves to whether the host was found to be there after this exchange. */
  const note = async (call: Sent, wait: Wait, exchange: Exchange): Promise<boolean> => {
    const { error, durationMs } = exchange;
    if (!isGone(exchange)) {
      count = 0;
      if (error?.kind === 'aborted' || error?.kind === 'budget') {
        timeoutBudget.ended(wait);
        incidentLog.withdrawn(call);
      } else {
        timeoutBudget.answered(wait, durationMs);
        incidentLog.answered(call, exchange);
      }
      return true;
    }
    incidentLog.unanswered(call);
    if (error?.kind === 'timeout') timeoutBudget.timedOut(wait, durationMs);
    else timeoutBudget.ended(wait);
    if (why !== undefined) return false;
    const spent = timeoutBudget.spent();
    if (spent !== undefined) {
      lose(`${incidentLog.silence()} (${spent}, though some are)`);
      return false;
    }
    count = error?.kind === kind ? count + 1 : 1;
    kind = error?.kind ?? '';
    // Nothing listens: the process is gone, even if another one soon takes its place.
    if (kind === 'refused') lastAway = now();
    if (probing === undefined && (kind === 'refused' || count >= tripsAfter)) {
      probing = probeUntilBack().finally(() => {
        probing = undefined;
      });
    }
    return (await probing) ?? true;
  };

  const sendOnce = async (operation: string, send: (options: Guarded) => Promise<Exchange>) => {
    let call: Sent | undefined;
    let wait: Wait | undefined;
    /** Begins a new wait each time the call is sent: after a 429 it is sent again. */
    const begin = () => {
      if (wait) timeoutBudget.ended(wait);
      wait = timeoutBudget.begin();
      return wait;
    };
    const exchange = await send({
      deadlineMs: () => begin().deadlineMs,
      withhold: () => {
        if (why === undefined) call ??= incidentLog.begin(operation);
        return why;
      },
    });
    if (call === undefined) return { exchange, isThere: false };
    return { exchange, isThere: await note(call, wait ?? begin(), exchange) };
  };

  return {
    lost: () => why,
    wasAway: (since) => why !== undefined || lastAway >= since,
    cutOff: incidentLog.cutOff,
    incidents() {
      const broken = incidentLog.brokenSince();
      return broken === undefined ? [...lines] : [...lines, `${name} ${broken}`];
    },
    async guard(operation, send) {
      const { exchange, isThere } = await sendOnce(operation, send);
      // A refused connection carried nothing, so the call may be sent again.
      if (exchange.error?.kind !== 'refused' || !isThere) return exchange;
      return (await sendOnce(operation, send)).exchange;
    },
  };
}

// The breakers of a run: one per origin, each probed by the plain reads of its host.

/** A breaker that also marks each answer that it returns (`mark`) and reports it (`note`). */
export function observedBreaker(
  breaker: Breaker,
  mark: (exchange: Exchange) => Exchange,
  note: (operation: string, exchange: Exchange) => void,
): Breaker {
  return {
    ...breaker,
    guard: async (operation, put) => {
      const exchange = mark(await breaker.guard(operation, put));
      note(operation, exchange);
      return exchange;
    },
  };
}

const probeDeadlineMs = 3_000;

/** Paths of the plain reads; every host answers its root, if only with 404. */
const plainPaths: Readonly<Record<Host, readonly string[]>> = {
  base: [areas.general.healthcheck.path, '/'],
  cdn: ['/'],
  gamelogs: ['/'],
};

/**
 * Sends the plain reads of a host at once, since one of them may be the call that hangs. Never rejects.
 * @param url the host's
 * @returns the first exchange with an answer; where there is none, the exchange of the first path
 */
export function probeHost(client: Pick<Client, 'send'>, host: Host, url: string): Promise<Exchange> {
  const asked = plainPaths[host].map((path) =>
    client.send(
      { method: 'GET', url: onHost(url, path), headers: plainHeaders },
      { priority: 0, deadlineMs: probeDeadlineMs },
    ),
  );
  const there = asked.map(async (each) => {
    const exchange = await each;
    if (isGone(exchange)) throw new Error('gone');
    return exchange;
  });
  return Promise.any(there).catch(() => asked[0] as Promise<Exchange>);
}

/**
 * Makes one breaker per origin, which probes the first of its hosts that was reached: hosts of one origin are lost
 * together.
 * @param unreachable hosts that were never reached, and the error of each
 */
export function breakersFor(
  { hosts }: Target,
  unreachable: Readonly<Partial<Record<Host, string>>>,
  make: (host: Host, name: string) => Breaker,
): Map<Host, Breaker> {
  const given = Object.entries(hosts) as [Host, string][];
  const byOrigin = Map.groupBy(given, ([, url]) => new URL(url).origin);
  return new Map(
    [...byOrigin.values()].flatMap((shared) => {
      const names = shared.map(([host]) => host);
      const asked = names.find((host) => unreachable[host] === undefined) ?? (names[0] as Host);
      const breaker = make(asked, names.join(', '));
      return names.map((host) => [host, breaker] as const);
    }),
  );
}
