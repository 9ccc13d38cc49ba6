// Watches how each host labels the JSON of its successes: most hosts label all of it as JSON.
import type { Host, Operation } from '../../catalog/operation.ts';
import { type Exchange, isSuccess, mediaType } from '../http/exchange.ts';
import { labelledJson } from './matchers/json.ts';

/** How the operations of a host label objects and lists. */
export interface JsonLabels {
  /** Operations that always label them as JSON, and those that at least once label them as something else. */
  readonly asJson: number;
  readonly otherwise: number;
  /** The first answer of an operation that labels them as JSON. */
  readonly right: Exchange | undefined;
}

/** How an operation has labelled its answers so far. */
interface Labelled {
  readonly first: Exchange;
  alwaysAsJson: boolean;
}

/** Answers without a media type are left out. */
export function createLabelWatch() {
  const hosts = new Map<Host, Map<string, Labelled>>();

  return {
    note({ id, host, media }: Operation, exchange: Exchange): void {
      const { response } = exchange;
      if (media !== 'json' || response === undefined || !isSuccess(exchange)) return;
      if (!opensNested(response.body) || mediaType(response) === undefined) return;
      const operations = hosts.get(host) ?? new Map<string, Labelled>();
      hosts.set(host, operations);
      const isJson = labelledJson(response);
      const known = operations.get(id);
      if (known === undefined) operations.set(id, { first: exchange, alwaysAsJson: isJson });
      else if (!isJson) known.alwaysAsJson = false;
    },
    of(host: Host): JsonLabels {
      const all = [...(hosts.get(host)?.values() ?? [])];
      const asJson = all.filter(({ alwaysAsJson }) => alwaysAsJson);
      return { asJson: asJson.length, otherwise: all.length - asJson.length, right: asJson[0]?.first };
    },
  };
}

const [brace, bracket] = ['{'.charCodeAt(0), '['.charCodeAt(0)];
const space = ' '.charCodeAt(0);

/** Whether a body begins as an object or a list does, after white space. Cheap, since it runs for every answer. */
function opensNested(body: Uint8Array): boolean {
  const first = body.find((byte) => byte > space);
  return first === brace || first === bracket;
}
