import { expect, test } from 'vitest';
import type { Judgement } from '../engine/judgement.ts';
import type { CameBack } from '../engine/probe/content-rollback.ts';
import { type ExchangeFields, exchangeOf } from '../fixtures/kit/exchanges.ts';
import { type Put, rehearseFlow } from '../fixtures/kit/flow-rehearsal.ts';
import flow from './http.ts';

type Script = (put: Put) => ExchangeFields;

async function judged(step: string, script: Script, found: readonly CameBack[] = []): Promise<string> {
  const { context, play } = rehearseFlow(script);
  Object.assign(context, { cameBack: () => found });
  const [judgement] = await play(flow, step);
  return inWords(judgement as Judgement);
}

function inWords(judgement: Judgement): string {
  if (judgement.kind === 'violation') return `violation: ${judgement.actual}`;
  if (judgement.kind === 'inconclusive') return `${judgement.reason}: ${judgement.detail}`;
  return judgement.kind === 'not-applicable' ? judgement.detail : judgement.kind;
}

const sent = ({ ask }: Put, name: string) => ask.headers?.find(([known]) => known === name)?.[1];
const whole = { body: 'x'.repeat(40), headers: { etag: '"1"' } } as const;
const part = { status: 206, body: 'x'.repeat(16) };

/** A store that answers a request for a part, one with If-Range and one past the end so. */
const store =
  (answers: {
    readonly part?: ExchangeFields;
    readonly stale?: ExchangeFields;
    readonly end?: ExchangeFields;
  }): Script =>
  (put) => {
    const range = sent(put, 'range');
    if (range === undefined) return whole;
    if (sent(put, 'if-range') !== undefined) return answers.stale ?? whole;
    return range === 'bytes=40-' ? (answers.end ?? { status: 416 }) : (answers.part ?? part);
  };

test.each<[string, Parameters<typeof store>[0], string]>([
  ['if-range', {}, 'pass'],
  [
    'if-range',
    { stale: part },
    'violation: 206, a part of another file than the one the client has the rest of',
  ],
  ['if-range', { stale: { status: 403 } }, 'unstable-answers: 200 without If-Range, 403 with it'],
  ['if-range', { part: whole }, 'it answers a range with the whole file, as it may'],
  ['range-end', {}, 'pass'],
  ['range-end', { end: whole }, 'pass'],
  ['range-end', { end: { status: 206, body: 'x' } }, 'violation: 206 with 1 bytes'],
  ['range-end', { end: { status: 500 } }, 'violation: 500 with 2 bytes'],
  [
    'range-end',
    { end: { status: 403 } },
    'unstable-answers: 206 for the beginning of the file, 403 at its end',
  ],
])('parts of a file: %s of %j is %s', async (step, answers, expected) => {
  expect(await judged(step, store(answers))).toBe(expected);
});

test('no client asks for parts with an ETag that it was not sent', async () => {
  const script: Script = (put) => (sent(put, 'range') === undefined ? { body: 'x' } : part);
  expect(await judged('if-range', script)).toBe('it sends no strong ETag, so that no client asks with one');
});

test('a file that is replaced while it is read shows nothing of its end', async () => {
  let reads = 0;
  const script: Script = (put) => {
    const range = sent(put, 'range');
    if (range === undefined) return { body: 'x'.repeat(++reads) };
    return range.endsWith('-15') ? part : { status: 206, body: 'x' };
  };
  expect(await judged('range-end', script)).toBe('unstable-answers: the file was replaced meanwhile');
});

test('what came back is said with its times, of a file and of a version', async () => {
  const latest = exchangeOf({ status: 200 });
  const found = { url: 'http://a/f', latest, replacedAfterMs: 20, backAfterMs: 900 };
  const version = { ...found, url: 'http://a/v', place: '/version' };
  const script = () => ({});
  expect(await judged('one-content', script, [version, found])).toBe(
    'violation: http://a/f was one thing, 20 ms later another, and 900 ms later the first one again',
  );
  expect(await judged('current-version', script, [found, version])).toContain(
    'violation: /version of http://a/v',
  );
  expect(await judged('one-content', script, [version])).toBe('pass');
});

