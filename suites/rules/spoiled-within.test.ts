import { expect, test } from 'vitest';
import { areas } from '../../fixtures/catalog/catalog.ts';
import type { Ask } from '../../fixtures/check/evidence/ask.ts';
import { badBodies } from './bad-bodies.ts';
import { type Answer, exchangeOf, rehearse } from './rehearsal.ts';
import { spoiledWithin } from './spoiled-within.ts';

const row = areas.party.create;
const ofBody = (body: string, answer: Answer = {}) => spoiledWithin(exchangeOf(row, { body }, answer));

test.each([
  ['{"a":1,"settings":{"volume":3},"tags":["x"]}', '{"a":1,"settings":[],"tags":["x"]}'],
  ['{"tags":["x"],"settings":{}}', '{"tags":{},"settings":{}}'],
  ['{"__proto__":{"a":1},"b":[]}', '{"__proto__":[],"b":[]}'],
])('%s becomes %s', (sent, spoiled) => {
  expect(ofBody(sent)).toBe(spoiled);
});

test.each(['{}', '{"a":1,"b":null}', '[{"a":{}}]', 'null', 'a=1', ''])('in %j nothing is nested', (sent) => {
  expect(ofBody(sent)).toBeUndefined();
});

test('of a call that did not succeed nobody knows what works', () => {
  expect(ofBody('{"a":{}}', { status: 400 })).toBeUndefined();
  expect(ofBody('{"a":{}}', { error: 'timeout' })).toBeUndefined();
});

const rule = badBodies.find(({ name }) => name === 'wrong-type-body');

/** The row's plain body is this one. */
async function judged(plain: string, answer: (body: string) => Answer, operation = row) {
  const sent: string[] = [];
  const ask = async (of: typeof operation, put: Ask = {}) => {
    const body = String(put.body ?? plain);
    sent.push(`${put.as ?? 'main'} ${body}`);
    return exchangeOf(of, { ...put, body }, answer(body));
  };
  if (!rule) throw new Error('wrong-type-body is a rule');
  const { judgement } = await rehearse(rule, operation, () => ({}), { ask: ask as never });
  return { kind: judgement.kind, sent: [...new Set(sent)].slice(2) };
}

test('a list where an object stood within is sent once, by somebody whom nobody needs', async () => {
  const { kind, sent } = await judged('{"settings":{"volume":3}}', () => ({ status: 400 }), row);
  expect([kind, sent]).toEqual(['pass', []]);
  const taken = await judged('{"settings":{"volume":3}}', () => ({}));
  expect(taken).toEqual({ kind: 'pass', sent: ['vandal {"settings":[]}'] });
});

test('a server error at it is one', async () => {
  const broken = await judged('{"settings":{"volume":3}}', (body) => ({
    status: body.includes('"settings":[]') ? 500 : 200,
  }));
  expect(broken.kind).toBe('violation');
});

test('no answer to it leaves what the outermost type showed', async () => {
  const silent = await judged('{"settings":{"volume":3}}', (body) =>
    body.includes('"settings":[]') ? { error: 'timeout' } : {},
  );
  expect(silent.kind).toBe('pass');
});

test('rows with flat bodies, and the login, cost nothing more', async () => {
  expect((await judged('{"name":"x"}', () => ({}))).sent).toEqual([]);
  expect((await judged('{"settings":{}}', () => ({}), areas.auth.login as never)).sent).toEqual([]);
});
