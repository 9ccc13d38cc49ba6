// Watches the content at each address during a run: content that changes and later changes back is not explained by a
// deployment.
import { createHash } from 'node:crypto';
import { areas } from '../../catalog/catalog.ts';
import type { Host, Operation } from '../../catalog/operation.ts';
import { answerLeaves, type Exchange, header, remembered } from '../http/exchange.ts';
import { switchPoint } from '../values/switch-points.ts';

/** A content that a host served, replaced, and served again. */
export interface CameBack {
  readonly url: string;
  /** JSON Pointer of the value; undefined where it is the whole content. */
  readonly place?: string;
  readonly latest: Exchange;
  /** When the other content was served, and when this one was served again, in ms after its first answer. */
  readonly replacedAfterMs: number;
  readonly backAfterMs: number;
}

/** Operations that name the version whose files a client reads. */
const versions: ReadonlySet<string> = new Set(
  [areas.general.version, areas.utils.contentVersion, areas.utils.contentVersionOf].map(({ id }) => id),
);

/** An address with more contents changes all the time: there a content comes back by chance. */
const mostContents = 6;
const mostAddresses = 2_000;

/** The answers with one content. */
interface ContentAnswers {
  readonly times: Time[];
  latest: Exchange;
}

interface Time {
  readonly from: number;
  readonly until: number;
}

const mostTimes = 64;

interface Address extends Pick<CameBack, 'url' | 'place'> {
  readonly host: Host;
  /** The answers by content. */
  readonly seen: Map<string, ContentAnswers>;
}

/** @param versionInForce the version of the run; a place counts as that of the version once it held this value */
export function createContents(versionInForce: string) {
  const addresses = new Map<string, Address>();

  const note = (address: Omit<Address, 'seen'>, content: string, exchange: Exchange) => {
    const key = JSON.stringify([address.url, address.place, variesBy(exchange)]);
    if (!addresses.has(key) && addresses.size >= mostAddresses) return;
    const known = addresses.get(key) ?? { ...address, seen: new Map<string, ContentAnswers>() };
    addresses.set(key, known);
    if (!known.seen.has(content) && known.seen.size > mostContents) return;
    const seen = known.seen.get(content) ?? { times: [], latest: exchange };
    known.seen.set(content, seen);
    if (exchange.startedAt > seen.latest.startedAt) seen.latest = exchange;
    if (seen.times.length === mostTimes) seen.times.splice(1, 1);
    seen.times.push({ from: exchange.startedAt, until: exchange.startedAt + exchange.durationMs });
  };

  return {
    note({ id, host }: Operation, exchange: Exchange): void {
      const { request, response } = exchange;
      if (request.method !== 'GET' || response?.status !== 200 || isOld(exchange)) return;
      const { url } = request;
      if (host === 'cdn') note({ host, url }, contentOf(response.body), exchange);
      if (!versions.has(id)) return;
      for (const { pointer, value } of answerLeaves(exchange))
        if (typeof value === 'string' && !inList.test(pointer))
          note({ host, url, place: pointer }, value, exchange);
    },
    /** @param restoredWithinMs time in which machines may be replaced one after another: faster changes are one change */
    cameBack: (host: Host, restoredWithinMs: number): readonly CameBack[] =>
      [...addresses.values()].flatMap((address) => {
        const { seen, place, url } = address;
        if (address.host !== host || seen.size < 2 || seen.size > mostContents) return [];
        if (place !== undefined && !seen.has(versionInForce)) return [];
        const found = inTurn([...seen.values()], restoredWithinMs);
        return found === undefined ? [] : [{ url, ...(place !== undefined && { place }), ...found }];
      }),
  };
}

/** A list may have any order, so a place in a list is not watched. */
const inList = /\/\d+(\/|$)/;

/** Bytes; a larger content is compared byte by byte. */
const mostInAnyOrder = 2 ** 20;

/** A digest, equal for contents that differ only in order and white space. Cached, since rules repeat reads. */
const contentOf = remembered((body) => {
  const parts =
    body.length > mostInAnyOrder
      ? undefined
      : textOf(body)
          .replace(/\s+/g, '')
          .split(/[,{}[\]]+/);
  return createHash('sha1')
    .update(parts?.sort().join() ?? body)
    .digest('base64');
});

const textOf = (body: Uint8Array) => Buffer.from(body).toString('latin1');

/** Whether an answer comes from a cache and may be old, as its Age field shows (RFC 9111, section 5.1). */
export const isOld = switchPoint(
  ({ response }: Exchange) => Number((response && header(response, 'age')) ?? 0) > 0,
);

/** Whether more time has passed than machines need that are replaced one after another. */
export const isLater = switchPoint((ms: number, restoredWithinMs: number) => ms > restoredWithinMs);

/** Request headers by which an answer may differ. */
const variesBy = ({ request }: Exchange) =>
  request.headers.filter(([name]) => /^(accept.*|range|if-.*|user-agent|x-.*|forwarded)$/i.test(name));

function inTurn(
  seen: readonly ContentAnswers[],
  restoredWithinMs: number,
): Pick<CameBack, 'latest' | 'replacedAfterMs' | 'backAfterMs'> | undefined {
  const [last] = seen.toSorted((a, b) => b.latest.startedAt - a.latest.startedAt);
  const [first] = last?.times.toSorted((a, b) => a.from - b.from) ?? [];
  if (last === undefined || first === undefined) return undefined;
  const { latest } = last;
  const replaced = seen
    .flatMap((each) => (each === last ? [] : each.times))
    .find(
      ({ from, until }) =>
        isLater(from - first.until, restoredWithinMs) && isLater(latest.startedAt - until, restoredWithinMs),
    );
  if (replaced === undefined) return undefined;
  return {
    latest,
    replacedAfterMs: replaced.from - first.from,
    backAfterMs: latest.startedAt - first.from,
  };
}
