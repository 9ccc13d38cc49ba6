// Finds a player's own id and names in a login's answer.
import { isNested, leavesOf } from '../values/json-walk.ts';
import { letters } from '../values/text.ts';

/** A longer text does not fit into a path. */
const longest = 1_024;
/** Names of a player's own id, the surest first: `player_id` is one, and so is the `id` of a `player`. */
const names = ['playerid', 'userid', 'accountid', 'profileid', 'uid', 'pid'];
/** Names of objects that hold the whole answer or its player; the `id` of any other object is not the player's. */
export const holdsOne =
  /^(data|result|response|payload|body|content|value|me|self|player|user|account|profile)?$/i;

/** The id found in each answer, kept since many candidate credentials of one answer ask for it. */
const found = new WeakMap<object, { readonly id: string | undefined }>();

/** The player's id in a login's answer; the shallowest where there are several, undefined where there is none. */
export function playerIdIn(value: unknown): string | undefined {
  if (!isNested(value)) return find(value);
  const known = found.get(value) ?? { id: find(value) };
  found.set(value, known);
  return known.id;
}

function find(value: unknown): string | undefined {
  const leaves = leavesOf(value)
    .filter(
      (leaf) =>
        typeof leaf.value === 'number' ||
        (typeof leaf.value === 'string' && leaf.value !== '' && leaf.value.length <= longest),
    )
    .map((leaf) => ({ ...leaf, holder: leaf.pointer.split('/').at(-2) ?? '' }));
  for (const name of names) {
    const leaf = leaves.find((each) => [each.name, each.holder + each.name].map(letters).includes(name));
    if (leaf) return String(leaf.value);
  }
  const ids = leaves.filter((each) => letters(each.name) === 'id');
  // A session, a device and a region have ids as well.
  const id = ids.find(({ holder }) => holdsOne.test(holder)) ?? (ids.length === 1 ? ids[0] : undefined);
  return id && !isOfCredential.test(id.holder) ? String(id.value) : undefined;
}

const isOfCredential = /session|token|ticket|auth|credential|login|device|client|request/i;

const isOwnName =
  /(?:^|\/)(?:(?:player|user|account|display|screen|gamer|full|nick)[_-]?)+(?:name|tag|id)$|^(?:.*\/)?(?:(?:player|user|account|profile|me|data|result)\/)?(?:nick|handle|name)$/i;
const shortestName = 3;
const mostNames = 8;

/** The names of the player in a login's answer. */
export function playerNamesIn(value: unknown): string[] {
  const found = leavesOf(value).flatMap((leaf) =>
    isOwnName.test(leaf.pointer) &&
    typeof leaf.value === 'string' &&
    leaf.value.length >= shortestName &&
    leaf.value.length <= longest
      ? [leaf.value]
      : [],
  );
  return [...new Set(found)].slice(0, mostNames);
}
