// How the time of every function that reads what a target sent grows with its input.
import { expect, test } from 'vitest';
import { differences, maskEchoes } from '../../engine/compare/compare.ts';
import { outline, sameContent, sameOutline } from '../../engine/compare/content.ts';
import { areOfOneKind, besideControl, createContrast } from '../../engine/compare/contrast.ts';
import { mentions, namedBeside, placesOf, valuesUnder } from '../../engine/flow/places.ts';
import { isReordered, placesThatDiffer, valuesIn } from '../../engine/flow/snapshot.ts';
import { createHoldings } from '../../engine/http/answer-memory.ts';
import { cookiesOf } from '../../engine/http/cookies.ts';
import { curl } from '../../engine/http/curl.ts';
import { decode, outsize } from '../../engine/http/decode.ts';
import type { Headers } from '../../engine/http/exchange.ts';
import {
  type Exchange,
  json,
  jsonValue,
  mediaType,
  membersOf,
  type Response,
  text,
} from '../../engine/http/exchange.ts';
import { retryAfter } from '../../engine/http/rate-limits.ts';
import { readMessage } from '../../engine/http/raw.ts';
import { createRedactor } from '../../engine/http/redact.ts';
import { playerIdIn } from '../../engine/players/own-names.ts';
import { next, type Session, spoiled, take } from '../../engine/players/session.ts';
import { withoutEcho } from '../../engine/players/session-proof.ts';
import { candidates, isTokenLike } from '../../engine/players/session-token.ts';
import { preflight } from '../../engine/preflight/preflight.ts';
import { identifierIn } from '../../engine/probe/identifiers-in-answers.ts';
import { etagOf, redirectOf } from '../../engine/probe/matchers/http-fields.ts';
import {
  byteOrderMark,
  jsonDialect,
  jsonIn,
  labelledJson,
  notJson,
  notUtf8,
  saysNothing,
  valuesOf,
} from '../../engine/probe/matchers/json.ts';
import { namedVersions, versionIn } from '../../engine/probe/matchers/version.ts';
import { readTarget } from '../../engine/target/target.ts';
import { skeletonOf } from '../../engine/values/json-shape.ts';
import { leavesOf, shownPointer } from '../../engine/values/json-walk.ts';
import { quoted } from '../../engine/values/text.ts';
import { hostileForms, hostileTexts, placesInBodies } from '../../fixtures/hostile/hostile-texts.ts';
import { grantedBy, keyIn, usesOf } from '../../suites/authentication.ts';
import { addressIn } from '../../suites/general.ts';
import { ownData } from '../../suites/rules/anonymous-private.ts';
import { undeclared } from '../../suites/rules/coding.ts';
import { standing } from '../../suites/rules/dead-session.ts';
import { headContradicts } from '../../suites/rules/head.ts';
import { internalsShown } from '../../suites/rules/no-internals.ts';
import { sharedCaching } from '../../suites/rules/private.ts';
import { wrongRange } from '../../suites/rules/range.ts';
import { schemaMismatch } from '../../suites/rules/schema.ts';
import { shapeDifference } from '../../suites/rules/stable-shape.ts';

/** An answer, and another to the same call that is equal but for its last characters. */
type Answered = readonly [exchange: Exchange, alike: Exchange];

type Reader = (answered: Answered) => unknown;

const responseOf = ({ response }: Exchange) => response as Response;
const onResponse =
  (read: (response: Response) => unknown): Reader =>
  ([exchange]) =>
    read(responseOf(exchange));
const onExchange =
  (read: (exchange: Exchange) => unknown): Reader =>
  ([exchange]) =>
    read(exchange);
const onValue =
  (read: (value: unknown) => unknown): Reader =>
  ([exchange]) =>
    read(jsonValue(exchange));
const onText =
  (read: (text: string) => unknown): Reader =>
  ([exchange]) =>
    read(text(responseOf(exchange)));

const session: Session = {
  transport: { kind: 'bearer', source: '/token' },
  credentials: [['authorization', 'Bearer abcdefgh01234567']],
  secrets: ['abcdefgh01234567'],
};
const playerSchema = { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } };

