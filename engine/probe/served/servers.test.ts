import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { areas, catalog } from '../../../catalog/catalog.ts';
import type { Call } from '../../../fixtures/kit/loopback.ts';
import {
  base,
  but,
  byMethod,
  cdn,
  idsOf,
  judgeOf,
  type Kind,
  never,
  notFound,
  onBase,
  onCdn,
  operationsThat,
  segments,
  serving,
  tally,
} from '../../../fixtures/kit/routed.ts';
import { randomFrom } from '../../values/random.ts';

const { archives, general, party, queue, clientData, match, me, messages, logs } = areas;

describe('a server that says the same to everything', () => {
  test('200 {} proves nothing', async () => {
    const judged = await judgeOf(() => ({ body: {} }));
    expect(await tally(judged, catalog)).toEqual({ 'catch-all': catalog.length });
  });

  test('200 with a body that holds words of the paths proves nothing either', async () => {
    const judged = await judgeOf(() => ({
      body: { status: 'ok', version: 'config', party: ['queue', 'match'] },
    }));
    expect(await tally(judged, catalog)).toEqual({ 'catch-all': catalog.length });
  });

  test('200 with an id and a time that change proves nothing either', async () => {
    let count = 0;
    const judged = await judgeOf(() => {
      count += 1;
      return { body: { id: `n${count}`, at: count, inner: { trace: [count] } } };
    });
    expect(await tally(judged, catalog)).toEqual({ 'catch-all': catalog.length });
  });

  test('answers 404 to all: operations that may be absent are judged like their area', async () => {
    const judged = await judgeOf(notFound, { env: { ...segments, VERSION_PATTERN: '1.0' } });
    const verdicts = await judged.all();
    const hopeful = catalog.filter(
      ({ area }) => !catalog.some((operation) => operation.area === area && operation.mayBe404 === 'never'),
    );
    expect(Object.keys(verdicts).filter((id) => verdicts[id] !== 'not served')).toEqual(idsOf(hopeful));
    expect(await judged.of(archives.story)).toMatchObject({ served: false, kind: 'unrouted' });
  });

  test('answers 401 to all: every operation is an auth-wall', async () => {
    const judged = await judgeOf(() => ({ status: 401, body: { error: 'sign in' } }), {
      noSession: 'login answered 401',
      env: segments,
    });
    expect(await tally(judged, catalog)).toEqual({ 'auth-wall': catalog.length });
  });

  test('answers 403 to all: every operation is an auth-wall, signed in or not', async () => {
    const judged = await judgeOf(() => ({ status: 403, body: 'no' }), { env: segments });
    expect(await tally(judged, catalog)).toEqual({ 'auth-wall': catalog.length });
  });

  test('a redirect to its login page is no answer', async () => {
    const judged = await judgeOf(() => ({ status: 302, headers: { location: '/login?next=x' } }), onBase);
    expect(await tally(judged, base)).toEqual({ redirected: base.length });
  });
});

describe('a server that answers by the dice', () => {
  test.each([
    ['two statuses', [200, 404]],
    ['three statuses', [200, 404, 500]],
    ['refusals', [401, 403, 404]],
  ])('%s: its controls are unstable', async (_, statuses) => {
    const dice = ({ method, path }: Call) =>
      createHash('sha256')
        .update(method + path)
        .digest()
        .readUInt32BE();
    const judged = await judgeOf(
      (call) => ({ status: statuses[dice(call) % statuses.length] ?? 0, body: {} }),
      onBase,
    );
    expect(await tally(judged, base)).toEqual({ 'unstable-controls': base.length });
  });

  test('tells served from not served by the status where each body is new', async () => {
    let count = 0;
    const text = () => Array.from({ length: ++count % 7 }, () => `word${count}`).join(' ');
    const unrouted = () => ({ status: 404, body: text() });
    const judged = await judgeOf(serving([general.config, party.create], unrouted), onBase);
    expect(await judged.all([general.config, party.create, general.version, queue.enter])).toEqual({
      'general.config': 'served',
      'party.create': 'served',
      'general.version': 'not served',
      'queue.enter': 'not served',
    });
  });
});

