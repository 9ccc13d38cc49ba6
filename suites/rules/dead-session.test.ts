import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Exchange } from '../../engine/http/exchange.ts';
import { type Answer, rehearse, type Script } from '../../fixtures/kit/rule-rehearsal.ts';
import { deadSession, type SessionStanding, standing } from './dead-session.ts';

const operation = areas.general.currencies;
const wallet: Answer = { body: { currencies: [] } };
const refused: Answer = { status: 401 };

const to =
  (deads: Answer, nobodys: Answer = refused, later: Answer = deads): Script =>
  ({ as, nth }) =>
    as === '(dead)' ? (nth === undefined ? deads : later) : as === '(nobody)' ? nobodys : wallet;

test.each<[string, Script, string]>([
  ['refused as nobody is', to(refused), 'pass'],
  ['refused in its own way', to({ status: 403 }), 'pass'],
  ['let in as before', to(wallet), 'violation'],
  ['let in once more, then no longer', to(wallet, refused, refused), 'pass'],
  ['everybody let in alike', to(wallet, wallet), 'not-applicable'],
  ['neither the one nor the other', to({ status: 404 }), 'inconclusive'],
  ['no answer', to({ error: 'timeout' }), 'inconclusive'],
  ['the server error that nobody meets', to({ status: 500 }, { status: 500 }), 'inconclusive'],
  ['let in as before where nobody meets a server error', to(wallet, { status: 500 }), 'violation'],
])('after the logout: %s', async (_, script, expected) => {
  expect((await rehearse(deadSession, operation, script)).judgement.kind).toBe(expected);
});

test('waits for a copy that still lets the session in', async () => {
  const script: Script = ({ as, nth }) =>
    as === '(nobody)' || (as === '(dead)' && nth === 2) ? refused : wallet;
  expect((await rehearse(deadSession, operation, script)).verdict).toBe('pass');
});

test('a member that comes and goes in what anybody may read is no sign of a session', async () => {
  let asked = 0;
  const notice: Answer = { body: { version: 1, notice: 'soon' } };
  const bare: Answer = { body: { version: 1 } };
  const script: Script = ({ as }) => (as === '(nobody)' && asked++ < 5 ? bare : notice);
  expect((await rehearse(deadSession, operation, script)).verdict).toBe('not-triggered');
  const never: Script = ({ as }) => (as === '(nobody)' ? bare : notice);
  expect((await rehearse(deadSession, operation, never)).verdict).toBe('violation');
});

test('a refusal that comes before the credential is looked at shows nothing of a session', async () => {
  const consent: Answer = { status: 412, body: { error: 'consent needed' } };
  const script =
    (spoiled: Answer): Script =>
    ({ as }) =>
      as === '(nobody)' ? refused : as === '(spoiled)' ? spoiled : consent;
  expect((await rehearse(deadSession, operation, script(consent))).verdict).toBe('not-triggered');
  expect((await rehearse(deadSession, operation, script(refused))).verdict).toBe('violation');
});

test('a server error is reported as such, and one that may pass is asked again', async () => {
  const broken = await rehearse(deadSession, operation, to({ status: 500 }, { status: 500 }));
  expect(broken.judgement).toMatchObject({
    reason: 'prerequisite-failed',
    detail: 'answered 500 after the logout: a server error is no refusal',
  });
  const passing: Script = (ask) =>
    ask.as === '(nobody)' ? { status: ask.nth === undefined ? 502 : 200, body: wallet.body } : wallet;
  expect((await rehearse(deadSession, operation, passing)).verdict).toBe('not-triggered');
});

test('the command for doing it by hand says whose credential it takes', async () => {
  const { judgement } = await rehearse(deadSession, operation, to(wallet));
  expect(judgement).toMatchObject({
    byHand: 'its credential has to be that of a session that was logged out',
  });
});

test('a logout that did not work is reported as such', async () => {
  const facts = { deadSession: async () => ({ ok: false as const, why: 'logout was answered 500' }) };
  expect((await rehearse(deadSession, operation, to(refused), facts)).judgement).toMatchObject({
    reason: 'prerequisite-failed',
    detail: 'logout was answered 500',
  });
});

test('a call that is public ends no session', async () => {
  let ended = false;
  const end = async () => {
    ended = true;
    return { ok: true as const };
  };
  await rehearse(deadSession, operation, to(wallet, wallet), { deadSession: end });
  expect(ended).toBe(false);
});

const answer = (status: number, body: unknown = { error: 'no' }): Exchange => ({
  request: { method: 'GET', url: 'http://target.test/api/v1/me/location', headers: [] },
  response: { status, headers: [], body: new TextEncoder().encode(JSON.stringify(body)), wire: { bytes: 0 } },
  startedAt: 0,
  durationMs: 1,
  attempts: 1,
  waits: 0,
});
const place = (country: string) => answer(200, { country });

test.each<[string, Exchange, Exchange, Exchange, SessionStanding]>([
  ['the same for everybody', place('DE'), place('DE'), place('FR'), 'indistinct'],
  ['refused although signed in', answer(403), answer(403), answer(401), 'indistinct'],
  ['refused as nobody is', answer(401), place('DE'), answer(401), 'nobody'],
  ['refused in another way', answer(403), place('DE'), answer(401), 'nobody'],
  ['a session that is over by its own status', answer(440), place('DE'), answer(401), 'nobody'],
  ['sent to the sign-in page', answer(302), place('DE'), answer(401), 'nobody'],
  ['met with the same server error as nobody', answer(500), place('DE'), answer(500), 'neither'],
  ['still let in where nobody meets a server error', place('FR'), place('DE'), answer(500), 'signed-in'],
  ['a 501 as nobody is answered', answer(501), place('DE'), answer(501), 'nobody'],
  ['still let in', place('FR'), place('DE'), answer(401), 'signed-in'],
  ['still let in, with nothing to say', answer(204, {}), place('DE'), answer(401), 'signed-in'],
  ['still let in, without any player named', answer(200, []), place('DE'), answer(401), 'signed-in'],
  ['a 200 that says why not', answer(200, { code: 'SESSION_EXPIRED' }), place('DE'), answer(401), 'neither'],
  ['let in, as everybody is, with nothing to say', answer(200, {}), place('DE'), answer(204), 'neither'],
  ['still let in, past the same refusal', answer(400), answer(400), answer(401), 'signed-in'],
  [
    'another 400 than the one signed in',
    answer(400, { error: 'expired' }),
    answer(400),
    answer(401),
    'neither',
  ],
  ["another player's state", answer(404), place('DE'), answer(401), 'neither'],
])('returns $4 for $0', (_, dead, signedIn, nobodys, expected) => {
  expect(standing(dead, signedIn, nobodys)).toBe(expected);
});
