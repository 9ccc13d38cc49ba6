// Finds a public key in an answer, in any form that keys commonly take, since the payload is open.
import { createPrivateKey, createPublicKey, type webcrypto } from 'node:crypto';
import type { Response } from '../../http/exchange.ts';
import { entriesOf } from '../../values/json-walk.ts';
import { switchPoint } from '../../values/switch-points.ts';
import { valuesOf } from './json.ts';

export type KeyFound =
  | { readonly kind: 'public' | 'private' | 'damaged'; readonly form: string }
  /** Texts long enough to be a key in a form of its own. */
  | { readonly kind: 'perhaps'; readonly texts: readonly string[] }
  /** Such a text under the name of what belongs to a call (`traceId`), or nothing that could be a key. */
  | { readonly kind: 'named otherwise' | 'none' };

/** A key in JSON has a dozen. */
const mostMembers = 100;

type Read = (value: string) => KeyFound | undefined;

/** The first certain finding; private material counts before all else, since it must not be there at all. */
export const keyIn = switchPoint(function keyIn(response: Response): KeyFound {
  const values = valuesOf(response);
  const found = [...values.map(({ value }) => keyOf(value)), derOf(Buffer.from(response.body))].filter(
    (key) => key !== undefined,
  );
  const of = (kind: KeyFound['kind']) => found.find((key) => key.kind === kind);
  const opaque = values.filter(({ value }) => typeof value === 'string' && isOpaque(value));
  const texts = opaque.filter(({ name }) => !namesCall.test(name.slice(0, longestName)));
  const sure = of('private') ?? of('public') ?? of('damaged');
  if (sure) return sure;
  if (texts.length > 0) return { kind: 'perhaps', texts: texts.map(({ value }) => String(value)) };
  return { kind: opaque.length > 0 ? 'named otherwise' : 'none' };
});

/** Names of what belongs to one call, or to whoever makes it. */
const namesCall =
  /trace|request|correlation|span|session|nonce|csrf|xsrf|etag|cookie|transaction|token|checksum|digest|hash/i;
const longestName = 200;

/** Of the shortest keys there are, those of Ed25519 and X25519. */
const fewestBytes = 32;

/** Bytes in text, as many as a key has. An id or a hash in hexadecimal of less is none, nor is one in groups. */
function isOpaque(value: string): boolean {
  const bytes = bytesOf(value);
  return bytes !== undefined && bytes.length >= fewestBytes && !/^[0-9a-f]+(-[0-9a-f]+)+$/i.test(value);
}

function keyOf(value: unknown): KeyFound | undefined {
  if (typeof value === 'string') return pemOf(value) ?? sshOf(value) ?? xmlOf(value) ?? encodedOf(value);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  return jwkOf(value);
}

function jwkOf(value: { readonly kty?: unknown; readonly d?: unknown }): KeyFound | undefined {
  const { kty, d } = value;
  const named = new Map(entriesOf(value, mostMembers).map(([name, member]) => [name.toLowerCase(), member]));
  if (typeof kty !== 'string')
    return named.has('modulus') && named.has('exponent')
      ? { kind: named.has('d') ? 'private' : 'public', form: 'modulus and exponent' }
      : undefined;
  if (typeof d === 'string' || kty === 'oct') return { kind: 'private', form: 'JWK' };
  const known = ['RSA', 'EC', 'OKP'].includes(kty);
  const isKey = succeeds(() => createPublicKey({ key: value as webcrypto.JsonWebKey, format: 'jwk' }));
  return { kind: isKey || !known ? 'public' : 'damaged', form: 'JWK' };
}

/** The longest label in use (RFC 7468), of an encrypted private key, has a third of that. */
const boundary = /-----(BEGIN|END) ([A-Z0-9 ]{1,64})-----/g;

/** The first PEM block that is begun and ended. Walks from boundary to boundary, so that each is looked at once. */
function blockIn(value: string): { readonly label: string; readonly body: string } | undefined {
  const begun = new Map<string, number>();
  for (const { 0: whole, 1: kind, 2: label = '', index } of value.matchAll(boundary)) {
    const start = begun.get(label);
    if (kind === 'END' && start !== undefined) return { label, body: value.slice(start, index) };
    if (kind === 'BEGIN' && start === undefined) begun.set(label, index + whole.length);
  }
  return undefined;
}

const pemOf: Read = (value) => {
  const block = blockIn(value);
  if (!block) return value.includes('-----BEGIN ') ? { kind: 'damaged', form: 'PEM' } : undefined;
  const { label, body } = block;
  if (label.endsWith('PRIVATE KEY')) return { kind: 'private', form: 'PEM' };
  // Line breaks are often lost on the way into JSON, or escaped twice.
  const lines = body.replace(/\\[nr]|\s/g, '').match(/.{1,64}/g) ?? [];
  const isKey = succeeds(() =>
    createPublicKey(`-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`),
  );
  return {
    kind: isKey || isWholeDer(Buffer.from(lines.join(''), 'base64')) ? 'public' : 'damaged',
    form: 'PEM',
  };
};

const sshOf: Read = (value) =>
  /^(ssh-|ecdsa-sha2-|sk-)[\w@.-]+ AAAA/.test(value) ? { kind: 'public', form: 'OpenSSH' } : undefined;

const xmlOf: Read = (value) =>
  /<RSAKeyValue>/.test(value) ? { kind: /<D>/.test(value) ? 'private' : 'public', form: 'XML' } : undefined;

/** Base64, base64url or hex without anything around it. */
const encodedOf: Read = (value) => {
  const bytes = bytesOf(value);
  return bytes && derOf(bytes);
};

function bytesOf(value: string): Buffer | undefined {
  const bare = value.replace(/\\[nr]|\s/g, '');
  if (bare.length < 40 || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(bare)) return undefined;
  const isHex = bare.length % 2 === 0 && /^[0-9a-f]+$/i.test(bare);
  return Buffer.from(bare, isHex ? 'hex' : 'base64');
}

/** Private forms first: createPublicKey takes a private key as well, and makes the public one of it. */
function derOf(der: Buffer): KeyFound | undefined {
  if (!isWholeDer(der)) return undefined;
  const isPrivate = (['pkcs8', 'pkcs1', 'sec1'] as const).some((type) =>
    succeeds(() => createPrivateKey({ key: der, format: 'der', type })),
  );
  if (isPrivate) return { kind: 'private', form: 'DER' };
  const isPublic = (['spki', 'pkcs1'] as const).some((type) =>
    succeeds(() => createPublicKey({ key: der, format: 'der', type })),
  );
  return isPublic ? { kind: 'public', form: 'DER' } : undefined;
}

/** A SEQUENCE that is exactly as long as it says. */
function isWholeDer(der: Buffer): boolean {
  if (der.length < 16 || der[0] !== 0x30) return false;
  const short = der[1] ?? 0;
  if (short < 0x80) return der.length === short + 2;
  const octets = short & 0x7f;
  return octets > 0 && octets <= 4 && der.length === 2 + octets + der.readUIntBE(2, octets);
}

function succeeds(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
