// Makes text safe and short for a message, puts counts, shares and times into words, and matches and compares names.

const longest = 80;

/** A setting's value for a message: in quotes, control characters escaped, cut to 80 characters. */
export function quoted(value: string): string {
  return `"${printable(cut(value, longest))}"`;
}

/** At most that many characters, the last one … where something was left out. */
export const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1)}…`;

/** A character as JSON and JavaScript escape it: `\u2028`. */
export const unicodeEscape = (char: string): string =>
  `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The text on one line, with control characters and characters that reorder text escaped. */
export const printable = (text: string): string =>
  text.toWellFormed().replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, unicodeEscape);

/**
 * The content of a character class (flag u) that matches characters that reorder or hide text (bidi marks and
 * overrides, zero-width and tag characters, line separators) and lone surrogates.
 */
export const steering = String.raw`\p{Cs}\p{Zl}\p{Zp}\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}`;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text escaped for HTML, for use in an element or in a quoted attribute. */
export const escapedHtml = (text: string): string =>
  /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (character) => entities[character] ?? character) : text;

/** A whole number with commas between thousands: `2,143`. */
export const whole = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** `1 check`, `2,143 checks`, `2 entries`. @param thing in the singular */
export const counted = (count: number, thing: string): string =>
  `${whole(count)} ${count === 1 ? thing : plural(thing)}`;

/** @param thing a noun that forms its plural by rule */
export const plural = (thing: string): string => thing.replace(/([^aeiou])y$/, '$1ie').concat('s');

// Globs over ids and names: `*` matches any text, `?` one character, every other character itself.

/** Whether the whole text matches. Takes time in proportion to the product of both lengths at most. */
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
      // The last star matches one character more.
      afterStar += 1;
      at = afterStar;
      inGlob = star + 1;
    } else return false;
  }
  return /^\**$/.test(glob.slice(inGlob));
}

/**
 * At most `n` candidates that a mistyped word may mean, closest first; equally close ones keep their order. A candidate
 * shares most letters with the word, or has it as a part of its name, since a farther one would mislead. Distance is
 * the number of letters inserted, deleted, changed or swapped with a neighbour; letter case does not count.
 */
export function nearest(word: string, candidates: Iterable<string>, n: number): string[] {
  const sought = word.slice(0, longestWord).toLowerCase();
  return Array.from(candidates, (candidate) => {
    const known = candidate.slice(0, longestWord).toLowerCase();
    return { candidate, known, ...nearestPart(sought, known) };
  })
    .filter(({ known, far, length }) => far <= Math.max(sought.length, length) / 3 || holds(known, sought))
    .sort((a, b) => a.far - b.far || b.length / b.known.length - a.length / a.known.length)
    .slice(0, n)
    .map(({ candidate }) => candidate);
}

/** `; did you mean "party", "parry"?`, or nothing where nothing is near. */
export const didYouMean = (word: string, candidates: Iterable<string>, n = 1): string =>
  perhapsOneOf(nearest(word, candidates, n));

/** The same text as `didYouMean`, for names that are found already. */
export const perhapsOneOf = (near: readonly string[]): string =>
  near.length === 0 ? '' : `; did you mean ${near.map(quoted).join(', ')}?`;

/**
 * The distance to the nearest of: the candidate, its beginnings up to a hyphen (`party/lefft` is near `party/left` of
 * `party/left-view`), and its last part (`left-veiw` is near that of `party/left-view`); with the length of that text.
 */
function nearestPart(sought: string, known: string): { readonly far: number; readonly length: number } {
  const ends = Array.from(known.matchAll(/-/g), ({ index }) => index);
  const last = /[/.#]([^/.#]+)$/.exec(known)?.[1];
  return [known, ...ends.map((end) => known.slice(0, end)), ...(last === undefined ? [] : [last])]
    .map((part) => ({ far: distance(sought, part), length: part.length }))
    .reduce((best, each) => (each.far < best.far ? each : best));
}

/** Whether the part is a word of the name, such as `addfriend` of `players.addfriend`. */
const holds = (name: string, part: string) => part.length > 2 && name.split(/[^a-z0-9]/).includes(part);

/** Characters of a word that are compared: nobody types longer words, and the cost grows with both lengths. */
const longestWord = 128;

/** Letters inserted, deleted, changed or swapped with a neighbour. */
export function distance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = at(above, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? at(before, j - 2) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(change, swap, at(above, j) + 1, at(row, j - 1) + 1));
    }
    before = above;
    above = row;
  }
  return at(above, b.length);
}

const at = (row: readonly number[], index: number) => row[index] as number;

/** A percent-encoded text; undefined where an escape is malformed. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** A pattern that matches this text alone; Node 22 has no RegExp.escape. */
export const literalPattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A share as `83 %`, rounded down, so that a share below a limit never looks like the limit. */
export const percent = (share: number): string => `${Math.floor(share * 100 + 1e-9)} %`;

/** A time to a tenth of a second (`2.4 s`, `3 s`), from ten seconds on to a second (`12 s`). */
export const inSeconds = (ms: number): string => `${+(ms / 1_000).toFixed(ms < 9_950 ? 1 : 0)} s`;

/** A measured figure with three digits, since further ones are not sure: `0.0123`, `12.3`, `1,230`. */
export const threeDigits = (value: number): string =>
  value.toLocaleString('en', { maximumSignificantDigits: 3 });

/** The letters of a name in lower case, to compare spellings: `party_id` is `partyId`. */
export const letters = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

/** A time as people read it: `2026-11-21 09:04 UTC`. @param iso as `Date.toISOString` writes it */
export const minuteOf = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

/** Type and subtype of a Content-Type in lower case, without parameters; empty where it names none. */
export const mediaTypeIn = (field = ''): string => (field.split(';', 1)[0] ?? '').trim().toLowerCase();

/** The query of a URL, decoded. */
export const queryOf = (url: string): URLSearchParams => new URLSearchParams(url.split('?', 2)[1] ?? '');
