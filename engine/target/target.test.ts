import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';
import { ConfigurationError } from '../values/configuration-error.ts';
import { readTarget } from './target.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

function folder(files: Files = {}): string {
  const path = scratchFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}

function mistakes(env: Record<string, string>, files: Files = {}, options = {}) {
  try {
    readTarget(env, { cwd: folder(files), ...options });
  } catch (error) {
    if (error instanceof ConfigurationError) return error.lines;
    throw error;
  }
  return [];
}

test('without a URL the embedded server is meant', () => {
  const target = readTarget({}, { cwd: folder(), newRunId: () => 'run00001' });
  expect(target).toMatchObject({ embedded: true, hosts: {}, seed: '1', runId: 'run00001', given: [] });
});

test('a host keeps its path prefix and loses its trailing slashes', () => {
  const env = { BASE_URL: ' https://api.example:8443/game/v2// ', CDN_URL: 'http://[::1]:9000' };
  const target = readTarget(env, { cwd: folder() });
  expect(target.embedded).toBe(false);
  expect(target.hosts).toEqual({ base: 'https://api.example:8443/game/v2', cdn: 'http://[::1]:9000' });
});

test('a target can be handed to another thread', () => {
  const files = { 'p.json': '{"parameters": {"storyId": "s1"}}' };
  const target = readTarget({ PROFILE: 'p.json', LOGIN_TOKEN: 'a b' }, { cwd: folder(files) });
  expect(structuredClone(target)).toEqual(target);
});

test('every run has an id of its own', () => {
  const cwd = folder();
  const ids = Array.from({ length: 50 }, () => readTarget({}, { cwd }).runId);
  expect(new Set(ids).size).toBe(50);
  for (const id of ids) expect(id).toMatch(/^[0-9a-z]{8}$/);
});

test('the environment goes before .env, also where a URL is set to nothing, which is a mistake', () => {
  const cwd = folder({
    '.env': 'BASE_URL=http://file:1\nCDN_URL=http://file:2\nGAMELOGS_URL=http://file:3\n',
  });
  const env = { BASE_URL: 'http://shell:1' };
  const target = readTarget(env, { cwd });
  expect(target.hosts).toEqual({ base: 'http://shell:1', cdn: 'http://file:2', gamelogs: 'http://file:3' });
  expect(env).toEqual({ BASE_URL: 'http://shell:1' });
  expect(() => readTarget({ ...env, CDN_URL: '' }, { cwd })).toThrow(/^CDN_URL: set to nothing/);
  expect(process.env.GAMELOGS_URL).toBeUndefined();
});

test('segments come from the environment, then the profile, then the defaults, and it is known which were given', () => {
  const files = { 'p.json': '{"parameters": {"gameVersion": "7.1", "versionPattern": "7"}}' };
  const target = readTarget({ GAME_VERSION: '8.0', PROFILE: 'p.json' }, { cwd: folder(files) });
  expect(target.ambient).toEqual({ CDN_ROOT_FOLDER_PATH: 'live', gameVersion: '8.0', versionPattern: '7' });
  expect([...target.given].sort()).toEqual(['gameVersion', 'versionPattern']);
});

test('several login tokens are separated by any white space, and are secrets', () => {
  const target = readTarget({ LOGIN_TOKEN: ' one\n two\tthree ' }, { cwd: folder() });
  expect(target.loginTokens).toEqual(['one', 'two', 'three']);
  expect(target.secrets).toEqual(['one', 'two', 'three']);
});

test('a header value from the environment is sent, and is a secret', () => {
  const files = {
    '.env': 'API_KEY=k-123456\n',
    'p.json': '{"headers": {"X-Api-Key": {"env": "API_KEY"}, "X-Client": "7.1"}}',
  };
  const target = readTarget({ PROFILE: 'p.json' }, { cwd: folder(files) });
  expect(target.headers).toEqual([
    ['X-Api-Key', 'k-123456'],
    ['X-Client', '7.1'],
  ]);
  expect(target.secrets).toEqual(['k-123456']);
});

