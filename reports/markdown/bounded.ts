// A job summary has a limit, and one byte more loses all of it: the host shows nothing then.

export const bytesOf = (text: string) => Buffer.byteLength(text);

/**
 * As many blocks as there is room for, in their order, each after an empty line.
 * @param most bytes of UTF-8
 * @param left what to say of those that were left out, given how many
 */
export function bounded(blocks: readonly string[], most: number, left: (count: number) => string): string[] {
  const taken: string[] = [];
  let room = most;
  for (const [index, block] of blocks.entries()) {
    const rest = blocks.length - index;
    const ending = rest > 1 ? bytesOf(left(rest)) + 2 : 0;
    if (bytesOf(block) + 2 + ending > room) return [...taken, left(rest)];
    taken.push(block);
    room -= bytesOf(block) + 2;
  }
  return taken;
}