/** Redacts with tokens that a target chose such that they begin, and end, as its text does. */
function redactorOf(exchange: Exchange) {
  const redactor = createRedactor();
  const held = text(responseOf(exchange)).slice(8, 4_000);
  for (let nth = 0; nth < 50; nth += 1) redactor.learn(`${held.slice(0, 40 + nth)}-${nth}${held.slice(-40)}`);
  return redactor;
}

const environment = { BASE_URL: 'http://127.0.0.1:1', CDN_URL: 'http://127.0.0.1:2' };
const target = readTarget(environment, { cwd: '/', newRunId: () => 'run00000' });

/** Everything that preflight reads, where every call is answered alike. */
async function asPreflight([exchange]: Answered): Promise<unknown> {
  const client = {
    send: async (request: Exchange['request']) => ({ ...exchange, request }),
    close: () => {},
  };
  return preflight({ client, target, redactor: createRedactor(), withinMs: 600_000 });
}

/** Readers of bodies. */
const bodyReaders: Readonly<Record<string, Reader>> = {
  'the client: is it too much': onResponse(({ body }) => outsize(body)),
  'the client: JSON': onResponse(json),
  'the client: content codings': onResponse(({ body }) => decode(body, 'identity, gzip', 2 ** 24)),
  'the client: what it keeps': onResponse(({ body, headers }) => createHoldings(2 ** 26).keep(body, headers)),
  'the client: bytes without a parser': onResponse(({ body }) =>
    [`HTTP/1.1 200 OK\r\n\r\n`, `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n`, ''].map((head) =>
      readMessage(Buffer.concat([Buffer.from(head), body]), 'GET', true),
    ),
  ),
  'the client: redaction': onExchange((exchange) => redactorOf(exchange).record(exchange)),
  'the client: a curl command': onExchange((exchange) => {
    const url = `${exchange.request.url}?${text(responseOf(exchange))}`;
    return curl({ ...exchange.request, method: 'POST', url, body: responseOf(exchange).body });
  }),
  'answers: what differs': ([one, other]) => differences(one, other),
  'answers: are they of one kind': ([one, other]) => areOfOneKind(one, other),
  'answers: beside a control': ([one, other]) => besideControl()([one], [other, one]),
  'answers: echoes': ([{ request, response }]) => maskEchoes(text(response as Response), request),
  'answers: the same content': ([one, other]) => sameContent(one, other),
  'answers: a contrast': ([one, other]) => createContrast()([one], [other]),
  'answers: an identifier': onExchange((exchange) => identifierIn(exchange, ['partyId', 'id'])),
  'flows: another order': ([one, other]) => isReordered(one, other, placesThatDiffer(one, other)),
  'flows: values by place': onExchange(valuesIn),
  'flows: places of somebody': onExchange((exchange) => placesOf(exchange, 'player-1')),
  'flows: somebody named beside somebody': onExchange((exchange) =>
    namedBeside('player-1', ['player-2'], [exchange]),
  ),
  'flows: a mention': onExchange((exchange) => mentions(exchange, 'player-1')),
  'flows: texts under a name': onExchange((exchange) => valuesUnder(exchange, /node.*id$/i)),
  'rules: an address': onResponse(addressIn),
  'rules: a range': onResponse((response) =>
    wrongRange({ ...response, status: 206 }, { start: 0, end: 9 }, response.body),
  ),
  'rules: compressed bytes': onResponse((response) => undeclared(response, response)),
  'rules: what a login grants': onExchange(({ request, response }) =>
    usesOf(
      grantedBy(response as Response, 0),
      { ...request, headers: [['authorization', 'Bearer x']] },
      request,
    ),
  ),
  'rules: internals': onExchange(internalsShown),
  'rules: the dialect of JSON': onResponse((response) =>
    'value' in jsonIn(response) ? jsonDialect(text(response)) : undefined,
  ),
  'rules: JSON': onResponse((response) => [notJson(response), byteOrderMark(response), notUtf8(response)]),
  'rules: an outline': ([one, other]) => [outline(one), sameOutline(one, other)],
  'rules: own data': ([one, other]) => ownData(one, other, one, (id) => id === 'player-1'),
  'rules: a schema': onValue((value) => schemaMismatch(value, playerSchema)),
  'rules: distinct items': onValue((value) => schemaMismatch(value, { uniqueItems: true })),
  'rules: a public key': onResponse(keyIn),
  'rules: one shape': ([one, other]) => shapeDifference(jsonValue(one), jsonValue(other)),
  'rules: a skeleton': onValue(skeletonOf),
  'rules: standing': ([one, other]) => standing(one, other, { ...one }),
  'rules: values': onResponse(valuesOf),
  'rules: JSON that says nothing': ([exchange]) => saysNothing(jsonValue(exchange)),
  'rules: a version': onResponse((response) =>
    versionIn(response, { repeats: [response], acceptsVerdict: true }),
  ),
  'rules: versions': onExchange(namedVersions),
  'players: possible sessions': onExchange((exchange) => candidates(exchange, 'token-1')),
  'players: a session': onExchange((exchange) => take(session.transport, exchange)),
  'players: the next session': onExchange((exchange) => next(session, exchange)),
  'players: an echo': onExchange((exchange) => withoutEcho(exchange, session)),
  'players: an id': onValue(playerIdIn),
  'players: leaves': onValue((value) => leavesOf(value).map(({ pointer }) => pointer.split('/').length)),
  'players: a token': onText((value) => isTokenLike(value, 0)),
  'players: a spoiled session': onText((value) =>
    spoiled({ ...session, credentials: [['cookie', `a=${value}`]], secrets: [value] }),
  ),
  'messages: words of a setting': onText((value) => [quoted(value), shownPointer(value, 'root')]),
  'before the first check': asPreflight,
};

