import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';
import { readTarget } from '../target/target.ts';
import { makeCertificate } from '../values/certificate.ts';
import { quotedWord } from '../values/shell.ts';
import { rerunCommand, rerunSettings } from './rerun.ts';

const target = (env: Record<string, string>) => readTarget(env, { cwd: '/nowhere' });
const reference = fileURLToPath(new URL('../../fixtures/profiles/reference.json', import.meta.url));

test('the embedded server needs no settings', () => {
  expect(rerunCommand(rerunSettings(target({})), ['a.b#c'])).toBe("npm start -- --only 'a.b#c'");
});

test('another target is named with all that leads to it', () => {
  const env = { BASE_URL: 'http://127.0.0.1:1/p', GAME_VERSION: '1 x' };
  expect(rerunSettings(target(env))).toBe("BASE_URL=http://127.0.0.1:1/p GAME_VERSION='1 x' ");
});

test.each(['LOGIN_TOKEN', 'LOGIN_TOKEN_COMMAND'])('%s is named, and never shown', (name) => {
  const env = { BASE_URL: 'http://127.0.0.1:1', [name]: 'echo secret-token' };
  expect(rerunSettings(target(env))).toBe(`BASE_URL=http://127.0.0.1:1 ${name}="\${${name}:?}" `);
  expect(rerunSettings(target({ ...env, [name]: ' ' }))).toBe('BASE_URL=http://127.0.0.1:1 ');
});

test.each(['LOGIN_TOKEN', 'LOGIN_TOKEN_COMMAND'])('a shell without %s runs nothing, and says so', (name) => {
  const settings = rerunSettings(target({ BASE_URL: 'http://127.0.0.1:1', [name]: 'a b' }));
  const run = (env: Record<string, string>) =>
    spawnSync('sh', ['-c', `${settings}sh -c 'echo "ran as $${name}"'`], { env, encoding: 'utf8' });
  const { PATH = '' } = process.env;
  expect(run({ PATH, [name]: 'a b' }).stdout).toBe('ran as a b\n');
  for (const env of [{ PATH }, { PATH, [name]: '' }]) {
    const { stdout, stderr, status } = run(env);
    expect(stdout).toBe('');
    expect(stderr).toContain(`${name}: parameter`);
    expect(status).not.toBe(0);
  }
});

test('leaves out settings of .env, which the next run reads as well', () => {
  const cwd = scratchFolder();
  writeFileSync(join(cwd, '.env'), 'LOGIN_TOKEN_COMMAND=./token.sh\n');
  expect(rerunSettings(readTarget({ BASE_URL: 'http://127.0.0.1:1' }, { cwd }))).toBe(
    'BASE_URL=http://127.0.0.1:1 ',
  );
});

test('names TLS_CA and --insecure', () => {
  const cwd = scratchFolder();
  writeFileSync(join(cwd, 'ca.pem'), makeCertificate('127.0.0.1', Date.now()).cert);
  const env = { BASE_URL: 'https://127.0.0.1:1', TLS_CA: 'ca.pem' };
  expect(rerunSettings(readTarget(env, { cwd }))).toBe('BASE_URL=https://127.0.0.1:1 TLS_CA=ca.pem ');
  expect(rerunCommand('', ['a.b#c'], { insecure: true })).toBe("npm start -- --insecure --only 'a.b#c'");
});

test('names the options that change what the check asks or how it is judged', () => {
  expect(rerunCommand('', ['a.b#c'], { strict: true, readOnly: true, jwtAlg: 'ES256' })).toBe(
    "npm start -- --strict --read-only --jwt-alg ES256 --only 'a.b#c'",
  );
});

test('names the checks as well whose calls it judges', () => {
  expect(rerunCommand('', ['a.b#c', 'a/d'])).toBe("npm start -- --only 'a.b#c' 'a/d'");
});

test('names the folder of the files, so that those of another run stay', () => {
  expect(rerunCommand('', ['a.b#c'], { out: 'my out' })).toBe("npm start -- --out 'my out' --only 'a.b#c'");
});

test('the profile goes along, wherever it was named: without it another run would be judged', () => {
  const given = readTarget({}, { cwd: '/nowhere', profile: reference });
  for (const read of [given, target({ PROFILE: reference })])
    expect(rerunSettings(read)).toBe(`PROFILE=${quotedWord(reference)} `);
});
