// Unrouted paths that an operation is compared with: the controls of docs/how-it-decides.md.
import { type Operation, placeholders } from '../../catalog/operation.ts';
import { isHole, rowMatching, segmentsOf } from '../../catalog/path-templates.ts';
import { keepsSlashes } from '../../catalog/request-path.ts';

/** `name N`: the Nth segment from the end has a name that cannot exist, the others are the operation's own. */
export type ControlKind = 'sibling' | 'tail' | 'root' | `name ${number}`;

/** A shorter name has a control of another length, or random letters might hit a name that exists. */
const shortest = 4;

/** Random letters of the same length and class (upper, lower, digit), from a seeded source of [0, 1). */
export function scramble(text: string, random: () => number): string {
  const pick = (letters: string) => letters[Math.floor(random() * letters.length)] ?? 'x';
  const made = text.replace(/[A-Za-z]/g, (letter) =>
    letter >= 'a' ? pick('bcdfghjklmnpqrstvwxz') : pick('BCDFGHJKLMNPQRSTVWXZ'),
  );
  return made === text ? `${made}${pick('bcdfgh')}xq` : made;
}

/** Letters that hardly any name or code of a language is made of. */
const rare = 'qxjzvw';

/**
 * A name of the same class that cannot exist, for a route that takes names of a pattern alone. Letters are random, or
 * rare ones where they are few; digits go on, since a number next to one that exists may exist too.
 * @param nth tells names apart that have too few letters to differ by chance
 */
export function noSuchName(name: string, random: () => number, nth: number): string {
  if (name.length >= shortest && /[A-Za-z]{3}/.test(name)) return scramble(name, random);
  const letters = [...name].map((char, at) => {
    if (!/[A-Za-z]/.test(char)) return char;
    const letter = rare[(nth + at * 2) % rare.length] ?? 'q';
    return char >= 'a' ? letter : letter.toUpperCase();
  });
  const digits = /\d/.test(name) ? String(Math.floor(random() * 900_000) + 100_000) : '';
  return letters.join('') + digits;
}

/** A version of the same form that cannot exist: for a target that accepts any text of that form. */
export function noSuchVersion(version: string, random: () => number): string {
  const made = version.replace(/\d+/g, () => String(Math.floor(random() * 9_000) + 1_000));
  return made === version ? scramble(version, random) : made;
}

/**
 * Where a client-data file needs names that cannot exist besides its sibling: a file is there by its content, and a
 * route may take any name in one place of the path alone. Versions in a path are no names, and the first folder is
 * the store's own.
 */
export function nameControls(operation: Operation): readonly ControlKind[] {
  if (operation.host !== 'cdn') return [];
  const file = segmentsOf(operation).slice(firstOfFile);
  return file.toReversed().flatMap((segment, fromEnd): ControlKind[] => {
    const isFolder = fromEnd > 0;
    if (isFolder && (fromEnd === file.length - 1 || /^v\d+$/.test(segment))) return [];
    const isSibling = !isFolder && !isHole(segment) && splitSuffix(segment)[0].length >= shortest;
    return isSibling ? [] : [`name ${fromEnd}`];
  });
}

/** `/clientData/{root}/content/{version}/` */
const firstOfFile = 5;

const splitSuffix = (segment: string) => {
  const dot = segment.lastIndexOf('.');
  return dot > 0 ? ([segment.slice(0, dot), segment.slice(dot)] as const) : ([segment, ''] as const);
};

/**
 * The path (no query) of one control of an operation, and a key that operations sharing the control have in common.
 * @param path the operation's own path, expanded
 * @param nth which of several controls of a kind it is
 */
export function controlPath(
  kind: ControlKind,
  operation: Operation,
  path: string,
  random: () => number,
  nth = 1,
): { readonly path: string; readonly key: string } {
  const segments = path.split('/');
  const [, suffix] = splitSuffix(segments.at(-1) ?? '');
  const letters = scramble('unrouted', random);
  if (kind === 'root') return { path: `/${letters}${suffix}`, key: `/*${suffix}` };
  if (kind === 'tail') return { path: `${path}/${letters}${suffix}`, key: `${path}/*${suffix}` };
  const fromEnd = /^name (\d+)$/.exec(kind)?.[1];
  const at =
    fromEnd === undefined
      ? mutableSegment(operation, segments, random)
      : segments.length - 1 - Number(fromEnd);
  const [stem, ending] = splitSuffix(segments[at] ?? '');
  const put = (middle: string) => [...segments.slice(0, at), middle, ...segments.slice(at + 1)].join('/');
  if (fromEnd !== undefined)
    // Of a name in percent-encoding no letter may be changed by itself.
    return {
      path: put(noSuchName(stem.includes('%') ? 'unrouted' : stem, random, nth) + ending),
      key: put(`~${ending}`),
    };
  return {
    path: put(scramble(stem.length < shortest ? 'unrouted' : stem, random) + ending),
    key: put(`*${ending}`),
  };
}

/** The last segment without a parameter whose replacement no other operation's template matches. */
function mutableSegment(operation: Operation, segments: readonly string[], random: () => number): number {
  const literal = literalSegments(operation, segments);
  for (let at = segments.length - 1; at > 0; at -= 1) {
    if (!literal.has(at)) continue;
    const mutated = [...segments.slice(0, at), scramble('unrouted', random), ...segments.slice(at + 1)];
    if (rowMatching(operation, mutated) === undefined) return at;
  }
  return segments.length - 1;
}

/** Which segments of the expanded path are the template's own; a folder or a news file may span several. */
function literalSegments(operation: Operation, segments: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>();
  const template = segmentsOf(operation);
  let at = 0;
  for (const [index, part] of template.entries()) {
    if (!isHole(part)) {
      found.add(at);
      at += 1;
    } else if (placeholders(part).some((name) => keepsSlashes.has(name))) {
      const next = template[index + 1];
      at = next === undefined ? segments.length : Math.max(at + 1, segments.indexOf(next, at + 1));
    } else at += 1;
  }
  return found;
}
