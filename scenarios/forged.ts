// The flow `forged`: tokens and sessions that nobody signed, and who they get in as. What is read afterwards accuses.
import { areas } from '../catalog/catalog.ts';
import type { Clause } from '../catalog/clauses/clause.ts';
import { effects } from '../catalog/clauses/flows.ts';
import { flow } from '../engine/flow/flow.ts';
import type { StepContext } from '../engine/flow/step-context.ts';
import { type Exchange, isSuccess, json, statusOf, text } from '../engine/http/exchange.ts';
import { listenFor } from '../engine/http/listener.ts';
import { Stop, violation } from '../engine/judgement.ts';
import {
  cut,
  emptyKey,
  type Forgery,
  flipped,
  type Jwt,
  jwtIn,
  keyedWithPublic,
  lastsMs,
  makeOwnKey,
  swapped,
  unsigned,
} from '../engine/players/jwt.ts';
import { isLoopback } from '../engine/target/transport.ts';
import { leavesOf } from '../engine/values/json-walk.ts';
import { leaveMark } from './login/session-marks.ts';

const { auth } = areas;
const clauses = effects.forged;

type Context = StepContext<string>;

const forgedFlow = flow('forged', { attack: true });
const { prepare, step } = forgedFlow.scenario();

/** What became of a token. `in`: a read shows what belongs to the victim. */
type Attempt =
  | { readonly kind: 'in'; readonly evidence: Exchange }
  | { readonly kind: 'refused' | 'unheard' };

/** Where forged tokens are shown: to the login, or as the session of a read. */
interface Door {
  /** Tokens that are good: of a player of ours, and of the one whom the forged ones name. */
  readonly own: Jwt;
  readonly victim: Jwt;
  readonly attempt: (context: Context, token: string) => Promise<Attempt>;
  /** It takes a token whose signature was changed. */
  readonly takesAny: boolean;
  /** Whoever signs in here need not be who they say: what is taken of a token is no finding then. */
  readonly isOpen: boolean;
  /** What a read then shows, in words. */
  readonly what: string;
  readonly byHand: string;
}

/** What belongs to one player alone. */
interface Kept {
  readonly read: (
    context: Context,
    role: string | undefined,
  ) => Promise<{ evidence: Exchange; shows: boolean }>;
  /** What a read shows of it, in words. */
  readonly what: string;
}

async function keepFor(
  context: Context,
  role: string,
  others: readonly (string | undefined)[],
): Promise<Kept> {
  const mark = await leaveMark(context, role);
  const read: Kept['read'] = async (as, reader) => {
    const evidence = await as.put(reader, mark.operation);
    return { evidence, shows: isSuccess(evidence) && as.mentioned(evidence, mark.value) };
  };
  for (const other of others)
    if ((await read(context, other)).shows)
      context.cannotTell(
        'needs-state',
        `not exercised: ${mark.operation.id} shows ${mark.what} to others too`,
      );
  return { read, what: `${mark.operation.id} shows ${mark.what}` };
}

async function tokensOf(context: Context): Promise<readonly [string, string]> {
  const [own, victim] = await Promise.all(['own', 'victim'].map((role) => context.player(role).token()));
  return [own ?? '', victim ?? ''];
}

const openStage = 'anybody can sign in as anybody, which is right on a test stage alone';

const login = prepare('a token that signs its player in', async (context): Promise<Door> => {
  const { enter, tokensFrom } = context.forging();
  await context.recruit('own', 'victim');
  const tokens = await tokensOf(context);
  const [own, victim] = tokens.map(jwtIn);
  if (own === undefined || victim === undefined)
    return context.notTriggered('the login tokens are no signed JWTs');
  const { read, what } = await keepFor(context, 'victim', [undefined, 'own']);
  const attempt: Door['attempt'] = async (as, token) => {
    const entered = await enter(token, as.player('victim'));
    if (entered.kind !== 'in') return entered;
    as.play('intruder', entered.player);
    const { evidence, shows } = await read(as, 'intruder');
    return shows ? { kind: 'in', evidence } : { kind: 'refused' };
  };
  if ((await attempt(context, tokens[1])).kind !== 'in')
    context.cannotTell('needs-state', 'not exercised: a token signs in once');
  if ((await attempt(context, '')).kind === 'in')
    context.cannotTell('needs-state', 'not exercised: a login without a token reads the same');
  const takesAny = (await firstIn(context, attempt, flipped(victim))).found !== undefined;
  return {
    ...{ own, victim, attempt, takesAny, what },
    isOpen: takesAny,
    byHand:
      tokensFrom === 'test JWT'
        ? 'the login, then this read with the session that it gave; a test JWT stands for the good token'
        : 'the login, then this read with the session that it gave',
  };
});

