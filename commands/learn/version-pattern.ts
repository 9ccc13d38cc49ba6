// Finds the pattern under which a target serves its versions, where it was not given: a version that is known names it.
import { catalog } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { noSuchVersion } from '../../engine/compare/controls.ts';
import { type Put, standsOutFrom } from '../../engine/preflight/ask-target.ts';
import { type Target, withSegments } from '../../engine/target/target.ts';
import { randomFrom } from '../../engine/values/random.ts';

/** The whole version, then what is left of it without its last part: `7.2.0_1`, `7.2.0`, `7.2`, `7`. */
export function patternsOf(version: string): string[] {
  const shorter = /^(.*[^._+-])[._+-]+[^._+-]+$/.exec(version)?.[1];
  return shorter === undefined ? [version] : [version, ...patternsOf(shorter)];
}

/** Calls whose path or query holds the pattern. */
const isAddressedByIt = ({ path, query }: Operation) =>
  [path, ...Object.values(query)].some((text) => text.includes('{versionPattern}'));

/**
 * The target with the pattern that all its calls which hold one are answered with success for, and not for another that
 * cannot exist; as it is where no pattern does so, or where one was given.
 * @param isMeant whether an operation is asked at all
 */
export async function withVersionPattern(
  target: Target,
  put: Put,
  isMeant: (operation: Operation) => boolean,
): Promise<Target> {
  const { given, ambient } = target;
  const rows = catalog.filter((operation) => isAddressedByIt(operation) && isMeant(operation));
  if (given.includes('versionPattern') || !given.includes('gameVersion') || rows.length === 0) return target;
  for (const versionPattern of patternsOf(ambient.gameVersion)) {
    const shown = await Promise.all(rows.map((operation) => isServed(operation, versionPattern)));
    if (shown.every(Boolean)) return withSegments(target, { versionPattern });
  }
  return target;

  async function isServed(operation: Operation, versionPattern: string): Promise<boolean> {
    const random = randomFrom(target.seed, target.runId, 'pattern', operation.id);
    const askFor = (pattern: string) => put(operation, { params: { ...ambient, versionPattern: pattern } });
    const unknown = () => askFor(noSuchVersion(versionPattern, random));
    return standsOutFrom(await askFor(versionPattern), await unknown(), unknown);
  }
}
