import { expect, test } from 'vitest';
import { canonical, createIdentities } from './identities.ts';
import { type Session, signed, spoiled } from './session.ts';

const sessionOf = (name: string): Session => ({
  transport: { kind: 'bearer', source: '/token' },
  credentials: [['authorization', `Bearer token-of-${name}`]],
  secrets: [`token-of-${name}`],
  playerId: `id-of-${name}`,
  names: [name],
});
const request = { method: 'GET', url: 'http://a.test/', headers: [] } as const;

test('knows a player by id, name and token, in whatever case', () => {
  const identities = createIdentities();
  identities.noteSession(sessionOf('Ada'), 1);
  expect(['id-of-Ada', 'ADA', 'token-of-Ada', 'Bob'].map(identities.ownerOf)).toEqual([1, 1, 1, undefined]);
});

test('knows nobody by a value that several go by', () => {
  const identities = createIdentities();
  for (const account of [1, 2])
    identities.noteSession({ ...sessionOf('Ada'), playerId: `${account}` }, account);
  expect(['Ada', '2', 2].map(identities.ownerOf)).toEqual([undefined, 2, 2]);
});

test('knows two tokens of one account by the id that the target gives both, and not by a name alone', () => {
  const { noteSession, areOne } = createIdentities();
  noteSession(sessionOf('Ada'), 1);
  noteSession({ ...sessionOf('Ada the second'), playerId: 'ID-of-Ada' }, 2);
  noteSession({ ...sessionOf('Ada'), playerId: 'id-of-Bob' }, 3);
  const { playerId: _, ...nameless } = sessionOf('Eve');
  for (const account of [4, 5]) noteSession(nameless, account);
  expect([areOne(1, 2), areOne(1, 3), areOne(4, 5)]).toEqual([true, false, false]);
});

test('knows who sent a request by the session that signed it, and nobody by a spoiled one', () => {
  const identities = createIdentities();
  const session = sessionOf('Ada');
  identities.noteSession(session, 7);
  const sent = [signed(request, session), signed(request, spoiled(session)), request];
  expect(sent.map(identities.senderOf)).toEqual([7, undefined, undefined]);
});

test.each([
  [12, '12'],
  ['12', '12'],
  [2 ** 53, undefined],
  ['', undefined],
  ['  Ada ', 'ada'],
  ['{0A1B2C3D-0000-4000-8000-00000000000F}', '0a1b2c3d00004000800000000000000f'],
  [null, undefined],
])('writes %j as %j', (value, expected) => {
  expect(canonical(value)).toBe(expected);
});
