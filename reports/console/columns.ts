// Fitting text into terminal columns.

/** East Asian wide characters and emoji take two columns; marks count as one, so that a heap of them is cut too. */
const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}|[\u{20000}-\u{3FFFD}]/u;

/** Columns a text takes on a terminal. */
export function columns(text: string): number {
  let sum = 0;
  for (const character of text) sum += wide.test(character) ? 2 : 1;
  return sum;
}

/** The text, or as much of it as fits into `width` columns with an ellipsis as the last. */
export function cut(text: string, width: number): string {
  const fits = head(text, width);
  return fits.length === text.length ? text : `${head(text, width - 1).trimEnd()}…`;
}

/** The text on at most `lines` lines of `width` columns, broken at spaces where there are any; the rest is cut. */
export function wrap(text: string, width: number, lines: number): string[] {
  const fits = head(text, width);
  if (lines <= 1 || fits.length === text.length) return [cut(text, width)];
  const space = text.lastIndexOf(' ', fits.length);
  const end = space > fits.length / 2 ? space : fits.length;
  return [text.slice(0, end), ...wrap(text.slice(end).trimStart(), width, lines - 1)];
}

function head(text: string, width: number): string {
  let taken = 0;
  let end = 0;
  for (const character of text) {
    taken += wide.test(character) ? 2 : 1;
    if (taken > width) break;
    end += character.length;
  }
  return text.slice(0, end);
}
