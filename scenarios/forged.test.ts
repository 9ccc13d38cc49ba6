import { createHmac } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { areas } from '../catalog/catalog.ts';
import type { Judgement } from '../engine/judgement.ts';
import { jwtIn } from '../engine/players/forged-jwt.ts';
import type { Entered, Forging, Player } from '../engine/players/players.ts';
import type { Session } from '../engine/players/session.ts';
import { exchangeOf } from '../fixtures/kit/exchanges.ts';
import { rehearseFlow } from '../fixtures/kit/flow-rehearsal.ts';
import flow from './forged.ts';

afterEach(() => {
  vi.useRealTimers();
});

type Claims = Readonly<Record<string, unknown>>;

const written = (header: Claims, payload: Claims) => {
  const text = [header, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${text}.${createHmac('sha256', 'secret').update(text).digest('base64url')}`;
};
const isSigned = (token: string) => {
  const [head, body, signature] = token.split('.');
  return createHmac('sha256', 'secret').update(`${head}.${body}`).digest('base64url') === signature;
};
const subjectOf = (token: string) =>
  Number(jwtIn(token)?.payload.sub ?? jwtIn(`${token}x`)?.payload.sub ?? 0);

interface Target {
  /** Who signs in with a token; default: whom a signed one names. */
  readonly lets?: (token: string) => boolean | Promise<boolean>;
  /** Whose account a token opens; default: that of whom it names. */
  readonly opens?: (token: string) => number;
  /** So many logins and reads are refused before the others are answered 429. */
  readonly limit?: number;
  readonly from?: Forging['tokensFrom'];
  /** The token of a player; default: a signed JWT. */
  readonly token?: (player: number) => string;
  /** The session of a player; default: an opaque one. */
  readonly session?: (player: number) => string;
  /** What the session of a read is good for; default: as a login token. */
  readonly reads?: (session: string) => boolean;
  readonly signs?: boolean;
  readonly publicKey?: string;
  readonly url?: string;
  /** Everybody reads what the victim keeps. */
  readonly isShared?: true;
  /** So long sessions last by the login's answer, in s; and by what it does, in ms. */
  readonly lasts?: number;
  readonly endsMs?: number;
  /** Nobody asked for attacks. */
  readonly isBrief?: true;
}

const { auth, players } = areas;
const player = (account: number, session: string, token: string): Player =>
  ({
    name: `player ${account}`,
    account,
    id: `id-of-player-${account}`,
    token: async () => token,
    session: async () => ({ secrets: [session] }) as unknown as Session,
  }) as Player;

/** The judgement of one step against such a target. */
async function judged(step: string, target: Target = {}): Promise<string> {
  const { lets = isSigned, from = 'LOGIN_TOKEN_COMMAND', signs = true, lasts } = target;
  const { token = (n) => written({ alg: 'HS256' }, { sub: n, aud: 'game', iss: 'us', exp: 2 ** 32 }) } =
    target;
  const { session = (n) => `session-${n}`, reads = isSigned, url = 'http://127.0.0.1:9/key' } = target;
  /** Sessions that were given or made, by the player who sends them, and whom they are of. */
  const held = new Map<Player, { readonly of: number; readonly since: number }>();
  const intruder = (of: number, name: string) => {
    const made = player(100 + held.size, name, '');
    held.set(made, { of, since: Date.now() });
    return made;
  };
  const values = new Map<number, string>();
  let people = 0;
  let refusals = 0;
  const statusNow = () => (++refusals > (target.limit ?? 1_000) ? 429 : 401);
  const refused = (): Entered => ({ kind: statusNow() === 429 ? 'unheard' : 'refused' });
  const forging: Forging = {
    renewals: () => 0,
    tokensFrom: from,
    tokenWith: async ({ account }, claims) =>
      signs ? written({ alg: 'HS256' }, { ...jwtIn(token(account))?.payload, ...claims }) : undefined,
    async enter(given) {
      if (!(await lets(given))) return refused();
      const login = {
        ...exchangeOf({ status: 200, body: JSON.stringify({ expiresIn: lasts }) }),
        startedAt: Date.now(),
      };
      return { kind: 'in', player: intruder((target.opens ?? subjectOf)(given), 'opaque'), login };
    },
    async carrying(_, __, instead) {
      return intruder(reads(instead) ? subjectOf(instead) : -1, instead);
    },
  };
  const { play, context } = rehearseFlow(() => ({}), {
    flows: {
      forging,
      attacksBriefly: target.isBrief === true,
      attackers: async (count) => ({
        ok: true,
        players: Array.from({ length: count }, () => player(++people, session(people), token(people))),
      }),
      forms: () => [
        { template: { '{{stateName}}': '{{value}}' }, carries: ['stateName', 'value'], from: 'profile' },
      ],
      async send(caller, operation, ask) {
        if (operation === auth.publicKey) {
          const answer = exchangeOf(
            target.publicKey ? { status: 200, body: target.publicKey } : { status: 404 },
          );
          return { ...answer, request: { ...answer.request, url } };
        }
        if (operation === players.setState) {
          values.set(caller?.account ?? 0, String(ask.body));
          return exchangeOf({ status: 200 });
        }
        const as = caller && (held.get(caller) ?? { of: caller.account, since: Date.now() });
        const isOver =
          as !== undefined && Date.now() - as.since > (target.endsMs ?? Number.POSITIVE_INFINITY);
        const body = target.isShared
          ? [...values.values()].join()
          : isOver
            ? undefined
            : values.get(as?.of ?? 0);
        if (body !== undefined) return exchangeOf({ status: 200, body });
        return exchangeOf({ status: as?.of === -1 || isOver ? statusNow() : 404 });
      },
    },
  });
  if (lasts !== undefined && lasts < 10) {
    vi.useFakeTimers();
    Object.assign(context, { pause: (ms: number) => vi.advanceTimersByTimeAsync(ms) });
  }
  const [judgement] = await play(flow, step);
  return inWords(judgement as Judgement);
}

function inWords(judgement: Judgement): string {
  switch (judgement.kind) {
    case 'violation':
      return `violation: ${judgement.actual}`;
    case 'inconclusive':
      return `${judgement.reason}: ${judgement.detail}`;
    case 'observed':
      return `observed: ${judgement.behaviour}`;
    case 'pass':
      return `pass: ${judgement.detail}`;
    case 'not-applicable':
      return judgement.detail;
  }
}

const anything = () => true;
const claimsOf = (token: string) => jwtIn(token)?.payload ?? {};
const headOf = (token: string): Claims =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? 'e30', 'base64url').toString() || '{}');
const pem = '-----BEGIN PUBLIC KEY-----\nx\n-----END PUBLIC KEY-----\n';

test.each<[string, Target, string]>([
  ['signature', {}, 'pass: refused: one bit of its signature changed'],
  [
    'signature',
    { from: 'test JWT' },
    'observed: test JWTs sign in, and their secret is published: anybody can',
  ],
  [
    'signature',
    { from: 'test JWT', lets: (token) => token !== '' },
    'observed: no signature is verified: anybody can',
  ],
  [
    'signature',
    { lets: (token) => token !== '' },
    'violation: a token with one bit of its signature changed: anybody can sign in as anybody',
  ],
  ['signature', { token: (n) => `opaque-${n}` }, 'the login tokens are no signed JWTs'],
  [
    'signature',
    { isShared: true },
    'prerequisite-failed: a token that signs its player in: needs-state, not exercised: ',
  ],
  [
    'signature',
    { lets: () => false },
    'prerequisite-failed: a token that signs its player in: needs-state, not exercised: a token signs in once',
  ],
  ['cut', {}, 'pass: refused: an empty signature; no signature; half of its signature'],
  [
    'cut',
    { lets: (token) => isSigned(token) || /\.$/.test(token) },
    'violation: a token with an empty signature is let in, and then players.seenStoreItems shows',
  ],
  [
    'cut',
    { lets: (token) => token !== '' },
    'observed: accepted, since no signature is verified: an empty signature',
  ],
  ['payload', {}, 'pass: '],
  ['none', {}, 'pass: '],
  [
    'none',
    { lets: (token) => isSigned(token) || headOf(token).alg === 'NONE' },
    'violation: a token with alg NONE and no signature',
  ],
  ['public-key', {}, 'auth.publicKey shows no public key'],
  [
    'public-key',
    { publicKey: pem },
    'pass: refused: HS256 with the public key as its secret (PEM as it is served)',
  ],
  ['public-key', { lets: (token) => token !== '' }, 'no signature is verified here, so no key is used'],
  ['kid', {}, 'pass: '],
  ['jwk', {}, 'pass: '],
  ['x5c', {}, 'pass: '],
  [
    'x5c',
    { lets: (token) => isSigned(token) || 'x5c' in headOf(token) },
    'violation: a token with a certificate of its own in x5c',
  ],
  ['jku', {}, 'pass: '],
  [
    'jku',
    { url: 'https://game.example/key' },
    'the address is one of this machine, and the target is on another',
  ],
  [
    'expired',
    { lets: (token) => isSigned(token) && Number(claimsOf(token).exp) > Date.now() / 1_000 },
    'pass: refused: an exp of an hour ago',
  ],
  ['expired', {}, 'violation: a token with an exp of an hour ago'],
  [
    'expired',
    { lets: (token) => token !== '' },
    'observed: accepted, since no signature is verified: an exp of an hour ago',
  ],
  [
    'expired',
    { lets: (token) => token !== '' && !(Number(claimsOf(token).nbf) > Date.now() / 1_000) },
    'violation: a token with an exp of an hour ago',
  ],
  ['early', {}, 'violation: a token with an nbf in an hour'],
  ['audience', { lets: (token) => isSigned(token) && claimsOf(token).aud === 'game' }, 'pass: '],
  ['issuer', {}, 'violation: a token with another iss'],
  [
    'issuer',
    { opens: (token) => (claimsOf(token).iss === 'us' ? subjectOf(token) : 99) },
    'observed: signs in as somebody else: another iss',
  ],
  [
    'cut',
    { lets: (token) => token !== '', opens: (token) => (isSigned(token) ? subjectOf(token) : 99) },
    'observed: signs in as somebody else: an empty signature; no signature',
  ],
  [
    'signature',
    { lets: (token) => token !== '', opens: (token) => (isSigned(token) ? subjectOf(token) : 99) },
    'observed: signs in as somebody else: one bit of its signature changed',
  ],
  // Whoever has no good token is a guest.
  ['cut', { lets: anything, opens: (token) => (isSigned(token) ? subjectOf(token) : 99) }, 'pass: refused: '],
  ['audience', { token: (n) => written({ alg: 'HS256' }, { sub: n }) }, 'the good token has no aud'],
  [
    'expired',
    { signs: false },
    'prerequisite-failed: a token with claims of our choice that signs in: needs-signer, not exercised: no token with other claims can be signed here',
  ],
  [
    'expired',
    { lets: (token) => isSigned(token) && Number(claimsOf(token).exp) > 2 ** 31 + 2 ** 30 },
    'prerequisite-failed: a token with claims of our choice that signs in: needs-signer, not exercised: what LOGIN_TOKEN_COMMAND signs',
  ],
])('a login: %s of %o is %s', async (step, target, expected) => {
  expect(await judged(step, target)).toContain(expected);
});

test.each([
  [
    0,
    'prerequisite-failed: a token that signs its player in: rate-limited, not exercised: a changed signature',
  ],
  // The login without a token, and the changed signature.
  [2, 'rate-limited: not exercised: no attempt was answered'],
])('logins that are answered %i times show nothing', async (limit, expected) => {
  expect(await judged('cut', { limit })).toContain(expected);
});

test('a target that fetches what jku names is found out, though it refuses the token', async () => {
  const lets = async (token: string) => {
    const { jku } = headOf(token);
    if (typeof jku === 'string') await (await fetch(jku)).text();
    return isSigned(token);
  };
  expect(await judged('jku', { lets })).toMatch(
    /^violation: it fetched http:\/\/127\.0\.0\.1:\d+\/keys\.json/,
  );
});

const jwtSession = (n: number) => written({ alg: 'HS256', typ: 'session' }, { sub: n });

test.each<[string, Target, string]>([
  ['session-signature', {}, 'the session is no JWT'],
  ['session-signature', { session: jwtSession }, 'pass: refused: one bit'],
  [
    'session-signature',
    { session: jwtSession, reads: anything },
    'violation: a token with one bit of its signature changed is let in',
  ],
  ['session-unsigned', { session: jwtSession }, 'pass: '],
  [
    'session-unsigned',
    { session: jwtSession, reads: (token) => isSigned(token) || headOf(token).alg === 'none' },
    'violation: a token with alg none',
  ],
  ['session-key', { session: jwtSession, publicKey: pem }, 'pass: '],
  [
    'session-key',
    { session: jwtSession, reads: anything },
    'no signature is verified here, so no key is used',
  ],
  [
    'session-key',
    { session: jwtSession, reads: (token) => isSigned(token) || 'jwk' in headOf(token) },
    'violation: a token with a key of its own in jwk',
  ],
  [
    'session-signature',
    { session: jwtSession, reads: () => false },
    'prerequisite-failed: a session that is a JWT: needs-state, not exercised: the session is over',
  ],
  ['session-unsigned', { session: jwtSession, limit: 1 }, 'rate-limited: '],
  [
    'session-signature',
    { session: jwtSession, token: jwtSession, reads: anything, from: 'test JWT' },
    'observed: accepted, since no signature is verified',
  ],
  ['session-end', {}, 'the session says nothing of its end'],
  ['session-end', { lasts: 60 }, 'the session lasts 60 s, longer than a run waits'],
  ['session-end', { lets: () => false }, 'needs-state: not exercised: a token signs in once'],
  ['session-end', { lasts: 2, endsMs: 2_100 }, 'pass: over 250 ms after its 2000 ms'],
  ['session-end', { lasts: 2, endsMs: -1 }, 'needs-'],
  ['session-end', { lasts: 2 }, "shows the player's data 5000 ms later"],
  ['session-end', { lasts: 9, endsMs: 9_100 }, 'pass: over 250 ms after its 9000 ms'],
  ['session-end', { lasts: 9, isBrief: true }, 'the session lasts 9 s, longer than a run waits'],
])('a session: %s of %o is %s', async (step, target, expected) => {
  expect(await judged(step, target)).toContain(expected);
});
