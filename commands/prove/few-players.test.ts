// What 120 tokens find, 12 find, and the mutant of the README is found with 4.
import { expect, test } from 'vitest';
import { flowMutants } from '../../fixtures/mutants/flows/all.ts';
import { judgeAll } from './judge-all.ts';
import { chosen, openGround, proverOn } from './prover.ts';

const limitMs = 120_000;

test(
  'mutants whose traces stay with players are found with 4 tokens and with 12, as with 120',
  async () => {
    const only = ['who leaves stays', 'who is removed takes the others along', 'a code gives each time'];
    const mutants = chosen(flowMutants, only);
    const ground = await openGround('1');
    try {
      // With 120 no two players share an account.
      for (const players of [120, 12, 4]) {
        const rows = await judgeAll(proverOn(ground, players), mutants);
        const found = rows.filter(({ turned }) => turned.some((id) => id.includes('/')));
        expect(found.map(({ mutant }) => mutant)).toEqual(mutants.map(({ name }) => name));
      }
    } finally {
      ground.close();
    }
  },
  limitMs,
);
