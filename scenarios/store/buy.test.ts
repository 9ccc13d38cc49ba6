import { expect, test } from 'vitest';
import { judgeStep, type Put } from '../../fixtures/kit/flow-rehearsal.ts';
import { namesOffered } from './buy.ts';

/** What is for sale, where the catalog and the player's own characters are answered so. */
async function names(items: readonly object[], characters: readonly object[]) {
  let found: readonly string[] = [];
  await judgeStep(
    async (context) => {
      found = await namesOffered(context, 'leader', []);
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