/** Readers of header fields: the input is the value of the field. */
const fieldReaders: Readonly<Record<string, Reader>> = {
  'the client: redaction': onExchange((exchange) => createRedactor().record(exchange)),
  'the client: bytes without a parser': onResponse(({ headers }) => {
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    return readMessage(Buffer.from(`HTTP/1.1 200 OK\r\n${lines}\r\n`, 'latin1'), 'GET', true);
  }),
  'the client: names and values': onResponse((response) =>
    response.headers.map(([, value]) => [
      membersOf(value),
      retryAfter(value, value, 0),
      mediaType({ ...response, headers: [['content-type', value]] }),
    ]),
  ),
  'answers: what differs': ([one, other]) => differences(one, other),
  'rules: an ETag': onResponse(etagOf),
  'rules: HEAD': ([one, other]) => headContradicts(responseOf(one), responseOf(other)),
  'rules: what a login grants': onResponse((response) => grantedBy(response, 0)),
  'rules: a redirect': onExchange((exchange) =>
    redirectOf({ ...exchange, response: { ...responseOf(exchange), status: 302 } }),
  ),
  'rules: caching': onResponse(sharedCaching),
  'rules: a label': onResponse(labelledJson),
  'players: cookies': onExchange((exchange) => cookiesOf(exchange, 0)),
  'players: possible sessions': onExchange((exchange) => candidates(exchange, 'token-1')),
  'before the first check': asPreflight,
};

/** Characters of the first input. */
const from = 2 ** 10;
/** How often the input grows fourfold; more often while the time seems to grow too fast. */
const steps = 2;
/** Shorter times are noise. */
const shortestMs = 1;
/** A call that takes this long is not tried with four times the input. */
const longestMs = 2_000;
const repeats = 3;

interface Growth {
  /** How many times longer it takes with four times as much: 4 where it is linear, 16 where it is quadratic. */
  readonly factor: number;
  /** Milliseconds with most of it. */
  readonly ms: number;
}

/**
 * Measures how the time of a function grows while its input grows fourfold again and again. The growth counts as too fast when
 * it is so twice in a row: work that begins at some size grows too fast once. The time is processor time of this thread, the
 * shortest of several measurements, so that other work of the machine makes no difference.
 * @param make an input of about that many characters; each is read once, so that nothing is cached
 * @param most the factor that still counts as linear
 * @returns undefined where the growth is linear
 */
async function overgrowth<Input>(
  make: (size: number) => Input,
  read: (input: Input) => unknown,
  most: number,
): Promise<Growth | undefined> {
  const timeOf = async (size: number): Promise<number> => {
    const input = make(size);
    const begun = processorMs();
    await read(input);
    return processorMs() - begun;
  };
  const shortestOf = async (size: number): Promise<number> => {
    const times: number[] = [];
    for (let nth = 0; nth < repeats; nth += 1) times.push(await timeOf(size));
    return Math.min(...times);
  };
  let before = await timeOf(from);
  if (before > longestMs) return { factor: Number.POSITIVE_INFINITY, ms: before };
  let inARow = 0;
  for (let size = from * 4, step = 1; step <= steps || inARow > 0; size *= 4, step += 1) {
    let ms = await timeOf(size);
    if (ms > longestMs) return { factor: ms / before, ms };
    if (before >= shortestMs && ms / before > most) {
      [before, ms] = [await shortestOf(size / 4), await shortestOf(size)];
      inARow = before >= shortestMs && ms / before > most ? inARow + 1 : 0;
      if (inARow === 2) return { factor: ms / before, ms };
    } else inARow = 0;
    before = ms;
  }
  return undefined;
}

