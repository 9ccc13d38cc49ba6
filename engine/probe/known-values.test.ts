import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { readTarget } from '../target/target.ts';
import { createKnownValues } from './known-values.ts';

const { catalogItems } = areas.extensions;

/** What is known of a server that answers the plain call so, and takes what it lists, or not. */
async function knownOf(
  answer: Parameters<typeof exchangeOf>[0],
  parameters: Record<string, string> = {},
  isTaken = true,
) {
  const target = readTarget({ BASE_URL: 'http://a.test' }, { cwd: '/' });
  const { ofTarget } = createKnownValues({
    target: { ...target, parameters },
    players: undefined,
    bodies: { forms: () => [] },
    isAllowed: () => true,
    ask: async (_, { params: asked = {} }) => exchangeOf('types' in asked && isTaken ? {} : answer),
    pause: async () => undefined,
    startedAt: new Date(0),
  });
  return ofTarget(catalogItems);
}

const refusing = (message: string) => ({ status: 400, body: { errors: [{ field: 'types[]', message }] } });

test('a choice of ours that is refused gives way to one that the refusal lists, the same word first', async () => {
  expect(await knownOf(refusing('must be one of [CHARM, CHARACTER]'))).toEqual({ types: 'CHARACTER' });
  expect(await knownOf(refusing('must be one of [outfits, passes]'))).toEqual({ types: 'outfits' });
});

test('nothing is chosen anew where the call is taken, nothing is listed, or the value was given', async () => {
  expect(await knownOf({ status: 200 })).toEqual({});
  expect(await knownOf(refusing('is wrong'))).toEqual({});
  expect(await knownOf(refusing('must be one of [a, b]'), { types: 'c' })).toEqual({});
  expect(await knownOf(refusing('must be one of [a, b]'), {}, false)).toEqual({});
});

test.each<[string[], Record<string, string>]>([
  [['storefront', 'console', 'ALL'], { platform: 'ALL' }],
  [['storefront', 'console'], {}],
  [['console', 'all'], { platform: 'console' }],
])('where a platform may be %j, a read is sent %j', async (words, expected) => {
  const target = readTarget({ BASE_URL: 'http://a.test' }, { cwd: '/' });
  const body = { message: `platform must be one of: ${words.join(', ')}` };
  const { ofTarget } = createKnownValues({
    target: { ...target, parameters: {} },
    players: undefined,
    bodies: { forms: () => [] },
    isAllowed: () => true,
    ask: async (_, { params: { platform = 'storefront' } = {} }) =>
      exchangeOf(words.includes(String(platform)) ? {} : { status: 400, body }),
    pause: async () => undefined,
    startedAt: new Date(0),
  });
  expect(await ofTarget(areas.players.friends)).toEqual(expected);
});
