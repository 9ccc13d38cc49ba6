import { expect, test } from 'vitest';
import { areas } from '../catalog/catalog.ts';
import type { Operation } from '../catalog/operation.ts';
import { nobody } from '../engine/http/ask.ts';
import type { Check } from '../engine/probe/check.ts';
import type { ContextFacts } from '../fixtures/kit/fake-context.ts';
import { type Answer, rehearseCheck, type Script } from '../fixtures/kit/rule-rehearsal.ts';
import hosts from './hosts.ts';

const filedUnder = (operation: Operation) =>
  hosts.checks.filter(({ operations: [first] }) => first === operation);
const all = filedUnder(areas.general.healthcheck);

const say = (rule: string, script: Script, facts?: ContextFacts, checks: readonly Check[] = all) =>
  rehearseCheck(checks, rule, script, facts);

const plain: Answer = { body: { status: 'OK' } };
const script =
  (other: Answer): Script =>
  (ask) =>
    Object.keys(ask).length === 0 ? plain : other;

test.each<[string, Answer, string, object]>([
  ['host-case', plain, 'case of paths: ignored (200)', { path: '/api/v1/HEALTHCHECK' }],
  ['host-case', { status: 404 }, 'case of paths: answered 404', { path: '/api/v1/HEALTHCHECK' }],
  ['host-trailing-slash', { status: 308 }, 'trailing slash: answered 308', { path: '/api/v1/healthcheck/' }],
  [
    'host-options',
    { headers: { allow: 'POST,GET , OPTIONS' } },
    'OPTIONS: answered 200, Allow: GET, OPTIONS, POST',
    { method: 'OPTIONS', body: null },
  ],
  [
    'host-options',
    { status: 204, headers: { allow: 'GET' } },
    'OPTIONS: answered 204, Allow: GET',
    { method: 'OPTIONS', body: null },
  ],
  [
    'host-options',
    { status: 404 },
    'OPTIONS: answered 404, without Allow',
    { method: 'OPTIONS', body: null },
  ],
  ['host-unknown-query', plain, 'unknown query parameter: ignored (200)', { extraQuery: 'assayUnknown=1' }],
])('%s of %j is recorded', async (rule, answer, behaviour, ask) => {
  const { judgement, asked } = await say(rule, script(answer));
  expect(judgement).toMatchObject({ kind: 'observed', behaviour });
  expect(asked[1]).toEqual(ask);
});

test.each<[Answer, string]>([
  [{ status: 413 }, 'answered 413'],
  [{ status: 500 }, 'answered 500'],
  [{ error: 'reset' }, 'the connection is closed'],
  [
    { error: { kind: 'reset', reusedConnection: false, partial: { status: 413, headers: [], bytes: 0 } } },
    'answered 413',
  ],
])('an over-large body with %j never fails', async (answer, expected) => {
  expect((await say('host-over-large-body', script(answer))).judgement).toMatchObject({
    kind: 'observed',
    behaviour: `a body of 5 MiB: ${expected}`,
  });
});

test('a host whose answer is lost in the hang-up now and then has answered', async () => {
  const { judgement } = await say('host-over-large-body', ({ nth, ...ask }) =>
    ask.body === undefined ? plain : nth === 3 ? { status: 413 } : { error: 'reset' },
  );
  expect(judgement).toMatchObject({ behaviour: 'a body of 5 MiB: answered 413' });
});

test.each<[Answer, string]>([
  [{ headers: { date: 'Sat, 21 Nov 2026 10:00:00 GMT' } }, 'pass'],
  [{}, 'violation'],
  [{ headers: { date: 'today' } }, 'violation'],
  [{ status: 500 }, 'not-applicable'],
])('Date in %j', async (answer, expected) => {
  expect((await say('host-date', () => answer)).judgement.kind).toBe(expected);
});

test.each<[string, Answer, Answer, string]>([
  ['405 with Allow', { status: 405, headers: { allow: 'GET' } }, {}, 'pass'],
  ['405 without', { status: 405 }, {}, 'violation'],
  ['404, then 405 without', { status: 404 }, { status: 405 }, 'violation'],
  ['no 405', { status: 404 }, { status: 404 }, 'not-applicable'],
])('wrong methods answered with %s', async (_, patch, del, expected) => {
  const by: Script = ({ method }) => (method === 'PATCH' ? patch : method === 'DELETE' ? del : plain);
  expect((await say('host-allow', by)).judgement.kind).toBe(expected);
});

