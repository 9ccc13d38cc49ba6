// Recognises the target by what changes only with a deployment, so that a target replaced during the load is found.
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { areas } from '../../catalog/catalog.ts';
import type { Host, Operation } from '../../catalog/operation.ts';
import { requestOf } from '../../engine/http/ask.ts';
import { createClient } from '../../engine/http/client.ts';
import { type Exchange, header, mediaType } from '../../engine/http/exchange.ts';
import type { Target } from '../../engine/target/target.ts';
import { is5xx } from '../../engine/values/status.ts';
import { around } from './calls.ts';

/** Traits of a target by name. */
export type Identity = Readonly<Record<string, string>>;

const rows: Readonly<Record<Host, Operation>> = {
  base: areas.utils.contentVersion,
  cdn: areas.clientData.contentMetadata,
  gamelogs: areas.logs.logsBatch,
};

/** Asked by GET and without credentials: nothing is done, and what is read is what anybody gets. */
export async function identityOf(target: Target, hosts: Target['hosts']): Promise<Identity> {
  const client = createClient({ ...target.transport, timeoutMs: 5_000 });
  const traits: Record<string, string> = {};
  try {
    for (const host of Object.keys(hosts) as Host[]) {
      const operation = rows[host];
      const surroundings = { ...around(operation, target), params: {} };
      const answer = await client.send(requestOf(operation, { method: 'GET', body: null }, surroundings));
      const { status = 0 } = answer.response ?? {};
      // Under load it may answer otherwise for a moment.
      if (status === 0 || status === 429 || is5xx(status)) continue;
      for (const name of ['server', 'x-powered-by'])
        traits[`${host}: ${name}`] = header(answer, name) ?? 'not told';
      traits[`${host}: ${operation.id}`] = contentOf(answer);
    }
  } finally {
    client.close();
  }
  return traits;
}

/** A clock in an answer ticks once a second. */
const tickMs = 1_100;

/**
 * @param look asks for the traits once more
 * @returns which trait is another now, and stays so; undefined where none is
 */
export async function changedSince(
  before: Identity,
  look: () => Promise<Identity>,
): Promise<string | undefined> {
  const now = await look();
  const differing = differences(before, now);
  if (differing.length === 0) return undefined;
  await pause(tickMs);
  const later = await look();
  const name = differing.find((each) => later[each] === now[each]);
  return name === undefined ? undefined : `${name} was ${before[name]}, now it is ${now[name]}`;
}

const differences = (before: Identity, now: Identity): string[] =>
  Object.keys(before).filter((name) => now[name] !== undefined && now[name] !== before[name]);

function contentOf(exchange: Exchange): string {
  const { status = 0, body = '' } = exchange.response ?? {};
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 12);
  return `${status} ${mediaType(exchange) ?? 'no type'} ${digest}`;
}
