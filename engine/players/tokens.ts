// Gives each player the token to sign in with: from LOGIN_TOKEN, from LOGIN_TOKEN_COMMAND, or a test JWT.
import { execFile } from 'node:child_process';
import { constants, createHmac, generateKeyPair, generateKeyPairSync, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { createRedactor, isCredentialHeader, type Redactor } from '../http/redact.ts';
import type { Target } from '../target/target.ts';
import { once } from '../values/once.ts';
import { quoted } from '../values/text.ts';
import { hasClaims, jwtPart } from './jwt.ts';

/** The secret of test JWTs. It is public, so a target that trusts it trusts everybody. */
const testSecret = 'assay test secret, published, for tests only';

/** The default algorithm. */
const defaultAlg = 'HS256';

/**
 * The JWT of player `n`: `sub`, `iss`, `aud`, `iat` and an `exp` in one hour; the profile's claims replace and add,
 * and `{n}` in its `sub` is the player's number. The algorithm is that of --jwt-alg, else of the profile, else HS256.
 * @param wanted claims that replace all of these
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
    ...{ iss: 'assay', aud: 'game', iat: now, exp: now + 3_600 },
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

/** Signs as an algorithm of RFC 7518 does, or of RFC 8037, with a key of this process where the secret is not shared. */
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

// What a message may show of a LOGIN_TOKEN_COMMAND that failed: its first complaint and how it was split, without secrets.

/** A failed command and its output. */
export interface FailedCommand {
  /** The words as passed to the system; the first is the program. */
  readonly words: readonly string[];
  readonly stdout: string;
  readonly stderr: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Known to be secret. */
  readonly secrets: readonly string[];
}

const mostWords = 8;
const mark = '[redacted]';

/**
 * Explains why a token command failed, in two parts of one printable line; each part is empty or begins with what
 * joins it to the text before it. Hides known secrets, values under a credential-like name in the environment or the
 * command, and whatever may be a token.
 */
export function explainCommand({ words, stdout, stderr, env, secrets }: FailedCommand) {
  const { learn, body } = createRedactor();
  // The program's name does not announce a secret.
  const inWords = words.map((word, at) =>
    at === 0 ? undefined : secretOf(word, at === 1 ? '' : words[at - 1]),
  );
  const own = inWords.flatMap((secret = '') => [secret, secret.replace(/["']+$/, '')]);
  const [printed = ''] = stdout.trim().split('\n');
  for (const secret of [...secrets, ...namedIn(env), ...printed.split(/\s+/), ...own]) learn(secret);
  const first = stderr
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '');
  const isQuoted = words.some((word) => /["']/.test(word));
  const split = words
    .slice(0, mostWords)
    .map((word, at) => quoted(body(word.replace(inWords[at] ?? mark, mark))));
  const left = words.length > mostWords ? ` and ${words.length - mostWords} more` : '';
  return {
    complaint: first === undefined ? '' : ` and says ${quoted(body(first))}`,
    split: isQuoted
      ? `; no shell runs it, so quotes are not understood: its words are ${split.join(' ')}${left}`
      : '',
  };
}

const isCredential = (name: string) =>
  isCredentialHeader(name.toLowerCase().replaceAll('_', '-')) ||
  /^(bearer|basic|(proxy-)?authorization)$/i.test(name);

/** Settings of Assay whose name looks like that of a credential. */
const ours = 'LOGIN_TOKEN_COMMAND';
const namedIn = (env: FailedCommand['env']) =>
  Object.entries(env).flatMap(([name, value = '']) => (name !== ours && isCredential(name) ? [value] : []));

/** The part of a word that may be secret: after `--password` or `x-api-key:`, and in `token=x` or `user:password`. */
function secretOf(word: string, before = ''): string | undefined {
  const [, announced] = /^["']*-*([\w-]+):?$/.exec(before) ?? [];
  const [, name, value] = /^["']*-*([\w-]+)=(.+)$/.exec(word) ?? [];
  if (announced !== undefined && isCredential(announced)) return word;
  if (name !== undefined && isCredential(name)) return value;
  return /^[^:/]+:(?!\/\/)(.+)$/.exec(word)?.[1];
}

const deadlineMs = 10_000;
const mostBytes = 64 * 1024;

type Printed = { readonly token: string } | { readonly why: string };

/**
 * Runs LOGIN_TOKEN_COMMAND, split at white space and without a shell, and takes the one word it prints.
 * It finds the player's number (from 1) in ASSAY_PLAYER. An error is reported with the command's first complaint, and
 * with the command itself only where its quotes show a mistake: both may hold secrets, which are hidden.
 * @param secrets known ones
 * @param claims that the token is wanted with; the command finds them as JSON in ASSAY_CLAIMS, and may print nothing
 */
function tokenFromCommand(
  command: string,
  player: number,
  secrets: readonly string[],
  claims?: Claims,
): Promise<Printed> {
  const parts = command.split(/\s+/);
  const [file = '', ...args] = parts;
  const wanted = claims && { ASSAY_CLAIMS: JSON.stringify(claims) };
  const env = { ...process.env, ASSAY_PLAYER: String(player), ...wanted };
  const options = { env, timeout: deadlineMs, maxBuffer: mostBytes, killSignal: 'SIGKILL' as const };
  return new Promise((settle) => {
    const child = execFile(file, args, options, (error, stdout, stderr) => {
      const words = stdout.trim().split(/\s+/);
      const [token = ''] = words;
      if (!error && words.length === 1 && token !== '') return settle({ token });
      const { complaint, split } = explainCommand({ words: parts, stdout, stderr, env, secrets });
      const why = error
        ? `${failed(error)}${complaint}; run it by hand with ASSAY_PLAYER=${player} to see why`
        : token === ''
          ? `printed nothing${complaint}; expected a token`
          : `printed ${words.length} words; expected a token alone`;
      settle({ why: `LOGIN_TOKEN_COMMAND ${why}${split}` });
    });
    // A command that waits for input gets none.
    child.stdin?.end();
  });
}

function failed(error: Error & { code?: unknown; killed?: boolean }): string {
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `printed more than ${mostBytes} bytes`;
  if (error.killed) return `did not end within ${deadlineMs / 1000} s`;
  if (typeof error.code === 'string') return `could not be started (${error.code})`;
  return typeof error.code === 'number' ? `ended with exit code ${error.code}` : 'was killed by a signal';
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
  /** A further token of player `n` with these claims; undefined where nobody here signs one. Never rejects. */
  withClaims(n: number, claims: Claims): Promise<string | undefined>;
  /** All tokens that were made so far. */
  made(): readonly string[];
}

/** Most accounts of one run, unless LOGIN_TOKEN alone sets the number. */
const mostAccounts = 256;
const mostForAttacks = 512;

/**
 * @param redactor learns each token before anything is sent
 * @param first player 1's, where preflight made it: LOGIN_TOKEN_COMMAND runs once per player
 */
export function createPlayerTokens(
  target: Target,
  redactor: Pick<Redactor, 'learn'>,
  first?: GivenToken,
): PlayerTokens {
  const { loginTokens, loginTokenCommand: command } = target;
  const asked = new Map<number, Promise<PlayerToken>>();
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

  async function makeAndLearn(n: number): Promise<PlayerToken> {
    const given = await make(n);
    if ('token' in given) note(given);
    return given;
  }

  function note({ token }: GivenToken): void {
    redactor.learn(token);
    made.push(token);
  }

  function learned(token: string): string {
    redactor.learn(token);
    return token;
  }

  if (first) {
    note(first);
    asked.set(1, Promise.resolve(first));
  }

  return {
    accounts: isList ? loginTokens.length : mostAccounts,
    forAttacks: isList ? 0 : mostForAttacks,
    of(n) {
      const token = asked.get(n) ?? makeAndLearn(n);
      asked.set(n, token);
      return token;
    },
    async withClaims(n, claims) {
      if (loginTokens[n - 1] === undefined && command === undefined && loginTokens.length === 0)
        return learned(await testJwt(target, n, claims));
      if (command === undefined) return undefined;
      const printed = await tokenFromCommand(command, n, target.secrets, claims);
      return 'token' in printed && hasClaims(printed.token, claims) ? learned(printed.token) : undefined;
    },
    made: () => made,
  };
}
