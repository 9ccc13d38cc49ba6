import { isIdentifying } from '../../fixtures/check/evidence/parameters.ts';
import { pointerTo } from '../../fixtures/target/json-pointer.ts';

const letters = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');
const mostLooked = 500;
const mostMembers = 50;

/**
 * Where a JSON value holds the first identifier under one of these names, breadth first, as a JSON Pointer; bounded.
 * Letter case and what is no letter do not count.
 */
export function findPointer(root: unknown, names: readonly string[]): string | undefined {
  for (const name of names) {
    const found = search(root, letters(name));
    if (found !== undefined) return found;
  }
  return undefined;
}

function search(root: unknown, name: string): string | undefined {
  const open: { readonly item: unknown; readonly at: string }[] = [{ item: root, at: '' }];
  for (let looked = 0; looked < open.length && looked < mostLooked; looked += 1) {
    const { item, at } = open[looked] as (typeof open)[number];
    if (item === null || typeof item !== 'object') continue;
    const members = Object.entries(item).slice(0, mostMembers);
    const found = members.find(([key, value]) => letters(key) === name && isIdentifying(value));
    if (found) return pointerTo(at, found[0]);
    open.push(...members.map(([key, value]) => ({ item: value, at: pointerTo(at, key) })));
  }
  return undefined;
}
