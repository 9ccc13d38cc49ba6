// Reads the current version that a refused write states, and makes bodies with it.
import { answerLeaves, type Exchange, statusOf } from '../../http/exchange.ts';
import type { Json } from '../../target/profile-validation.ts';

const isConflict: ReadonlySet<number> = new Set([409, 412, 428]);

/** The version that the refusal of a write names; undefined where it names none, or several. */
export function statedVersion(refusal: Exchange): number | undefined {
  if (!isConflict.has(statusOf(refusal))) return undefined;
  const found = answerLeaves(refusal).flatMap(({ name, value }) => {
    if (typeof value === 'number') return /version/i.test(name) ? [value] : [];
    const inText =
      typeof value === 'string' ? /\bversion\b[^\d.;]{0,40}?\b(\d{1,9})\b/i.exec(value)?.[1] : undefined;
    return inText === undefined ? [] : [Number(inText)];
  });
  const [version, ...others] = new Set(found);
  return others.length === 0 ? version : undefined;
}

/** Whether a member of that name holds a version. */
export const namesVersion = (name: string): boolean => /^(?:state_?)?(?:version|revision|rev)$/i.test(name);

/**
 * The members with the version that the refusal names, and with the next one: some servers expect the version that a
 * write replaces, others the one that it makes. Empty where the refusal names none.
 */
export function atVersion(
  refusal: Exchange,
  members: Readonly<Record<string, Json>>,
): readonly Readonly<Record<string, Json>>[] {
  const stands = statedVersion(refusal);
  if (stands === undefined) return [];
  const name = Object.keys(members).find(namesVersion) ?? 'version';
  return [stands, stands + 1]
    .filter((version) => version !== members[name])
    .map((version) => ({ ...members, [name]: version }));
}
