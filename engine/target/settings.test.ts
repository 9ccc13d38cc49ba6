import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';
import { ConfigurationError } from '../values/configuration-error.ts';
import { hostUrl, withDotenv } from './settings.ts';
import { readTarget } from './target.ts';

const read = (env: Record<string, string>) => readTarget(env, { cwd: '/' });
const given = { BASE_URL: 'http://h:1', CDN_URL: 'http://h:2', GAMELOGS_URL: 'http://h:3' };

test.each([
  [
    { BASE_URL: '' },
    'BASE_URL: set to nothing; give a URL, or unset it, also in .env, to judge the embedded server',
  ],
  [
    { BASE_URL: ' ', CDN_URL: '', GAMELOGS_URL: '' },
    /^BASE_URL, CDN_URL, GAMELOGS_URL: set to nothing; .*embedded/,
  ],
  [
    { ...given, BASE_URL: '' },
    'BASE_URL: set to nothing; give a URL, or unset it, also in .env, to leave that host out',
  ],
  [{ ...given, CDN_URL: '' }, /^CDN_URL: set to nothing; /],
  [{ ...given, GAMELOGS_URL: '' }, /^GAMELOGS_URL: set to nothing; /],
])(
  '%j is a mistake, in CI and elsewhere: a secret or variable that is missing comes like that',
  (env, message) => {
    expect(() => read(env)).toThrow(message);
    expect(() => read({ ...env, CI: 'true' })).toThrow(message);
  },
);

test.each([
  { CI: '1' },
  { CI: 'woodpecker' },
  { BUILD_NUMBER: '7' },
  { TF_BUILD: 'True' },
  { TEAMCITY_VERSION: '1' },
])('%j is CI', (env) => {
  expect(() => read({ ...env, BASE_ULR: 'http://h:1' })).toThrow(ConfigurationError);
});

test.each([{}, { CI: '' }, { CI: 'false' }, { CI: '0' }, { BUILD_NUMBER: '' }])(
  '%j is none: a person reads along, and gets a message',
  (env) => {
    const { embedded, settingRemarks } = read({ ...env, BASE_ULR: 'http://h:1' });
    expect(embedded).toBe(true);
    expect(settingRemarks).toHaveLength(1);
  },
);

