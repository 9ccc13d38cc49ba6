// The flow `forged`: sends forged tokens and sessions. What is read afterwards decides, not a status. Here: tokens with
// a wrong signature, key or claim. `forged/`: `sessions.ts` checks changed sessions and sessions that are over;
// `entry-points.ts` sends a forged token and judges whom it lets in.
import { auth } from '../catalog/areas/authentication.ts';
import type { Clause } from '../catalog/clauses/clause.ts';
import { effects } from '../catalog/clauses/flows.ts';
import { flow } from '../engine/flow/flow.ts';
import type { StepContext } from '../engine/flow/step-context.ts';
import { isSuccess, statusOf, text } from '../engine/http/exchange.ts';
import {
  emptyKey,
  flipped,
  jwtIn,
  keyedWithPublic,
  makeOwnKey,
  swapped,
  unsigned,
  withCutSignature,
} from '../engine/players/forged-jwt.ts';
import { isLoopback } from '../engine/target/transport.ts';
import {
  accepted,
  asSomebodyElse,
  attemptOf,
  type EntryPoint,
  expectRefused,
  type Forge,
  firstLetIn,
  keepFor,
  requireVerifying,
  signatureChanged,
  tokensOf,
} from './forged/entry-points.ts';
import { listenFor } from './forged/listener.ts';
import { changedSessions, endOfSession } from './forged/sessions.ts';

const clauses = effects.forged;

const forgedFlow = flow('forged', { attack: true });
const { prepare } = forgedFlow.scenario();

const openStage = 'anybody can sign in as anybody, which is right on a test stage alone';

const loginEntry = prepare('a token that signs its player in', async (context): Promise<EntryPoint> => {
  const { enter } = context.forging();
  await context.recruit('own', 'victim');
  const tokens = await tokensOf(context);
  const [own, victim] = tokens.map(jwtIn);
  if (own === undefined || victim === undefined)
    return context.notTriggered('the login tokens are no signed JWTs');
  const { read, what } = await keepFor(context, 'victim', [undefined, 'own']);
  let isOpenToGuests = false;
  const attempt: EntryPoint['attempt'] = async (as, token) => {
    const entered = await enter(token, as.player('victim'));
    if (entered.kind !== 'in') return entered;
    as.play('intruder', entered.player);
    const { evidence, shows } = await read(as, 'intruder');
    const outcome = attemptOf({ evidence, shows });
    const isSignedIn = outcome.kind === 'refused' && ![401, 403].includes(statusOf(evidence));
    return isSignedIn && !isOpenToGuests ? { kind: 'somebody-else' } : outcome;
  };
  if ((await attempt(context, tokens[1])).kind !== 'in')
    context.cannotTell('needs-state', 'not exercised: a token signs in once');
  const { kind: without } = await attempt(context, '');
  if (without === 'in')
    context.cannotTell('needs-state', 'not exercised: a login without a token reads the same');
  // A login that takes callers without a token as guests may do so with callers whose token it does not read.
  isOpenToGuests = without === 'somebody-else';
  const verification = await signatureChanged(context, attempt, victim);
  return {
    own,
    victim,
    attempt,
    ...verification,
    what,
    isOpen: verification.takesAny,
    byHand: 'what the login gives to a token',
  };
});

loginEntry.step(
  'signature',
  [auth.login],
  clauses.signature,
  'a token whose signature was changed signs nobody in',
  async (context, entry) => {
    const { whenChanged, takesAny, attempt, victim } = entry;
    const isTest = context.forging().tokensFrom === 'test JWT';
    if (!takesAny && isTest)
      return context.observe(`test JWTs sign in, and their secret is published: ${openStage}`);
    if (!takesAny)
      return whenChanged === 'somebody-else'
        ? context.observe(asSomebodyElse(['one bit of its signature changed']))
        : context.note('refused: one bit of its signature changed');
    if (isTest) return context.observe(`no signature is verified: ${openStage}`);
    const { found } = await firstLetIn(context, attempt, flipped(victim));
    if (found) throw accepted(entry, `${found.what}: ${openStage}`, found.evidence);
  },
);

