import { describe, expect, test } from 'vitest';
import { areas, catalog } from '../../../catalog/catalog.ts';
import type { Operation } from '../../../catalog/operation.ts';
import { type GivenWords, pathInWords } from '../../../catalog/words.ts';
import type { Answer, Call } from '../../../fixtures/kit/loopback.ts';
import {
  base,
  but,
  cdn,
  fine,
  idsOf,
  isSignedIn,
  judgeOf,
  type Kind,
  loginPath,
  never,
  notFound,
  onBase,
  onCdn,
  operationsThat,
  segments,
  serving,
  tally,
  withLogin,
} from '../../../fixtures/kit/routed.ts';
import { randomFrom } from '../../values/random.ts';

const {
  clientData,
  extensions,
  game,
  general,
  features,
  match,
  party,
  players,
  queue,
  archives,
  auth,
  me,
  playerName,
  messages,
  logs,
} = areas;

describe('words and segments that were assumed', () => {
  const worded = (word: string) => catalog.filter(({ words }) => words.some((mark) => mark.word === word));

  test('a server that has another word for game: one finding, for exactly these operations', async () => {
    const words = worded('game').filter(({ host }) => host === 'base');
    const judged = await judgeOf(serving(but(base, ...words)), onBase);
    expect(await operationsThat('word-unknown', judged, base)).toEqual(idsOf(words));
    const reasons = await Promise.all(
      words.map(async (operation) => (await judged.of(operation)) as { why: string }),
    );
    expect(new Set(reasons.map(({ why }) => why)).size).toBe(1);
    expect(await tally(judged, but(base, ...words))).toEqual({ served: base.length - words.length });
  });

  test('where nobody can be asked by a path that surely holds the word, its absence is no proof', async () => {
    const { analyticsBatch, logsBatch } = areas.logs;
    const alone = await judgeOf(notFound, { hosts: ['GAMELOGS_URL'] });
    expect(await tally(alone, [analyticsBatch, logsBatch])).toEqual({ 'word-unknown': 2 });
    const files = await judgeOf(serving(but(cdn, clientData.gameConfigs)), { ...onCdn, env: segments });
    expect(await files.of(clientData.gameConfigs)).toMatchObject({ reason: 'word-unknown' });
    const beside = await judgeOf(serving(base), { hosts: ['BASE_URL', 'GAMELOGS_URL'] });
    expect(await tally(beside, [analyticsBatch, logsBatch])).toEqual({ 'not served': 2 });
  });

  test('one operation of the word is served: the others are missing', async () => {
    const words = worded('game').filter(({ host }) => host === 'base');
    const judged = await judgeOf(serving(but(base, ...words.slice(1))), onBase);
    expect(await tally(judged, words)).toEqual({ served: 1, 'not served': words.length - 1 });
  });

  test('does not blame the word when nothing else is served', async () => {
    const judged = await judgeOf(notFound, onBase);
    expect(await judged.of(game.challenges)).toMatchObject({ served: false });
  });

  test('an operation with the word that is rate-limited is rate-limited', async () => {
    const kind = serving([general.config, general.version]);
    const judged = await judgeOf(
      (call) =>
        call.path === extensions.creators.path
          ? { status: 429, headers: { 'retry-after': '3600' } }
          : kind(call),
      onBase,
    );
    expect(await judged.of(extensions.creators)).toMatchObject({ reason: 'rate-limited' });
  });

  test('client data under another root: one finding for all of it', async () => {
    const elsewhere = serving(cdn, notFound);
    const kind: Kind = (call) =>
      call.path.startsWith('/clientData/live/content/1.0.0/') ? notFound(call) : elsewhere(call);
    const judged = await judgeOf(kind, { ...onCdn, env: { VERSION_PATTERN: '1.0.0' } });
    expect(await tally(judged, cdn)).toEqual({ 'segments-unknown': cdn.length });
  });

  test('a bucket that says 403 under another root: the same finding', async () => {
    const judged = await judgeOf(() => ({ status: 403, body: 'denied' }), onCdn);
    expect(await tally(judged, cdn)).toEqual({ 'segments-unknown': cdn.length });
  });

  test('with the segments given, the absence is believed', async () => {
    const judged = await judgeOf(notFound, { ...onCdn, env: { ...segments, VERSION_PATTERN: '1.0' } });
    expect(await tally(judged, cdn)).toEqual({ 'not served': cdn.length });
  });

  test('of a file under a version pattern that nobody gave, absence says nothing', async () => {
    const judged = await judgeOf(serving(but(cdn, clientData.versionedNews)), { ...onCdn, env: segments });
    expect(await judged.of(clientData.versionedNews)).toMatchObject({ reason: 'unknown-resource' });
    const nothing = await judgeOf(notFound, { ...onCdn, env: segments });
    expect(await nothing.of(clientData.versionedNews)).toMatchObject({ reason: 'unknown-resource' });
  });

  test('one file is served under the assumed segments: the others are missing', async () => {
    const judged = await judgeOf(serving([clientData.catalog, clientData.archiveQuests]), onCdn);
    expect(await judged.all([clientData.catalog, clientData.cinematics])).toEqual({
      'clientData.catalog': 'served',
      'clientData.cinematics': 'not served',
    });
  });
});

