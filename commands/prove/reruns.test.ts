// A finding's own command finds it again, also where the calls of other players show it. RERUN_MUTANTS= asks all mutants
// whose names hold that word, or every one where it is empty: that takes five minutes.
import { expect, test } from 'vitest';
import { sideBySide } from '../../engine/values/side-by-side.ts';
import { allPass } from './draw.ts';
import { mutantsFor, openProver } from './prover.ts';

const given = process.env.RERUN_MUTANTS;
const names = [
  'own-answer (one for all) on game.playerCard',
  'own-answer (cached without the player) on players.decayPenaltyPoints',
  'who signs in throws everybody out',
  "a state is everybody's",
  'each match that is created is the first one',
  'the Location of a new party leads to another party',
  'a server error that members alone meet shows the code',
];
const limitMs = 3_600_000;

test(
  'a command that a report prints for a finding finds something wrong again',
  async () => {
    const prover = await openProver('1');
    const { checks } = prover;
    const most = given === undefined ? Number.POSITIVE_INFINITY : undefined;
    const all = mutantsFor({ checks, conforming: allPass(checks), seed: '1', ...(most && { most }) });
    const mutants = all.filter(({ name }) =>
      given === undefined ? names.includes(name) : name.includes(given),
    );
    expect(mutants.length).toBeGreaterThanOrEqual(given === undefined ? names.length : 1);
    const lost: string[] = [];
    try {
      await sideBySide(mutants, 8, async (mutant) => {
        for (const { id, rerun } of await prover.notFoundAgain(mutant))
          lost.push(`${mutant.name}: ${id}, ${rerun}`);
      });
    } finally {
      prover.close();
    }
    expect(lost).toEqual([]);
  },
  limitMs,
);
