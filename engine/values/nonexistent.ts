// Makes names, ids and versions that nothing has, of the form of those that exist.

/** Characters; random letters in place of a shorter name might be a name that exists. */
export const shortestName = 4;

/** Random letters of the same length and class (upper, lower, digit), from a seeded source of [0, 1). */
export function scramble(text: string, random: () => number): string {
  const pick = (letters: string) => letters[Math.floor(random() * letters.length)] ?? 'x';
  const made = text.replace(/[A-Za-z]/g, (letter) =>
    letter >= 'a' ? pick('bcdfghjklmnpqrstvwxz') : pick('BCDFGHJKLMNPQRSTVWXZ'),
  );
  return made === text ? `${made}${pick('bcdfgh')}xq` : made;
}

/** Letters that are rare in names and in language codes. */
const rare = 'qxjzvw';

/**
 * A name of the same form that cannot exist, for a route that takes only names of one form. Its letters are random, or
 * rare ones in a short name; digits are added to a number, since a number next to an existing one may exist too.
 * @param nth tells names apart that have too few letters to differ by chance
 */
export function noSuchName(name: string, random: () => number, nth: number): string {
  if (name.length >= shortestName && /[A-Za-z]{3}/.test(name)) return scramble(name, random);
  const letters = [...name].map((char, at) => {
    if (!/[A-Za-z]/.test(char)) return char;
    const letter = rare[(nth + at * 2) % rare.length] ?? 'q';
    return char >= 'a' ? letter : letter.toUpperCase();
  });
  const digits = /\d/.test(name) ? String(Math.floor(random() * 900_000) + 100_000) : '';
  return letters.join('') + digits;
}

/**
 * An id of the same form that hardly anything has: each of its last letters and digits is replaced by the next one. A
 * short number gets longer, since the next numbers may be taken.
 */
export const noSuchId = (id: string): string =>
  /(?:^|[^a-z\d])\d{1,8}$/i.test(id)
    ? id.replace(/\d+$/, (count) => `9${count.padStart(8, '0')}`)
    : id.replace(/[a-z0-9]{1,6}(?=[^a-z0-9]*$)/i, (end) =>
        end.replace(/[0-9a-z]/gi, (each) =>
          /[9f-zF-Z]/.test(each) ? '1' : String.fromCharCode(each.charCodeAt(0) + 1),
        ),
      );

/** A version of the same form that cannot exist: for a target that accepts any text of that form. */
export function noSuchVersion(version: string, random: () => number): string {
  const made = version.replace(/\d+/g, () => String(Math.floor(random() * 9_000) + 1_000));
  return made === version ? scramble(version, random) : made;
}
