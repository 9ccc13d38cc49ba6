// Writes the script that repeats what one curl command cannot: requests at one moment, or cut off and sent again. It
// needs only node; it takes secrets from environment variables.

import { bytesOf, isPlain, type Piece } from '../values/shell.ts';
import { unicodeEscape } from '../values/text.ts';
import { addressOf } from './address.ts';
import type { Release } from './burst.ts';
import type { TransportOptions } from './connection.ts';
import { headerPieces, urlPieces } from './curl.ts';
import type { Cut } from './cut-off.ts';
import type { Request } from './exchange.ts';
import { type Secrets, splitter } from './redact.ts';

/** The requests that repeat a finding. */
export interface Repetition {
  readonly requests: readonly Request[];
  /** How they are released; or, of one request, where it is cut off before it is sent whole. */
  readonly how: Release | readonly Cut[];
}

const longestBody = 8 * 1024;

/**
 * The text of the script; undefined where it cannot say what was sent (a long or binary body, a proxy).
 * @param secretsOf returns the secrets in a request; those of each further player get variables of their own
 * @param summary what was observed, in one line
 */
export function script(
  { requests, how }: Repetition,
  secretsOf: (request: Request) => Secrets,
  { summary, transport }: { readonly summary: string; readonly transport: TransportOptions },
): string | undefined {
  const origin = addressOf(requests[0]?.url ?? '')?.origin;
  if (origin === undefined || transport.proxies?.[origin] !== undefined) return undefined;
  const texts: string[] = [];
  const players: string[] = [];
  const order: number[] = [];
  for (const request of requests) {
    const secrets = secretsOf(request);
    const key = JSON.stringify(secrets.session ?? null);
    if (!players.includes(key)) players.push(key);
    const text = callOf(request, secrets, players.indexOf(key));
    if (text === undefined) return undefined;
    if (!texts.includes(text)) texts.push(text);
    order.push(texts.indexOf(text));
  }
  const { protocol, hostname, port } = new URL(origin);
  const isTls = protocol === 'https:';
  const trust = transport.insecure && isTls && { rejectUnauthorized: false };
  const isHttp2 = how === 'one-connection';
  const to = isHttp2
    ? { origin, ...trust }
    : { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (isTls ? 443 : 80), ...trust };
  const variables = [...new Set(texts.join().match(/(?<=env\.)\w+/g))];
  return [
    `// ${ascii(summary.replace(/\s+/g, ' '))}`,
    '// Repeat it: node THIS_FILE.mjs, then read what the target shows.',
    ...(variables.length > 0
      ? [`// Set ${variables.join(', ')}: sessions of players who have not done it before.`]
      : []),
    `import { connect } from 'node:${isHttp2 ? 'http2' : isTls ? 'tls' : 'net'}';`,
    ...(isHttp2 ? [] : ["import { setTimeout as sleep } from 'node:timers/promises';"]),
    'const { env } = process;',
    `const to = ${JSON.stringify(to)};`,
    isHttp2 ? stream : message,
    `const calls = [\n${texts.map((text) => `  ${text},`).join('\n')}\n];`,
    `const order = ${JSON.stringify(order)};`,
    ...(isHttp2 ? [oneConnection] : [opening, typeof how === 'string' ? atOnce(how) : cutOff(how)]),
    '',
  ].join('\n');
}

/** The arguments of one call as code. */
function callOf(request: Request, secrets: Secrets, player: number): string | undefined {
  const show = splitter(secrets);
  const { method, url, headers, body } = request;
  const bytes = body === undefined ? undefined : typeof body === 'string' ? bytesOf(body) : undefined;
  if (body !== undefined && (bytes === undefined || bytes.length > longestBody || !isPlain(bytes)))
    return undefined;
  const code = (pieces: readonly Piece[]) => codeOf(pieces, player);
  const origin = addressOf(url)?.origin ?? '';
  const path = urlPieces(url, show, origin);
  const fields = [
    ...(headers.some(([name]) => name.toLowerCase() === 'host')
      ? []
      : [JSON.stringify(`host: ${origin.replace(/^https?:\/\//i, '')}`)]),
    ...headers
      .filter(([name]) => !/^(content-length|connection)$/i.test(name))
      .map(([name, value]) => code(headerPieces(name, value, secrets, show))),
  ];
  const sent = bytes === undefined ? '' : `, ${code(show(bytes))}`;
  return `message(${JSON.stringify(`${method} `)} + ${code(path)}, [${fields.join(', ')}]${sent})`;
}

