// Makes text safe for a message, and matches globs over ids and names.

const longest = 80;

/** A setting's value for a message: in quotes, control characters escaped, cut to 80 characters. */
export function quoted(value: string): string {
  const cut = value.length > longest ? `${value.slice(0, longest - 1)}…` : value;
  return `"${printable(cut)}"`;
}

/** The text on one line, with control characters and characters that reorder text escaped. */
const printable = (text: string): string =>
  text
    .toWellFormed()
    .replace(
      /[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );

// Globs over ids and names: `*` is any text, `?` one character, all else stands for itself.

/** Does the whole text match? Takes time in proportion to both lengths, whatever the glob. */
export function globMatches(glob: string, text: string): boolean {
  let [at, inGlob] = [0, 0];
  let [star, afterStar] = [-1, 0];
  while (at < text.length) {
    const wanted = glob[inGlob];
    if (wanted === '*') {
      star = inGlob;
      afterStar = at;
      inGlob += 1;
    } else if (wanted === '?' || wanted === text[at]) {
      at += 1;
      inGlob += 1;
    } else if (star >= 0) {
      // The last star takes one character more.
      afterStar += 1;
      at = afterStar;
      inGlob = star + 1;
    } else return false;
  }
  return /^\**$/.test(glob.slice(inGlob));
}
