// Finds where a JSON value holds an identifier. Pure: Node searches once before the load, k6 where Node found none.

const letters = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');
const mostLooked = 500;
const mostMembers = 50;

const isIdentifying = (value: unknown): boolean =>
  (typeof value === 'string' && value !== '') || typeof value === 'number';
const pointerTo = (parent: string, key: string) =>
  `${parent}/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`;

/**
 * Where a JSON value holds the first identifier under one of these names, breadth first, as a JSON Pointer; bounded.
 * Letter case and what is no letter do not count, and `matchId` is the `id` of a `match` as well.
 */
export function findPointer(root: unknown, names: readonly string[]): string | undefined {
  for (const name of names) {
    const found = search(root, letters(name));
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Open {
  readonly item: unknown;
  readonly at: string;
  readonly key: string;
}

function search(root: unknown, name: string): string | undefined {
  const open: Open[] = [{ item: root, at: '', key: '' }];
  for (let looked = 0; looked < open.length && looked < mostLooked; looked += 1) {
    const { item, at, key: parent } = open[looked] as Open;
    if (item === null || typeof item !== 'object') continue;
    const members = Object.entries(item).slice(0, mostMembers);
    const found = members.find(
      ([key, value]) => isIdentifying(value) && (letters(key) === name || letters(parent + key) === name),
    );
    if (found) return pointerTo(at, found[0]);
    for (const [key, value] of members) open.push({ item: value, at: pointerTo(at, key), key });
  }
  return undefined;
}
