import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import type { Ask } from '../../engine/http/ask.ts';
import { randomFrom } from '../../engine/values/random.ts';
import { type Answer, exchangeOf, rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { spoiledWithin, wrongTypeBody } from './wrong-type-body.ts';

const each = areas.party.create;
const random = () => randomFrom('1');
const ofBody = (body: string, answer: Answer = {}) =>
  spoiledWithin(exchangeOf(each, { body }, answer), random());

test.each([
  [
    '{"a":1,"settings":{"volume":3},"tags":["x"]}',
    ['{"a":1,"settings":[],"tags":["x"]}', '{"a":1,"settings":{"volume":3},"tags":{}}'],
  ],
  ['{"a":{"b":{"c":[]}}}', ['{"a":[]}', '{"a":{"b":[]}}', '{"a":{"b":{"c":{}}}}']],
  ['{"__proto__":{"a":1},"b":[]}', ['{"__proto__":[],"b":[]}', '{"__proto__":{"a":1},"b":{}}']],
  ['[{"a":{}}]', ['[[]]', '[{"a":[]}]']],
])('%s becomes %j, in turn', (sent, spoiled) => {
  expect(ofBody(sent)).toEqual(spoiled);
});

test('changes one element of a list for all', () => {
  expect(ofBody('{"logs":[1,{"at":[2]},{"at":[3]}]}')).toEqual([
    '{"logs":{}}',
    '{"logs":[1,[],{"at":[3]}]}',
    '{"logs":[1,{"at":{}},{"at":[3]}]}',
  ]);
});

test('among many places eight are drawn, others by another seed', () => {
  const sent = JSON.stringify(Object.fromEntries(Array.from({ length: 40 }, (_, nth) => [`n${nth}`, {}])));
  const drawnBy = (seed: string) => spoiledWithin(exchangeOf(each, { body: sent }, {}), randomFrom(seed));
  expect(new Set(drawnBy('1')).size).toBe(8);
  expect(drawnBy('1')).toEqual(drawnBy('1'));
  expect(drawnBy('1')).not.toEqual(drawnBy('2'));
});

test.each(['{}', '{"a":1,"b":null}', '[]', '[1]', 'null', 'a=1', ''])('in %j nothing is nested', (sent) => {
  expect(ofBody(sent)).toEqual([]);
});

test('is not triggered when the plain call did not succeed', () => {
  expect(ofBody('{"a":{}}', { status: 400 })).toEqual([]);
  expect(ofBody('{"a":{}}', { error: 'timeout' })).toEqual([]);
});

/** The operation's plain body is this one. */
async function judged(plain: string, answer: (body: string) => Answer, operation: Operation = each) {
  const sent: string[] = [];
  const ask = async (of: Operation, put: Ask = {}) => {
    const body = String(put.body ?? plain);
    sent.push(`${put.as ?? 'main'} ${body}`);
    return exchangeOf(of, { ...put, body }, answer(body));
  };
  const { judgement } = await rehearse(wrongTypeBody, operation, () => ({}), { ask });
  return { kind: judgement.kind, sent: [...new Set(sent)].slice(2) };
}

const nested = '{"settings":{"keys":{"up":"w"}},"tags":["x"]}';
const places = ['{"settings":[],"tags":["x"]}', '{"settings":{"keys":[]},"tags":["x"]}'];
const lastPlace = '{"settings":{"keys":{"up":"w"}},"tags":{}}';

test('each place within is sent once, by somebody whom nobody needs, where the plain body works', async () => {
  expect(await judged(nested, () => ({ status: 400 }))).toEqual({ kind: 'pass', sent: [] });
  expect(await judged(nested, () => ({}))).toEqual({
    kind: 'pass',
    sent: [...places, lastPlace].map((body) => `fuzzer ${body}`),
  });
});

test('a server error at any of them is one', async () => {
  for (const place of [...places, lastPlace]) {
    const broken = await judged(nested, (body) => ({ status: body === place ? 500 : 200 }));
    expect(broken.kind).toBe('violation');
    // The guard, last, is the plain call of the same player.
    expect(broken.sent.slice(-2)).toEqual([`fuzzer ${place}`, `fuzzer ${nested}`]);
  }
});

test('no answer at one leaves what was shown before, and nothing more is asked', async () => {
  const silent = await judged(nested, (body) => (body === places[0] ? { error: 'timeout' } : {}));
  expect(silent).toEqual({ kind: 'pass', sent: [`fuzzer ${places[0]}`] });
});

test('operations with flat bodies, and the login, cost nothing more', async () => {
  expect((await judged('{"name":"x"}', () => ({}))).sent).toEqual([]);
  expect((await judged('{"settings":{}}', () => ({}), areas.auth.login)).sent).toEqual([]);
});
