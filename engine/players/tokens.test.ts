import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { expect, onTestFinished, test } from 'vitest';
import { silentProfile } from '../target/profile.ts';
import { jwtAlgs, readTarget } from '../target/target.ts';
import { createPlayerTokens, testJwt } from './tokens.ts';

function tokens(env: Readonly<Record<string, string>>, first?: Parameters<typeof createPlayerTokens>[2]) {
  const learned: string[] = [];
  const target = readTarget(env, { cwd: '/', newRunId: () => 'run00001' });
  return { ...createPlayerTokens(target, { learn: (each) => learned.push(each) }, first), learned };
}

/** An executable of its own folder, and its path. */
function script(text: string): { readonly path: string; readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'assay-token-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'print-token');
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return { path, folder };
}

const why = async (text: string) => {
  const made = await tokens({ LOGIN_TOKEN_COMMAND: `${script(text).path} geheim` }).of(1);
  return 'why' in made ? made.why : made;
};

test('without a token each player signs in with a test JWT of its own', async () => {
  const { of, accounts, learned } = tokens({ SEED: 's' });
  const [one, two] = await Promise.all([of(1), of(2)]);
  if (!('token' in one) || !('token' in two)) throw new Error('no token');
  expect(decodeProtectedHeader(one.token)).toMatchObject({ alg: 'HS256' });
  const { sub, iat = 0, exp, iss, aud } = decodeJwt(one.token);
  expect({ sub, exp, iss, aud }).toEqual({
    sub: 'assay-s-run00001-1',
    exp: iat + 3600,
    iss: 'assay',
    aud: 'game',
  });
  expect(decodeJwt(two.token).sub).toBe('assay-s-run00001-2');
  expect(accounts).toBe(384);
  expect(new Set(learned)).toEqual(new Set([one.token, two.token]));
});

test('the same player has the same token', async () => {
  const { of } = tokens({});
  expect(await of(3)).toBe(await of(3));
});

test('with LOGIN_TOKEN there are as many players as tokens', async () => {
  const { of, accounts, made } = tokens({ LOGIN_TOKEN: 'one two' });
  expect(accounts).toBe(2);
  expect(await of(2)).toEqual({ token: 'two', from: 'LOGIN_TOKEN' });
  expect(await of(3)).toEqual({ why: 'LOGIN_TOKEN holds 2 tokens, not 3' });
  expect(made()).toEqual(['two']);
});

test('the command runs once per player, without a shell, and gets the number of the player', async () => {
  const { path, folder } = script('echo run >> "$(dirname "$0")/runs"; echo "$1-$ASSAY_PLAYER"');
  const { of } = tokens({ LOGIN_TOKEN_COMMAND: `${path}  $HOME;x`, LOGIN_TOKEN: 'mine' });
  const given = await Promise.all([of(1), of(2), of(2)]);
  expect(given[0]).toEqual({ token: 'mine', from: 'LOGIN_TOKEN' });
  expect(given[1]).toEqual({ token: '$HOME;x-2', from: 'LOGIN_TOKEN_COMMAND' });
  expect(readFileSync(join(folder, 'runs'), 'utf8')).toBe('run\n');
});

test("the first player's token is taken over where it was made before", async () => {
  const first = { token: 'before', from: 'LOGIN_TOKEN_COMMAND' } as const;
  expect(await tokens({ LOGIN_TOKEN_COMMAND: '/bin/false' }, first).of(1)).toBe(first);
});

test('what is wrong with the command is reported with its first complaint, without what it was given or printed', async () => {
  expect(await why('echo geheim >&2; exit 3')).toBe(
    'LOGIN_TOKEN_COMMAND ended with exit code 3 and says "geheim"; run it by hand with ASSAY_PLAYER=1 to see why',
  );
  expect(await why('exit 3')).toBe(
    'LOGIN_TOKEN_COMMAND ended with exit code 3; run it by hand with ASSAY_PLAYER=1 to see why',
  );
  expect(await why('true')).toBe('LOGIN_TOKEN_COMMAND printed nothing; expected a token');
  expect(await why('echo geheim zwei')).toBe('LOGIN_TOKEN_COMMAND printed 2 words; expected a token alone');
  expect(await why('yes')).toBe(
    'LOGIN_TOKEN_COMMAND printed more than 65536 bytes; run it by hand with ASSAY_PLAYER=1 to see why',
  );
  expect(await why('kill -9 $$')).toBe(
    'LOGIN_TOKEN_COMMAND was killed by a signal; run it by hand with ASSAY_PLAYER=1 to see why',
  );
  expect(await tokens({ LOGIN_TOKEN_COMMAND: '/no/such/geheim' }).of(1)).toEqual({
    why: 'LOGIN_TOKEN_COMMAND could not be started (ENOENT); run it by hand with ASSAY_PLAYER=1 to see why',
  });
});