const keyOf = ({ ask }: Put) => ask.extraQuery?.split('&', 1)[0] ?? '';

/** A cache that keeps by the query's first member what `answer` makes of a request. */
function cache(answer: Script): Script {
  const kept = new Map<string, ExchangeFields>();
  return (put) => {
    const made = kept.get(keyOf(put)) ?? answer(put);
    kept.set(keyOf(put), made);
    return made;
  };
}

test.each<[string, Script, string]>([
  ['keeps nothing', () => ({ body: 'x' }), 'pass'],
  [
    'names the host of another',
    (put) => ({ body: sent(put, 'x-forwarded-host') ?? 'x' }),
    'violation: clientData.catalog shows it: assaycanary-',
  ],
  [
    'names it in a header',
    (put) => ({ headers: { location: sent(put, 'x-forwarded-host') ?? '' } }),
    'violation: ',
  ],
  [
    'keeps the refusal of another',
    (put) => ({ status: sent(put, 'x-original-url') ? 404 : 200 }),
    'violation: the 404 that the request with X-Original-URL got, kept for the one without',
  ],
  ['keeps the query of another', (put) => ({ body: put.ask.extraQuery ?? '' }), 'violation: '],
])('a cache that %s', async (_, answer, expected) => {
  expect(await judged('canary-files', cache(answer))).toContain(expected);
});

test.each<[string, Script, string]>([
  [
    'refuses a longer query',
    (put) => ({ status: put.ask.extraQuery ? 400 : 200 }),
    'needs-state: not exercised: clientData.catalog is answered 400',
  ],
  [
    'answers from a cache whatever is asked',
    () => ({ headers: { age: '9' } }),
    'needs-state: not exercised: a cache answers clientData.catalog whatever its query is',
  ],
  [
    'refuses for good what it refused once',
    (() => {
      let over = false;
      return (put: Put) => {
        over ||= sent(put, 'x-original-url') !== undefined;
        return { status: over ? 503 : 200 };
      };
    })(),
    'pass',
  ],
])('a host that %s is not accused', async (_, script, expected) => {
  expect(await judged('canary-files', script)).toContain(expected);
});

test('the main API is asked as a player', async () => {
  const { play, puts } = rehearseFlow(() => ({ body: 'x' }));
  expect((await play(flow, 'canary'))[0]?.kind).toBe('pass');
  expect(new Set(puts.map(({ player }) => player))).toEqual(new Set([1]));
});

/** A wallet that names its player. */
const wallet: Script = ({ player, operation }) =>
  operation === 'general.currencies' && player > 0
    ? { body: `{"of":"id-of-player-${player}"}` }
    : { status: 404 };

test.each<[string, Script, string]>([
  ['each gets their own', wallet, 'pass'],
  [
    'a cache keeps the address',
    cache((put) => (keyOf(put) ? wallet(put) : { status: 404 })),
    "it shows the next player the owner's id-of-player-1",
  ],
  [
    'a cache keeps it for nobody else',
    (() => {
      const kept = new Map<string, ExchangeFields>();
      return (put: Put) => {
        if (put.player === 2) return wallet(put);
        const made = kept.get(keyOf(put)) ?? wallet(put);
        if (keyOf(put)) kept.set(keyOf(put), made);
        return made;
      };
    })(),
    "it shows somebody without a session the owner's",
  ],
  [
    'all are shown to everybody',
    ({ operation }) =>
      operation === 'general.currencies' ? { body: '{"of":"id-of-player-1"}' } : { status: 404 },
    'pass',
  ],
  [
    'nobody is named',
    () => ({ status: 404 }),
    'needs-state: not exercised: no read names the player who asks',
  ],
])("a player's own read: %s", async (_, script, expected) => {
  expect(await judged('cached-player', script)).toContain(expected);
});
