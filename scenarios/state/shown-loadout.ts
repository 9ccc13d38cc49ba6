// Makes the bodies of a write from the loadout that a read shows, for a target that does not keep a guessed loadout:
// the write most likely takes what its read shows.
import { type Exchange, jsonValue } from '../../engine/http/exchange.ts';
import { type Form, formOf } from '../../engine/players/body-template.ts';
import type { Json } from '../../engine/target/profile-validation.ts';
import { entriesOf, isNested, isObject } from '../../engine/values/json-walk.ts';

/** Most bodies that are tried: each costs a write. */
const mostBodies = 4;
/** Levels of the answer in which the loadout is looked for. */
const deepest = 6;
const mostMembers = 100;

/**
 * Returns the bodies that save the shown loadout of a character: with the loadout as one field, and with its fields
 * beside the name of the character. Each has `{{characterName}}`, and `{{value}}` in place of another field that holds
 * a text or null, since only such a field may have room for the value.
 * @returns none where the read shows no loadout of that character
 */
export function loadoutForms(character: string, shown: Exchange): readonly Form[] {
  const found = findLoadout(jsonValue(shown), character, deepest);
  if (found === undefined) return [];
  const { characterKey, loadoutKey, loadout } = found;
  const replaceable = entriesOf(loadout, mostMembers).filter(
    ([, member]) => member === null || typeof member === 'string',
  );
  const bodies = replaceable.flatMap(([name]) => {
    const filled = { ...loadout, [name]: '{{value}}' };
    const named = { [characterKey]: '{{characterName}}' };
    return [
      { ...named, [loadoutKey]: filled },
      { ...named, ...filled },
    ];
  });
  return bodies.slice(0, mostBodies).map((body) => formOf(body as Json, 'read'));
}

interface ShownLoadout {
  /** The name of the field that names the character. */
  readonly characterKey: string;
  /** The name of the field that holds the loadout, in the same object. */
  readonly loadoutKey: string;
  readonly loadout: object;
}

function findLoadout(node: unknown, character: string, levels: number): ShownLoadout | undefined {
  if (!isNested(node) || levels === 0) return undefined;
  const members = entriesOf(node, mostMembers);
  const [characterKey] = members.find(([, member]) => member === character) ?? [];
  const [loadoutKey, loadout] =
    members.find(([name, member]) => /loadout/i.test(name) && isObject(member)) ?? [];
  if (characterKey !== undefined && loadoutKey !== undefined && isNested(loadout) && !Array.isArray(loadout))
    return { characterKey, loadoutKey, loadout };
  for (const [, member] of members) {
    const found = findLoadout(member, character, levels - 1);
    if (found) return found;
  }
  return undefined;
}
