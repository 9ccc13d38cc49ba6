import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { guessesFor } from '../../engine/players/candidate-bodies.ts';
import type { Context } from '../../engine/probe/context.ts';
import type { ContextFacts } from '../../fixtures/kit/fake-context.ts';
import { type Answer, rehearse, type Script } from '../../fixtures/kit/rule-rehearsal.ts';
import { answers } from './answers.ts';
import { clauseOf } from './rules.ts';

const { config } = areas.general;
const { create, details } = areas.party;
const always =
  (status: number, headers = {}): Script =>
  () => ({ status, headers });

test('a documented call whose inputs are fixed cites the document, any other good sense', () => {
  const cited = [config, details, areas.clientData.catalog, create, areas.party.get, areas.clientData.news];
  expect(cited.map((operation) => clauseOf(answers, operation).id)).toEqual([
    ...Array(3).fill('endpoints.default-form'),
    ...Array(3).fill('sense.answers'),
  ]);
});

test.each([
  ['200', config, always(200), 'pass'],
  ['204', create, always(204), 'pass'],
  ['404 where nothing can be absent', config, always(404), 'violation'],
  ['400 where all inputs are documented', config, always(400), 'violation'],
  ['500', create, always(500), 'violation'],
  ['503 without Retry-After', config, always(503), 'violation'],
  ['503 with Retry-After', config, always(503, { 'retry-after': '9' }), 'rate-limited'],
  ['429', config, always(429), 'rate-limited'],
  ['400 to a body that is not documented', create, always(400), 'needs-body'],
  ['422 to a body that is not documented', create, always(422), 'needs-body'],
  ['415 to a body that is not documented', create, always(415), 'needs-body'],
  ['404 to a state that the player is not in', details, always(404), 'needs-state'],
  ['401 though signed in', config, always(401), 'auth-wall'],
  ['403', config, always(403), 'auth-wall'],
  ['a redirect within the origin', config, always(308, { location: '/api/v1/config/' }), 'violation'],
  ['a redirect to a login page', config, always(302, { location: '/login' }), 'redirected'],
  ['a redirect to another origin', config, always(302, { location: 'https://sso.test/' }), 'redirected'],
  ['a deadline that passed', config, (): Answer => ({ error: 'timeout' }), 'timeout'],
] as const)('%s', async (_, operation, script, expected) => {
  expect((await rehearse(answers, operation, script)).verdict).toBe(expected);
});

test('a 404 to an identifier that nobody knows is no violation', async () => {
  const unknownIds = async () => ['partyId'];
  expect((await rehearse(answers, areas.party.get, always(404), { unknownIds })).verdict).toBe(
    'unknown-resource',
  );
});

test('a success whose body refuses the call is neither a success nor a fault', async () => {
  const { judgement } = await rehearse(answers, areas.general.config, () => ({
    body: { ok: false },
    refuses: true,
  }));
  expect(judgement).toMatchObject({
    kind: 'inconclusive',
    detail: 'its plain call is answered 200 with a body that refuses it',
  });
});

test('where nobody is signed in a refusal accuses nobody', async () => {
  const noSession = () => 'no token';
  expect((await rehearse(answers, config, always(401), { noSession })).verdict).toBe('no-session');
  expect((await rehearse(answers, config, always(400), { noSession })).verdict).toBe('no-session');
});

test('an operation that is not served is asked nothing more', async () => {
  const routed = async () => ({ served: false, kind: 'unrouted', why: 'like any other path' }) as const;
  expect((await rehearse(answers, config, always(404), { routed })).verdict).toBe('not-served');
});

test('a server error that goes away is reported as 1 of 3', async () => {
  const { judgement } = await rehearse(answers, config, ({ nth }) => ({ status: nth ? 200 : 500 }));
  expect(judgement).toMatchObject({ kind: 'violation', actual: '500, 1 of 3 times' });
});

test('a reset of a fresh connection is a violation, reported as n of 3', async () => {
  const { judgement } = await rehearse(answers, config, ({ nth }) => (nth === 3 ? {} : { error: 'reset' }));
  expect(judgement).toMatchObject({ actual: 'a connection that breaks before an answer, 2 of 3 times' });
});

