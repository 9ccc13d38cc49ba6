// Makes the circuit breakers of a target's hosts, and the plain call that shows whether a host is still there.
import { areas } from '../../catalog/catalog.ts';
import type { Host } from '../../catalog/operation.ts';
import { onHost } from '../../catalog/request-path.ts';
import type { Client } from '../http/client.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Target } from '../target/target.ts';
import { type Breaker, isGone } from './circuit-breaker.ts';

const probeDeadlineMs = 3_000;

/** The root is answered on every host, if only with 404. */
const plainPaths: Readonly<Record<Host, readonly string[]>> = {
  base: [areas.general.healthcheck.path, '/'],
  cdn: ['/'],
  gamelogs: ['/'],
};

/**
 * Whichever plain read is answered first; where none is, how the first of them ended. One may be the very call that
 * hangs. Never rejects.
 * @param url the host's
 */
export function probeHost(client: Pick<Client, 'send'>, host: Host, url: string): Promise<Exchange> {
  const asked = plainPaths[host].map((path) =>
    client.send(
      {
        method: 'GET',
        url: onHost(url, path),
        headers: [
          ['accept', '*/*'],
          ['user-agent', 'assay'],
        ],
      },
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
 * Makes one breaker per origin, for the first of its hosts that was reached: hosts that share one are lost together.
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
