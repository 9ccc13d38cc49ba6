// Names the call that a player makes before an operation, where it needs one: a party, a state that was set.
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';

const { party, players } = areas;

/** A call that goes before another. */
interface Preparation {
  readonly operation: Operation;
  /** Values of placeholders in its body, where they are not those of its plain call. */
  readonly fill?: Readonly<Record<string, string>>;
}

/** A state is there once it was set: by the check that makes the operation's plain call alone, so that others have another one. */
const setBefore: ReadonlyMap<Operation, Preparation> = new Map<Operation, Preparation>([
  [players.fullProfile, { operation: players.setBinaryState }],
  [players.challengeUIData, { operation: players.setState }],
  [players.newLoresUIData, { operation: players.setState, fill: { stateName: 'NewLoresUIData' } }],
  [players.seenNewsArticles, { operation: players.setState, fill: { stateName: 'SeenNewsArticles' } }],
  [players.seenStoreItems, { operation: players.setState, fill: { stateName: 'SeenStoreItems' } }],
]);

/**
 * The call that goes before an operation's own, by the same player: most operations of a party need one, whether they name it or not.
 * @param isPlain it is the player who makes the operation's plain call
 */
export function preparing(operation: Operation, isPlain: boolean): Preparation | undefined {
  if (operation.area === 'party' && operation !== party.create) return { operation: party.create };
  return isPlain ? setBefore.get(operation) : undefined;
}
