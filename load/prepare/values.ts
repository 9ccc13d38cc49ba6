// What the parameters of a call and the placeholders of its body stand for.
import type { Operation } from '../../fixtures/catalog/operation.ts';
import { chosen } from '../../fixtures/check/evidence/parameters.ts';
import type { Target } from '../../fixtures/target/target.ts';
import type { Person } from '../k6/plan.ts';

/** Names whose value another iteration has another of. */
export const ofEachIteration: readonly string[] = [
  'now',
  'unique',
  'value',
  'token',
  'playerId',
  'friendId',
  'providerPlayerName',
  'player.id',
  'player.name',
  'other.id',
  'other.name',
];

/** Values that are the same for everybody: the profile's for this row, then for all, then free choices. */
export function sharedValues({ id }: Operation, target: Target): Readonly<Record<string, string>> {
  return {
    ...chosen,
    ...target.ambient,
    ...target.parameters,
    ...target.profile?.operations[id]?.parameters,
  };
}

export interface Roles {
  readonly as: number;
  readonly other: number;
  readonly about: number;
}

/** Values of one iteration: of the rehearsal. Absent where nobody knows. */
export function ownValues(
  cast: readonly Person[],
  { as, other, about }: Roles,
  given: Readonly<Record<string, string>>,
  runId: string,
): Readonly<Record<string, string | undefined>> {
  const of = (nth: number, name: string) => cast[nth]?.values[name];
  return {
    now: new Date().toISOString(),
    unique: `assay-${runId}`,
    value: `assay-${runId}`,
    token: of(as, 'token'),
    playerId: of(about, 'player.id'),
    friendId: of(other, 'player.id'),
    providerPlayerName: `Assay${runId}`,
    'player.id': of(as, 'player.id'),
    'player.name': of(as, 'player.name'),
    'other.id': of(other, 'player.id'),
    'other.name': of(other, 'player.name'),
    ...given,
  };
}