/** Escapes all but printable ASCII as in a JavaScript string: a terminal or a page could act on it. */
const ascii = (text: string) => text.replace(/[^\x20-\x7e]/g, unicodeEscape);

/** The variable of a secret; a session of another player than the first has the player's number in it. */
const variableFor = (name: string, player: number) =>
  player === 0 || !name.startsWith('ASSAY_SESSION') ? name : `${name}_OF_PLAYER_${player + 1}`;

function codeOf(pieces: readonly Piece[], player: number): string {
  const parts: string[] = [];
  let bytes = '';
  const endText = () => {
    if (bytes !== '') parts.push(ascii(JSON.stringify(bytes)));
    bytes = '';
  };
  for (const piece of pieces) {
    if ('bytes' in piece) {
      bytes += piece.bytes;
      continue;
    }
    endText();
    const variable = `env.${variableFor(/\$(\w+)/.exec(piece.expansion)?.[1] ?? '', player)}`;
    parts.push(piece.expansion.startsWith('$(') ? `encodeURIComponent(${variable})` : variable);
  }
  endText();
  return parts.length === 0 ? '""' : parts.join(' + ');
}

const message = `function message(line, headers, body) {
  const bytes = Buffer.from(body ?? '', 'latin1');
  const length = body === undefined ? [] : ['content-length: ' + bytes.length];
  const head = [line + ' HTTP/1.1', 'connection: close', ...length, ...headers, '', ''].join('\\r\\n');
  return { head: Buffer.from(head, 'latin1'), bytes };
}`;

const opening = `const open = () => new Promise((ready) => {
  const socket = connect(to, () => ready(socket));
  socket.on('error', (error) => { console.log(String(error)); ready(socket); });
});
const status = (socket) => new Promise((done) => {
  let text = '';
  socket.on('data', (chunk) => { text += chunk; });
  socket.on('close', () => done(text.split('\\r\\n', 1)[0] || 'no answer'));
});
const whole = ({ head, bytes }) => Buffer.concat([head, bytes]);`;

/** The same over HTTP/2, which has other fields (RFC 9113, section 8.2). */
const stream = `function message(line, headers, body) {
  const [method, path] = line.split(' ');
  const fields = { ':method': method, ':path': path };
  for (const header of headers) {
    const name = header.slice(0, header.indexOf(':')).toLowerCase();
    if (/^(host|keep-alive|transfer-encoding|upgrade)$/.test(name)) continue;
    fields[name] = [...(fields[name] ?? []), header.slice(name.length + 2)];
  }
  return { fields, bytes: body === undefined ? undefined : Buffer.from(body, 'latin1') };
}`;

const oneConnection = `const session = connect(to.origin, to);
session.on('error', (error) => { console.log(String(error)); process.exit(1); });
await new Promise((ready) => session.once('remoteSettings', ready));
const answers = order.map((nth) => new Promise((done) => {
  const { fields, bytes } = calls[nth];
  const answer = session.request(fields);
  answer.on('response', (head) => done('HTTP/2 ' + head[':status']));
  answer.on('error', (error) => done(String(error)));
  answer.on('close', () => done('no answer'));
  answer.resume();
  answer.end(bytes);
}));
for (const answer of await Promise.all(answers)) console.log(answer);
session.close();`;

const atOnce = (release: Release) => `const connections = [];
for (const nth of order) connections.push({ bytes: whole(calls[nth]), socket: await open() });
const answers = connections.map(({ socket }) => status(socket));
${
  release === 'last-byte'
    ? `for (const { socket, bytes } of connections) socket.write(bytes.subarray(0, -1));
await sleep(20);
for (const { socket, bytes } of connections) socket.write(bytes.subarray(-1));`
    : 'for (const { socket, bytes } of connections) socket.write(bytes);'
}
for (const answer of await Promise.all(answers)) console.log(answer);`;

const cutOff = (cuts: readonly Cut[]) => `const [{ head, bytes }] = calls;
for (const cut of ${JSON.stringify(cuts)}) {
  const socket = await open();
  const part = cut === 'in the body' ? bytes.subarray(0, bytes.length >> 1) : bytes;
  const begun = new Promise((begins) => socket.once('data', begins));
  await new Promise((sent) => socket.write(Buffer.concat([head, part]), sent));
  if (cut === 'in the body') await sleep(20);
  if (cut === 'in the answer') await Promise.race([begun, sleep(10_000, undefined, { ref: false })]);
  socket.destroy();
  await sleep(200);
}
const again = await open();
const answer = status(again);
again.write(whole(calls[0]));
console.log(await answer);`;
