import { expect, test } from 'vitest';
import { entryOf, type PlannedCall } from '../../fixtures/kit/scratch.ts';
import { observedCallIn } from './har/read-har.ts';
import type { ObservedCall } from './observed-call.ts';
import { addCall, type Carried, createPeople, Travels, transportOf } from './people.ts';

const observedCall = (call: PlannedCall) => observedCallIn(entryOf(call), 'a.har') as ObservedCall;
const login = (token: string, answers: object, answerHeaders = {}) =>
  observedCall({ method: 'POST', url: `http://a/login?token=${token}`, answers, answerHeaders });
const config = (headers: Readonly<Record<string, string>>, query = '') =>
  observedCall({ url: `http://a/config${query}`, headers });

function peopleOf(...logins: readonly ObservedCall[]) {
  const people = createPeople();
  for (const each of logins) people.noteLogin(each);
  return people;
}

test('a call is whose login’s answer handed out what it carries', () => {
  const people = peopleOf(
    login('t1', { playerId: 'player-1', session: 'session-one' }),
    login('t2', { playerId: 'player-2' }, { 'set-cookie': 'sid=cookie-two; Path=/' }),
  );
  expect(people.callerOf(config({ authorization: 'Bearer session-one' })).id).toBe('player-1');
  expect(people.callerOf(config({ cookie: 'lang=en; sid=cookie-two' })).id).toBe('player-2');
  expect(people.callerOf(config({}, '?s=session-one')).id).toBe('player-1');
  expect(people.callerOf(config({}))).toEqual({ key: 'file a.har' });
});

test('returns how it was carried, and where it stood', () => {
  const people = peopleOf(login('t1', { auth: { session: 'session-one' } }, { 'x-csrf': 'csrf-token-one' }));
  const carried = people.carriedBy(config({ 'x-session': 'session-one', 'x-csrf': 'csrf-token-one' }));
  expect(carried.map(({ as, name, source }) => [as, name, source])).toEqual([
    ['header', 'x-session', '/auth/session'],
    ['header', 'x-csrf', 'x-csrf'],
  ]);
});

test('two sessions of one player are one person', () => {
  const people = peopleOf(
    login('t1', { playerId: 'player-1', session: 'session-one' }),
    login('t1', { playerId: 'player-1', session: 'session-two' }),
  );
  const callers = ['session-one', 'session-two'].map((session) =>
    people.callerOf(config({ 'x-s': session })),
  );
  expect(callers[0]).toBe(callers[1]);
});

test('the login’s own token echoed, and the player’s id, are no credential', () => {
  const people = peopleOf(login('login-token', { playerId: 'player-1', echo: 'login-token' }));
  expect(people.carriedBy(config({ 'x-login': 'login-token', 'x-player': 'player-1' }))).toEqual([]);
});

test('of two places that hold one value the one with the telling name counts', () => {
  const people = peopleOf(login('t1', { meta: 'session-one', token: 'session-one' }));
  expect(people.carriedBy(config({ authorization: 'Bearer session-one' }))[0]?.source).toBe('/token');
});

const person = { key: 'one' };
const carried = (as: Carried['as'], name: string, source: string): Carried => ({ person, as, name, source });

function transportFrom(...calls: readonly (readonly Carried[])[]) {
  const travels = new Travels();
  for (const call of calls) addCall(travels, call);
  return transportOf(travels, () => true);
}

test.each([
  [
    'a bearer token',
    carried('bearer', 'authorization', '/auth/token'),
    { kind: 'bearer', source: '/auth/token' },
  ],
  [
    'a header',
    carried('header', 'x-session', 'x-session'),
    { kind: 'header', name: 'x-session', source: 'x-session' },
  ],
  ['a query value', carried('query', 'sid', '/sid'), { kind: 'query', name: 'sid', source: '/sid' }],
  ['a cookie', carried('cookie', 'sid', 'cookie:sid'), { kind: 'cookie', names: ['sid'] }],
])('%s is the transport', (_, way, transport) => {
  expect(transportFrom([way], [way])).toEqual(transport);
});

test('cookies are one transport, with a header beside them a combined one', () => {
  const call = [
    carried('header', 'x-csrf', '/csrf'),
    carried('cookie', 'b', 'cookie:b'),
    carried('cookie', 'a', 'cookie:a'),
  ];
  expect(transportFrom(call)).toEqual({
    kind: 'combined',
    parts: [
      { kind: 'cookie', names: ['a', 'b'] },
      { kind: 'header', name: 'x-csrf', source: '/csrf' },
    ],
  });
});

test('what a few calls alone carry is not the session', () => {
  const usual = carried('bearer', 'authorization', '/token');
  const rare = carried('header', 'x-refresh', '/refresh');
  expect(transportFrom([usual], [usual], [usual], [usual], [usual, rare])).toEqual({
    kind: 'bearer',
    source: '/token',
  });
});

test('a name that could be somebody’s is left out', () => {
  expect(transportFrom([carried('cookie', 'sid_8812345', 'cookie:sid_8812345')])).toBeUndefined();
});

test('calls that carry nothing teach nothing', () => {
  expect(transportFrom([], [])).toBeUndefined();
});
