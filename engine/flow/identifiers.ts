// Finds the identifier of what a call made in its answer: at the profile's pointer, by its name, or by proof.
import type { Operation } from '../../catalog/operation.ts';
import { type Exchange, json } from '../http/exchange.ts';
import { cannotTell } from '../judgement.ts';
import type { FlowContext } from '../probe/context.ts';
import { type Leaf, leavesOf, valueAt } from '../values/json-walk.ts';
import { letters } from '../values/text.ts';

/** Whether a value names the resource, asked of the target: a read with it is answered otherwise than one without. */
export type Proof = (candidate: string) => Promise<boolean>;

interface Sought {
  readonly operation: Operation;
  /** The parameter that will carry it: `partyId`. */
  readonly name: string;
  readonly proof: Proof | undefined;
  readonly flows: Pick<FlowContext, 'pointer'>;
}

const mostProofs = 8;

export async function identify(from: Exchange, { operation, name, proof, flows }: Sought): Promise<string> {
  const parsed = from.response && json(from.response);
  if (!parsed?.ok)
    throw cannotTell(
      'unknown-resource',
      `the answer of ${operation.id} is no JSON that could tell its ${name}`,
      from,
    );
  const pointer = flows.pointer(operation, name);
  if (pointer !== undefined) {
    const stated = valueAt(parsed.value, pointer);
    if (isShortId(stated)) return String(stated);
    throw cannotTell(
      'unknown-resource',
      `the profile looks for ${name} at ${pointer || 'the root'}, and nothing like it is there`,
      from,
    );
  }
  const leaves = leavesOf(parsed.value).filter(({ value }) => isShortId(value));
  const named = leaves.find((leaf) => isNamed(leaf, name));
  if (named) return String(named.value);
  const candidates = ranked(leaves, name);
  if (proof === undefined && candidates[0]?.rank === 0) return candidates[0].value;
  for (const { value } of proof ? candidates.slice(0, mostProofs) : []) {
    if (await proof?.(value)) return value;
  }
  throw cannotTell(
    'unknown-resource',
    `nothing in the answer of ${operation.id} proved to be its ${name}`,
    from,
  );
}

/** Whether a leaf has the sought name: for `matchId` also `match_id`, and the `id` of a `match`. */
function isNamed({ name, pointer }: Leaf, sought: string): boolean {
  const [last = '', before = ''] = pointer.split('/').toReversed();
  return [name, before + last].some((spelling) => letters(spelling) === letters(sought));
}

/** Whether a value may be an identifier. */
export const isIdentifier = (value: unknown): value is string | number =>
  (typeof value === 'string' && value !== '') || Number.isSafeInteger(value);
const isShortId = (value: unknown): value is string | number =>
  isIdentifier(value) && String(value).length <= 256;

/** Names that end like the sought one come first (`id`, `party_id`, `key` of `partyId`), then the rest in order. */
function ranked(leaves: readonly { name: string; value: unknown }[], name: string) {
  const kind = /([A-Z][a-z]+)$/.exec(name)?.[1]?.toLowerCase() ?? name;
  const stem = name.slice(0, name.length - kind.length).toLowerCase();
  const rankOf = (leaf: string) => {
    const plain = letters(leaf);
    if (plain === kind || plain === stem + kind) return 0;
    return plain.endsWith(kind) || plain === stem ? 1 : 2;
  };
  return leaves
    .map((leaf) => ({ value: String(leaf.value), rank: rankOf(leaf.name) }))
    .sort((a, b) => a.rank - b.rank);
}