describe('a host whose unrouted answer is no 404', () => {
  const page = '<!doctype html><title>Version and status</title><p>The party queue of players</p>';

  test('a single-page host: what differs from the page proves it', async () => {
    const real = [
      general.config,
      general.version,
      general.healthcheck,
      party.create,
      queue.enter,
      match.create,
    ];
    const judged = await judgeOf(
      serving(real, () => ({ body: page })),
      onBase,
    );
    const verdicts = await judged.all(never(base));
    expect(
      Object.keys(verdicts)
        .filter((id) => verdicts[id] === 'served')
        .sort(),
    ).toEqual(idsOf(real).sort());
    expect(new Set(Object.values(verdicts))).toEqual(new Set(['served', 'not served', 'word-unknown']));
  });

  test('two operations that differ prove nothing yet', async () => {
    const judged = await judgeOf(
      serving([general.config, general.version], () => ({ body: page })),
      onBase,
    );
    expect(await judged.all([general.config, general.healthcheck])).toEqual({
      'general.config': 'served',
      'general.healthcheck': 'catch-all',
    });
  });

  test('three operations that differ by a refusal prove nothing either', async () => {
    const refusing = serving(
      [general.config, general.version, general.currencies],
      () => ({ body: page }),
      () => ({ status: 400 }),
    );
    const judged = await judgeOf(refusing, onBase);
    expect(await judged.of(general.healthcheck)).toMatchObject({ reason: 'catch-all' });
  });

  test('a bucket says 403 for what is absent', async () => {
    const files = [clientData.catalog, clientData.cinematics, clientData.prestige];
    const denied = '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>';
    const judged = await judgeOf(
      serving(files, () => ({ status: 403, body: denied })),
      { ...onCdn, env: segments },
    );
    const fixed = never(cdn).filter(({ words }) => words.length === 0);
    expect(await operationsThat('served', judged, cdn)).toEqual(idsOf(files));
    expect(await operationsThat('not served', judged, cdn)).toEqual(idsOf(but(fixed, ...files)));
    expect(await judged.of(clientData.archiveQuests)).toMatchObject({ reason: 'unknown-resource' });
  });

  test('a bucket with two of the files proves nothing yet', async () => {
    const files = [clientData.catalog, clientData.cinematics];
    const judged = await judgeOf(
      serving(files, () => ({ status: 403, body: 'denied' })),
      { ...onCdn, env: segments },
    );
    expect(await judged.of(clientData.dlcList)).toMatchObject({ reason: 'auth-wall' });
  });

  test('a proxy says 405 to every POST: no operation is blamed for its method', async () => {
    const unrouted: Kind = (call) =>
      call.method === 'GET' ? notFound(call) : { status: 405, headers: { allow: 'GET, HEAD' }, body: 'no' };
    const judged = await judgeOf(serving(byMethod('GET'), unrouted), onBase);
    const posts = byMethod('POST').filter(({ words }) => words.length === 0);
    expect(await tally(judged, posts)).toEqual({ 'catch-all': posts.length });
  });

  test('where three POSTs get through that proxy, the rest are not served', async () => {
    const unrouted: Kind = (call) =>
      call.method === 'GET' ? notFound(call) : { status: 405, headers: { allow: 'GET, HEAD' }, body: 'no' };
    const through = [queue.enter, party.create, match.create];
    const judged = await judgeOf(serving(through, unrouted), onBase);
    expect(await operationsThat('served', judged, byMethod('POST'))).toEqual(
      expect.arrayContaining(idsOf(through)),
    );
    expect(await judged.of(me.logout)).toMatchObject({ served: false, kind: 'unrouted' });
  });

  test('a method with few operations uses the proof of other methods, even when answers carry ids', async () => {
    let count = 0;
    const unrouted = () => {
      count += 1;
      return { body: { ok: false, id: count }, headers: { 'x-request-id': `${count}` } };
    };
    const judged = await judgeOf(
      serving([general.config, general.version, general.healthcheck], unrouted),
      onBase,
    );
    expect(await judged.of(messages.clear)).toMatchObject({ served: false, kind: 'unrouted' });
  });

  test('a method whose controls differ uses no proof of other methods', async () => {
    const unrouted: Kind = ({ method }) => ({ body: { nothing: method === 'DELETE' ? 'deleted' : 'here' } });
    const judged = await judgeOf(
      serving([general.config, general.version, general.healthcheck], unrouted),
      onBase,
    );
    expect(await judged.of(messages.clear)).toMatchObject({ reason: 'catch-all' });
  });
});

