// Makes the URL and the body of a call, as one VU sends them. Pure: Node uses it too.
import { onHost, requestPath } from '../../catalog/request-path.ts';
import type { Body, Call, Plan } from './plan.ts';

/** Whether the URL is the same for every caller, and after every answer. */
export const isFast = (plan: Plan, { signed, from }: Call): boolean =>
  from.length === 0 && !(plan.queries && signed);

/** @param query the session as query text; empty where it is not sent there */
export function urlOf(
  { hosts, ambient, words }: Pick<Plan, 'hosts' | 'ambient' | 'words'>,
  { operation, signed, params, from }: Call,
  query: string,
  valueFor: (name: string) => string,
): string {
  const values: Record<string, string | readonly string[]> = { ...params };
  for (const name of from) values[name] = valueFor(name);
  const path = requestPath(operation, values, { ambient, words: words ?? undefined });
  return onHost(
    hosts[operation.host] ?? '',
    signed && query !== '' ? `${path}${path.includes('?') ? '&' : '?'}${query}` : path,
  );
}

// A connection for each player. k6 keeps connections by the text of host and port, so each player writes the port with
// another number of zeros before it; the Host header names what the target knows.

const authority = /^(https?):\/\/((?:\[[^\]]*\]|[^/:?#]*)(?::(\d+))?)/;

/** The same URL with its port written out, even where it is the default port. */
export function withPort(url: string): string {
  const [start = '', protocol, , port] = authority.exec(url) ?? [];
  const usual = protocol === 'https' ? 443 : 80;
  return port === undefined ? `${start}:${usual}${url.slice(start.length)}` : url;
}

/** The host as the Host header names it. */
export const hostIn = (url: string): string => authority.exec(url)?.[2] ?? '';

/** @returns where the port begins in a URL that has one */
export const portAt = (url: string): number => {
  const [start = '', , , port = ''] = authority.exec(url) ?? [];
  return start.length - port.length;
};

/** The URL as the nth player writes it. */
export const ownUrl = (url: string, port: number, nth: number): string =>
  `${url.slice(0, port)}${'0'.repeat(nth)}${url.slice(port)}`;

// The body of a call, as one iteration of a journey sends it.

/** Text for a JSON string, without its quotes. */
const escaped = (text: string) => JSON.stringify(text).slice(1, -1);

/**
 * @param valueFor what an identifier or a name stands for in this iteration
 * @param batch one of the batches of a kind
 */
export function bodyOf(
  body: Body,
  valueFor: (name: string) => string,
  batch: (kind: string) => string,
): string | null {
  switch (body.kind) {
    case 'none':
      return null;
    case 'text':
      return body.text;
    case 'batch':
      return batch(body.of);
    case 'pieces':
      return body.pieces
        .map((piece) =>
          typeof piece === 'string'
            ? piece
            : piece.bare
              ? valueFor(piece.value)
              : escaped(valueFor(piece.value)),
        )
        .join('');
  }
}

// Where a JSON value holds an identifier: Node searches once before the load, k6 where Node found none.

const letters = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');
const mostLooked = 500;
const mostMembers = 50;

const isIdentifying = (value: unknown): boolean =>
  (typeof value === 'string' && value !== '') || typeof value === 'number';
const pointerTo = (parent: string, key: string) =>
  `${parent}/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`;

/**
 * Where a JSON value holds the first identifier under one of these names, breadth first, as a JSON Pointer; bounded.
 * Letter case and what is no letter do not count, and `matchId` is the `id` of a `match` as well.
 */
export function findPointer(root: unknown, names: readonly string[]): string | undefined {
  for (const name of names) {
    const found = search(root, letters(name));
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Open {
  readonly item: unknown;
  readonly at: string;
  readonly key: string;
}

function search(root: unknown, name: string): string | undefined {
  const open: Open[] = [{ item: root, at: '', key: '' }];
  for (let looked = 0; looked < open.length && looked < mostLooked; looked += 1) {
    const { item, at, key: parent } = open[looked] as Open;
    if (item === null || typeof item !== 'object') continue;
    const members = Object.entries(item).slice(0, mostMembers);
    const found = members.find(
      ([key, value]) => isIdentifying(value) && (letters(key) === name || letters(parent + key) === name),
    );
    if (found) return pointerTo(at, found[0]);
    for (const [key, value] of members) open.push({ item: value, at: pointerTo(at, key), key });
  }
  return undefined;
}