interface Tried {
  readonly found?: { readonly what: string; readonly evidence: Exchange };
  readonly refused: number;
}

/** The first of them that gets in; how many were refused. */
async function firstIn(
  context: Context,
  attempt: Door['attempt'],
  forgeries: readonly Forgery[],
): Promise<Tried> {
  let refused = 0;
  for (const { what, token } of forgeries) {
    const { kind, ...tried } = await attempt(context, token);
    if (kind === 'refused') refused += 1;
    if ('evidence' in tried) return { found: { what, evidence: tried.evidence }, refused };
  }
  return { refused };
}

/** Tries the forgeries at a door. */
async function tried(context: Context, door: Door, forgeries: readonly Forgery[]): Promise<void> {
  const { attempt, isOpen } = door;
  const { found, refused } = await firstIn(context, attempt, forgeries);
  if (found === undefined) {
    if (refused === 0) context.cannotTell('rate-limited', 'not exercised: no attempt was answered');
    context.note(`refused: ${forgeries.map(({ what }) => what).join('; ')}`);
    return;
  }
  if (isOpen)
    return context.observe(`accepted, since no signature is verified: ${found.what}`, found.evidence);
  throw accepted(door, found.what, found.evidence);
}

const accepted = ({ what: shown, byHand }: Door, what: string, evidence: Exchange): Stop =>
  new Stop({
    ...violation(
      'a token that is refused, or that is nobody',
      `a token with ${what} is let in, and then ${shown}`,
      evidence,
    ),
    byHand: `${byHand}; sent was a token with ${what}`,
  });

step(
  'signature',
  [auth.login],
  clauses.signature,
  'a token whose signature was changed signs nobody in',
  async (context) => {
    const door = context.of(login);
    const { takesAny, attempt, victim } = door;
    const isTest = context.forging().tokensFrom === 'test JWT';
    if (!takesAny)
      return isTest
        ? context.observe(`test JWTs sign in, and their secret is published: ${openStage}`)
        : context.note('refused: one bit of its signature changed');
    if (isTest) return context.observe(`no signature is verified: ${openStage}`);
    const { found } = await firstIn(context, attempt, flipped(victim));
    if (found) throw accepted(door, `${found.what}: ${openStage}`, found.evidence);
  },
);

interface Family {
  readonly name: string;
  readonly title: string;
  readonly clause: Clause;
  readonly forge: (door: Door, context: Context) => readonly Forgery[] | Promise<readonly Forgery[]>;
}

const signatures: readonly Family[] = [
  {
    name: 'cut',
    title: 'a token without its signature, or with a part of it, signs nobody in',
    clause: clauses.signature,
    forge: ({ victim }) => cut(victim),
  },
  {
    name: 'payload',
    title: "a token with another player's payload under its signature signs nobody in",
    clause: clauses.signature,
    forge: ({ own, victim }) => swapped(own, victim),
  },
  {
    name: 'none',
    title: 'a token that says that it needs no signature signs nobody in',
    clause: clauses.signature,
    forge: ({ victim }) => unsigned(victim),
  },
];

const keys: readonly Family[] = [
  {
    name: 'public-key',
    title: 'a token that takes the public key for a secret signs nobody in',
    clause: clauses.keys,
    async forge({ victim }, context) {
      const { response, ...published } = await context.put(undefined, auth.publicKey);
      const forgeries =
        response && isSuccess({ response, ...published }) ? keyedWithPublic(victim, text(response)) : [];
      if (forgeries.length === 0) context.notTriggered(`${auth.publicKey.id} shows no public key`);
      return forgeries;
    },
  },
  {
    name: 'kid',
    title: 'a token whose kid leads to an empty file signs nobody in',
    clause: clauses.keys,
    forge: ({ victim }) => emptyKey(victim),
  },
  {
    name: 'jwk',
    title: 'a token that brings its own key signs nobody in',
    clause: clauses.keys,
    forge: async ({ victim }) => (await makeOwnKey(victim)).inJwk(victim),
  },
  {
    name: 'x5c',
    title: 'a token that brings its own certificate signs nobody in',
    clause: clauses.keys,
    forge: async ({ victim }) => (await makeOwnKey(victim)).inX5c(victim),
  },
];

