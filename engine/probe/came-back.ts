// Watches what a run is answered at one address: content that changes, and later is what it was before, is no deploy.
import { createHash } from 'node:crypto';
import { areas } from '../../catalog/catalog.ts';
import type { Host, Operation } from '../../catalog/operation.ts';
import { type Exchange, header, json } from '../http/exchange.ts';
import { leavesOf } from '../values/json-walk.ts';

/** What was answered first, what replaced it, and the answer that is the first one again. */
export interface CameBack {
  readonly url: string;
  /** JSON Pointer of the value; undefined where it is the whole content. */
  readonly place?: string;
  readonly first: Exchange;
  readonly between: Exchange;
  readonly again: Exchange;
}

export interface Contents {
  readonly note: (operation: Operation, exchange: Exchange) => void;
  /** @param settledMs what replaced something needs so long to be everywhere: within that time nothing has come back */
  readonly cameBack: (host: Host, settledMs: number) => readonly CameBack[];
}

/** They name the version whose files a client reads. */
const versions: ReadonlySet<string> = new Set(
  [areas.general.version, areas.utils.contentVersion, areas.utils.contentVersionOf].map(({ id }) => id),
);

/** An address with more contents changes all the time: what comes back there comes back by chance. */
const mostContents = 6;
const mostAddresses = 2_000;

interface Seen {
  readonly first: Exchange;
  latest: Exchange;
}

interface Address extends Pick<CameBack, 'url' | 'place'> {
  readonly host: Host;
  /** By content. */
  readonly seen: Map<string, Seen>;
}

/** @param versionInForce a place is that of the current version once it held this */
export function createContents(versionInForce: string): Contents {
  const addresses = new Map<string, Address>();

  const note = (address: Omit<Address, 'seen'>, content: string, exchange: Exchange) => {
    const key = JSON.stringify([address.url, address.place, variesBy(exchange)]);
    if (!addresses.has(key) && addresses.size >= mostAddresses) return;
    const known = addresses.get(key) ?? { ...address, seen: new Map<string, Seen>() };
    addresses.set(key, known);
    const seen = known.seen.get(content);
    if (seen) {
      if (exchange.startedAt > seen.latest.startedAt) seen.latest = exchange;
    } else if (known.seen.size <= mostContents)
      known.seen.set(content, { first: exchange, latest: exchange });
  };

  return {
    note({ id, host }, exchange) {
      const { request, response } = exchange;
      if (request.method !== 'GET' || response?.status !== 200 || isOld(exchange)) return;
      const { url } = request;
      if (host === 'cdn')
        note({ host, url }, createHash('sha1').update(response.body).digest('base64'), exchange);
      if (!versions.has(id)) return;
      const parsed = json(response);
      for (const { pointer, value } of parsed.ok ? leavesOf(parsed.value) : [])
        if (typeof value === 'string') note({ host, url, place: pointer }, value, exchange);
    },
    cameBack: (host, settledMs) =>
      [...addresses.values()].flatMap((address) => {
        const { seen, place, url } = address;
        if (address.host !== host || seen.size < 2 || seen.size > mostContents) return [];
        if (place !== undefined && !seen.has(versionInForce)) return [];
        const found = inTurn([...seen.values()], settledMs);
        return found === undefined ? [] : [{ url, ...(place !== undefined && { place }), ...found }];
      }),
  };
}

/** What a cache kept may be old, and says so (RFC 9111, section 5.1). */
const isOld = ({ response }: Exchange) => Number((response && header(response, 'age')) ?? 0) > 0;

/** Request headers by which an answer may differ. */
const variesBy = ({ request }: Exchange) =>
  request.headers.filter(([name]) => /^(accept.*|range|if-.*|user-agent|x-.*|forwarded)$/i.test(name));

const endOf = ({ startedAt, durationMs }: Exchange) => startedAt + durationMs;

function inTurn(
  seen: readonly Seen[],
  settledMs: number,
): Pick<CameBack, 'first' | 'between' | 'again'> | undefined {
  for (const one of seen)
    for (const other of seen)
      for (const between of one === other ? [] : [other.first, other.latest])
        if (endOf(one.first) < between.startedAt && endOf(between) + settledMs < one.latest.startedAt)
          return { first: one.first, between, again: one.latest };
  return undefined;
}