test.each<[Answer, string]>([
  [{ status: 401, headers: { 'www-authenticate': 'Bearer' } }, 'pass'],
  [{ status: 401 }, 'violation'],
  [{ status: 403 }, 'not-applicable'],
])('nobody answered with %j', async (answer, expected) => {
  expect((await say('host-challenge', script(answer))).judgement.kind).toBe(expected);
});

test.each([
  ['too-large', 'too-large'],
  ['timeout', 'timeout'],
  ['refused', 'unreachable'],
] as const)('a probe on the wire that ends as %s is inconclusive for the reason %s', async (kind, reason) => {
  const facts = { rawProbe: async () => ({ findings: [], failure: { kind, why: 'it ended so' } }) };
  expect((await say('host-framing', script({}), facts)).judgement).toMatchObject({
    kind: 'inconclusive',
    reason,
    detail: `the probe without a parser failed: ${kind}: it ended so`,
  });
});

test.each<[string[], string, string]>([
  [[], 'pass', 'pass'],
  [['bytes-after-end: "x"'], 'violation', 'pass'],
  [['content-after-head: "x"'], 'pass', 'violation'],
  [['content-after-no-content: "x"', 'bare-lf: 1'], 'violation', 'violation'],
])('on the wire %j', async (found, framing, noContent) => {
  const facts = { rawProbe: async () => ({ findings: found }) };
  expect((await say('host-framing', script({}), facts)).judgement.kind).toBe(framing);
  expect((await say('host-no-content', script({}), facts)).judgement.kind).toBe(noContent);
});

test('of a logging API that wants the session, the challenge is what nobody gets', async () => {
  const checks = filedUnder(areas.logs.logsBatch);
  const by: Script = ({ as }) => (as === nobody ? { status: 401 } : plain);
  expect((await say('host-challenge', by, {}, checks)).verdict).toBe('not-triggered');
  const takesSession = () => true;
  expect((await say('host-challenge', by, { takesSession }, checks)).verdict).toBe('violation');
});

/** Files by their place in the interface; those after the last are not found. */
const store =
  (...answers: readonly Answer[]): Script =>
  (_, { id }) =>
    answers[Object.values(areas.clientData).findIndex((each) => each.id === id)] ?? { status: 404 };
/** Each content was written on a day of its own. */
const tagged = (etag: string, body: string): Answer => ({
  headers: { etag, 'last-modified': `Mon, 0${(body.charCodeAt(0) % 7) + 1} Jun 2026 10:00:00 GMT` },
  body,
});
/** All was put there by one release. */
const released = (etag: string, body: string): Answer => ({ headers: { etag }, body });
const bodies = ['a', 'b', 'c', 'd', 'e', 'f'];

test.each<[string, Script, string]>([
  [
    'one strong tag for six files that differ',
    store(...bodies.map((body) => tagged('"x"', body))),
    'violation',
  ],
  ['one weak tag for them', store(...bodies.map((body) => tagged('W/"x"', body))), 'violation'],
  [
    'one tag for five of them',
    store(tagged('"own"', 'f'), ...bodies.slice(0, 5).map((body) => tagged('"x"', body))),
    'violation',
  ],
  [
    'one tag for four of them',
    store(tagged('"own"', 'e'), ...bodies.slice(0, 4).map((body) => tagged('"x"', body))),
    'pass',
  ],
  ['the tag of a release', store(...bodies.map((body) => released('"r1234"', body))), 'pass'],
  ['an empty tag', store(...bodies.map((body) => released('""', body))), 'violation'],
  ['one tag for equal files', store(...bodies.map(() => tagged('"x"', 'same'))), 'pass'],
  ['a tag for each', store(...bodies.map((body) => tagged(`"${body}"`, body))), 'pass'],
  [
    'the version of their paths for a tag',
    store(...bodies.map((body) => tagged('"assay-gameVersion-7"', body))),
    'pass',
  ],
  ['few files', store(...bodies.slice(0, 4).map((body) => tagged('"x"', body))), 'not-triggered'],
  ['no tags', store(...bodies.map((body) => ({ body }))), 'not-triggered'],
])('judges the ETags of a host with %s', async (_, answers, expected) => {
  const checks = filedUnder(areas.clientData.catalog);
  expect((await say('host-etag', answers, {}, checks)).verdict).toBe(expected);
});

