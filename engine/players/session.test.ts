import { expect, test } from 'vitest';
import type { SessionTransport } from '../target/session-transport.ts';
import { described, type Session, spoiled, withSession } from './session.ts';

const session = (
  credentials: Session['credentials'],
  transport: SessionTransport = { kind: 'bearer', source: '' },
) => ({
  transport,
  credentials,
  secrets: [],
});

test('a credential takes the place of a header of its name, in any case', () => {
  const headers = withSession(
    [
      ['Accept', '*/*'],
      ['Authorization', 'Basic abc'],
    ],
    session([['authorization', 'Bearer xyz']]),
  );
  expect(headers).toEqual([
    ['Accept', '*/*'],
    ['authorization', 'Bearer xyz'],
  ]);
});

test('cookies join those that are sent anyway', () => {
  const headers = withSession([['Cookie', 'a=1']], session([['cookie', 'sid=2']]));
  expect(headers).toEqual([['cookie', 'a=1; sid=2']]);
});

test.each([
  ['authorization', 'Bearer abc'],
  ['x-session-token', 'A1b2-C3d4_E5f6.g7h8'],
  ['cookie', 'sid=0123456789; lang=en'],
  ['x-session-id', '6f1d0f4e-55b0-4f0e-9d0a-0c4f7c3b9a11'],
  ['x-hex', 'deadbeefdeadbeefdeadbeef'],
  ['x-punctuation', 'a..........b'],
  ['x-short', 'x'],
])('a spoiled %s keeps form and length and says something else: %s', (name, value) => {
  const [[, wrong = ''] = []] = spoiled(session([[name, value]])).credentials;
  const shape = (text: string) => text.replace(/[a-z]/g, 'a').replace(/[A-Z]/g, 'A').replace(/\d/g, '0');
  expect(wrong).not.toBe(value);
  expect(shape(wrong)).toBe(shape(value));
  expect(wrong.startsWith('Bearer ')).toBe(value.startsWith('Bearer '));
});

test('spoiled hex is still hex, and a spoiled UUID keeps its version', () => {
  const uuid = '6f1d0f4e-55b0-4f0e-9d0a-0c4f7c3b9a11';
  const [[, wrong = ''] = []] = spoiled(session([['x', uuid]])).credentials;
  expect(wrong).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-9[0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('every cookie of several is spoiled', () => {
  const [[, wrong] = []] = spoiled(session([['cookie', 'a=11111111; b=22222222']])).credentials;
  expect(wrong).toBe('a=11666111; b=22777222');
});

test('a transport is reported in words', () => {
  expect(described({ kind: 'cookie', names: ['a', 'b'] })).toBe('the cookies a, b');
  expect(described({ kind: 'bearer', source: '/session/token' })).toBe(
    'the token at /session/token of the login answer, sent as Authorization: Bearer',
  );
  expect(
    described({
      kind: 'combined',
      parts: [
        { kind: 'cookie', names: ['sid'] },
        { kind: 'header', name: 'x-csrf', source: 'x-csrf' },
      ],
    }),
  ).toBe('the cookie sid, together with the header x-csrf of the login answer, sent back as x-csrf');
});
