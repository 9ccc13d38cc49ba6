import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../engine/files.ts';
import { attackMutants } from '../../fixtures/mutants/attacks.ts';
import { attackGuards } from './attack-guards.ts';
import { attackLines, attacksHold, correctServers, proveAttacks } from './attacks.ts';

test('attacks find a missing lock and a missing check of ownership', { timeout: 120_000 }, async () => {
  const only = [
    'gift doubled after a cut',
    'friend lost after a cut',
    'state of half',
    'code twice, 2 ms',
    'in the queue twice, 20 ms',
    'anybody ends a party',
    'messages.claim for all players',
  ];
  const proof = await proveAttacks({ seed: '1', only });
  expect(attackLines(proof)).toEqual(['7 of 7 attack mutants found · 0 of 0 correct servers accused']);
});

test('there are at least 40 of them, in windows from 0.2 to 20 ms, and correct servers beside them', () => {
  expect(attackMutants.length).toBeGreaterThanOrEqual(40);
  for (const ms of ['0.2', '2', '20'])
    expect(attackMutants.some(({ name }) => name.endsWith(`, ${ms} ms`))).toBe(true);
  expect(correctServers.length).toBeGreaterThan(5);
});

test('a proof holds where all are found and nobody is accused', () => {
  const held = { mutants: 2, found: 2, correct: 1, accused: [], unproven: [], guards: [], rows: [] };
  expect(attacksHold(held)).toBe(true);
  expect(attacksHold({ ...held, found: 1 })).toBe(false);
  expect(attacksHold({ ...held, accused: ['races/code'] })).toBe(false);
  expect(attacksHold({ ...held, unproven: ['races/code'] })).toBe(false);
  const guard = { server: 'a server', step: 'races/code', knows: 'something', unguarded: 'accuses' } as const;
  expect(attacksHold({ ...held, guards: [{ ...guard, needed: true }] })).toBe(true);
  const idle = { ...held, guards: [{ ...guard, needed: false }] };
  expect(attacksHold(idle)).toBe(false);
  expect(attackLines(idle).at(-1)).toBe('0 of 1 guards of attacks are needed');
});

test('README and docs/proof.md say how many there are', () => {
  const [readme, proof] = ['README.md', 'docs/proof.md'].map((path) =>
    readFileSync(join(root, path), 'utf8'),
  );
  const [mutants, correct] = [attackMutants.length, correctServers.length + 2];
  expect(readme).toContain(`| ${mutants} servers that lack a lock`);
  expect(readme).toContain(`| ${mutants} found by attacks; of ${correct} correct servers none accused |`);
  expect(proof).toContain(
    `${mutants} of ${mutants} attack mutants found · 0 of ${correct} correct servers accused`,
  );
  expect(proof).toContain(`${attackGuards.length} of ${attackGuards.length} guards of attacks are needed`);
});