for (const { name, title, clause, forge } of signatures)
  step(name, [auth.login], clause, title, async (context) => {
    const door = context.of(login);
    await tried(context, door, await forge(door, context));
  });

/** The door, where it verifies signatures: nothing else shows with which key. */
function verifying(context: Context, door: Door): Door {
  if (door.takesAny) context.notTriggered('no signature is verified here, so no key is used');
  return door;
}

for (const { name, title, clause, forge } of keys)
  step(name, [auth.login], clause, title, async (context) => {
    const door = verifying(context, context.of(login));
    await tried(context, door, await forge(door, context));
  });

step(
  'jku',
  [auth.login],
  clauses.keys,
  'a token that says where its key is signs nobody in, and is not followed there',
  (context) => notFollowed(context, context.of(login)),
);

/** A listener of ours, for targets that can reach it. */
async function notFollowed(context: Context, door: Door): Promise<void> {
  const { victim } = verifying(context, door);
  const published = await context.put(undefined, auth.publicKey);
  if (!isLoopback(published.request.url))
    context.notTriggered('the address is one of this machine, and the target is on another');
  const own = await makeOwnKey(victim);
  const listener = await listenFor(own.jwks);
  try {
    await tried(context, door, own.atJku(victim, listener.url));
    context.expect(
      listener.requests() === 0,
      'keys from nowhere but where the server looks for them by itself',
      `it fetched ${listener.url}, which stood in the jku of a token`,
      published,
    );
  } finally {
    listener.close();
  }
}

// What a token says of itself.
const seconds = () => Math.floor(Date.now() / 1_000);
const hour = 3_600;

const signer = prepare('a token with claims of our choice that signs in', async (context) => {
  const door = context.of(login);
  const { tokenWith } = context.forging();
  const signs = (claims: Readonly<Record<string, unknown>>) => tokenWith(context.player('victim'), claims);
  const good = await signs({ exp: seconds() + hour / 2 });
  if (good === undefined)
    return context.cannotTell('needs-signer', 'not exercised: nobody here signs a token with other claims');
  if ((await door.attempt(context, good)).kind !== 'in')
    context.cannotTell(
      'needs-signer',
      'not exercised: what LOGIN_TOKEN_COMMAND signs with ASSAY_CLAIMS does not sign in',
    );
  return signs;
});

const claims: readonly {
  readonly name: string;
  readonly title: string;
  /** The claim that has to stand in the good token, too. */
  readonly where?: string;
  readonly what: string;
  readonly claims: () => Readonly<Record<string, unknown>>;
}[] = [
  {
    name: 'expired',
    title: 'a token that is over signs nobody in',
    what: 'an exp of an hour ago',
    claims: () => ({ exp: seconds() - hour }),
  },
  {
    name: 'early',
    title: 'a token that is not valid yet signs nobody in',
    what: 'an nbf in an hour',
    claims: () => ({ nbf: seconds() + hour }),
  },
  {
    name: 'audience',
    title: 'a token for another audience signs nobody in',
    where: 'aud',
    what: 'another aud',
    claims: () => ({ aud: 'assay-nobody' }),
  },
  {
    name: 'issuer',
    title: 'a token of another issuer signs nobody in',
    where: 'iss',
    what: 'another iss',
    claims: () => ({ iss: 'https://assay-nobody.invalid' }),
  },
];

for (const { name, title, where, what, claims: wanted } of claims)
  step(name, [auth.login], clauses.limits, title, async (context) => {
    const door = context.of(login);
    if (where !== undefined && door.victim.payload[where] === undefined)
      context.notTriggered(`the good token has no ${where}`);
    const token = await context.of(signer)(wanted());
    if (token === undefined)
      return context.cannotTell('needs-signer', `not exercised: nobody signs a token with ${what}`);
    await tried(context, door, [{ what, token }]);
  });

// Sessions that are JWTs themselves. Other players are attacked here: where each has one session, a login ends it.
const ofSessions = forgedFlow.scenario();

