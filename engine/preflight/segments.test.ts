import { expect, test } from 'vitest';
import { type Behaviour, standIn } from '../../fixtures/kit/sign-in-server.ts';
import { type Target, withSegments } from '../target/target.ts';
import { preflight } from './preflight.ts';
import { type FoundSegments, findSegments, patternsOf } from './segments.ts';

const notFound = { status: 404, body: { error: 'not found' } };
const contentVersion = '/api/v1/utils/contentVersion/version';

/** A store of client data under one folder and version; the API reports what `told` holds, by path. */
const store =
  (folder: string, version: string, answers: Readonly<Record<string, unknown>> = {}): Behaviour =>
  ({ path }) => {
    if (path === `/clientData/${folder}/content/${version}/catalog.json`)
      return { body: { items: ['lamp'] } };
    return Object.hasOwn(answers, path) ? { body: answers[path] } : notFound;
  };

async function found(behaviour: Behaviour, env: Record<string, string> = {}): Promise<FoundSegments> {
  const { target, client } = await standIn(behaviour, env);
  return findSegments(client, withCdn(target), undefined);
}

const withCdn = (target: Target): Target => ({
  ...target,
  hosts: { ...target.hosts, cdn: target.hosts.base ?? '' },
});

test('files under the assumed folder and version are found without asking for a version', async () => {
  expect(await found(store('live', '1.0.0'))).toEqual({
    found: true,
    segments: { CDN_ROOT_FOLDER_PATH: 'live', gameVersion: '1.0.0' },
  });
});

test.each([
  [contentVersion, { content: { version: '7.2.0_1' } }, 'utils.contentVersion'],
  ['/api/v1/version', '7.2.0_1', 'general.version'],
  ['/api/v1/config', { GAME_VERSION: '7.2.0_1' }, 'general.config'],
])('keeps the version that %s reports where files exist under it', async (path, body, reportedBy) => {
  expect(await found(store('live', '7.2.0_1', { [path]: body }))).toEqual({
    found: true,
    segments: { CDN_ROOT_FOLDER_PATH: 'live', gameVersion: '7.2.0_1' },
    reportedBy,
  });
});

test('of several versions the one that has files is kept', async () => {
  const answers = { [contentVersion]: { api: '3.1.4', previous: '7.1.0', current: '7.2.0' } };
  expect(await found(store('live', '7.2.0', answers))).toMatchObject({ segments: { gameVersion: '7.2.0' } });
});

test.each<[string, unknown]>([
  ['a name', { available: { '7.2.0': 'bundle-9' } }],
  ['a value', { available: { live: '7.2.0' } }],
  ['the last of many', { all: Array.from({ length: 30 }, (_, nth) => `6.${nth}`).concat('7.2.0') }],
])('a version that has files is found where a map tells it as %s', async (_, body) => {
  const behaviour = store('live', '7.2.0', { [contentVersion]: body });
  expect(await found(behaviour)).toMatchObject({ segments: { gameVersion: '7.2.0' } });
});

test('a folder that stands under the name that the document gives it is tried as well', async () => {
  const answers = { '/api/v1/config': { cdn_root_folder_path: 'releases/eu-1', version: '7.2.0' } };
  expect(await found(store('releases/eu-1', '7.2.0', answers))).toMatchObject({
    segments: { CDN_ROOT_FOLDER_PATH: 'releases/eu-1', gameVersion: '7.2.0' },
  });
});

test.each<[string, Readonly<Record<string, unknown>>]>([
  ['another name of its own', { [contentVersion]: { version: '7.2.0', cdnRoot: 'eu-1' } }],
  [
    'a path to a file',
    { '/api/v1/config': { version: '7.2.0', news: 'https://cdn.test/clientData/eu-1/content/7.1.0/x.json' } },
  ],
  [
    'the answer that follows that with the version',
    { [contentVersion]: '7.2.0', '/api/v1/config': { CDN_ROOT_FOLDER_PATH: 'eu-1' } },
  ],
])('a folder that stands under %s is tried as well', async (_, answers) => {
  expect(await found(store('eu-1', '7.2.0', answers))).toMatchObject({
    segments: { CDN_ROOT_FOLDER_PATH: 'eu-1', gameVersion: '7.2.0' },
  });
});

