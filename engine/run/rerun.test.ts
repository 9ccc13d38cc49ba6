import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';
import { readTarget } from '../target/target.ts';
import { makeCertificate } from '../values/certificate.ts';
import { quotedWord } from '../values/shell.ts';
import { rerunOf } from './rerun.ts';

const check = { id: 'a.b#c' };
const command = "npm start -- --only 'a.b#c'";

const target = (env: Record<string, string>) => readTarget(env, { cwd: '/nowhere' });
const reference = fileURLToPath(new URL('../../fixtures/profiles/reference.json', import.meta.url));

test('the embedded server needs no settings', () => {
  expect(rerunOf(target({}))(check)).toBe(command);
});

test('checks in which it was seen are asked too, and a rule asks for its own by itself', () => {
  const rerun = rerunOf(target({}));
  expect(rerun(check, ['a.b#d'])).toBe(`${command} 'a.b#d'`);
  expect(rerun(check, ['#c', '#d'])).toBe("npm start -- --only '#c' '#d'");
});

test('another target is named with all that leads to it', () => {
  const env = { BASE_URL: 'http://127.0.0.1:1/p', GAME_VERSION: '1 x' };
  expect(rerunOf(target(env))(check)).toBe(`BASE_URL=http://127.0.0.1:1/p GAME_VERSION='1 x' ${command}`);
});

test.each(['LOGIN_TOKEN', 'LOGIN_TOKEN_COMMAND'])('%s is named, and never shown', (name) => {
  const env = { BASE_URL: 'http://127.0.0.1:1', [name]: 'echo secret-token' };
  expect(rerunOf(target(env))(check)).toBe(`BASE_URL=http://127.0.0.1:1 ${name}="\${${name}:?}" ${command}`);
  expect(rerunOf(target({ ...env, [name]: ' ' }))(check)).toBe(`BASE_URL=http://127.0.0.1:1 ${command}`);
});

test.each(['LOGIN_TOKEN', 'LOGIN_TOKEN_COMMAND'])('a shell without %s runs nothing, and says so', (name) => {
  const settings = rerunOf(target({ BASE_URL: 'http://127.0.0.1:1', [name]: 'a b' }))(check).replace(
    command,
    '',
  );
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
  expect(rerunOf(readTarget({ BASE_URL: 'http://127.0.0.1:1' }, { cwd }))(check)).toBe(
    `BASE_URL=http://127.0.0.1:1 ${command}`,
  );
});

test('names TLS_CA and --insecure', () => {
  const cwd = scratchFolder();
  writeFileSync(join(cwd, 'ca.pem'), makeCertificate('127.0.0.1', Date.now()).cert);
  const env = { BASE_URL: 'https://127.0.0.1:1', TLS_CA: 'ca.pem' };
  expect(rerunOf(readTarget(env, { cwd }))(check)).toBe(
    `BASE_URL=https://127.0.0.1:1 TLS_CA=ca.pem ${command}`,
  );
  const insecure = readTarget({ BASE_URL: 'https://127.0.0.1:1' }, { cwd, insecure: true });
  expect(rerunOf(insecure)(check)).toBe(
    "BASE_URL=https://127.0.0.1:1 npm start -- --insecure --only 'a.b#c'",
  );
});

test('names the options that change what the check asks or how it is judged', () => {
  const signed = readTarget({}, { cwd: '/nowhere', jwtAlg: 'ES256' });
  expect(rerunOf(signed, { strict: true, readOnly: true })(check)).toBe(
    "npm start -- --strict --read-only --jwt-alg ES256 --only 'a.b#c'",
  );
  expect(rerunOf(target({}))({ ...check, attack: true })).toBe("npm start -- --attack on --only 'a.b#c'");
});

test('names the checks as well whose calls it judges', () => {
  expect(rerunOf(target({}))(check, ['a/d'])).toBe("npm start -- --only 'a.b#c' 'a/d'");
});

test('names the folder of the files, so that those of another run stay', () => {
  expect(rerunOf(target({}), { rerunOut: 'my out' })(check)).toBe(
    "npm start -- --out 'my out' --only 'a.b#c'",
  );
});

test('the baseline goes along: what failed for it would only warn without', () => {
  const rerunBaseline = '--baseline good.json --fail-on worse';
  expect(rerunOf(target({}), { rerunBaseline })(check)).toBe(
    "npm start -- --baseline good.json --fail-on worse --only 'a.b#c'",
  );
});

test('the profile goes along, wherever it was named: without it another run would be judged', () => {
  const given = readTarget({}, { cwd: '/nowhere', profile: reference });
  for (const read of [given, target({ PROFILE: reference })])
    expect(rerunOf(read)(check)).toBe(`PROFILE=${quotedWord(reference)} ${command}`);
});