test('--profile goes before PROFILE, and --seed before SEED', () => {
  const files = {
    'a.json': '{"parameters": {"storyId": "a"}}',
    'b.json': '{"parameters": {"storyId": "b"}}',
  };
  const options = { cwd: folder(files), profile: 'b.json', seed: 'x' };
  const target = readTarget({ PROFILE: 'a.json', SEED: 'y' }, options);
  expect([target.parameters.storyId, target.seed]).toEqual(['b', 'x']);
});

test('all mistakes are reported at once, one line each, by the name of the variable', () => {
  const lines = mistakes({ BASE_URL: 'nowhere', CDN_URL: 'ftp://cdn', SEED: 'a b', PROFILE: 'none.json' });
  expect(lines.map((line) => line.split(':')[0])).toEqual(['BASE_URL', 'CDN_URL', 'PROFILE', 'SEED']);
  for (const line of lines) expect(line).not.toMatch(/[\x00-\x1f]/);
});

test('a mistake in an option is reported by the name of the option', () => {
  expect(mistakes({}, {}, { seed: 'ä' })[0]).toMatch(/^--seed: "ä" is no seed; expected/);
  expect(mistakes({}, {}, { profile: 'x' })[0]).toMatch(/^--profile: "x" does not exist/);
});

test('a profile in another encoding is reported as that, and not as bad JSON', () => {
  const mistakeIn = (bytes: string) =>
    mistakes({}, { 'p.json': Buffer.from(bytes, 'latin1') }, { profile: 'p.json' })[0];
  expect(mistakeIn('\xff\xfe{\0}\0')).toContain('cannot be read (UTF-16)');
  expect(mistakeIn('{"name": "\xe9"}')).toContain('cannot be read (not UTF-8)');
});

test('an .env that cannot be read is a mistake', () => {
  const cwd = folder();
  mkdirSync(join(cwd, '.env'));
  expect(() => readTarget({}, { cwd })).toThrow(/^\.env: cannot be read \(EISDIR\)/);
});

test('a profile that is no file or larger than 1 MiB is not read', () => {
  expect(mistakes({ PROFILE: '.' })[0]).toContain('not a file');
  expect(mistakes({ PROFILE: 'p.json' }, { 'p.json': ' '.repeat(2 ** 20 + 1) })[0]).toContain(
    '1048577 bytes',
  );
});

test('each mistake in a profile is a line of its own with its place', () => {
  expect(mistakes({ PROFILE: 'p.json' }, { 'p.json': '{\n  "omit": 1,\n  "header": {}\n}' })).toEqual([
    'PROFILE: "p.json" at 2:3 /omit is 1; expected a list',
    'PROFILE: "p.json" at 3:3 unknown key "header" in the profile; did you mean "headers"?',
  ]);
});

test.each([
  ['result', 'a result'],
  ['load', 'a result of load'],
  ['proof', 'a result of proof'],
])('a file of assay.%s/1 is no profile, however long, which is one mistake', (kind, what) => {
  for (const more of [0, 2 ** 20]) {
    const file = JSON.stringify({ schema: `assay.${kind}/1`, checks: [], target: ' '.repeat(more) }, null, 1);
    expect(mistakes({ PROFILE: 'p.json' }, { 'p.json': file })).toEqual([
      `PROFILE: "p.json" is ${what}, not a profile; npm run learn writes one`,
    ]);
  }
});

test('of a hundred mistakes in a profile twenty are reported, and how many more there are', () => {
  const profile = JSON.stringify(Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`key${n}`, n])));
  const lines = mistakes({ PROFILE: 'p.json' }, { 'p.json': profile });
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toBe('PROFILE: "p.json" and 80 more');
});

test('an algorithm that signs no JWT is a mistake', () => {
  expect(() => readTarget({}, { cwd: '/', jwtAlg: 'none' })).toThrow(
    '--jwt-alg: "none" is no signature algorithm; expected HS256, ',
  );
  expect(readTarget({}, { cwd: '/', jwtAlg: 'EdDSA' }).jwtAlg).toBe('EdDSA');
});