describe('the privacy definition', () => {
  const { privacyV3Definition: v3, privacyV4Definition: v4, privacyV4: text } = clientData;
  const on = (operations: readonly Operation[]) => judgeOf(serving(operations), { ...onCdn, env: segments });

  test('v3 alone: v4 is a warning, and so is the text that belongs to it', async () => {
    const judged = await on(but(cdn, v4, text));
    expect(await judged.of(v3)).toMatchObject({ served: true });
    expect(await judged.of(v4)).toMatchObject({
      served: false,
      warn: expect.stringContaining('other privacy version'),
    });
    expect(await judged.of(text)).toMatchObject({
      served: false,
      warn: expect.stringContaining('other privacy version'),
    });
  });

  test('v4 alone: v3 is a warning, and the text is not optional', async () => {
    const judged = await on(but(cdn, v3, text));
    expect(await judged.of(v3)).toMatchObject({ served: false, warn: expect.any(String) });
    expect(await judged.of(text)).not.toHaveProperty('warn');
  });

  test('both: the text of v4 has to be there', async () => {
    const judged = await on(but(cdn, text));
    expect(await judged.of(text)).toMatchObject({ served: false });
    expect(await judged.of(text)).not.toHaveProperty('warn');
  });

  test('neither: both fail', async () => {
    const judged = await on(but(cdn, v3, v4));
    for (const operation of [v3, v4]) {
      expect(await judged.of(operation)).toMatchObject({ served: false });
      expect(await judged.of(operation)).not.toHaveProperty('warn');
    }
  });
});

describe('routes with parameters', () => {
  const { partyId } = { partyId: /^\/api\/v1\/party\/[^/]+$/ };

  test('/feature/status/:x serves its operations by a generic route', async () => {
    const kind: Kind = (call) =>
      /^\/api\/v1\/feature\/status\/[^/]+$/.test(call.path) && call.method === 'GET'
        ? { body: { enabled: false } }
        : notFound(call);
    const judged = await judgeOf(kind, onBase);
    expect(await judged.of(features.archives)).toMatchObject({
      served: true,
      why: '200, by a route that takes any name here',
    });
  });

  const others = serving([party.create, queue.enter, match.create]);

  test('/party/:id that takes GET alone serves no operation that is put there by POST', async () => {
    const kind: Kind = (call) => {
      if (!partyId.test(call.path)) return others(call);
      return call.method === 'GET'
        ? { body: { partyId: 'p1' } }
        : { status: 405, headers: { allow: 'GET' }, body: { error: 'GET alone' } };
    };
    const judged = await judgeOf(kind, onBase);
    expect(await judged.of(party.join)).toMatchObject({ served: false, kind: 'wrong method' });
  });

  test('/feature/status/:x that answers 404 is an absence, and `never` operations cannot be absent', async () => {
    const kind: Kind = (call) =>
      call.path.startsWith('/api/v1/feature/status/')
        ? { status: 404, body: { error: 'no such feature' } }
        : notFound(call);
    const named = /^\/api\/v1\/feature\/status\/[^/]+$/;
    const judged = await judgeOf((call) => (named.test(call.path) ? kind(call) : notFound(call)), onBase);
    expect(await judged.of(features.archives)).toMatchObject({ served: false, kind: 'unrouted' });
  });

  test('/players/me/states/:name that answers 404 to a state not set is served', async () => {
    const named = /^\/api\/v1\/players\/me\/states\/[^/]+$/;
    const kind: Kind = (call) =>
      named.test(call.path) ? { status: 404, body: { error: 'no such state' } } : notFound(call);
    const judged = await judgeOf(kind, onBase);
    expect(await judged.of(players.seenStoreItems)).toMatchObject({ served: true });
  });

  test('/config/:key/raw is distinguished from its neighbours', async () => {
    const kind: Kind = (call) =>
      /^\/api\/v1\/config\/[A-Z_]+\/raw$/.test(call.path) ? { body: 'true' } : notFound(call);
    const judged = await judgeOf(kind, onBase);
    expect(await judged.all([general.displayRankOnTally, general.config])).toEqual({
      'general.displayRankOnTally': 'served',
      'general.config': 'not served',
    });
  });

  test('/party/:id answers for /party/details: shadowed', async () => {
    const kind: Kind = (call) =>
      partyId.test(call.path) ? { status: 404, body: { error: 'no such party' } } : notFound(call);
    const judged = await judgeOf(kind, onBase);
    expect(await judged.all([party.details, party.leave])).toEqual({
      'party.details': 'shadowed',
      'party.leave': 'shadowed',
    });
  });

  test('a 400 of /party/:id for /party/details is shadowed as well', async () => {
    const kind: Kind = (call) =>
      partyId.test(call.path) ? { status: 400, body: { error: 'not a uuid' } } : notFound(call);
    const judged = await judgeOf(kind, onBase);
    expect(await judged.of(party.details)).toMatchObject({ reason: 'shadowed' });
  });

  test('/party/details beside /party/:id is served where it answers otherwise', async () => {
    const kind: Kind = (call) =>
      call.path === party.details.path
        ? { status: 404, body: { error: 'you are in no party' } }
        : partyId.test(call.path)
          ? { status: 404, body: { error: 'no such party' } }
          : notFound(call);
    const judged = await judgeOf(kind, onBase);
    expect(await judged.of(party.details)).toMatchObject({ served: true });
  });

  test('a handler that takes whatever is below its path serves the operation, also by a 400', async () => {
    const kind: Kind = (call) =>
      call.path.startsWith(queue.enter.path) && call.method === 'POST'
        ? { status: 400, body: { error: 'no body' } }
        : notFound(call);
    const judged = await judgeOf(serving([game.experiment, party.create, match.create], kind), onBase);
    expect(await judged.of(queue.enter)).toMatchObject({ served: true });
  });

  test('draws no conclusion from a guard in front of a whole branch', async () => {
    const kind: Kind = (call) =>
      call.path.startsWith('/api/v1/queue') ? { status: 401, body: { error: 'sign in' } } : notFound(call);
    const judged = await judgeOf(kind, onBase);
    expect(await judged.of(queue.enter)).toMatchObject({ reason: 'auth-wall' });
  });
});

