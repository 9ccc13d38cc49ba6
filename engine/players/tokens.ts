// Gives each player the token to sign in with: from LOGIN_TOKEN, from LOGIN_TOKEN_COMMAND, or a test JWT.
import { constants, createHmac, generateKeyPair, generateKeyPairSync, sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { Redactor } from '../http/redact.ts';
import type { Target } from '../target/target.ts';
import { once } from '../values/once.ts';
import { hasClaims, jwtPart } from './forged-jwt.ts';
import { runUserCommand } from './user-command.ts';

/** The secret of test JWTs. It is public, so a target that trusts it trusts everybody. */
const testSecret = 'assay test secret, published, for tests only';

const defaultAlg = 'HS256';

/**
 * The JWT of player `n`: `sub`, `iss`, `aud`, `iat` and an `exp` in one hour; the profile's claims replace and add to
 * them, and `{n}` in its `sub` is the player's number. The algorithm is that of --jwt-alg, of the profile, or HS256.
 * @param wanted claims that replace all others of their names
 */
export async function testJwt(
  { seed, runId, jwtAlg, profile }: Target,
  n: number,
  wanted: Claims = {},
): Promise<string> {
  const { alg: stated, claims: own = {} } = profile?.session?.jwt ?? {};
  const given: Claims = { ...own, ...wanted };
  const alg = jwtAlg ?? stated ?? defaultAlg;
  const now = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: 'assay',
    aud: 'game',
    iat: now,
    exp: now + 3_600,
    ...given,
    sub:
      typeof given.sub === 'string' ? given.sub.replaceAll('{n}', String(n)) : `assay-${seed}-${runId}-${n}`,
  };
  const text = `${jwtPart({ alg, typ: 'JWT' })}.${jwtPart(claims)}`;
  return `${text}.${(await signerOf(alg))(text).toString('base64url')}`;
}

type Claims = Readonly<Record<string, unknown>>;

/** Curves of ECDSA, by the bits of its digest (RFC 7518, 3.4). */
const curves: Readonly<Record<string, string>> = { 256: 'P-256', 384: 'P-384', 512: 'P-521' };

/** Signs by an algorithm of RFC 7518 or RFC 8037; algorithms with a private key use one that this process makes. */
const signerOf = once(async (alg: string): Promise<(text: string) => Buffer> => {
  const bits = alg.slice(2);
  const digest = `sha${bits}`;
  if (alg.startsWith('HS')) return (text) => createHmac(digest, testSecret).update(text).digest();
  if (alg === 'EdDSA') {
    const { privateKey } = generateKeyPairSync('ed25519');
    return (text) => sign(null, Buffer.from(text), privateKey);
  }
  if (alg.startsWith('ES')) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: curves[bits] ?? '' });
    return (text) => sign(digest, Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  }
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2_048 });
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  return (text) => sign(digest, Buffer.from(text), { key: privateKey, ...(alg.startsWith('PS') && pss) });
});

const mostBytes = 64 * 1024;

type Printed = { readonly token: string } | { readonly why: string };

/**
 * Runs LOGIN_TOKEN_COMMAND with the player's number (from 1) in ASSAY_PLAYER, and takes the one word that it prints.
 * @param secrets known secrets, which are not shown
 * @param claims claims that the token must carry, as JSON in ASSAY_CLAIMS; the command may then print nothing
 */
async function tokenFromCommand(
  command: string,
  player: number,
  secrets: readonly string[],
  claims?: Claims,
): Promise<Printed> {
  const wanted = claims && { ASSAY_CLAIMS: JSON.stringify(claims) };
  const env = { ...process.env, ASSAY_PLAYER: String(player), ...wanted };
  const { stdout, failure, complaint, split } = await runUserCommand(command, { env, secrets, mostBytes });
  const words = stdout.trim().split(/\s+/);
  const [token = ''] = words;
  if (failure === undefined && words.length === 1 && token !== '') return { token };
  const why = failure
    ? `${failure}${complaint}; run it by hand with ASSAY_PLAYER=${player} to see why`
    : token === ''
      ? `printed nothing${complaint}; expected a token`
      : `printed ${words.length} words; expected a token alone`;
  return { why: `LOGIN_TOKEN_COMMAND ${why}${split}` };
}

/**
 * The token of a player: one of LOGIN_TOKEN while there are some, then what LOGIN_TOKEN_COMMAND prints; a test JWT
 * where neither is set.
 */
export interface GivenToken {
  readonly token: string;
  readonly from: 'LOGIN_TOKEN' | 'LOGIN_TOKEN_COMMAND' | 'test JWT';
}

type PlayerToken = GivenToken | { readonly why: string };

export interface PlayerTokens {
  /** How many players can have a token of their own. */
  readonly accounts: number;
  /** Further accounts for attacks alone: nothing else of a run plays them. */
  readonly forAttacks: number;
  /** The token of player `n`, counted from 1; always the same within a run. Never rejects. */
  of(n: number): Promise<PlayerToken>;
  /** A further token of player `n` with these claims; undefined where none can be signed here. Never rejects. */
  withClaims(n: number, claims: Claims): Promise<string | undefined>;
  /** All tokens that were made so far. */
  made(): readonly string[];
}

/** Most accounts of one run, unless LOGIN_TOKEN alone sets the number. */
const mostAccounts = 384;
const mostForAttacks = 512;

/**
 * @param redactor learns each token before anything is sent
 * @param first player 1's token, where preflight made it: LOGIN_TOKEN_COMMAND runs once per player
 */
export function createPlayerTokens(
  target: Target,
  redactor: Pick<Redactor, 'learn'>,
  first?: GivenToken,
): PlayerTokens {
  const { loginTokens, loginTokenCommand: command } = target;
  const made: string[] = [];
  const isList = loginTokens.length > 0 && command === undefined;

  async function make(n: number): Promise<PlayerToken> {
    const given = loginTokens[n - 1];
    if (given !== undefined) return { token: given, from: 'LOGIN_TOKEN' };
    if (command !== undefined) {
      const printed = await tokenFromCommand(command, n, target.secrets);
      return 'token' in printed ? { ...printed, from: 'LOGIN_TOKEN_COMMAND' } : printed;
    }
    if (loginTokens.length > 0) return { why: `LOGIN_TOKEN holds ${loginTokens.length} tokens, not ${n}` };
    return { token: await testJwt(target, n), from: 'test JWT' };
  }

  const learned = (token: string) => {
    redactor.learn(token);
    return token;
  };
  const of = once(async (n: number): Promise<PlayerToken> => {
    const given = n === 1 && first ? first : await make(n);
    if ('token' in given) made.push(learned(given.token));
    return given;
  });
  // Noted at once, since it was sent already.
  if (first) void of(1);

  return {
    accounts: isList ? loginTokens.length : mostAccounts,
    forAttacks: isList ? 0 : mostForAttacks,
    of,
    async withClaims(n, claims) {
      if (command === undefined)
        return loginTokens.length === 0 ? learned(await testJwt(target, n, claims)) : undefined;
      const printed = await tokenFromCommand(command, n, target.secrets, claims);
      return 'token' in printed && hasClaims(printed.token, claims) ? learned(printed.token) : undefined;
    },
    made: () => made,
  };
}