test('the logging host is judged by itself: no neighbour excuses its word', async () => {
  const judged = await judgeOf(serving([logs.analyticsBatch]), { hosts: ['GAMELOGS_URL'] });
  expect(await judged.all([logs.analyticsBatch, logs.logsBatch])).toEqual({
    'logs.analyticsBatch': 'served',
    'logs.logsBatch': 'not served',
  });
});

test('a conforming server of 60 operations: just these are served, and nothing else is said to be', async () => {
  const ours = base.filter((_, at) => at % 2 === 0).slice(0, 60);
  const judged = await judgeOf(serving(ours), onBase);
  const verdicts = await judged.all(base);
  const servedIds = Object.keys(verdicts).filter((id) => verdicts[id] === 'served');
  // Operations that share method and path are one route, whatever their query.
  const routes = new Set(ours.map(({ method, path }) => `${method} ${path}`));
  expect(servedIds).toEqual(idsOf(base.filter(({ method, path }) => routes.has(`${method} ${path}`))));
  for (const operation of base) {
    if (servedIds.includes(operation.id)) continue;
    expect([operation.id, verdicts[operation.id]]).toEqual([
      operation.id,
      expect.stringMatching(/^(not served|unknown-resource|shadowed)$/),
    ]);
    if (operation.mayBe404 === 'never' && operation.words.length === 0)
      expect([operation.id, verdicts[operation.id]]).toEqual([operation.id, 'not served']);
  }
});

test('server errors by chance, one call in seven, change no verdict on a read', async () => {
  const ours = base.filter((_, at) => at % 2 === 0).slice(0, 60);
  const reads = base.filter(({ effect }) => effect === 'read');
  const random = randomFrom('one in seven');
  const failing: Kind = (call) =>
    random() < 1 / 7 ? { status: 500, body: {} } : serving(ours, notFound)(call);
  const verdicts = await (await judgeOf(failing, onBase)).all(reads);
  expect(verdicts).toEqual(await (await judgeOf(serving(ours), onBase)).all(reads));
});

test('two operations that differ in their query alone are judged each with its own', async () => {
  const kind: Kind = (call) =>
    call.path === messages.list.path && call.search === '' ? { body: { messages: [] } } : notFound(call);
  const judged = await judgeOf(kind, onBase);
  expect(await judged.all([messages.list, messages.listLimited])).toEqual({
    'messages.list': 'served',
    'messages.listLimited': 'not served',
  });
});

test('a server that serves all is asked about three requests an operation', async () => {
  const judged = await judgeOf(serving(catalog), { env: segments });
  // Archives and news of any name have one content here, so that no one of them shows.
  expect(await tally(judged, catalog)).toEqual({ served: catalog.length - 3, 'any-name': 3 });
  expect(judged.calls.length).toBeLessThan(catalog.length * 3.5);
});

test('a server that serves nothing is asked about eight requests an operation', async () => {
  const judged = await judgeOf(notFound, { env: segments });
  await judged.all();
  expect(judged.calls.length).toBeLessThan(catalog.length * 8.5);
});
