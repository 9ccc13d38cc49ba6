import { expect, test } from 'vitest';
import { parsedJson } from '../engine/values/json-walk.ts';
import { type Answer, rehearseCheck, type Script } from '../fixtures/kit/rule-rehearsal.ts';
import general, { addressIn } from './general.ts';

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
    // The call that shows whether the player may call at all is in the plain form.
    status: ask.params ? turned : ask.path === undefined ? given : without,
  });

test.each<[string, Script, object]>([
  ['taken both ways', redirecting(200, 200, 200), { kind: 'pass' }],
  ['"not allowed" for false', redirecting(200, 200, 409), { kind: 'pass' }],
  ['refused with the parameter alone', redirecting(400, 200, 400), { kind: 'violation' }],
  ['refused with and without', redirecting(400, 400, 400), { kind: 'inconclusive' }],
  [
    '"not allowed" for both values',
    redirecting(403, 403, 403),
    { kind: 'violation', level: 'inferred', actual: 'answered 403 with both' },
  ],
  ['"not allowed" for true alone', redirecting(403, 403, 200), { kind: 'inconclusive' }],
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

const eula = { consentId: 'eula', version: 'v4' };
const privacy = { consentId: 'privacy', version: 'v4' };
const consents = (...entries: unknown[]): Answer => ({ body: { consents: entries } });

test.each<[string, Answer, string]>([
  ['some of them', consents(eula), 'pass'],
  ['none', consents(), 'pass'],
  ['all of them', consents(privacy, eula), 'pass'],
  ['some, with more to say of them', consents({ ...eula, why: 'it is new' }), 'pass'],
  ['another form', { body: { eula: true } }, 'pass'],
  ['more than all', consents(eula, privacy, { consentId: 'marketing' }), 'violation'],
  ['one that is none of them', consents({ consentId: 'marketing', version: 'v4' }), 'violation'],
  ['a server error', { status: 500 }, 'violation'],
  ['a refusal', { status: 400 }, 'not-triggered'],
])('consents that need attention: %s', async (_, few, expected) => {
  const script: Script = ({ params }) => (params ? few : consents(eula, privacy));
  expect((await rehearseCheck(general.checks, 'attention-needed', script)).verdict).toBe(expected);
});

test('accepts a consent that was added between the two reads', async () => {
  const script: Script = ({ params, nth }) =>
    params || nth === 2 ? consents(eula, privacy) : consents(eula);
  expect((await rehearseCheck(general.checks, 'attention-needed', script)).verdict).toBe('pass');
});

const answer = (body: unknown) => ({
  status: 200,
  headers: [],
  body: new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
  wire: { bytes: 0 },
});

test.each<[unknown, string | undefined]>([
  [{ url: 'wss://rtm.example/v1' }, 'wss://rtm.example/v1'],
  [{ data: { servers: ['https://a.example', 'https://b.example'] } }, 'https://a.example'],
  ['ws://127.0.0.1:8080', 'ws://127.0.0.1:8080'],
  [{ value: 'rtm.example:443' }, 'rtm.example:443'],
  [{ value: '[::1]:443' }, '[::1]:443'],
  [{ host: 'rtm.example', port: 443 }, 'rtm.example'],
  [{ endpoint: '10.0.0.1' }, '10.0.0.1'],
  ['rtm.example', 'rtm.example'],
  [{ url: '/realtime/v1' }, '/realtime/v1'],
  // Its byte order mark is another rule's matter.
  ['\ufeff{"url":"wss://rtm.example"}', 'wss://rtm.example'],
  [{ url: '' }, undefined],
  [{ url: null }, undefined],
  [{ version: '1.2.3', message: 'see.docs' }, undefined],
  [{ status: 'OK' }, undefined],
  ['', undefined],
  [{}, undefined],
])('the address in %j is %s', (body, expected) => {
  expect(addressIn(answer(body))).toBe(expected);
});

/** The judgement of a server that keeps clients below 8.4.0 out, and compares versions so. */
const judgedOrder = async (isLower: (one: string, other: string) => boolean) => {
  const { judgement } = await rehearseCheck(
    general.checks,
    'general.checkClientVersion#version-order',
    ({ body }) => {
      const { clientVersion = '8.5.1' } = (parsedJson(String(body ?? '{}')) ?? {}) as {
        clientVersion?: string;
      };
      return {
        body: {
          clientVersion,
          updateRequired: isLower(clientVersion, '8.4.0'),
          updateAvailable: isLower(clientVersion, '8.5.1'),
        },
      };
    },
  );
  return judgement;
};

test('versions of clients that are compared as text are found, and others are not', async () => {
  const { compare } = new Intl.Collator('en', { numeric: true });
  expect(await judgedOrder((a, b) => compare(a, b) < 0)).toMatchObject({ kind: 'pass' });
  expect(await judgedOrder((a, b) => a !== b)).toMatchObject({ kind: 'pass' });
  expect(await judgedOrder((a, b) => a < b)).toMatchObject({
    kind: 'violation',
    actual: 'as a version that is outdated',
  });
});