test('a command that waits for input gets none', async () => {
  const { path } = script('cat; echo done');
  expect(await tokens({ LOGIN_TOKEN_COMMAND: path }).of(1)).toMatchObject({ token: 'done' });
});

const target = readTarget({ SEED: 's' }, { cwd: '/', newRunId: () => 'run00001' });
const stating = (jwt: { readonly alg?: string; readonly claims?: Record<string, string | number> }) => ({
  ...target,
  profile: { ...silentProfile, session: { jwt } },
});

test('a test JWT names the player, its run and who it is for', async () => {
  const { sub, iat = 0, exp, iss, aud } = decodeJwt(await testJwt(target, 2));
  const claims = { sub: 'assay-s-run00001-2', exp: iat + 3600, iss: 'assay', aud: 'game' };
  expect({ sub, exp, iss, aud }).toEqual(claims);
});

test.each(jwtAlgs)('it is signed with %s where that is asked for', async (jwtAlg) => {
  const token = await testJwt({ ...target, jwtAlg }, 1);
  expect(decodeProtectedHeader(token)).toEqual({ alg: jwtAlg, typ: 'JWT' });
  const signature = Buffer.from(token.split('.')[2] ?? '', 'base64url');
  expect(signature).toHaveLength(signatureBytes[jwtAlg.slice(0, 2)]?.[jwtAlg.slice(2)] ?? 256);
});

/** As RFC 7518 (3.2, 3.4) and RFC 8037 (3.1) have it; those of RSA are as long as its key. */
const signatureBytes: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  HS: { 256: 32, 384: 48, 512: 64 },
  ES: { 256: 64, 384: 96, 512: 132 },
  Ed: { DSA: 64 },
};

test.each(['HS256', 'HS384', 'HS512'])(
  'a target that knows the published secret takes %s',
  async (jwtAlg) => {
    const secret = new TextEncoder().encode('assay test secret, published, for tests only');
    const { payload } = await jwtVerify(await testJwt({ ...target, jwtAlg }, 1), secret);
    expect(payload.iss).toBe('assay');
  },
);

test('what is asked for goes before what the profile says, and that before HS256', async () => {
  const algOf = async (given: typeof target) => decodeProtectedHeader(await testJwt(given, 1)).alg;
  expect(await algOf(target)).toBe('HS256');
  expect(await algOf(stating({ alg: 'ES256' }))).toBe('ES256');
  expect(await algOf({ ...stating({ alg: 'ES256' }), jwtAlg: 'EdDSA' })).toBe('EdDSA');
});

test("the profile's claims add to the usual ones and replace them, with the player's number in sub", async () => {
  const claims = { sub: 'tester-{n}', aud: 'staging', exp: 4_000_000_000, platform: 'storefront' };
  const payload = decodeJwt(await testJwt(stating({ claims }), 7));
  expect(payload).toEqual({ ...claims, sub: 'tester-7', iss: 'assay', iat: expect.any(Number) });
});

test('claims are signed as tokens are: in a test JWT, or by the command', async () => {
  const exp = 12;
  const own = await tokens({}).withClaims(2, { exp });
  expect(decodeJwt(own ?? '')).toMatchObject({ exp, sub: expect.stringMatching(/-2$/) });
  expect(await tokens({ LOGIN_TOKEN: 'one two' }).withClaims(1, { exp })).toBeUndefined();

  const signed = (claims: object) =>
    ['{"alg":"HS256"}', JSON.stringify(claims), 'x']
      .map((part) => Buffer.from(part).toString('base64url'))
      .join('.');
  const { path, folder } = script(
    `echo "$ASSAY_CLAIMS" > "$(dirname "$0")/claims"; [ -z "$ASSAY_CLAIMS" ] || echo ${signed({ exp, sub: 'x' })}`,
  );
  const { withClaims, learned } = tokens({ LOGIN_TOKEN_COMMAND: path });
  expect(await withClaims(1, { exp })).toBe(signed({ exp, sub: 'x' }));
  expect(readFileSync(join(folder, 'claims'), 'utf8')).toBe('{"exp":12}\n');
  expect(learned).toEqual([signed({ exp, sub: 'x' })]);
  // It signed something else, or nothing.
  expect(await withClaims(1, { exp: 13 })).toBeUndefined();
  expect(await tokens({ LOGIN_TOKEN_COMMAND: script('').path }).withClaims(1, { exp })).toBeUndefined();
});
