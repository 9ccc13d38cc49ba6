// Puts a value of ours into the loadout that a read shows, where a guessed loadout is not kept: the write most likely takes
// what its own read shows.
import { type Exchange, jsonValue } from '../../engine/http/exchange.ts';
import { entriesOf, isNested, isObject } from '../../engine/values/json-walk.ts';

/** Each costs a write. */
const mostPlaces = 4;
const deepest = 6;
const mostMembers = 100;

/**
 * The bodies that save this loadout of a character with the value in one of its places: one that holds a text, or nothing.
 * @returns none where the read shows no loadout of that character
 */
export function loadoutsWith(value: string, character: string, shown: Exchange): readonly string[] {
  const found = loadoutOf(jsonValue(shown), character, deepest);
  if (found === undefined) return [];
  const { named, key, loadout } = found;
  const places = entriesOf(loadout, mostMembers).filter(
    ([, held]) => held === null || typeof held === 'string',
  );
  return places
    .slice(0, mostPlaces)
    .map(([place]) => JSON.stringify({ [named]: character, [key]: { ...loadout, [place]: value } }));
}

interface Found {
  /** The members that name the character, and hold the loadout. */
  readonly named: string;
  readonly key: string;
  readonly loadout: object;
}

function loadoutOf(node: unknown, character: string, levels: number): Found | undefined {
  if (!isNested(node) || levels === 0) return undefined;
  const members = entriesOf(node, mostMembers);
  const [named] = members.find(([, member]) => member === character) ?? [];
  const [key, loadout] = members.find(([name, member]) => /loadout/i.test(name) && isObject(member)) ?? [];
  if (named !== undefined && key !== undefined && isNested(loadout) && !Array.isArray(loadout))
    return { named, key, loadout };
  for (const [, member] of members) {
    const found = loadoutOf(member, character, levels - 1);
    if (found) return found;
  }
  return undefined;
}
