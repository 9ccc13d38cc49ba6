import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Suite } from '../../engine/probe/check.ts';
import { attacks, everySuite, scenarios, suites } from './suites.ts';

/** What the files of a folder hold, in name order. */
async function suitesIn(folder: string): Promise<Suite[]> {
  const at = new URL(`../../${folder}/`, import.meta.url);
  const names = readdirSync(at, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map(({ name }) => name)
    .sort();
  const modules = await Promise.all(names.map((name) => import(new URL(name, at).href)));
  return modules.map((module: { default: Suite }) => module.default);
}

const isSame = (some: readonly Suite[], others: readonly Suite[]) =>
  some.length === others.length && some.every((suite, at) => suite === others[at]);

test('the index names every scenario and suite there is, in the order of a run', async () => {
  const [flows, areas] = [await suitesIn('scenarios'), await suitesIn('suites')];
  expect(flows.length * areas.length).toBeGreaterThan(0);
  const peaceful = flows.filter((each) => !attacks.includes(each));
  expect(isSame(scenarios, peaceful)).toBe(true);
  expect(isSame(suites, [...peaceful, ...areas])).toBe(true);
  expect(isSame(everySuite, [...suites, ...flows.filter((each) => attacks.includes(each))])).toBe(true);
});
