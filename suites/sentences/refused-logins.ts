// Who brings no token, or none that is one, is not signed in. Not the status decides, but whether a session came of it.
import { areas } from '../../catalog/catalog.ts';
import { clauseById } from '../../catalog/clauses/clauses.ts';
import { sameOutline } from '../../engine/compare/outline.ts';
import { type Ask, nobody } from '../../engine/http/ask.ts';
import type { Exchange } from '../../engine/http/exchange.ts';
import { inconclusive, type Judgement, pass, violation } from '../../engine/judgement.ts';
import { type Check, check } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';
import { answered, successfulAnswer } from '../../engine/probe/gate.ts';
import { grantedBy, usesOf } from '../../engine/probe/matchers/granted.ts';
import { askedPathAlone } from '../rules/asked-path.ts';

const { login } = areas.auth;
/** A call that tells a session from none, and that half of the rules have asked already. */
const probe = areas.me.location;
const mostTried = 4;

const isTaken = ({ response }: Exchange) =>
  response !== undefined && response.status >= 200 && response.status < 300;
const alike = (a: Exchange, b: Exchange) => a.response?.status === b.response?.status && sameOutline(a, b);

const refuses = (rule: string, title: string, ask: (good: Exchange, context: Context) => Ask): Check =>
  check(login, rule, clauseById('auth.sign-in'), title, async (context): Promise<Judgement> => {
    const missing = context.noSession();
    if (missing !== undefined)
      return inconclusive('no-session', `a good token gives no session either: ${missing}`);
    const good = await successfulAnswer(login, context);
    if (!good.open) return good.judgement;
    const bad = answered(await context.ask(login, { as: nobody, ...ask(good.exchange, context) }));
    if (!bad.open) return bad.judgement;
    if (!isTaken(bad.exchange)) return pass(bad.exchange, `answered ${bad.response.status}`);
    return (
      (await gaveSession(bad.exchange, context)) ??
      pass(bad.exchange, `answered ${bad.response.status}, but without a session`)
    );
  });

/** Tries what the answer granted on a call that tells; undefined where none of it makes a difference. */
async function gaveSession(bad: Exchange, context: Context): Promise<Judgement | undefined> {
  const [signedIn, nobodys] = [await context.ask(probe), await context.ask(probe, { as: nobody })];
  if (!bad.response || !isTaken(signedIn) || alike(signedIn, nobodys))
    return inconclusive(
      'prerequisite-failed',
      `no call that tells a session from none, to try the answer's credential on`,
      bad,
    );
  const uses = usesOf(grantedBy(bad.response), signedIn.request, nobodys.request).slice(0, mostTried);
  for (const headers of uses) {
    const tried = await context.ask(probe, { as: nobody, headers });
    if (alike(tried, signedIn))
      return violation(
        'no session without a token that is one',
        `answered ${bad.response.status} with a credential that works`,
        bad,
      );
  }
  return undefined;
}

export const refusedLogins: readonly Check[] = [
  refuses('refuses-empty-token', 'an empty token gives no session', () => ({ params: { token: '' } })),
  refuses('refuses-malformed-token', 'a token that is no JWT gives no session', () => ({
    params: { token: 'assay-is-no-jwt' },
  })),
  refuses('refuses-missing-token', 'no token gives no session', (good, context) => ({
    path: askedPathAlone(good, login, context),
  })),
];
