// Writes words and commands for a POSIX shell, byte for byte.
/** A piece of a shell word: literal bytes, one character each, or text that the shell expands, such as `$NAME`. */
export type Piece = { readonly bytes: string } | { readonly expansion: string };

/** Text as one character per UTF-8 byte. */
export function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** One POSIX sh word. Bytes that cannot stand between quotes or survive a terminal go through printf. */
export function word(pieces: readonly Piece[]): string {
  const parts = joined(pieces).map((piece) => {
    if ('expansion' in piece) return `"${piece.expansion}"`;
    if (isPlain(piece.bytes)) return quote(piece.bytes);
    // The shell removes line ends at the end of a substitution.
    let end = piece.bytes.length;
    while (piece.bytes[end - 1] === '\n') end -= 1;
    const [rest, lineEnds] = [piece.bytes.slice(0, end), piece.bytes.slice(end)];
    return `"$(printf '${format(rest)}')"${lineEnds && quote(lineEnds)}`;
  });
  return parts.join('') || "''";
}

function joined(pieces: readonly Piece[]): Piece[] {
  const made: Piece[] = [];
  for (const piece of pieces) {
    const last = made.at(-1);
    if (last && 'bytes' in last && 'bytes' in piece)
      made[made.length - 1] = { bytes: last.bytes + piece.bytes };
    else made.push(piece);
  }
  return made;
}

/** A command that prints exactly these bytes, NUL included. */
export function print(pieces: readonly Piece[]): string {
  const form = pieces.map((piece) => ('bytes' in piece ? format(piece.bytes) : '%s')).join('');
  const values = pieces.flatMap((piece) => ('expansion' in piece ? [` "${piece.expansion}"`] : []));
  return `printf '${form}'${values.join('')}`;
}

/**
 * A command with a remark in front, as an operand of the shell's `:` command: an interactive zsh takes no comments, and
 * after the command, `:` would hide its exit status.
 */
export function remarked(command: string, remark: string): string {
  return `: ${word([{ bytes: bytesOf(remark) }])}; ${command}`;
}

/** True for UTF-8 text without control characters other than tab and newline. */
export function isPlain(bytes: string): boolean {
  if (/[\x00-\x08\x0b-\x1f\x7f]/.test(bytes)) return false;
  const raw = Buffer.from(bytes, 'latin1');
  return !raw.some((byte) => byte > 0x7f) || raw.toString('utf8').includes('\ufffd') === false;
}

function quote(bytes: string): string {
  return `'${Buffer.from(bytes, 'latin1').toString('utf8').replaceAll("'", "'\\''")}'`;
}

/** Writes bytes for printf's first operand in single quotes: all but harmless ASCII, and a dash in front, in octal. */
function format(bytes: string): string {
  return bytes.replace(
    /^-|[^\x20-\x24\x26\x28-\x5b\x5d-\x7e]/g,
    (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
}

/** One word for a POSIX shell, in quotes where it needs them. */
export function quotedWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : word([{ bytes: bytesOf(text) }]);
}
