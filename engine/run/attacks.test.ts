import { expect, test } from 'vitest';
import type { Discovery } from '../players/sign-in-discovery.ts';
import { attackNotes, whyNoAttack } from './attacks.ts';

const signedIn = (from: 'LOGIN_TOKEN' | 'test JWT') => ({ kind: 'found', from }) as Discovery;
const here = { embedded: false, hosts: { base: 'http://127.0.0.1:8080' } };
const away = { embedded: false, hosts: { base: 'https://game.test' } };
const own = { ...here, embedded: true };
const facts = { target: here, discovery: signedIn('test JWT'), rate: undefined, readOnly: false };

test.each([
  ['auto', { ...facts, target: own }, undefined],
  ['auto', facts, undefined],
  ['auto', { ...facts, discovery: signedIn('LOGIN_TOKEN') }, /LOGIN_TOKEN/],
  ['auto', { ...facts, target: away }, /this machine/],
  ['auto', { ...facts, target: { embedded: false, hosts: {} } }, /BASE_URL is not set/],
  ['on', { ...facts, target: away, discovery: signedIn('LOGIN_TOKEN') }, undefined],
  ['on', { ...facts, rate: 5 }, /--rate/],
  ['on', { ...facts, readOnly: true }, /--read-only/],
  ['off', { ...facts, target: own }, /--attack on/],
] as const)('--attack %s: %o', (mode, known, why) => {
  const said = whyNoAttack(mode, known);
  if (why === undefined) expect(said).toBeUndefined();
  else expect(said).toMatch(why);
});

test.each([
  ['auto', { ...facts, target: own }, /one round each \(--attack on runs all rounds\)/],
  ['auto', { ...facts, target: away }, /^37 attacks left out: .*--attack on/],
  ['on', facts, /up to 16 at a time/],
  ['on', { ...facts, readOnly: true }, /^37 attacks left out: .*--read-only/],
  ['auto', facts, /one round each/],
  [
    'auto',
    { ...facts, discovery: undefined },
    /^37 attacks, of which none that needs a player is made: nobody could sign in$/,
  ],
  ['off', facts, undefined],
] as const)('what a run says of its attacks beforehand, --attack %s: case %#', (mode, known, line) => {
  const lines = attackNotes(mode, known, 37);
  if (line === undefined) expect(lines).toEqual([]);
  else expect(lines).toEqual([expect.stringMatching(line)]);
  expect(attackNotes(mode, known, 0)).toEqual([]);
});

test('where attacks get what time is left, the run does not promise all of them', () => {
  expect(attackNotes('auto', { ...facts, target: own }, 37, true)).toEqual([
    '37 attacks, of which as many are made as npm start has time for (--attack on makes all)',
  ]);
});