const { threadCpuUsage } = process as { threadCpuUsage?: () => { user: number; system: number } };

/** Where Node reports no time of a thread's own, the clock has to do. */
function processorMs(): number {
  if (!threadCpuUsage) return performance.now();
  const { user, system } = threadCpuUsage.call(process);
  return (user + system) / 1_000;
}

/** Between linear, which is four times longer with four times as much, and quadratic, which is sixteen times. */
const mostFactor = 9;

const request: Exchange['request'] = {
  method: 'GET',
  url: 'http://127.0.0.1:1/api/v1/config',
  headers: [],
};
const exchangeOf = (body: string, headers: Headers): Exchange => {
  const bytes = Buffer.from(body);
  return {
    request,
    response: { status: 200, headers, body: bytes, wire: { bytes: bytes.length } },
    startedAt: 0,
    durationMs: 1,
    attempts: 1,
    waits: 0,
  };
};
const label: Headers = [['content-type', 'application/json']];
const answered = (body: string): Answered => [exchangeOf(body, label), exchangeOf(`${body} `, label)];

const bodies: readonly (readonly [what: string, make: (size: number) => string])[] = [
  ...Object.entries(hostileTexts).flatMap(([what, make]) =>
    Object.entries(placesInBodies).map(
      ([where, place]) => [`${what} ${where}`, (size: number) => place(make(size))] as const,
    ),
  ),
  ...Object.entries(hostileForms),
];

/** What is not linear, of all these texts. */
async function notLinear<Input>(
  texts: readonly (readonly [what: string, make: (size: number) => Input])[],
  look: (input: Input) => unknown,
): Promise<string[]> {
  const found: string[] = [];
  for (const [what, make] of texts) {
    const growth = await overgrowth(make, look, mostFactor);
    if (growth) found.push(`${what}: ${growth.factor.toFixed(1)} times as long, ${Math.round(growth.ms)} ms`);
  }
  return found;
}

test.each(Object.keys(bodyReaders))(
  '%s: a look at a body takes no longer than in proportion to its size',
  async (name) => {
    const texts = bodies.map(([what, make]) => [what, (size: number) => answered(make(size))] as const);
    expect(await notLinear(texts, (given) => bodyReaders[name]?.(given))).toEqual([]);
  },
  600_000,
);

const fieldNames = [
  'content-type',
  'content-encoding',
  'etag',
  'set-cookie',
  'cache-control',
  'vary',
  'location',
  'allow',
  'www-authenticate',
  'server',
  'x-session-token',
];

test.each(Object.keys(fieldReaders))(
  '%s: a look at header fields takes no longer than in proportion to their size',
  async (name) => {
    const texts = Object.entries(hostileTexts).map(([what, make]) => {
      const fieldsOf = (size: number) => {
        // No field holds a line end; what else counts as a blank it may hold.
        const value = make(size).replaceAll('\n', '\u000b');
        return fieldNames.map((field) => [field, value] as const);
      };
      const both = (size: number): Answered => [
        exchangeOf('{}', fieldsOf(size)),
        exchangeOf('[]', fieldsOf(size)),
      ];
      return [what, both] as const;
    });
    expect(await notLinear(texts, (given) => fieldReaders[name]?.(given))).toEqual([]);
  },
  600_000,
);

test('no look throws at a body of 16 KiB', async () => {
  const thrown: string[] = [];
  for (const [what, make] of bodies) {
    const given = answered(make(2 ** 14));
    for (const [name, look] of Object.entries(bodyReaders)) {
      try {
        await look(given);
      } catch (error) {
        thrown.push(`${name}, ${what}: ${error}`);
      }
    }
  }
  expect(thrown).toEqual([]);
}, 600_000);
