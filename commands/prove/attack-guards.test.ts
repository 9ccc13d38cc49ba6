import { expect, test } from 'vitest';
import { attackGuardLines, attackGuards, proveAttackGuards } from './attack-guards.ts';
import { correctServers } from './attacks.ts';
import { attackProverOn, openGround } from './prover.ts';

const guardsOf = (...steps: readonly string[]) => attackGuards.filter(({ step }) => steps.includes(step));

test('a guard that is taken away leaves a correct server accused, and one that does nothing is listed', {
  timeout: 60_000,
}, async () => {
  const ground = await openGround('1');
  try {
    const { prove } = attackProverOn(ground);
    const needed = guardsOf('forged/none', 'http/one-content', 'isolation/reads-general-inventories');
    const idle = { ...(needed[0] as (typeof attackGuards)[number]), remove: () => [] };
    const rows = await proveAttackGuards(prove, correctServers, [...needed, idle]);
    expect(rows.map((row) => row.needed)).toEqual([true, true, true, false]);
    expect(attackGuardLines(rows).at(-1)).toBe('3 of 4 guards of attacks are needed');
  } finally {
    ground.close();
  }
});

test('guards protect correct servers that there are, in steps that must not accuse them', () => {
  const tried = correctServers.flatMap(({ name, turns }) => turns.map((step) => `${step} on ${name}`));
  const guarded = attackGuards.map(({ server, step }) => `${step} on ${server}`);
  expect(guarded.filter((each) => !tried.includes(each))).toEqual([]);
});

test('a guard of a server that there is not is refused', async () => {
  const [guard] = guardsOf('forged/none');
  await expect(
    proveAttackGuards(async () => Promise.reject(new Error('asked')), [], guard ? [guard] : []),
  ).rejects.toThrow('no correct server');
});