test('a reset of a reused connection, and of a host that is lost, accuses nobody', async () => {
  const routed = async () => ({ served: undefined, reason: 'reset', why: 'broke' }) as const;
  const reused: Script = () => ({ error: { kind: 'reset', reusedConnection: true } });
  expect((await rehearse(answers, config, reused, { routed })).verdict).toBe('reset');
  let asked = 0;
  const lost = () => (asked > 1 ? 'it stopped answering' : undefined);
  const dying: Script = () => ({ error: asked++ > 0 ? 'aborted' : 'reset' });
  expect((await rehearse(answers, config, dying, { lost })).verdict).toBe('target-lost');
});

test('files under an assumed folder and version are missed only once another file is found there', async () => {
  const ambientGiven = new Set<string>();
  const { catalog } = areas.clientData;
  const nowhere = await rehearse(answers, catalog, always(404), { ambientGiven });
  const hosts = new Set<string>();
  const beside: Script = (_, operation) => {
    hosts.add(operation.host);
    return { status: operation === catalog ? 404 : 200 };
  };
  const missed = await rehearse(answers, catalog, beside, { ambientGiven });
  expect([nowhere.verdict, missed.verdict]).toEqual(['segments-unknown', 'violation']);
  // Who asks for a sign-in says nothing of folder or version.
  const walled = await rehearse(answers, catalog, always(401), { ambientGiven });
  expect(walled.verdict).toBe('auth-wall');
  expect([...hosts]).toEqual(['cdn']);
  expect((await rehearse(answers, catalog, always(404))).verdict).toBe('violation');
});

test.each<[string, Answer]>([
  ['refused, though the profile lists what is accepted', { status: 404 }],
  ['a server error', { status: 500 }],
  ['a reset', { error: 'reset' }],
])('a version pattern that nobody gave is answered with %s: no check fails', async (_, answer) => {
  const { contentVersionOf } = areas.utils;
  const facts = { stated: () => ({ accepts: [200] }) };
  const guessed = { ...facts, ambientGiven: new Set(['CDN_ROOT_FOLDER_PATH', 'gameVersion']) };
  expect((await rehearse(answers, contentVersionOf, () => answer, guessed)).verdict).toBe('unknown-resource');
  expect((await rehearse(answers, contentVersionOf, () => answer, facts)).verdict).toBe('violation');
});

const { story } = areas.archives;
const { addFriend, block } = areas.players;
const { logsBatch } = areas.logs;
const { acceptInvite, acceptJoin } = areas.party;
const unknown = async () => ['storyId'];

