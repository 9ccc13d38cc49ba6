// Checks of sign-in: the general rules, refused logins, and the public key.
import { auth } from '../catalog/areas/authentication.ts';
import { areas } from '../catalog/catalog.ts';
import { clauseById } from '../catalog/clauses/clauses.ts';
import { sameOutline } from '../engine/compare/outline.ts';
import { type Ask, nobody } from '../engine/http/ask.ts';
import { type Exchange, isSuccess, text } from '../engine/http/exchange.ts';
import { inconclusive, type Judgement, pass, violation, warning } from '../engine/judgement.ts';
import { type Check, check, checksOf, suite } from '../engine/probe/check.ts';
import type { Context } from '../engine/probe/context.ts';
import { answered, successfulAnswer } from '../engine/probe/gate.ts';
import { grantedBy, usesOf } from '../engine/probe/matchers/granted.ts';
import { keyIn } from '../engine/probe/matchers/public-key.ts';
import { askedPathAlone } from './rules/asked-path.ts';
import { rules } from './rules/rules.ts';

// A login without a valid token signs nobody in. The status does not decide that; a session that works does.

/** A call whose answers differ with and without a session, and that half of the rules have sent already. */
const probe = areas.me.location;
const mostTried = 4;

const alike = (a: Exchange, b: Exchange) => a.response?.status === b.response?.status && sameOutline(a, b);

const refuses = (rule: string, title: string, ask: (good: Exchange, context: Context) => Ask): Check =>
  check(auth.login, rule, clauseById('auth.sign-in'), title, async (context): Promise<Judgement> => {
    const missing = context.noSession();
    if (missing !== undefined)
      return inconclusive('no-session', `a good token gives no session either: ${missing}`);
    const good = await successfulAnswer(auth.login, context);
    if (!good.open) return good.judgement;
    const bad = answered(await context.ask(auth.login, { as: nobody, ...ask(good.exchange, context) }));
    if (!bad.open) return bad.judgement;
    if (!isSuccess(bad.exchange)) return pass(bad.exchange, `answered ${bad.response.status}`);
    return (
      (await gaveSession(bad.exchange, context)) ??
      pass(bad.exchange, `answered ${bad.response.status}, but without a session`)
    );
  });

/** Tries the granted credentials on a revealing call; undefined where none of them makes a difference. */
async function gaveSession(bad: Exchange, context: Context): Promise<Judgement | undefined> {
  const [signedIn, nobodys] = [await context.ask(probe), await context.ask(probe, { as: nobody })];
  if (!bad.response || !isSuccess(signedIn) || alike(signedIn, nobodys))
    return inconclusive(
      'prerequisite-failed',
      `no call is known that shows a session, so the answer's credential cannot be tried`,
      bad,
    );
  const uses = usesOf(grantedBy(bad.response, bad.startedAt), signedIn.request, nobodys.request).slice(
    0,
    mostTried,
  );
  for (const headers of uses) {
    const tried = await context.ask(probe, { as: nobody, headers });
    if (alike(tried, signedIn))
      return violation(
        'no session without a valid token',
        `answered ${bad.response.status} with a credential that works`,
        bad,
      );
  }
  return undefined;
}

const refusedLogins: readonly Check[] = [
  refuses('refuses-empty-token', 'an empty token gives no session', () => ({ params: { token: '' } })),
  refuses('refuses-malformed-token', 'a token that is no JWT gives no session', () => ({
    params: { token: 'assay-is-no-jwt' },
  })),
  refuses('refuses-missing-token', 'no token gives no session', (good, context) => ({
    path: askedPathAlone(good, auth.login, context),
  })),
];

// The public key.

const someKey = 'a public key: PEM, JWK, DER in base64, or another form';

const returnsKey = check(
  auth.publicKey,
  'public-key',
  clauseById('auth.public-key'),
  'returns a public key',
  async (context) => {
    const gate = await successfulAnswer(auth.publicKey, context);
    if (!gate.open) return gate.judgement;
    const { exchange, response } = gate;
    const key = keyIn(response);
    switch (key.kind) {
      case 'public':
        return pass(exchange, `a public key as ${key.form}`);
      case 'perhaps': {
        const why = await whyNoKey(key.texts, exchange, context);
        if (why !== undefined) return warning(someKey, why, exchange);
        return pass(exchange, 'what may be a key in an unknown form');
      }
      case 'named otherwise':
        return warning(someKey, 'what is named as the id or the token of a call', exchange);
      case 'private':
        return violation(someKey, `private or shared key material (${key.form})`, exchange);
      case 'damaged':
        return violation(someKey, `a key that cannot be read (${key.form})`, exchange);
      case 'none':
        return violation(
          someKey,
          response.body.length === 0 ? 'an empty body' : 'nothing that could be a key',
          exchange,
        );
    }
  },
);

/** A key stays the same and stands in this answer alone: other values identify a call or a server. */
async function whyNoKey(
  texts: readonly string[],
  exchange: Exchange,
  { ask }: Context,
): Promise<string | undefined> {
  const repeats = [await ask(auth.publicKey, { nth: 2 }), await ask(auth.publicKey, { nth: 3 })].filter(
    ({ response }) => response?.status === 200,
  );
  const isIn = ({ response }: Exchange, key: string) =>
    response !== undefined && text(response).includes(key);
  const staying = texts.filter((key) => repeats.length === 0 || repeats.some((again) => isIn(again, key)));
  if (staying.length === 0) return 'only what is another in each answer, as the id of a request is';
  const elsewhere = await ask(areas.general.healthcheck);
  const own = staying.filter(
    (key) => !isIn(elsewhere, key) && !exchange.response?.headers.some(([, value]) => value.includes(key)),
  );
  return own.length === 0 ? 'only what stands in other answers or in headers too' : undefined;
}

export default suite('auth', [...checksOf(Object.values(auth), rules), ...refusedLogins, returnsKey]);
