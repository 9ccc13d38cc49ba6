// What 120 tokens find, 12 find, and the mutant of the README is found with 4.
import { expect, test } from 'vitest';
import { fewPlayersLines, proveFewPlayers } from './few-players.ts';

const limitMs = 120_000;

test(
  'mutants whose traces stay with players are found with 4 tokens and with 12, as with 120',
  async () => {
    const only = ['who leaves stays', 'who is removed takes the others along', 'a code gives each time'];
    const rows = await proveFewPlayers({ seed: '1', only, players: [12, 4] });
    expect(fewPlayersLines(rows)).toEqual([
      '12 tokens: 3 of the 3 mutants that 120 find',
      '4 tokens: 3 of the 3 mutants that 120 find',
    ]);
  },
  limitMs,
);

test('a number that is none is a mistake', async () => {
  await expect(proveFewPlayers({ seed: '1', players: [Number.NaN] })).rejects.toThrow(
    '--players: expected numbers from 1 to 119, got NaN',
  );
});