test.each([
  ['an accepted status', block, 409, { body: {}, accepts: [409] }, {}, 'pass'],
  ['success, but another than the one that is named', block, 200, { accepts: [204] }, {}, 'violation'],
  ['a refusal of the stated body', block, 400, { body: {} }, {}, 'violation'],
  ['a refusal of a signed-in player', block, 403, { body: {} }, {}, 'violation'],
  ['a 404 to what the profile names', story, 404, { accepts: [200] }, {}, 'violation'],
  ['a 404 to what nobody names', story, 404, { accepts: [200] }, { unknownIds: unknown }, 'unknown-resource'],
  ['nobody to take back', areas.players.removeFriend, 404, { accepts: [204], body: {} }, {}, 'needs-state'],
  ['nobody to unblock', areas.players.unblock, 409, { body: {} }, {}, 'needs-state'],
  ['a cancellation that finds nothing', areas.party.cancelJoin, 412, { accepts: [200] }, {}, 'needs-state'],
  ['a precondition where nothing is conditional', block, 412, { body: {} }, {}, 'violation'],
  ['nobody to look up', areas.players.friendInfo, 404, { accepts: [200] }, {}, 'needs-state'],
  ['nobody who asked to join', acceptJoin, 404, { accepts: [200] }, {}, 'needs-state'],
  ['nobody who invited', acceptInvite, 403, { accepts: [200] }, {}, 'needs-state'],
  ['an invitation that is not understood', acceptInvite, 400, { accepts: [200], body: {} }, {}, 'violation'],
  ['nothing that could be taken back', areas.party.cancelJoin, 400, { accepts: [200] }, {}, 'needs-state'],
  [
    'no friend whose identifier is known',
    areas.players.friendInfo,
    422,
    { accepts: [200] },
    {},
    'needs-state',
  ],
  ['another success than after an invitation', acceptInvite, 204, { accepts: [200] }, {}, 'violation'],
  ['a friend since an earlier run', addFriend, 409, { accepts: [200], body: {} }, {}, 'needs-state'],
  ['a friend who is not there', addFriend, 404, { accepts: [200], body: {} }, {}, 'violation'],
  ['a removal that is not understood', areas.players.removeFriend, 400, { body: {} }, {}, 'violation'],
  ['a 400 where no body is stated', block, 400, { accepts: [200] }, {}, 'needs-body'],
  ['a 404 to a state the player is not in', details, 404, { accepts: [200] }, {}, 'needs-state'],
  ['a 401 to nobody', block, 401, { body: {} }, { noSession: () => 'no token' }, 'no-session'],
  ['a 401 that is refused with the session, too', logsBatch, 401, { body: {} }, {}, 'violation'],
  [
    'a 401 where the session was never tried',
    logsBatch,
    401,
    { body: {} },
    { sessionUntried: () => true },
    'auth-wall',
  ],
  ['only a schema is stated', story, 404, { schema: {} }, {}, 'needs-state'],
] as const)(
  'where the profile says how an operation is spoken: %s',
  async (_, operation, status, entry, facts, expected) => {
    const rehearsed = await rehearse(answers, operation, always(status), { stated: () => entry, ...facts });
    expect(rehearsed.verdict).toBe(expected);
    if (expected === 'pass' || expected === 'violation')
      expect(rehearsed.judgement).toMatchObject({ level: 'profile', clause: 'profile.accepts' });
  },
);

const guessing: ContextFacts['flows'] = { forms: guessesFor, stated: () => false };
const setting: ContextFacts['flows'] = {
  ...guessing,
  forms: () => [{ template: { mood: '{{value}}' }, carries: ['value'], from: 'profile' }],
};
const { catalogItems } = areas.extensions;
const { set } = areas.playerName;

test.each([
  ['a guessed body', block, 409, { accepts: [200] }, guessing, 'needs-body'],
  ['a guessed body, as nothing for this player', block, 403, { accepts: [200] }, guessing, 'auth-wall'],
  ['a guessed type', catalogItems, 400, { accepts: [200] }, guessing, 'prerequisite-failed'],
  ['a made-up name', set, 409, { accepts: [200], body: {} }, { ...setting, forms: () => [] }, 'needs-state'],
  ['what is made up to be set', areas.me.setRichPresence, 422, { body: {} }, setting, 'needs-state'],
] as const)('a profile that does not say it is not broken by a refusal of %s', async (...sample) => {
  const [, operation, status, entry, flows, expected] = sample;
  const facts = { stated: () => entry, flows };
  expect((await rehearse(answers, operation, always(status), facts)).verdict).toBe(expected);
});

test.each([
  ['a body of its own', block, 400, { body: {} }],
  ['nobody who is signed in', block, 401, { accepts: [200] }],
  ['a server error', block, 500, { accepts: [200] }],
] as const)('it is broken all the same by a refusal of %s', async (_, operation, status, entry) => {
  const forms = () => ('body' in entry ? [] : guessesFor(operation));
  const facts = { stated: () => entry, flows: { ...guessing, forms } };
  expect((await rehearse(answers, operation, always(status), facts)).verdict).toBe('violation');
});

test('an operation whose inputs the document fixes stays the document’s, whatever the profile says', async () => {
  const stated = () => ({ accepts: [200] });
  const judged = [200, 404].map((status) => rehearse(answers, config, always(status), { stated }));
  for (const { judgement } of await Promise.all(judged)) expect(judgement).not.toHaveProperty('level');
});

