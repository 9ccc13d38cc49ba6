import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../engine/files.ts';
import { isMissing } from '../../fixtures/kit/programs.ts';
import { attackMutants } from '../../fixtures/mutants/attacks/all.ts';
import { correctShops, racyShops, shopIsHere } from '../../fixtures/racy-shop/servers.ts';
import { attackGuards } from './attack-guards.ts';
import { attackLines, attackMarkdown, attacksHold, correctServers, proveAttacks } from './attacks.ts';

test('each attack finds a server that it is made for', { timeout: 400_000 }, async () => {
  // The last of a step has the widest window, which no busy machine misses.
  const widest = new Map(attackMutants.map(({ turns, name }) => [turns[0], name]));
  const { rows, accused } = await proveAttacks({ seed: '1', only: [...widest.values()] });
  expect(rows.length).toBeGreaterThanOrEqual(widest.size);
  expect(rows.flatMap(({ outcome, mutant }) => (outcome === 'killed' ? [] : [mutant]))).toEqual([]);
  expect(accused).toEqual([]);
});

test('with several seeds, nineteen of twenty are enough, and bursts at correct servers are counted', {
  timeout: 120_000,
}, async () => {
  const only = ['the locked server of races/gift', 'anybody ends a party'];
  const proof = await proveAttacks({ seed: '1', seeds: 2, only });
  expect(proof).toMatchObject({ mutants: 1, found: 1, seeds: 2, correct: 2, bursts: 12, accused: [] });
  expect(proof.rows.map(({ foundWith }) => foundWith)).toEqual([2]);
  // Before it may stand that one was asked again.
  expect(attackLines(proof).at(-1)).toBe(
    '1 of 1 attack mutants found, each with 19 of 20 seeds or more (2 were tried) · 0 of 2 correct servers accused in 12 bursts',
  );
  const rows = [{ ...(proof.rows[0] as (typeof proof.rows)[number]), foundWith: 1, missed: [] }];
  expect(attackLines({ ...proof, rows })[0]).toBe('anybody ends a party: found with 1 of 2 seeds');
  expect(attackMarkdown(proof).split('\n').at(-2)).toBe(
    '| anybody ends a party | party.delete does not ask whether the caller leads the party. | isolation/party-delete | 2 of 2 |',
  );
});

test('a shop in another language, and one of two workers, are found, and one with the right lock is not accused', {
  timeout: 120_000,
}, async () => {
  if (isMissing(shopIsHere() || undefined, 'install python3 to have its shop attacked')) return;
  const only = ['without a lock, 2 ms', 'each with a lock, 2 ms', 'a shop of two workers, 2 ms'];
  const proof = await proveAttacks({ seed: '1', only });
  // Before it may stand that one was asked again.
  expect(attackLines(proof).at(-1)).toBe(
    '2 of 2 attack mutants found · 0 of 1 correct servers accused in 12 bursts',
  );
});

test('there are at least 40 of them, in windows from 0.2 to 20 ms, and correct servers beside them', () => {
  expect(attackMutants.length).toBeGreaterThanOrEqual(40);
  for (const ms of ['0.2', '2', '20'])
    expect(attackMutants.some(({ name }) => name.endsWith(`, ${ms} ms`))).toBe(true);
  expect(correctServers.length).toBeGreaterThan(5);
});

test('a proof holds where all are found and nobody is accused', () => {
  const held = {
    mutants: 2,
    found: 2,
    seeds: 1,
    correct: 1,
    bursts: 3,
    accused: [],
    unproven: [],
    guards: [],
    leftOut: [],
    rows: [],
  };
  expect(attacksHold(held)).toBe(true);
  expect(attacksHold({ ...held, found: 1 })).toBe(false);
  expect(attacksHold({ ...held, accused: ['races/code'] })).toBe(false);
  expect(attacksHold({ ...held, unproven: ['races/code'] })).toBe(false);
  const guard = { server: 'a server', step: 'races/code', knows: 'something', unguarded: 'accuses' } as const;
  expect(attacksHold({ ...held, guards: [{ ...guard, needed: true, inVain: false }] })).toBe(true);
  const idle = { ...held, guards: [{ ...guard, needed: false, inVain: false }] };
  expect(attacksHold(idle)).toBe(false);
  expect(attackLines(idle).at(-1)).toBe('0 of 1 guards of attacks are needed');
  expect(attackLines({ ...held, leftOut: ['a shop'] })[0]).toMatch(/^LEFT OUT: a shop/);
});

test('README and docs/proof.md show one run of all of them', () => {
  const [readme = '', proof = ''] = ['README.md', 'docs/proof.md'].map((path) =>
    readFileSync(join(root, path), 'utf8'),
  );
  const all = [...attackMutants, ...racyShops];
  const correct = correctServers.length + correctShops.length + 2;
  const shown =
    /^(\d+) of (\d+) attack mutants found, each with 19 of 20 seeds or more \(20 were tried\) · 0 of (\d+) correct servers accused in (\d+) bursts$/m;
  const [found, of, tried, bursts = 0] = (shown.exec(proof) ?? []).slice(1).map(Number);
  expect([of, tried]).toEqual([all.length, correct]);
  expect(bursts).toBeGreaterThanOrEqual(2_000);
  expect(proof).toContain(`${attackGuards.length} of ${attackGuards.length} guards of attacks are needed`);
  expect(readme).toContain(`| ${all.length} servers that lack a lock`);
  expect(readme).toContain(
    `| ${found} found by attacks, each with 19 of 20 seeds or more; of ${correct} correct servers none accused in ${bursts.toLocaleString('en')} bursts |`,
  );
});
