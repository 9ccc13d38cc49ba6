// Chooses the player that makes each call. Players that read change nothing, and each operation that changes something has
// its own player, so no answer depends on other checks.
import type { Operation } from '../../catalog/operation.ts';
import type { ControlKind } from '../compare/controls.ts';
import { type Ask, type Caller, own } from '../http/ask.ts';
import type { Players } from '../players/players.ts';
import { once } from '../values/once.ts';

interface CallersOptions {
  readonly players: Pick<Players, 'areFew' | 'ownOf' | 'hasRoom'> | undefined;
  /** Returns whether the operation needs a change first: a party made, a match created. */
  readonly needsChange: (operation: Operation) => boolean;
}

const main = 'main';
/** The player for reads whose data must not change meanwhile. */
export const reader = 'reader';

export function createCallers({ players, needsChange }: CallersOptions) {
  /** The player who makes the operation's plain call. Calls that end a session or a party that others need have their own player. */
  const plain = once(async (operation: Operation): Promise<Caller> => {
    if (operation.ends === 'session') return 'session-ender';
    // Where scenarios borrow the others, the first player alone asks.
    if (operation.ends === 'party') return players?.areFew ? main : operation.id;
    const changes = operation.effect !== 'read' || needsChange(operation);
    const isOwn = changes && operation.host === 'base' && (await players?.ownOf(operation.id));
    return isOwn ? operation.id : main;
  });

  return {
    /** The player who makes this call, by the name that the player has in this run. */
    async of(operation: Operation, { as }: Ask = {}): Promise<Caller> {
      if (as === undefined || as === own) return plain(operation);
      // Where every operation has its own caller, no other call of this run touches what that one reads.
      return as === reader && (await players?.hasRoom()) ? plain(operation) : as;
    },
    /**
     * The player who asks a control of an operation: one for all operations that change something, so that they share it, but for paths that
     * name what an operation's own caller has. @param unknown parameters that name nothing
     */
    ofControl: (
      { id, ends, identifiers }: Operation,
      kind: ControlKind,
      caller: Caller,
      unknown: readonly string[],
    ): Caller => {
      const isOwn = caller === id && ends === undefined;
      const isNamed = kind !== 'root' && Object.keys(identifiers).some((name) => !unknown.includes(name));
      return isOwn && !isNamed ? main : caller;
    },
  };
}