test('a folder that was given is kept to', async () => {
  const answers = { '/api/v1/config': { CDN_ROOT_FOLDER_PATH: 'releases', version: '7.2.0' } };
  const kept = await found(store('releases', '7.2.0', answers), { CDN_ROOT_FOLDER_PATH: 'live' });
  expect(kept).toEqual({ found: false, reported: ['7.2.0'] });
});

test('a version without files is reported, and none is made up', async () => {
  expect(await found(store('live', '9.9', { [contentVersion]: { version: '7.2.0' } }))).toEqual({
    found: false,
    reported: ['7.2.0'],
  });
});

test.each<[string, Behaviour]>([
  ['gives every path the same page', () => ({ body: '<!doctype html>hello' })],
  [
    'gives every version the same file',
    ({ path }) => (path.endsWith('catalog.json') ? { body: [1] } : notFound),
  ],
  [
    'says null under whatever looks like a version',
    ({ path }) => (/\/content\/\d+\.\d+\.\d+\/catalog\.json$/.test(path) ? { body: null } : notFound),
  ],
  ['repeats the path that it was asked for', ({ path }) => ({ body: { path } })],
])('nothing is found at a host that %s', async (_, behaviour) => {
  expect(await found(behaviour)).toMatchObject({ found: false });
});

test('a session is sent along where there is one, unless every answer makes it a new one', async () => {
  const { target, client } = await standIn(({ headers, path }) => {
    if (path === contentVersion) return headers['x-key'] === 'k' ? { body: '7.2.0' } : { status: 401 };
    return store('live', '7.2.0')({ path } as never);
  });
  const discovery = (rotates: boolean) =>
    ({
      kind: 'found',
      recipe: { rotates },
      session: { transport: { kind: 'header' }, credentials: [['x-key', 'k']], secrets: [] },
    }) as never;
  expect(await findSegments(client, withCdn(target), discovery(false))).toMatchObject({ found: true });
  expect(await findSegments(client, withCdn(target), discovery(true))).toEqual({
    found: false,
    reported: [],
  });
});

test('what was found counts as given', () => {
  const target = {
    ambient: { CDN_ROOT_FOLDER_PATH: 'live', gameVersion: '1', versionPattern: '1' },
    given: [],
  };
  const found = withSegments(target as never, { CDN_ROOT_FOLDER_PATH: 'live', gameVersion: '7' });
  expect(found).toMatchObject({
    ambient: { CDN_ROOT_FOLDER_PATH: 'live', gameVersion: '7', versionPattern: '1' },
    given: ['CDN_ROOT_FOLDER_PATH', 'gameVersion'],
  });
});

test('a version names its patterns, its first two parts before all others', () => {
  expect(patternsOf('7.2.0_1')).toEqual(['7.2', '7.2.0_1', '7.2.0', '7']);
  expect(patternsOf('7.2')).toEqual(['7.2', '7']);
  expect(patternsOf('live')).toEqual(['live']);
});

test.each([
  ['of a version that was given', '7.2.0', {}, '7.2'],
  ['but not of another that has files', '0.0.1', {}, undefined],
  ['but not in place of one that was given', '7.2.0', { VERSION_PATTERN: '6' }, '6'],
])('the pattern is found %s', async (_, gameVersion, given, versionPattern) => {
  const files = store('live', '7.2.0', { [contentVersion]: '7.2.0' });
  const behaviour: Behaviour = (request) => {
    const isNews = request.path === '/clientData/live/content/7.2/news/versionedNews_en.json';
    return isNews ? { body: { news: [] } } : files(request);
  };
  const env = { GAME_VERSION: gameVersion, CDN_ROOT_FOLDER_PATH: 'live', ...given };
  const { target, client } = await standIn(behaviour, env);
  const before = withCdn(target);
  const { target: after } = await preflight({ client, target: before, redactor: { learn() {} } });
  expect(after.ambient).toEqual({
    ...before.ambient,
    ...(versionPattern !== undefined && { versionPattern }),
  });
  expect(after.given.includes('versionPattern')).toBe(versionPattern !== undefined);
});

async function linesOf(behaviour: Behaviour, env: Record<string, string> = {}) {
  const { target, client } = await standIn(behaviour, env);
  const found = await preflight({ client, target: withCdn(target), redactor: { learn() {} } });
  return found.lines.filter((line) => line.startsWith('client data'));
}

