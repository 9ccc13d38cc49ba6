import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { type Answer, rehearse, type Script } from '../../fixtures/kit/rule-rehearsal.ts';
import { deadSession } from './dead-session.ts';

const row = areas.general.currencies;
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
  expect((await rehearse(deadSession, row, script)).judgement.kind).toBe(expected);
});

test('a member that comes and goes in what anybody may read is no sign of a session', async () => {
  let asked = 0;
  const notice: Answer = { body: { version: 1, notice: 'soon' } };
  const bare: Answer = { body: { version: 1 } };
  const script: Script = ({ as }) => (as === '(nobody)' && asked++ < 5 ? bare : notice);
  expect((await rehearse(deadSession, row, script)).verdict).toBe('not-triggered');
  const never: Script = ({ as }) => (as === '(nobody)' ? bare : notice);
  expect((await rehearse(deadSession, row, never)).verdict).toBe('violation');
});

test('a server error is reported as such, and one that may pass is asked again', async () => {
  const broken = await rehearse(deadSession, row, to({ status: 500 }, { status: 500 }));
  expect(broken.judgement).toMatchObject({
    reason: 'prerequisite-failed',
    detail: 'answered 500 after the logout: a server error is no refusal',
  });
  const passing: Script = (ask) =>
    ask.as === '(nobody)' ? { status: ask.nth === undefined ? 502 : 200, body: wallet.body } : wallet;
  expect((await rehearse(deadSession, row, passing)).verdict).toBe('not-triggered');
});

test('the command for doing it by hand says whose credential it takes', async () => {
  const { judgement } = await rehearse(deadSession, row, to(wallet));
  expect(judgement).toMatchObject({
    byHand: 'its credential has to be that of a session that was logged out',
  });
});

test('a logout that did not work is reported as such', async () => {
  const facts = { deadSession: async () => ({ ok: false as const, why: 'logout was answered 500' }) };
  expect((await rehearse(deadSession, row, to(refused), facts)).judgement).toMatchObject({
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
  await rehearse(deadSession, row, to(wallet, wallet), { deadSession: end });
  expect(ended).toBe(false);
});
