// Makes the circuit breakers of a run: one per origin, each probed by the plain reads of its host.
import { areas } from '../../catalog/catalog.ts';
import type { Host } from '../../catalog/operation.ts';
import { onHost } from '../../catalog/request-path.ts';
import { plainHeaders } from '../http/ask.ts';
import type { Client } from '../http/client.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Target } from '../target/target.ts';
import { type Breaker, isGone } from './circuit-breaker.ts';

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
