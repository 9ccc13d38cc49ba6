import { expect, test } from 'vitest';
import { areas } from '../catalog/catalog.ts';
import { type ExchangeFields, exchangeOf } from '../fixtures/kit/exchanges.ts';
import { type Facts, type Put, rehearseFlow } from '../fixtures/kit/flow-rehearsal.ts';
import content from './content.ts';

const { clientData, utils } = areas;
const absent: ExchangeFields = { status: 404, body: { error: 'not found' } };
const nothing: ExchangeFields = { body: null };

/** How a step ends, in a word. */
async function ends(step: string, script: (put: Put) => ExchangeFields, facts: Facts = {}): Promise<string> {
  const [judgement] = await rehearseFlow(script, facts).play(content, step);
  return judgement && 'reason' in judgement ? judgement.reason : (judgement?.kind ?? '');
}

/** A store with files under one version, `unknown` under others, and an API that reports `told`. */
const store =
  (versions: unknown, unknown: ExchangeFields, existing = '7.2.0') =>
  ({ operation, ask }: Put): ExchangeFields => {
    if (operation.startsWith('utils.')) return { body: versions };
    const { gameVersion = '7.2.0' } = ask.params ?? {};
    return gameVersion === existing ? { body: { items: ['lamp'] } } : unknown;
  };
const many = Object.fromEntries(Array.from({ length: 20 }, (_, nth) => [`6.${nth}`, `bundle-${nth}`]));

test.each<[string, unknown, ExchangeFields, string]>([
  ['a value that has files', { current: '7.2.0' }, absent, 'pass'],
  ['a name that has files', { '7.2.0': '3.1.4' }, absent, 'pass'],
  ['none that has files', { '7.1.0': '3.1.4' }, absent, 'violation'],
  ['one that is answered as any version is', { '7.1.0': 'x' }, nothing, 'any-name'],
  ['more than can be looked for', many, absent, 'unknown-resource'],
])('the content version names %s, as %j', async (_, versions, unknown, expected) => {
  expect(await ends('content-version', store(versions, unknown))).toBe(expected);
});

test('what a pattern that nobody gave is answered names no version that should have files', async () => {
  const echo = store({ version: '1.0.0' }, absent);
  expect(await ends('content-version-of', echo, { given: ['gameVersion'] })).toBe('unknown-resource');
  expect(await ends('content-version-of', echo)).toBe('violation');
});

test.each([404, 500])('a %i to a pattern that nobody gave fails no check', async (status) => {
  const script = ({ operation }: Put): ExchangeFields =>
    operation === utils.contentVersionOf.id ? { status, body: {} } : { body: {} };
  const flows: Facts['flows'] = { accepts: () => [200], isStatedInProfile: () => true };
  const facts = { flows, given: ['gameVersion'] };
  expect(await ends('content-version-of', script, facts)).toBe('unknown-resource');
  expect(await ends('content-version-of', script, { flows })).not.toBe('unknown-resource');
});

/** Definitions name two languages; of texts there is one in English, and `unknown` in all others. */
const texts =
  (unknown: ExchangeFields, french: ExchangeFields) =>
  ({ operation, ask: _ }: Put, path = ''): ExchangeFields => {
    if (operation === clientData.eulaDefinition.id) return { body: { languages: ['en', 'fr'] } };
    if (path.endsWith('/en.json')) return { body: { text: 'be kind' } };
    return path.endsWith('/fr.json') ? french : unknown;
  };

test.each<[string, ExchangeFields, ExchangeFields, string]>([
  ['is there', absent, { body: { text: 'soyez gentils' } }, 'pass'],
  ['is missing', absent, absent, 'violation'],
  ['is there among names that are all answered', nothing, { body: { text: 'soyez gentils' } }, 'pass'],
  ['is answered as any name is', nothing, nothing, 'any-name'],
  ['is answered by the failure that any name meets', { status: 500 }, { status: 500 }, 'any-name'],
  ['is the page that any name gets', { status: 200, body: '<p>' }, { status: 200, body: '<p>' }, 'violation'],
])('a text in a language that is named %s', async (_, unknown, french, expected) => {
  const say = texts(unknown, french);
  const playing = rehearseFlow(() => ({}), {
    flows: {
      send: async (_player, operation, ask) =>
        exchangeOf({ status: 200, ...say({ player: 0, operation: operation.id, ask }, operation.path) }),
    },
  });
  const [judgement] = await playing.play(content, 'eula-languages');
  expect(judgement && 'reason' in judgement ? judgement.reason : judgement?.kind).toBe(expected);
});

test('of a file that may be there or not, nothing that it names is looked for', async () => {
  const routed = async () => ({ served: undefined, reason: 'any-name', why: 'rehearsed' }) as const;
  expect(await ends('eula-languages', () => ({ body: { languages: ['en', 'xx'] } }), { routed })).toBe(
    'any-name',
  );
});
