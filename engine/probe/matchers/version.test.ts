import { expect, test } from 'vitest';
import type { Exchange } from '../../http/exchange.ts';
import { isCertain, namedVersions, reportsError, versionIn, versionsToTry } from './version.ts';

const answer = (body: unknown) => ({
  status: 200,
  headers: [],
  body: new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
  wire: { bytes: 0 },
});
const of = (body: unknown) => versionIn(answer(body));

test.each<[unknown, string]>([
  [{ name: 'content', version: '9.1.0' }, '9.1.0'],
  ['9.1.0', '9.1.0'],
  ['"9.1.0"', '9.1.0'],
  ['v9.1', 'v9.1'],
  ['live-41b', 'live-41b'],
  ['9fceb02d0ae598e95dc970b74767f19372d61af8', '9fceb02d0ae598e95dc970b74767f19372d61af8'],
  [17, '17'],
  [{ latest: 'live' }, 'live'],
  [{ version: 7 }, '7'],
  [{ data: { version: { major: 7, minor: 2 } } }, '7'],
  [{ buildNumber: 8812 }, '8812'],
  [{ commit: '9fceb02d0ae598e95dc970b74767f19372d61af8' }, '9fceb02d0ae598e95dc970b74767f19372d61af8'],
  [{ version: '2026-04-01' }, '2026-04-01'],
  [{ content: '12.0.3' }, '12.0.3'],
  [{ content: '41~b' }, '41~b'],
  [{ status: 'OK', api: '3.1' }, '3.1'],
  [{ available: { '7.2.0': {}, '7.1.0': { files: 3 } } }, '7.1.0'],
  [['7.1.0', '7.2.0'], '7.1.0'],
  [{ message: 'Server version 12' }, 'Server version 12'],
  ['{"version":"7.2.0_1"}\n{"version":"7.2.0_1"}', '{"version":"7.2.0_1"}\n{"version":"7.2.0_1"}'],
  [{ error: null, errors: [], version: '1.2' }, '1.2'],
  [{ errorReporting: { dsn: 'https://e.test/1' }, version: '1.2', stats: { errors: { count: 3 } } }, '1.2'],
  [{ versionCode: 512, versionName: '5.12' }, '5.12'],
  [{ versionCode: 512 }, '512'],
  [{ code: 450, version: '4.5' }, '4.5'],
  [{ buildStatus: 'failed', buildId: 'x9' }, 'x9'],
  [{ api: 1, server: '2.14.0' }, '2.14.0'],
])('%j reports %s', (body, value) => {
  expect(of(body)).toEqual({ kind: 'version', value });
});

test.each<[unknown]>([
  [{ status: 'OK' }],
  ['OK'],
  ['Hello'],
  ['4bf92f3577b34da6a3ce929d0e0e4736'],
  [{ docs: 'https://docs.test/v1' }],
  [{ status: 'OK', uptime: 0.35, time: '2026-11-02T08:00:00.123Z' }],
  [{ version: 'unknown' }],
  [{ status: 'up', took: '0.002', at: 1_793_600_000_123 }],
  [{ requestId: '4bf92f35-77b3-4da6-a3ce-929d0e0e4736' }],
  [{ id: '4bf92f3577b34da6a3ce929d0e0e4736' }],
  [{ traceId: '1.2.3' }],
  [{ host: '10.0.0.1' }],
  [{ node: '10.0.0.1:8080' }],
  [{ message: 'all is well' }],
  [{ players: 41 }],
  [{ id: '41b' }],
  [{ version: { status: 'OK', requestId: 'r1' } }],
  [{ status: 'OK', env: 'prod-2', service: 'backend-1' }],
  ['<p>version 2.0</p>'],
  ['<!doctype html><title>Play 2.0</title>'],
])('%j reports something else', (body) => {
  expect(of(body)).toMatchObject({ kind: 'other' });
});

test.each<[unknown]>([
  [{ error: 'no such version' }],
  [{ error: { code: 'VERSION_NOT_FOUND', message: '7.2' } }],
  [{ errors: [{ title: 'gone' }] }],
  [{ success: false, version: '1.2.3' }],
  [{ status: 404, version: '1.2.3' }],
  [{ status: 'error', at: '7.2.0' }],
  [{ statusCode: 500 }],
])('%j reports an error', (body) => {
  expect(of(body)).toMatchObject({ kind: 'error' });
});

test.each<[unknown]>([[{ version: '' }], [{ version: null }], [{ isValid: true }], [{}], [[]], [''], [null]])(
  '%j reports nothing',
  (body) => {
    expect(of(body)).toEqual({ kind: 'nothing' });
  },
);