const session = ofSessions.prepare('a session that is a JWT', async (context): Promise<Door> => {
  const { carrying, tokensFrom } = context.forging();
  await context.recruit('own', 'victim');
  const secretOf = async (role: string) =>
    (await context.player(role).session())?.secrets.find((secret) => jwtIn(secret) !== undefined) ?? '';
  const [mine = '', secret = ''] = await Promise.all(['own', 'victim'].map(secretOf));
  const [own, victim] = [jwtIn(mine), jwtIn(secret)];
  if (own === undefined || victim === undefined) return context.notTriggered('the session is no JWT');
  const { read, what } = await keepFor(context, 'victim', [undefined, 'own']);
  const attempt: Door['attempt'] = async (as, token) => {
    const intruder = await carrying(as.player('victim'), secret, token);
    if (intruder === undefined) return { kind: 'unheard' };
    as.play('intruder', intruder);
    const { evidence, shows } = await read(as, 'intruder');
    if (shows) return { kind: 'in', evidence };
    return { kind: evidence.response === undefined || statusOf(evidence) === 429 ? 'unheard' : 'refused' };
  };
  if ((await attempt(context, secret)).kind !== 'in')
    context.cannotTell('needs-state', 'not exercised: the session is over before it is used');
  const takesAny = (await firstIn(context, attempt, flipped(victim))).found !== undefined;
  const isToken = (await tokensOf(context)).includes(secret);
  return {
    ...{ own, victim, attempt, takesAny, what },
    // A test stage that lets anybody in may take the token itself for a session.
    isOpen: takesAny && isToken && tokensFrom === 'test JWT',
    byHand: 'this read with a session that was changed',
  };
});

/** On reads, what a session is refused for. */
const onReads = (name: string, title: string, forge: Family['forge']) =>
  ofSessions.step(`session-${name}`, [auth.login], clauses.session, title, async (context) => {
    const door = context.of(session);
    await tried(context, door, await forge(door, context));
  });

onReads('signature', 'a session whose signature was changed is refused', ({ victim }) => flipped(victim));
onReads('unsigned', 'a session without a signature of the server is refused', ({ own, victim }) => [
  ...cut(victim),
  ...swapped(own, victim),
  ...unsigned(victim),
]);
onReads('key', 'a session that chooses its own key is refused', async (door, context) => {
  const { victim } = verifying(context, door);
  const { response } = await context.put(undefined, auth.publicKey);
  const own = await makeOwnKey(victim);
  return [
    ...(response ? keyedWithPublic(victim, text(response)) : []),
    ...emptyKey(victim),
    ...own.inJwk(victim),
    ...own.inX5c(victim),
  ];
});

/** Longest time that the end of a session is waited for, and then for clocks that differ, in ms. */
const endsWithinMs = 3_000;
const leewayMs = 5_000;
const betweenMs = 250;

forgedFlow
  .scenario()
  .step(
    'session-end',
    [auth.login],
    clauses.session,
    'a session is over when it said that it would be',
    async (context) => {
      const { enter } = context.forging();
      await context.recruit('guest');
      const entered = await enter((await context.player('guest').token()) ?? '', context.player('guest'));
      if (entered.kind !== 'in')
        return context.cannotTell('needs-state', 'not exercised: a token signs in once');
      const { player, login: answer } = entered;
      const secrets = (await player.session())?.secrets ?? [];
      const parsed = answer.response && json(answer.response);
      const jwt = secrets.map(jwtIn).find((each) => each !== undefined);
      const lasts = lastsMs(jwt, parsed?.ok ? leavesOf(parsed.value) : [], answer.startedAt);
      if (lasts === undefined) return context.notTriggered('the session says nothing of its end');
      if (lasts > endsWithinMs)
        return context.notTriggered(
          `the session lasts ${Math.round(lasts / 1_000)} s, longer than a run waits`,
        );
      const { read, what } = await keepFor(context, 'guest', [undefined]);
      context.play('intruder', player);
      if (!(await read(context, 'intruder')).shows)
        return context.cannotTell('needs-state', 'not exercised: the session is over before it is used');
      await context.pause(Math.max(0, answer.startedAt + lasts - Date.now()));
      for (let waited = 0; waited <= leewayMs; waited += betweenMs) {
        const { evidence, shows } = await read(context, 'intruder');
        if (!shows) return context.note(`over ${waited} ms after its ${lasts} ms`);
        const isLast = waited + betweenMs > leewayMs;
        context.expect(
          !isLast,
          `a session that ends after ${lasts} ms`,
          `${what} ${leewayMs} ms later`,
          evidence,
        );
        await context.pause(betweenMs);
      }
    },
  );

export default forgedFlow.suite();