test('preflight prints one line: what was found, or what to set', async () => {
  const answers = { [contentVersion]: { version: '7.2.0' } };
  expect(await linesOf(store('live', '7.2.0', answers))).toEqual([
    'client data: files found under /clientData/live/content/7.2.0/; utils.contentVersion reports the version',
  ]);
  expect(await linesOf(store('live', '9.9', answers))).toEqual([
    'client data: no files under /clientData/live/content/1.0.0/; none under "7.2.0" that the main API reports; set GAME_VERSION and CDN_ROOT_FOLDER_PATH',
  ]);
});

test('where the main API does not answer, that comes before any setting', async () => {
  const { target, client } = await standIn(store('live', '9.9', {}));
  const { base = '' } = target.hosts;
  const away = { ...target, hosts: { base: 'http://127.0.0.1:1', cdn: base } };
  const { lines } = await preflight({ client, target: away, redactor: { learn() {} } });
  expect(lines.filter((line) => line.startsWith('client data'))).toEqual([
    'client data: no files under /clientData/live/content/1.0.0/; the main API, which may report the version, does not answer; mend that first, or set GAME_VERSION and CDN_ROOT_FOLDER_PATH',
  ]);
});

test.each([/\/content\//, /\/content\/\d/])(
  'a store that has files under any version of a form is not reported as empty: %s',
  async (form) => {
    const anyVersion: Behaviour = ({ path }) => (form.test(path) ? { body: { path } } : { status: 404 });
    expect(await linesOf(anyVersion)).toEqual([
      'client data: /clientData/live/content/1.0.0/ has files, and so has a version that does not exist; set GAME_VERSION and CDN_ROOT_FOLDER_PATH',
    ]);
  },
);

test('a version that was given is believed, and nothing is said where no other is known', async () => {
  expect(await linesOf(store('live', '9.9'), { GAME_VERSION: '1.0.0' })).toEqual([]);
  const answers = { [contentVersion]: { version: '7.2.0' } };
  expect(await linesOf(store('live', '1.0.0', answers), { GAME_VERSION: '1.0.0' })).toEqual([]);
});

test.each([{}, { CDN_ROOT_FOLDER_PATH: 'live' }])(
  'a version that was given and has no files is reported before all else, with the one to set: %o',
  async (env) => {
    const answers = { [contentVersion]: { version: '7.2.0' } };
    const { target, client } = await standIn(store('live', '7.2.0', answers), {
      ...env,
      GAME_VERSION: '0.0.1',
    });
    const found = await preflight({ client, target: withCdn(target), redactor: { learn() {} } });
    expect(found.lines[0]).toBe(
      'client data: no files under /clientData/live/content/0.0.1/, which was given; your API reports 7.2.0 (utils.contentVersion), and files are there under /clientData/live/content/7.2.0/; set GAME_VERSION=7.2.0',
    );
    expect(found.target.ambient.gameVersion).toBe('0.0.1');
  },
);

test.each([
  ['the first two parts of the version', '7.2', ['7.2', '7.2.0'], '7.2'],
  ['the version itself', '7.2.0', ['7.2.0'], '7.2.0'],
  ['no pattern, where the API refuses it', '7.2', ['7.1'], undefined],
  ['no pattern, where no news are under one', 'other', ['7.2'], undefined],
])('of patterns for the version it keeps %s', async (_, news, taken, versionPattern) => {
  const files = store('live', '7.2.0', { [contentVersion]: '7.2.0' });
  const behaviour: Behaviour = (request) => {
    const { path } = request;
    if (path === `/clientData/live/content/${news}/news/versionedNews_en.json`) return { body: { news: [] } };
    const asked = request.query.get('versionPattern');
    return asked === null || taken.includes(asked) ? files(request) : notFound;
  };
  const { segments } = (await found(behaviour)) as Extract<FoundSegments, { readonly found: true }>;
  expect(segments).toEqual({
    CDN_ROOT_FOLDER_PATH: 'live',
    gameVersion: '7.2.0',
    ...(versionPattern !== undefined && { versionPattern }),
  });
});

test('a pattern that an answer names as such is tried before those made from the version', async () => {
  const named = { GameVersion: '7.2.0', VersionPattern: '7.2.x' };
  const files = store('live', '7.2.0', { [contentVersion]: named });
  const behaviour: Behaviour = (request) => {
    if (request.path.endsWith('/content/7.2.x/news/versionedNews_en.json')) return { body: { news: [] } };
    const asked = request.query.get('versionPattern');
    return asked === null || asked === '7.2.x' ? files(request) : notFound;
  };
  expect(await found(behaviour)).toMatchObject({ segments: { versionPattern: '7.2.x' } });
});