/** Five files, of which another version has another content; each with the tag of its place, or of its version. */
const versions =
  (tagOf: (nth: number, version: string) => string, date?: (version: string) => string): Script =>
  ({ params = {} }, { id }) => {
    if (id === areas.utils.contentVersion.id) return { body: { versions: ['7.1.0', '7.2.0'] } };
    const nth = Object.values(areas.clientData).findIndex((each) => each.id === id);
    const { gameVersion: version = 'own' } = params as Record<string, string>;
    if (nth < 0 || nth >= 5) return { status: 404 };
    const dated = date && { 'last-modified': date(version) };
    return { headers: { etag: tagOf(nth, version), ...dated }, body: `${nth} ${version}` };
  };

test.each<[string, Script, string]>([
  ['of the place alone', versions((nth) => `"file-${nth}"`), 'violation'],
  ['of place and version', versions((nth, version) => `"file-${nth}-${version}"`), 'pass'],
  ['of a release', versions(() => '"r1234"'), 'pass'],
  [
    'of all files, written on days of their own',
    versions(
      () => '"r1234"',
      (version) => `Mon, 01 Jun ${version === 'own' ? 2025 : 2026} 10:00:00 GMT`,
    ),
    'violation',
  ],
])('judges the ETags of two versions that are made %s', async (_, answers, expected) => {
  const checks = filedUnder(areas.clientData.catalog);
  expect((await say('host-etag', answers, {}, checks)).verdict).toBe(expected);
});

test('names the shared tag, two of the files, and how many they are', async () => {
  const answers = store(...bodies.map((body) => tagged('"x"', body)));
  const { judgement } = await say('host-etag', answers, {}, filedUnder(areas.clientData.catalog));
  expect(judgement).toMatchObject({
    actual: expect.stringMatching(
      /^"x" for 6 files that differ, such as \/clientData\S+ and \/clientData\S+$/,
    ),
  });
});

/** The recorded behaviour of a host that answers like this on a path that does not exist. */
async function judged(error: Answer, ordinary: Answer = plain) {
  const script: Script = ({ path }) => (path === undefined ? ordinary : error);
  return (await say('host-error-shape', script)).judgement;
}

test.each<[Answer, string]>([
  [{ status: 404, body: { message: 'no', code: 7 } }, 'error: 404, application/json, {code, message}'],
  [
    { status: 404, body: { errors: [{ code: 1 }], at: null } },
    'error: 404, application/json, {at, errors: […]}',
  ],
  [{ status: 404, body: { a: { b: { c: { d: 1 } } } } }, 'error: 404, application/json, {a: {b: {c}}}'],
  [{ status: 404, body: [] }, 'error: 404, application/json, […]'],
  [{ status: 404, headers: { 'content-type': 'text/html' }, body: '<p>' }, 'error: 404, text/html'],
  [{ status: 404 }, 'error: 404, no type'],
])('the error %j is recorded by its names, and never by its values', async (error, behaviour) => {
  expect(await judged(error)).toMatchObject({ kind: 'observed', behaviour });
});

test('records twenty names of an error at most', async () => {
  const body = Object.fromEntries(Array.from({ length: 50 }, (_, nth) => [`n${nth + 10}`, nth]));
  const { behaviour } = (await judged({ status: 400, body })) as { behaviour: string };
  expect(behaviour.split(', ').slice(2)).toHaveLength(20);
});

test('records no form of errors where one of the two calls gets no answer', async () => {
  expect(await judged({ error: 'timeout' })).toMatchObject({ kind: 'inconclusive', reason: 'timeout' });
  expect(await judged({}, { error: 'reset' })).toMatchObject({ kind: 'inconclusive', reason: 'reset' });
});