test('other settings that are set to nothing are reported everywhere, and refused nowhere', () => {
  const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
  const settings = [...example.matchAll(/^#([A-Z_]+)=/gm)].map(([, name = '']) => name);
  const names = settings.filter((name) => !/^(BASE|CDN|GAMELOGS)_URL$/.test(name));
  const env = { ...given, CI: 'true', ...Object.fromEntries(names.map((name) => [name, ''])) };
  const [remark = ''] = read(env).settingRemarks ?? [];
  expect(remark).toMatch(/: set to nothing, so taken as not set$/);
  expect(remark.split(': ')[0]?.split(', ').sort()).toEqual(names.sort());
});

test('makes no remark on unset variables, or on ones that an option replaces', () => {
  expect(read({ CI: 'true' }).settingRemarks).toBeUndefined();
  const profile = fileURLToPath(new URL('../../fixtures/profiles/reference.json', import.meta.url));
  expect(
    readTarget({ PROFILE: '', SEED: '' }, { cwd: '/', profile, seed: '7' }).settingRemarks,
  ).toBeUndefined();
});

test('a name that is nearly that of a setting which is not set is reported, and no mistake', () => {
  const { embedded, settingRemarks } = read({ BASE_ULR: 'http://h:1', GAMELOG_URL: 'http://h:3' });
  expect(embedded).toBe(true);
  expect(settingRemarks).toEqual([
    '"BASE_ULR" is set and is no setting; if BASE_URL was meant, nothing was read of it',
    '"GAMELOG_URL" is set and is no setting; if GAMELOGS_URL was meant, nothing was read of it',
  ]);
  const others = { BASE_URI: 'x', SPEED: '1', HTTP_PROXI: 'x', MAKE_VERSION: '4', BASE_VERSION: '1' };
  expect(read({ ...given, ...others }).settingRemarks).toBeUndefined();
  const profile = fileURLToPath(new URL('../../fixtures/profiles/reference.json', import.meta.url));
  expect(readTarget({ PROFILES: 'x' }, { cwd: '/', profile }).settingRemarks).toBeUndefined();
});

test('in CI it is a mistake where the embedded server would be judged in its place', () => {
  const env = { CI: 'true', BASE_ULR: 'http://h:1' };
  expect(() => read(env)).toThrow(
    '"BASE_ULR" is no setting; name it BASE_URL, or unset it to judge the embedded server',
  );
  expect(read({ ...env, CDN_URL: 'http://h:2' }).settingRemarks).toHaveLength(1);
  expect(read({ CI: 'true', LOGIN_TOKNE: 'x' }).settingRemarks).toHaveLength(1);
});

test('what .env sets is set', () => {
  const cwd = scratchFolder();
  writeFileSync(join(cwd, '.env'), 'BASE_URL=http://h:1\n');
  expect(readTarget({ BASE_URI: 'x' }, { cwd }).settingRemarks).toBeUndefined();
});

const mistakesIn = (text: string): string[] => {
  const cwd = scratchFolder();
  writeFileSync(join(cwd, '.env'), text);
  const mistakes: string[] = [];
  withDotenv({}, cwd, mistakes);
  return mistakes;
};

test.each([
  ['BASE_ULR=http://127.0.0.1:1', '.env: "BASE_ULR" is no setting; did you mean "BASE_URL"?'],
  ['BASEURL=http://127.0.0.1:1', '.env: "BASEURL" is no setting; did you mean "BASE_URL"?'],
  ['GAMELOG_ULR=x', '.env: "GAMELOG_ULR" is no setting; did you mean "GAMELOGS_URL"?'],
  ['\nBASE_URL http://127.0.0.1:1', '.env: line 2 sets nothing: "BASE_URL" …; expected NAME=value'],
])('%j is a mistake', (text, message) => {
  expect(mistakesIn(text)).toEqual([message]);
});

test.each([
  '',
  '# BASE_URL\n',
  'BASE_URL=x\nSEED=1\n',
  'export SEED=1',
  'MY_OWN=thing',
  'SEED: 1',
  'SPEED=1',
  'DB_URL=x',
  'FTP_PROXY=x',
  'LOGIN_TOKEN="a\nb"',
])('%j is none', (text) => {
  expect(mistakesIn(text)).toEqual([]);
});

const mistake = (value: string) => {
  const read = hostUrl(value);
  return 'mistake' in read ? read.mistake : undefined;
};

test('quotes around a URL are said to be part of it, and what they hold is not shown', () => {
  for (const value of ['"http://a.example"', "'http://me:secret@a.example'", '"http://a.example'])
    expect(mistake(value)).toBe('holds quotes that are part of the value; give the URL without them');
});

test('http and https URLs are hosts', () => {
  expect(hostUrl('HTTP://LocalHost:80/')).toEqual({ host: 'http://localhost' });
  expect(hostUrl('https://a.example/x/y')).toEqual({ host: 'https://a.example/x/y' });
});

test('what was held and what was expected are both reported', () => {
  expect(mistake('ftp://a.example')).toBe(
    '"ftp://a.example" is neither http nor https; expected a URL such as http://localhost:8080',
  );
  expect(mistake('localhost:8080')).toBe(
    '"localhost:8080" is not a URL; expected http:// or https:// before it',
  );
  expect(mistake('http://')).toBe('"http://" is not a URL; expected a URL such as http://localhost:8080');
  expect(mistake('http://a:99999')).toBe('"http://a:99999" has a port beyond 65535');
  expect(mistake('/')).toContain('"/" is not a URL; expected a URL such as');
});

test.each([
  'http://anna:geheim@a.example/',
  'http://geheim@a.example',
  'anna:geheim@a.example',
  'http:anna:geheim@a.example',
  'http:\\\\anna:geheim@a.example',
  'http://anna:geheim@',
  'http://anna:geheim@a.example/?x=1',
])('credentials are refused and never repeated: %s', (value) => {
  expect(mistake(value)).toContain('holds credentials (not shown)');
  expect(mistake(value)).not.toContain('geheim');
});

test('an @ in the path is no credential', () => {
  expect(hostUrl('http://a.example/@team')).toEqual({ host: 'http://a.example/@team' });
});

test('a query or a fragment is refused, and its content not repeated', () => {
  expect(mistake('http://a.example/?key=geheim')).toBe(
    '"http://a.example/" is followed by a query; expected origin and path alone',
  );
  expect(mistake('http://a.example/#geheim')).toContain('is followed by a fragment');
  expect(mistake('http://a.example?')).toContain('a query');
});

test('white space and control characters are refused, and shown escaped', () => {
  expect(mistake('http://a.ex\nample')).toContain('"http://a.ex\\u000aample" holds white space');
  expect(mistake(`http://${'a'.repeat(500)} b`)?.length).toBeLessThan(200);
});