describe('an honest 404 with the very body of an unrouted path', () => {
  const unknown = [match.get, match.quit, playerName.set, archives.showStartPopup];
  const allow = (call: Call) => catalogMethods(call.path).join(', ');
  const catalogMethods = (path: string) =>
    unknown
      .filter((operation) => new RegExp(`^${operation.path.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(path))
      .map(({ method }) => method);
  /** These areas live, so that a 404 in them may be honest. */
  const alive = [auth.login, match.create, playerName.search, archives.tier, general.config];

  test('is not blamed, and not believed either', async () => {
    const judged = await judgeOf(serving(alive), onBase);
    expect(await tally(judged, unknown)).toEqual({ 'unknown-resource': unknown.length });
  });

  test('shows itself by the Allow of OPTIONS', async () => {
    const kind: Kind = (call) =>
      call.method === 'OPTIONS' && allow(call) !== ''
        ? { status: 204, headers: { allow: allow(call) } }
        : notFound(call);
    const judged = await judgeOf(serving(alive, kind), onBase);
    expect(await tally(judged, unknown)).toEqual({ served: unknown.length });
  });

  test('shows itself by the Allow of a 405 to GET', async () => {
    const kind: Kind = (call) =>
      call.method !== 'GET' || allow(call) === '' || allow(call) === 'GET'
        ? notFound(call)
        : { status: 405, headers: { allow: allow(call) }, body: { error: 'no' } };
    const judged = await judgeOf(serving(alive, kind), onBase);
    expect(await judged.all([match.quit, match.get])).toEqual({
      'match.quit': 'served',
      'match.get': 'unknown-resource',
    });
  });

  test('does not show itself by an Allow that unrouted paths get too', async () => {
    const kind: Kind = (call) =>
      call.method === 'OPTIONS'
        ? { status: 204, headers: { allow: 'GET, POST, PUT, DELETE' } }
        : notFound(call);
    const judged = await judgeOf(serving(alive, kind), onBase);
    expect(await tally(judged, unknown)).toEqual({ 'unknown-resource': unknown.length });
  });

  test('shows itself by the 400 to a body that is cut off', async () => {
    const kind: Kind = (call) =>
      call.body === '{"a":' && allow(call) !== ''
        ? { status: 400, body: { error: 'bad JSON' } }
        : notFound(call);
    const judged = await judgeOf(serving(alive, kind), onBase);
    expect(await judged.all([match.quit, playerName.set])).toEqual({
      'match.quit': 'served',
      'playerName.set': 'served',
    });
  });

  test('does not show itself by a 400 that every path gives', async () => {
    const kind: Kind = (call) =>
      call.body === '{"a":' ? { status: 400, body: { error: 'bad JSON' } } : notFound(call);
    const judged = await judgeOf(serving(alive, kind), onBase);
    expect(await judged.of(match.quit)).toMatchObject({ reason: 'unknown-resource' });
  });

  test('shows itself by a 401 without a credential', async () => {
    const kind: Kind = (call) =>
      !isSignedIn(call) && allow(call) !== '' ? { status: 401, body: { error: 'sign in' } } : notFound(call);
    const guarded = serving([...alive, me.location], kind, (operation, call) =>
      isSignedIn(call) ? fine(operation) : { status: 401, body: { error: 'sign in' } },
    );
    const judged = await judgeOf(withLogin(guarded), { ...onBase, signIn: true });
    expect(await tally(judged, unknown)).toEqual({ served: unknown.length });
  });

  test('does not show itself by a 401 that unrouted paths give as well', async () => {
    const kind: Kind = (call) =>
      isSignedIn(call) ? serving([...alive, me.location])(call) : { status: 401, body: { error: 'sign in' } };
    const judged = await judgeOf(withLogin(kind), { ...onBase, signIn: true });
    expect(await tally(judged, unknown)).toEqual({ 'unknown-resource': unknown.length });
  });

  test('does not show itself where the control of a second look is rate-limited', async () => {
    const kind: Kind = (call) => {
      if (call.body === '{"a":') return allow(call) === '' ? { status: 429 } : { status: 400 };
      if (call.method === 'OPTIONS')
        return allow(call) === '' ? { status: 429 } : { headers: { allow: allow(call) } };
      return notFound(call);
    };
    const judged = await judgeOf(serving(alive, kind), { ...onBase, client: { waitBudgetMs: 0 } });
    expect(await tally(judged, unknown)).toEqual({ 'unknown-resource': unknown.length });
  });

  test('a resource that the player made and that an answer names is asked for under that name', async () => {
    const made: Kind = ({ path }) =>
      path.includes('party-of-mine')
        ? { body: { partyId: 'party-of-mine' } }
        : { status: 404, body: { error: 'not found' } };
    const kind = serving([party.create, party.get, party.invite], notFound, (operation, call) =>
      operation === party.create ? { body: { partyId: 'party-of-mine' } } : made(call),
    );
    const judged = await judgeOf(kind, onBase);
    expect(await judged.all([party.get, party.invite, party.acceptInvite])).toEqual({
      'party.get': 'served',
      'party.invite': 'served',
      'party.acceptInvite': 'unknown-resource',
    });
  });
});

describe('authentication', () => {
  const ours: readonly Operation[] = [
    general.version,
    general.currencies,
    me.location,
    party.create,
    queue.enter,
    general.inventories,
  ];
  const wall: Kind = () => ({
    status: 401,
    headers: { 'www-authenticate': 'Bearer' },
    body: { error: 'sign in' },
  });
  /** Asks who calls before it looks for a route. */
  const guarding = (kind: Kind): Kind => withLogin((call) => (isSignedIn(call) ? kind(call) : wall(call)));

  test('before routing, with a good session: just the served operations are served', async () => {
    const judged = await judgeOf(guarding(serving(ours)), { ...onBase, signIn: true });
    expect(await operationsThat('served', judged, base)).toEqual(
      idsOf(base.filter((operation) => operation === auth.login || ours.includes(operation))),
    );
    const rest = never(base).filter((operation) => operation !== auth.login && !ours.includes(operation));
    expect(await tally(judged, rest)).toEqual({
      'not served': rest.filter(({ words }) => words.length === 0).length,
      'word-unknown': rest.filter(({ words }) => words.length > 0).length,
    });
  });

  test('before routing, without a session: nothing is blamed', async () => {
    const refusing: Kind = (call) =>
      call.path === loginPath ? { status: 403, body: { error: 'bad token' } } : guarding(serving(ours))(call);
    const judged = await judgeOf(refusing, { ...onBase, signIn: true });
    const open = [auth.login, auth.publicKey, general.healthcheck];
    expect(await tally(judged, but(base, ...open))).toEqual({ 'no-session': base.length - open.length });
    expect(await judged.all(open)).toEqual({
      'auth.login': 'served',
      'auth.publicKey': 'auth-wall',
      'general.healthcheck': 'auth-wall',
    });
  });

  test('after routing, without a session: a 401 unlike the 404 of unrouted paths is served, what looks unrouted waits', async () => {
    const open = [general.config, general.healthcheck];
    const kind = serving([auth.login, ...open, ...ours], notFound, (operation, call) =>
      operation === auth.login
        ? { body: { welcome: 'but no token' } }
        : open.some(({ id }) => id === operation.id)
          ? fine(operation)
          : wall(call),
    );
    const judged = await judgeOf(kind, { ...onBase, signIn: true });
    expect(
      await judged.all([
        ...ours,
        general.config,
        general.healthcheck,
        auth.publicKey,
        queue.cancel,
        archives.tier,
      ]),
    ).toEqual({
      ...Object.fromEntries(ours.map(({ id }) => [id, 'served'])),
      'general.config': 'served',
      'general.healthcheck': 'served',
      'auth.publicKey': 'not served',
      'queue.cancel': 'no-session',
      'archives.tier': 'no-session',
    });
  });

  test('without a session, a 405 unlike unrouted paths is still not served', async () => {
    const kind = serving([auth.login], (call) =>
      call.path === queue.enter.path
        ? { status: 405, headers: { allow: 'GET' }, body: 'no' }
        : notFound(call),
    );
    const judged = await judgeOf(kind, { ...onBase, noSession: 'login yields nothing' });
    expect(await judged.of(queue.enter)).toMatchObject({ served: false, kind: 'wrong method' });
  });

  test('without a session, where login itself is unrouted, all operations are judged', async () => {
    const judged = await judgeOf(serving([general.config]), { ...onBase, noSession: 'login is unrouted' });
    expect(await judged.all([auth.login, general.config, general.version])).toEqual({
      'auth.login': 'word-unknown',
      'general.config': 'served',
      'general.version': 'not served',
    });
  });

  test('without a session, where login gives no answer, nothing that looks unrouted is blamed', async () => {
    const kind: Kind = (call) =>
      call.path.startsWith('/api/v1/auth/provider')
        ? { status: 429, headers: { 'retry-after': '3600' } }
        : notFound(call);
    const judged = await judgeOf(kind, { ...onBase, noSession: 'login answered 429' });
    expect(await judged.all([auth.login, general.version])).toEqual({
      'auth.login': 'rate-limited',
      'general.version': 'no-session',
    });
  });

  test('401 or 403 though signed in, unlike unrouted paths, is served', async () => {
    const operations = but(base, party.get, party.delete);
    const judged = await judgeOf(
      serving(operations, notFound, ({ method }) => ({ status: method === 'GET' ? 403 : 401 })),
      onBase,
    );
    expect(await tally(judged, operations)).toEqual({ served: operations.length });
  });

  test('logout is judged with a session of its own, and its controls are signed in', async () => {
    let sessions = 0;
    const alive = new Set<string>();
    const kind: Kind = (call) => {
      const session = call.headers.authorization?.slice('Bearer '.length) ?? '';
      if (call.path === loginPath) {
        sessions += 1;
        alive.add(`session-number-${sessions}`);
        return { body: { token: `session-number-${sessions}` } };
      }
      if (!alive.has(session)) return wall(call);
      if (call.path === me.logout.path) alive.delete(session);
      return serving([me.logout, me.location, general.currencies, general.inventories])(call);
    };
    const judged = await judgeOf(kind, { ...onBase, signIn: true });
    expect(await judged.all([me.logout, me.location, general.version, queue.enter])).toEqual({
      'me.logout': 'served',
      'me.location': 'served',
      'general.version': 'not served',
      'queue.enter': 'not served',
    });
  });
});

describe('statuses of one operation', () => {
  const operation = general.version;
  const served = async (answer: Answer) =>
    (await judgeOf((call) => (call.path === operation.path ? answer : notFound(call)), onBase)).of(operation);

  test.each([
    ['302 within the origin', { status: 302, headers: { location: '/elsewhere' } }],
    ['308 without a Location', { status: 308 }],
    ['400', { status: 400, body: { error: 'bad' } }],
    ['404 that says more', { status: 404, body: { error: 'no version yet' } }],
    ['500', { status: 500, body: 'oops' }],
    ['503', { status: 503, body: 'oops' }],
    ['204', { status: 204 }],
  ])('%s is served', async (_, answer: Answer) => {
    expect(await served(answer)).toMatchObject({ served: true });
  });

  test.each([
    ['405', { status: 405, headers: { allow: 'POST' } }],
    ['501', { status: 501 }],
  ])('%s, unlike unrouted paths, is not served', async (_, answer: Answer) => {
    expect(await served(answer)).toMatchObject({ served: false, kind: 'wrong method' });
  });

  test.each([
    ['a login page', '/account/login'],
    ['another origin', 'https://elsewhere.test/api/v1/version'],
    ['another origin without a scheme', '//elsewhere.test/'],
  ])('a redirect to %s is redirected', async (_, location) => {
    expect(await served({ status: 302, headers: { location } })).toMatchObject({ reason: 'redirected' });
  });

  test('an operation that does not answer in time says so', async () => {
    const judged = await judgeOf(
      (call) =>
        call.path === operation.path
          ? { status: 200, headers: { 'content-length': '9' }, body: '' }
          : notFound(call),
      { ...onBase, client: { timeoutMs: 1_000 } },
    );
    expect(await judged.of(operation)).toMatchObject({ reason: 'timeout' });
  });
});

describe('a server that limits haste', () => {
  /** 429 to controls until so many were sent; time passes only where the client waits. */
  const limited = (limit: number) => {
    let over = 0;
    let at = 1_000_000;
    const kind: Kind = (call) => {
      const known = base.some(
        (operation) => operation.method === call.method && operation.path === call.path,
      );
      if (known || over >= limit) return notFound(call);
      over += 1;
      return { status: 429, headers: { 'retry-after': '1' }, body: { error: 'slow down' } };
    };
    const sleep = async (ms: number) => {
      at += ms;
    };
    return { kind, client: { now: () => at, sleep } };
  };

  test('is waited for, and then judged', async () => {
    const { kind, client } = limited(3);
    const judged = await judgeOf(kind, { ...onBase, client });
    expect(await judged.of(general.version)).toMatchObject({ served: false });
  });

  test('is never decided by its 429: an operation is not served by it', async () => {
    const { kind, client } = limited(Number.POSITIVE_INFINITY);
    const judged = await judgeOf(kind, { ...onBase, client });
    expect(await judged.all([general.version, general.config, queue.enter])).toEqual({
      'general.version': 'rate-limited',
      'general.config': 'rate-limited',
      'queue.enter': 'rate-limited',
    });
  });

  test('a 429 of a control is not kept: the next operation asks it again', async () => {
    let busy = true;
    const kind: Kind = (call) =>
      busy && !call.path.startsWith('/api/v1/version') ? { status: 429, body: 'slow down' } : notFound(call);
    const judged = await judgeOf(kind, { ...onBase, client: { waitBudgetMs: 0 } });
    expect(await judged.of(general.version)).toMatchObject({ reason: 'rate-limited' });
    busy = false;
    expect(await judged.of(general.healthcheck)).toMatchObject({ served: false });
  });

  test('a 429 of its shadow leaves an operation open', async () => {
    const kind: Kind = (call) =>
      call.path === party.details.path
        ? { status: 404, body: { error: 'you are in no party' } }
        : /^\/api\/v1\/party\/[^/]+$/.test(call.path)
          ? { status: 429 }
          : notFound(call);
    const judged = await judgeOf(kind, { ...onBase, client: { waitBudgetMs: 0 } });
    expect(await judged.of(party.details)).toMatchObject({ reason: 'rate-limited' });
  });

  test('an area whose one operation that must be there is rate-limited is not dead', async () => {
    const kind: Kind = (call) => (call.path === match.create.path ? { status: 429 } : notFound(call));
    const judged = await judgeOf(kind, { ...onBase, client: { waitBudgetMs: 0 } });
    expect(await judged.of(match.get)).toMatchObject({ reason: 'unknown-resource' });
  });

  test('a 503 of a control is no answer either', async () => {
    const judged = await judgeOf(
      (call) => (call.path === general.version.path ? notFound(call) : { status: 503, body: 'overloaded' }),
      onBase,
    );
    expect(await judged.of(general.version)).toMatchObject({ served: undefined, reason: 'rate-limited' });
  });

  test('an operation that is always answered 429 is rate-limited, for signed-in and anonymous callers', async () => {
    const kind: Kind = (call) =>
      call.path === general.version.path
        ? { status: 429, headers: { 'retry-after': '3600' } }
        : serving([auth.login])(call);
    const judged = await judgeOf(kind, { ...onBase, noSession: 'login yields nothing' });
    expect(await judged.of(general.version)).toMatchObject({ reason: 'rate-limited' });
  });
});

describe('what changes by itself, or comes back, makes no difference', () => {
  const html = (text: string) => text.replaceAll('&', '&amp;').replaceAll("'", '&#39;');
  let count = 0;
  const volatile: readonly (readonly [string, Kind])[] = [
    [
      'an id and a time in JSON',
      () => ({ status: 404, body: { error: 'none', requestId: `r${++count}`, at: count } }),
    ],
    [
      'ids in headers',
      () => ({
        status: 404,
        headers: { 'x-request-id': `${++count}`, 'set-cookie': `s=${count}` },
        body: {},
      }),
    ],
    [
      'a header that comes and goes',
      () => ({ status: 404, headers: ++count % 2 === 0 ? {} : { 'x-served-by': 'b' }, body: {} }),
    ],
    ['a time in HTML', () => ({ status: 404, body: `<p>Not found at ${++count} by node 7</p>` })],
    ['the path', ({ method, path }) => ({ status: 404, body: { message: `Cannot ${method} ${path}` } })],
    [
      'the path with its query',
      ({ path, search }) => ({ status: 404, body: `<pre>Cannot find ${html(`${path}?${search}`)}</pre>` }),
    ],
    [
      'the path, decoded',
      ({ path, search }) => ({ status: 404, body: { path: decodeURIComponent(`${path}?${search}`) } }),
    ],
    ['the path, encoded', ({ path }) => ({ status: 404, body: { path: encodeURIComponent(path) } })],
    ['the path in lower case', ({ path }) => ({ status: 404, body: { path: path.toLowerCase() } })],
    ['the last segment', ({ path }) => ({ status: 404, body: { name: path.split('/').at(-1) } })],
    ['the path as a member', ({ path }) => ({ status: 404, body: { errors: { [path]: 'none' } } })],
    [
      'a redirect that carries the path',
      ({ path }) => ({ status: 404, headers: { location: `/search?for=${path}` } }),
    ],
  ];

  test.each(volatile)('%s', async (_, unrouted) => {
    const judged = await judgeOf(serving([general.config], unrouted), { ...onBase });
    expect(
      await judged.all([general.config, general.version, general.consent, queue.enter, archives.tier]),
    ).toEqual({
      'general.config': 'served',
      'general.version': 'not served',
      'general.consent': 'not served',
      'queue.enter': 'not served',
      'archives.tier': 'not served',
    });
  });
});

describe('two machines behind one address, each of which names itself', () => {
  const names = [...new Set(base.map(({ area }) => area))];
  const half = base.filter(({ area }) => names.indexOf(area) % 2 === 0);
  /** Drawn for each answer: this one in `share` of all. */
  const machines = (share: number) => {
    const random = randomFrom('machines', String(share));
    return () => (random() < share ? 'node-1' : 'node-2');
  };
  const ways: readonly (readonly [string, (machine: string) => ReturnType<Kind>])[] = [
    ['in JSON', (servedBy) => ({ status: 404, body: { error: 'none', servedBy } })],
    ['in HTML', (machine) => ({ status: 404, body: `<p>Not found</p> <i>${machine}</i>` })],
    ['by a header that one sends', (machine) => ({ status: 404, headers: { [`x-${machine}`]: '1' } })],
    ['in a refusal', (servedBy) => ({ status: 403, body: { servedBy } })],
    ['in a success', (servedBy) => ({ body: { servedBy } })],
  ];
  const cases = ways.flatMap(([where, say]) => [0.5, 0.2].map((share) => [where, share, say] as const));

  test.each(cases)(
    '%s, one of them in %d of all answers: no operation is served by luck',
    async (_, share, say) => {
      const machine = machines(share);
      const judged = await judgeOf(
        serving(half, () => say(machine())),
        onBase,
      );
      expect(await operationsThat('served', judged, base)).toEqual(idsOf(half));
    },
  );

  test('a 404 of its own is distinguished from theirs, whichever machine says it', async () => {
    const machine = machines(0.5);
    const no = (error: string) => () => ({ status: 404, body: { error, servedBy: machine() } });
    const judged = await judgeOf(serving(half, no('no such path'), no('no such thing')), onBase);
    expect(await tally(judged, half)).toEqual({ served: half.length });
  });
});

test('an error that names who asked makes no difference, though an operation is called by a player of its own', async () => {
  const sessions = new Set<string>();
  const naming: Kind = ({ headers }) => ({
    status: 404,
    body: { error: 'none', for: headers.authorization },
  });
  const served = serving([me.location, general.entitlements], naming, (operation, { headers }) =>
    sessions.has(headers.authorization ?? '') ? fine(operation) : { status: 401, body: { error: 'sign in' } },
  );
  const kind: Kind = (call) => {
    if (call.path !== loginPath) return served(call);
    const token = `session-of-player-${sessions.size + 1}`;
    sessions.add(`Bearer ${token}`);
    return { body: { token } };
  };
  const judged = await judgeOf(kind, { ...onBase, signIn: true });
  expect(await judged.all([general.entitlements, general.reconcileRewards, messages.clear])).toEqual({
    'general.entitlements': 'served',
    'general.reconcileRewards': 'not served',
    'messages.clear': 'not served',
  });
});

const gameOperations = base.filter(({ words }) => words.some(({ word }) => word === 'game'));
const quest: GivenWords = { words: { game: 'quest' }, wordsAt: {} };
const nothing: GivenWords = { words: {}, wordsAt: {} };

/** A server that speaks other words. */
const speaking = (words: GivenWords, operations: readonly Operation[]) =>
  serving(operations.map((operation) => ({ ...operation, path: pathInWords(operation, words) })));

describe('a word that was given', () => {
  test('is sent, and its operations are served like any other', async () => {
    const judged = await judgeOf(speaking(quest, base), { ...onBase, words: quest });
    expect(await tally(judged, base)).toEqual({ served: base.length });
  });

  test('is believed: where no operation that holds it is served, each is missing', async () => {
    const judged = await judgeOf(serving(but(base, ...gameOperations)), { ...onBase, words: quest });
    expect(await tally(judged, gameOperations)).toEqual({ 'not served': gameOperations.length });
  });

  test('for one operation alone is believed there; the others keep their doubt', async () => {
    const words = { words: {}, wordsAt: { 'game.challenges': { game: 'quest' } } };
    const operations = [game.challenges, game.matchBonus];
    const absent = await judgeOf(serving(but(base, ...gameOperations)), { ...onBase, words });
    expect(Object.values(await absent.all(operations))).toEqual(['not served', 'word-unknown']);
    const spoken = await judgeOf(speaking(words, [game.challenges, ...but(base, ...gameOperations)]), {
      ...onBase,
      words,
    });
    expect(Object.values(await spoken.all(operations))).toEqual(['served', 'word-unknown']);
  });

  test('may be the neutral word itself', async () => {
    const own = { words: { storefront: 'storefront' } };
    const judged = await judgeOf(serving([areas.general.config]), { ...onBase, words: own });
    expect(await judged.of(auth.login)).toMatchObject({ served: false });
  });
});

describe('a word whose place is open', () => {
  const files = [clientData.gameConfigs, clientData.gameplayTunables];
  const others = but(cdn, ...files);

  test('is no excuse where operations that surely hold it are served by the default', async () => {
    const judged = await judgeOf(serving([...base, ...others]), { env: segments });
    expect(await tally(judged, files)).toEqual({ 'not served': 2 });
  });

  test('is in doubt where nothing shows which word the target has', async () => {
    const judged = await judgeOf(serving(others), { ...onCdn, env: segments });
    expect(await tally(judged, files)).toEqual({ 'word-unknown': 2 });
  });

  test('is in doubt where the target has another word, and the doubt names the way out', async () => {
    const judged = await judgeOf(speaking(quest, [...base, ...others]), { env: segments, words: quest });
    expect(await judged.of(clientData.gameConfigs)).toMatchObject({
      reason: 'word-unknown',
      why: expect.stringContaining('wordsAt'),
    });
  });

  test('is believed where it was given for the operation', async () => {
    const words = { ...quest, wordsAt: { 'clientData.gameConfigs': { game: 'Quest' } } };
    const judged = await judgeOf(speaking(words, [...base, ...others]), { env: segments, words });
    expect(await judged.of(clientData.gameConfigs)).toMatchObject({ served: false });
  });

  test('on a host where all operations hold it: missing operations of the main API put it in doubt', async () => {
    const both = [logs.analyticsBatch, logs.logsBatch];
    const doubted = await judgeOf(speaking(quest, base), { words: nothing });
    expect(await tally(doubted, both)).toEqual({ 'word-unknown': 2 });
    const plain = await judgeOf(serving(base));
    expect(await tally(plain, both)).toEqual({ 'not served': 2 });
  });

  test('one of its operations is served: the other is missing, whatever the word is elsewhere', async () => {
    const kind = serving([...but(base, ...gameOperations), logs.analyticsBatch]);
    for (const words of [nothing, quest]) {
      const judged = await judgeOf(kind, { words });
      expect(await judged.of(logs.logsBatch)).toMatchObject({ served: false });
    }
  });

  test('a served operation that spells it in other letters is no witness: QuestConfigs may stand beside gameplay', async () => {
    const kind = serving([...but(base, ...gameOperations), ...but(cdn, clientData.gameConfigs)]);
    for (const words of [nothing, quest]) {
      const judged = await judgeOf(kind, { env: segments, words });
      expect(await judged.of(clientData.gameConfigs)).toMatchObject({ reason: 'word-unknown' });
    }
  });
});

test('the doubt names what is worth trying', async () => {
  const likelyWords = ['quest', 'tide'];
  const judged = await judgeOf(speaking(quest, base), { ...onBase, likelyWords });
  expect(await judged.of(game.challenges)).toMatchObject({
    reason: 'word-unknown',
    why: expect.stringContaining('is served, while others are; worth trying: quest, tide'),
  });
});

test('every operation of a server whose words are all its own is found', async () => {
  const words: GivenWords = {
    words: { game: 'quest', storefront: 'shop', console: 'box', creatorSupport: 'patrons' },
    wordsAt: { 'logs.logsBatch': { game: 'quest' }, 'clientData.gameConfigs': { game: 'Quest' } },
  };
  const judged = await judgeOf(speaking(words, catalog), {
    env: { ...segments, VERSION_PATTERN: '1.0' },
    words,
  });
  // Archives and news of any name have one content here, so that no one of them shows.
  expect(await tally(judged, catalog)).toEqual({ served: catalog.length - 3, 'any-name': 3 });
});