interface Family {
  readonly name: string;
  readonly title: string;
  readonly clause: Clause;
  readonly forge: Forge;
}

const families: readonly Family[] = [
  {
    name: 'cut',
    title: 'a token without its signature, or with a part of it, signs nobody in',
    clause: clauses.signature,
    forge: ({ victim }) => withCutSignature(victim),
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
  {
    name: 'public-key',
    title: 'a token that takes the public key for a secret signs nobody in',
    clause: clauses.keys,
    async forge({ victim }, context) {
      const { response, ...published } = await context.send(undefined, auth.publicKey);
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

for (const { name, title, clause, forge } of families)
  loginEntry.step(name, [auth.login], clause, title, async (context, entry) => {
    if (clause === clauses.keys) requireVerifying(context, entry);
    await expectRefused(context, entry, await forge(entry, context));
  });

loginEntry.step(
  'jku',
  [auth.login],
  clauses.keys,
  'a token that says where its key is signs nobody in, and is not followed there',
  notFollowed,
);

/** Tries a jku that leads to a listener of this process, which only a target on this machine can reach. */
async function notFollowed(context: StepContext, entry: EntryPoint): Promise<void> {
  requireVerifying(context, entry);
  const { victim } = entry;
  const published = await context.send(undefined, auth.publicKey);
  if (!isLoopback(published.request.url))
    context.notTriggered('the address is one of this machine, and the target is on another');
  const own = await makeOwnKey(victim);
  const listener = await listenFor(own.jwks);
  try {
    await expectRefused(context, entry, own.atJku(victim, listener.url));
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

// Claims of a token: when it is valid, for whom, and from whom.
const nowInSeconds = () => Math.floor(Date.now() / 1_000);
const hour = 3_600;

const signer = prepare('a token with claims of our choice that signs in', async (context) => {
  const entry = context.resultOf(loginEntry);
  const { tokenWith } = context.forging();
  const signs = (claims: Readonly<Record<string, unknown>>) => tokenWith(context.player('victim'), claims);
  const good = await signs({ exp: nowInSeconds() + hour / 2 });
  if (good === undefined)
    return context.cannotTell('needs-signer', 'not exercised: no token with other claims can be signed here');
  if ((await entry.attempt(context, good)).kind !== 'in')
    context.cannotTell(
      'needs-signer',
      'not exercised: what LOGIN_TOKEN_COMMAND signs with ASSAY_CLAIMS does not sign in',
    );
  return signs;
});

const wrongClaims: readonly {
  readonly name: string;
  readonly title: string;
  /** The claim that the good token has to hold as well. */
  readonly where?: string;
  readonly what: string;
  readonly claims: () => Readonly<Record<string, unknown>>;
  /** Another wrong claim of this kind: a target that refuses a token with it has to refuse one with `claims` too. */
  readonly otherClaims?: () => Readonly<Record<string, unknown>>;
}[] = [
  {
    name: 'expired',
    title: 'a token that is over signs nobody in',
    what: 'an exp of an hour ago',
    claims: () => ({ exp: nowInSeconds() - hour }),
    otherClaims: () => ({ nbf: nowInSeconds() + hour }),
  },
  {
    name: 'early',
    title: 'a token that is not valid yet signs nobody in',
    what: 'an nbf in an hour',
    claims: () => ({ nbf: nowInSeconds() + hour }),
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

for (const { name, title, where, what, claims: wanted, otherClaims } of wrongClaims)
  loginEntry.step(name, [auth.login], clauses.limits, title, async (context, entry) => {
    if (where !== undefined && entry.victim.payload[where] === undefined)
      context.notTriggered(`the good token has no ${where}`);
    const token = await context.resultOf(signer)(wanted());
    if (token === undefined)
      return context.cannotTell('needs-signer', `not exercised: nobody signs a token with ${what}`);
    const otherToken = otherClaims === undefined ? undefined : await context.resultOf(signer)(otherClaims());
    await expectRefused(context, entry, [{ what, token }], async () => {
      if (otherToken === undefined) return false;
      return (await entry.attempt(context, otherToken)).kind === 'refused';
    });
  });

changedSessions(forgedFlow);
endOfSession(forgedFlow);

export default forgedFlow.suite();
