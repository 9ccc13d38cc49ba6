import { expect, test } from 'vitest';
import { judgeStep, type Put } from '../../fixtures/kit/flow-rehearsal.ts';
import { namesOffered, type OnSale, offered } from './buy.ts';

/** What is for sale, where the catalog and the player's own characters are answered so. */
async function names(items: readonly object[], characters: readonly object[]) {
  let found: readonly string[] = [];
  await judgeStep(
    async (context) => {
      found = await namesOffered(context, 'leader');
    },
    ({ operation }: Put) => {
      if (operation === 'extensions.catalogItems') return { body: { items } };
      return { body: operation === 'game.allCharacters' ? { characters } : {} };
    },
  );
  return found;
}

test('characters come first that the catalog names as the player names their own', async () => {
  const item = (name: string) => ({ id: `char_${name.toLowerCase()}`, type: 'character', title: name });
  const own = [{ characterName: 'Scout' }, { characterName: 'Warden' }];
  expect(await names([item('Scout'), item('Warden'), item('Falconer')], own)).toEqual([
    'Falconer',
    'Scout',
    'Warden',
    'char_scout',
    'char_warden',
    'char_falconer',
  ]);
});

test('an item that says for which character it is keeps its own name', async () => {
  const items = [{ id: 'scout_outfit', characterName: 'Scout' }];
  expect(await names(items, [{ characterName: 'Scout' }])).toEqual(['Scout', 'scout_outfit']);
});

test('an item is bought by its own name, then by that of its character with the item in the body, in its currency', async () => {
  const items = [{ itemId: 'Scout_Unlock', characterName: 'Scout', prices: { Shards: 4500, Cells: 500 } }];
  let found: readonly OnSale[] = [];
  await judgeStep(
    async (context) => {
      found = await offered(context, 'leader', []);
    },
    ({ operation }: Put) => ({ body: operation === 'extensions.catalogItems' ? { items } : {} }),
  );
  const paired = { params: { characterName: 'Scout' }, carry: { characterName: 'Scout_Unlock' } };
  expect(found.map(({ ask }) => ask)).toContainEqual({ ...paired, offer: { currency: 'Shards' } });
  expect(found.map(({ ask }) => ask)).toContainEqual({ ...paired, offer: { currency: 'Cells' } });
});
