import { expect, test } from 'vitest';
import { addHeaders, ClientHeaders, clientHeadersOf, hear, Spoken } from './learner.ts';
import { matchCall } from './match/match-call.ts';
import type { ObservedCall } from './observed-call.ts';
import { createKnownValues } from './privacy.ts';

const url = new URL('http://127.0.0.1/api/v1/party/details?includeState=true');
const match = matchCall('GET', url);

/** What is known of the operation after these answers, each a plain call's or a flow's. */
function heard(...answers: readonly { readonly value: unknown; readonly inFlow?: true }[]) {
  if (!match) throw new Error('no operation of the interface');
  const known = { ...createKnownValues(), identifies: () => 'partyId' as const };
  const around = { known, caller: { key: 'one' }, parameters: {}, isShareable: () => true };
  const spoken = new Spoken();
  for (const { value, ...rest } of answers) {
    const side = { headers: [], type: 'application/json' };
    const observedCall: ObservedCall = {
      source: 'a run',
      method: 'GET',
      url,
      status: 200,
      ...rest,
      request: { ...side, body: { kind: 'none' } },
      answer: { ...side, body: { kind: 'json', value } },
    };
    hear(spoken, observedCall, match, around);
  }
  return spoken;
}

test('of a step of a flow the status is learnt, and where it holds identifiers apart from plain calls', () => {
  const spoken = heard({ value: { a: 'party-1' } }, { value: { b: 'party-1' }, inFlow: true });
  expect([spoken.statuses.total, spoken.plainCalls, spoken.jsonAnswers]).toEqual([2, 1, 1]);
  expect(spoken.identifiers.places.ranked()).toEqual([['partyId /a', 1]]);
  expect(spoken.identifiersInFlows.places.ranked()).toEqual([['partyId /b', 1]]);
});

test.each([
  ['null', null],
  ['a report of an error', { error: 'database is gone' }],
  ['a wrapped report of an error', { result: { success: false } }],
])('%s is no answer to learn from, and takes the form of the others with it', (_, value) => {
  const bad = heard({ value }, { value });
  expect([bad.statuses.total, bad.jsonAnswers, bad.hollowAnswers]).toEqual([0, 0, 2]);
  const mixed = heard({ value: { a: 1 } }, { value }, { value: { a: 2 } });
  expect([mixed.statuses.total, mixed.jsonAnswers, mixed.hollowAnswers]).toEqual([2, 2, 1]);
});

function headersFrom(...calls: readonly Readonly<Record<string, string>>[]) {
  const found = new ClientHeaders();
  for (const headers of calls)
    addHeaders(found, { headers: Object.entries(headers), type: '', body: { kind: 'none' } });
  return clientHeadersOf(found, (value) => value === 'Rowan');
}
const twice = (headers: Readonly<Record<string, string>>) => headersFrom(headers, headers);

test('what every call carries alike is the client’s, by name', () => {
  expect(
    headersFrom(
      { 'x-version': '7.2.0', 'x-build': 'release', 'x-n': '1' },
      { 'x-build': 'release', 'x-version': '7.2.0', 'x-n': '2' },
    ),
  ).toEqual({
    'x-build': 'release',
    'x-version': '7.2.0',
  });
});

test('one call shows nothing', () => {
  expect(headersFrom({ 'x-version': '7.2.0' })).toEqual({});
});

test('fields of the connection, the content, the session and the browser are none', () => {
  const ordinary = {
    host: 'a',
    accept: '*/*',
    cookie: 'a=b',
    authorization: 'Bearer x',
    'sec-fetch-mode': 'cors',
  };
  expect(
    twice({
      ...ordinary,
      'user-agent': 'Mozilla/5.0 (X11)',
      'content-type': 'text/plain',
      origin: 'http://a',
    }),
  ).toEqual({});
});

test('a client’s own user agent stays', () => {
  expect(twice({ 'user-agent': 'Client/7.2.0' })).toEqual({ 'user-agent': 'Client/7.2.0' });
});

test.each([
  ['x-api-key', 'short'],
  ['x-auth', 'word'],
  ['x-build', 'f81d4fae7dec11d0'],
  ['x-host', '203.0.113.9'],
  ['x-nickname', 'Rowan'],
])('%s: %s could be a secret or somebody’s, so the environment is to give it', (name, value) => {
  expect(twice({ [name]: value })).toEqual({ [name]: { env: name.toUpperCase().replaceAll('-', '_') } });
});