test('a verdict counts as a reported version where one is checked, and an error does not', () => {
  const checked = (body: unknown) => versionIn(answer(body), { acceptsVerdict: true }).kind;
  expect([{ isValid: true }, { status: 'UP_TO_DATE' }, { status: 'OK' }].map(checked)).toEqual(
    Array(3).fill('version'),
  );
  expect([{}, { error: 'no body' }, { requestId: 'r-1' }].map(checked)).toEqual([
    'nothing',
    'error',
    'other',
  ]);
});

test('a value that differs in each repeat is no version, whatever its name', () => {
  const seen = (...versions: string[]) => {
    const [first, ...repeats] = versions.map((build) => answer({ build }));
    return versionIn(first as never, { repeats }).kind;
  };
  expect(seen('c1', 'c2', 'c3')).toBe('other');
  // Two machines, of which one is a version ahead.
  expect(seen('c1', 'c2', 'c1')).toBe('version');
  expect(seen('c1', 'c2', 'c2')).toBe('version');
});

test('only a version by form and by name needs no second look', () => {
  expect(
    [{ version: '7.2.0' }, { content: '7.2.0' }, { version: 'live' }].map((body) => isCertain(answer(body))),
  ).toEqual([true, false, false]);
});

test.each([
  ['1.1.1…!', `1${'.1'.repeat(500_000)}!`],
  ['a name', { [`version${'V'.repeat(500_000)}`]: 'x'.repeat(500_000) }],
  [
    'a name with many below it',
    {
      [`1${'.1'.repeat(500_000)}!`]: Object.fromEntries(
        Array.from({ length: 2_000 }, (_, at) => [`k${at}`, at]),
      ),
    },
  ],
  ['a path', { a: { [`1${'.1'.repeat(500_000)}!`]: 1 } }],
])('a megabyte of %s is looked at in no time', (_, body) => {
  expect(of(body).kind).not.toBe('version');
});

const answered = (body: string): Exchange => ({
  request: { method: 'GET', url: 'http://127.0.0.1/', headers: [] },
  response: { status: 200, headers: [], body: Buffer.from(body), wire: { bytes: 0 } },
  startedAt: 0,
  durationMs: 0,
  attempts: 1,
  waits: 0,
});
const versionsIn = (value: unknown) => namedVersions(answered(JSON.stringify(value)));

test.each([['7.2.0_1'], ['2026.4.1-rc2'], ['12.0']])('%s is found, in JSON and as bare text', (version) => {
  expect(versionsIn({ content: { version } })).toEqual([version]);
  expect(namedVersions(answered(`${version}\n`))).toEqual([version]);
});

test.each([['v1'], [1.5], ['https://cdn.example/7.2'], ['/content/7.2/'], ['127'], ['7.2 beta']])(
  '%s is no version that could be a folder',
  (value) => {
    expect(versionsIn({ version: value })).toEqual([]);
  },
);

test('each is named once, and of many the first and the last are looked for', () => {
  const versions = Array.from({ length: 20 }, (_, nth) => `1.${nth >> 1}`);
  expect(versionsToTry(versionsIn({ versions }))).toEqual([
    '1.0',
    '1.1',
    '1.2',
    '1.3',
    '1.6',
    '1.7',
    '1.8',
    '1.9',
  ]);
  expect(versionsToTry(['1.0', '1.1'])).toEqual(['1.0', '1.1']);
});

test('a map of versions is read both ways', () => {
  const map = { available: { '7.2.0': { content: '7.2.0_1' }, '7.1.0': 'bundle-9' } };
  expect(versionsIn(map)).toEqual(['7.2.0', '7.1.0', '7.2.0_1']);
  expect(versionsIn({ '12.0': 12.3 })).toEqual(['12.0']);
});

test('what is too long for a folder is none, and looked at no further', () => {
  expect(versionsIn({ [`1${'.1'.repeat(500_000)}!`]: `2${'.2'.repeat(500_000)}!` })).toEqual([]);
  expect(namedVersions(answered(`3${'.3'.repeat(500_000)}!`))).toEqual([]);
});

test('finds nothing where there was no answer', () => {
  const { response: _, ...silent } = answered('1.0');
  expect(namedVersions(silent)).toEqual([]);
});

test.each<[boolean, unknown]>([
  [true, { error: 'database is gone' }],
  [true, { data: { success: false } }],
  [true, { status: 'failed' }],
  [false, { error: null, party: {} }],
  [false, { matches: [{ result: { status: 'failed' } }] }],
  [false, [{ error: 'x' }]],
  [false, null],
])('whether an answer reports an error (%s): %j', (is, value) => {
  expect(reportsError(value)).toBe(is);
});
