// Finds in what two sentences differ, word by word.

/** Words of each side; a longer text is compared by how it begins and ends. */
const mostWords = 300;
const fewWords = 3;
/** Of the shorter side's words at least one in so many is common to texts that are compared. */
const leastShare = 3;

/**
 * Both texts as runs that the other has too, or has not.
 * @typedef {{text: string, differs: boolean}[]} Runs
 * @param {string} before
 * @param {string} after
 * @returns {[Runs, Runs]}
 */
export function difference(before, after) {
  const [a, b] = [words(before), words(after)];
  const shared = a.length > mostWords || b.length > mostWords ? ends(a, b) : longestCommon(a, b);
  const common = shared.filter(([at]) => isWord(a[at])).length;
  const counts = [a, b].map((side) => side.filter(isWord).length);
  const isAlike = common > 0 && common * leastShare >= Math.min(...counts);
  const isShort = Math.max(...counts) <= fewWords;
  // Two sentences that have next to nothing in common differ in nearly every word: marks would say no more.
  if (!isAlike && !isShort) return [[{ text: before, differs: false }], [{ text: after, differs: false }]];
  return [runs(a, new Set(shared.map(([at]) => at))), runs(b, new Set(shared.map(([, at]) => at)))];
}

/** @param {string} text @returns {string[]} */
const words = (text) => text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];

/** @param {string | undefined} text */
const isWord = (text) => /[\p{L}\p{N}]/u.test(text ?? '');

/** @param {string[]} a @param {string[]} b @returns {[number, number][]} */
function ends(a, b) {
  /** @type {[number, number][]} */
  const shared = [];
  let [from, to] = [0, 0];
  const most = Math.min(a.length, b.length);
  while (from < most && a[from] === b[from]) shared.push([from, from++]);
  while (to < most - from && a[a.length - 1 - to] === b[b.length - 1 - to])
    shared.push([a.length - 1 - to, b.length - 1 - to++]);
  return shared;
}

/** @param {string[]} a @param {string[]} b @returns {[number, number][]} */
function longestCommon(a, b) {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  const at = (/** @type {number} */ i, /** @type {number} */ j) => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  /** @type {[number, number][]} */
  const shared = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; )
    if (a[i] === b[j]) shared.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  return shared;
}

/**
 * Neighbours of one kind in one run; a blank between two that differ is no news.
 * @param {string[]} words
 * @param {Set<number>} shared
 * @returns {Runs}
 */
function runs(words, shared) {
  /** @type {Runs} */
  const made = [];
  words.forEach((text, at) => {
    const isBlank = /^\s/.test(text);
    const differs = isBlank ? !shared.has(at - 1) && !shared.has(at + 1) && at > 0 : !shared.has(at);
    const last = made.at(-1);
    if (last?.differs === differs) last.text += text;
    else made.push({ text, differs });
  });
  return made;
}
