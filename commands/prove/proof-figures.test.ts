// README and docs/proof.md say how many conforming variants, pairs, guards and hostile servers there are: as many as in
// the code. How many mutants there are is counted where all of them are asked (prove.test.ts).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../engine/files.ts';
import { blindServers } from '../../fixtures/blind/servers.ts';
import { variants } from '../../fixtures/conforming-variants/all.ts';
import { hostiles } from '../../fixtures/hostile/all.ts';
import { coveringRows, excluded } from './conforming/judge.ts';
import { conformingSummary, mostAtOnce } from './conforming/prove.ts';
import { guards } from './guards.ts';

const text = (path: string) => readFileSync(join(root, path), 'utf8');
const [proof, readme] = [text('docs/proof.md'), text('README.md')];
const lineWith = (document: string, words: string) =>
  document.split('\n').find((line) => line.includes(words));
/** The cells of the operations of the proof's table below a heading. */
const rowsBelow = (heading: string) =>
  (proof.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.slice(2, -2).split(' | '));

const { rows, pairs } = coveringRows(variants, excluded, '1', mostAtOnce.whole);
const besides = (name: string) => {
  const beside = new Set(rows.filter((row) => row.some((each) => each.name === name)).flat());
  return beside.size - 1;
};

test('the conforming choices, and their pairs', () => {
  expect(lineWith(proof, ' conforming variants, ')).toBe(
    conformingSummary({ variants: variants.length, pairs, accused: 0 }),
  );
  expect(lineWith(readme, ' conforming variants, each')).toContain(
    `| ${variants.length} conforming variants, each alone and in all ${pairs.toLocaleString('en')} pairs | none accused;`,
  );
  const knows = new Map(guards.map(({ variant, knows }) => [variant, knows]));
  expect(rowsBelow('Conforming variants').map(([name, guard, , , beside]) => [name, guard, beside])).toEqual(
    variants.map(({ name }) => [name, knows.get(name) ?? '–', `right with ${besides(name)}`]),
  );
});

test('the guards that were taken away', () => {
  expect(lineWith(readme, ' guards against ')).toContain(
    `; each of ${guards.length} guards against a false accusation is needed |`,
  );
  const guarded = new Set(guards.map(({ variant }) => variant));
  const accused = rowsBelow('Conforming variants').filter(([, , without = '']) =>
    /^\d+ accuse$/.test(without),
  );
  expect(accused.map(([name]) => name)).toEqual(
    variants.map(({ name }) => name).filter((name) => guarded.has(name)),
  );
});

test('the bugs of servers that were written blind, at their first score', () => {
  const ids = blindServers.flatMap(({ name, mutants }) => mutants.map((mutant) => `${name} ${mutant.name}`));
  const names = new Set(blindServers.map(({ name }) => name));
  const scored = rowsBelow('Blind servers').filter(([server = '']) => names.has(server));
  expect(scored.map(([server, bug = '']) => `${server} ${bug.replace(' *', '')}`).sort()).toEqual(ids.sort());
});

test('the bugs that a run finds, at the first score and at the last', () => {
  const found = (heading: string) =>
    rowsBelow(heading)
      .filter(([part]) => part === 'all')
      .map(([, , bugs, failed, warned, changed, silent]) => {
        const sum = Number(failed) + Number(warned) + Number(changed);
        expect(sum + Number(silent)).toBe(Number(bugs));
        return sum;
      });
  const [bare, profile, baseline] = found('Blind servers, scored again');
  const row = lineWith(readme, ' realistic bugs in four servers ');
  expect(row).toContain(
    `a bare run finds ${bare}, one with the server's profile ${profile}, one with profile and baseline ${baseline} (`,
  );
  expect(row).toContain(`): ${found('Blind servers').join(', ')}) |`);
});

test('the hostile servers', () => {
  expect(lineWith(readme, ' hostile servers |')).toContain(
    `| ${hostiles.length} hostile servers | all promises kept |`,
  );
  expect(rowsBelow('Hostile servers').map((cells) => [cells[0], cells.at(-1)])).toEqual(
    hostiles.map(({ name }) => [name, 'all kept']),
  );
});
