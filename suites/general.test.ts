import { expect, test } from 'vitest';
import { type Answer, rehearseCheck, type Script } from '../fixtures/kit/rule-rehearsal.ts';
import general from './general.ts';

test.each<[Answer, string]>([
  [{ body: { url: 'wss://rtm.example' } }, 'pass'],
  [{ body: { url: '' } }, 'violation'],
  [{}, 'violation'],
  [{ status: 500 }, 'inconclusive'],
])('an address of %j: %s', async (answer, expected) => {
  expect((await rehearseCheck(general.checks, 'address', () => answer)).judgement.kind).toBe(expected);
});

const isPlain = (ask: object) => Object.keys(ask).length === 0;
const redirecting =
  (given: number, without: number, turned: number): Script =>
  (ask) => ({
    status: isPlain(ask) ? given : ask.path === undefined ? turned : without,
  });

test.each<[string, Script, object]>([
  ['taken both ways', redirecting(200, 200, 200), { kind: 'pass' }],
  ['"not allowed" for false', redirecting(200, 200, 409), { kind: 'pass' }],
  ['refused with the parameter alone', redirecting(400, 200, 400), { kind: 'violation' }],
  ['refused with and without', redirecting(403, 403, 403), { kind: 'inconclusive' }],
  ['a server error for false only warns', redirecting(200, 200, 500), { kind: 'violation', onlyWarns: true }],
])('the redirect parameter: %s', async (_, answers, expected) => {
  expect((await rehearseCheck(general.checks, 'redirect-parameter', answers)).judgement).toMatchObject(
    expected,
  );
});

test('no answer without the parameter accuses nobody', async () => {
  const silent: Script = (ask) => (isPlain(ask) ? { status: 400, body: {} } : { error: 'timeout' });
  expect((await rehearseCheck(general.checks, 'redirect-parameter', silent)).verdict).toBe('timeout');
});