// A call that is never answered.

const never = (durationMs: number): Answer => ({ error: 'timeout', durationMs });
const notFound: Answer = { status: 404 };

/** What the plain call is answered, what it is answered when repeated, and what an unrouted path is. */
const to =
  (first: Answer, again: Answer, beside: Answer = notFound): Script =>
  ({ path, nth }) =>
    path !== undefined ? beside : nth === undefined ? first : again;

test('a call that is never answered, while its host answers, warns', async () => {
  const { judgement, asked } = await rehearse(answers, config, to(never(10_000), never(1_000)));
  expect(judgement).toMatchObject({
    kind: 'violation',
    onlyWarns: true,
    actual: 'no answer in 10 s, nor in 1 s when asked again (--timeout waits longer)',
  });
  expect(asked).toHaveLength(3);
});

const half = {
  error: { kind: 'timeout', reusedConnection: false, partial: { status: 200, headers: [], bytes: 9 } },
} as const;

test.each<[string, Script]>([
  ['answered when asked again', to(never(10_000), {})],
  ['refused when asked again', to(never(10_000), { status: 500 })],
  ['on a host that answers nothing else either', to(never(10_000), never(10_000), never(10_000))],
  [
    'on a host that answers others as slowly',
    to(never(10_000), never(10_000), { ...notFound, durationMs: 2_600 }),
  ],
  [
    'on a host that asks for patience',
    to(never(10_000), never(10_000), { status: 503, headers: { 'retry-after': '9' } }),
  ],
  ['waited for no longer than some take', to(never(3_000), never(3_000))],
  ['begun, and not ended', to({ ...half, durationMs: 10_000 }, { ...half, durationMs: 10_000 })],
  ['begun when asked again', to(never(10_000), { ...half, durationMs: 10_000 })],
])('nobody is accused of a call that is %s', async (_, script) => {
  expect((await rehearse(answers, config, script)).verdict).toBe('timeout');
});

test('a host that does not answer is not asked again', async () => {
  const { asked } = await rehearse(answers, config, to(never(10_000), {}, never(10_000)));
  expect(asked.map(({ nth }) => nth)).not.toContain(2);
});

test('where calls are given less time by now, what was waited for others of the operation counts', async () => {
  const short = to(never(1_000), never(1_000));
  const waited = (ms: number) => rehearse(answers, config, short, { longestUnanswered: () => ms });
  expect((await waited(10_000)).judgement).toMatchObject({
    actual: expect.stringMatching(/^no answer in 10 s/),
  });
  expect((await waited(1_000)).verdict).toBe('timeout');
});

test('an answer that came after all is reported', async () => {
  const { judgement } = await rehearse(answers, config, to(never(10_000), {}));
  expect(judgement).toMatchObject({ detail: expect.stringMatching(/; answered 200 when asked again$/) });
});

test.each<[string, readonly number[], string]>([
  ['most of its calls are slow', [2_600, 2_600, 2_600, 10], 'timeout'],
  ['one of its calls was slow', [2_600, 10, 10, 10], 'warning'],
  ['its calls take some time', [300, 300, 300, 300], 'warning'],
])('what else the host took tells whether the deadline was long enough: %s', async (_, longest, expected) => {
  const operations = [
    areas.me.location,
    areas.general.version,
    areas.general.currencies,
    areas.party.details,
  ];
  const latency = () =>
    Object.fromEntries(
      operations.map((operation, nth) => [operation.id, [1, 1, 1, 1, longest[nth], 9]]),
    ) as ReturnType<Context['latency']>;
  expect((await rehearse(answers, config, to(never(10_000), never(10_000)), { latency })).verdict).toBe(
    expected,
  );
});

test('a host that was lost meanwhile says so', async () => {
  let asked = 0;
  const lost = () => (asked > 2 ? 'it stopped answering' : undefined);
  const dying: Script = (...put) => {
    asked += 1;
    return to(never(10_000), never(10_000))(...put);
  };
  expect((await rehearse(answers, config, dying, { lost })).verdict).toBe('target-lost');
});
