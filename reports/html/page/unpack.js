// Unpacks the checks from the blocks in which the page carries them.

/**
 * @typedef {{at: number, id: string, title: string, operations: string[], clause: string, level: string, look: string,
 *   outcome: string, reason: string, rerun: string, cause: number, ms: number}} Check
 * @typedef {{detail?: string, expected?: string, actual?: string, behaviour?: string, curl?: string, waived?: string[],
 *   known?: boolean}} Texts
 * @typedef {{asked: string, answered: string, note: string}} Exchange
 * @typedef {{signs: Record<string, string>, checks: Check[], clauses: Map<string, {says: string, why: string, source: string, link: string}>, texts: Map<number, Texts>,
 *   exchanges: Map<number, Exchange>}} Run
 */

/**
 * Inflates a block: raw deflate in base64.
 * @param {string} base64
 * @returns {Promise<any>}
 */
async function inflated(base64) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Response(stream).json();
}

/**
 * @param {string[]} blocks the table first
 * @returns {Promise<Run>}
 */
export async function unpacked(blocks) {
  const [table, ...others] = await Promise.all(blocks.map(inflated));
  const { signs, strings, columns, clauses } = table;
  const run = {
    signs,
    checks: columns.at.map((/** @type {number} */ at, /** @type {number} */ row) => checkAt(at, row)),
    clauses: new Map(
      clauses.map((/** @type {[number, string, string, string, string]} */ [id, says, why, source, link]) => [
        strings[id],
        { says, why, source, link },
      ]),
    ),
    texts: new Map(),
    exchanges: new Map(),
  };
  for (const { kind, places, values } of others) {
    const into = kind === 'texts' ? run.texts : run.exchanges;
    for (let each = 0; each < places.length; each += 2) into.set(places[each], values[places[each + 1]]);
  }
  return run;

  /** @param {number} at @param {number} row @returns {Check} */
  function checkAt(at, row) {
    const text = (/** @type {string} */ name) => strings[columns[name][row]];
    const id = columns.id[row];
    return {
      at,
      id,
      title: text('title'),
      operations: columns.operation[row].map((/** @type {number} */ each) => strings[each]),
      clause: text('clause'),
      level: text('level'),
      look: text('look'),
      outcome: text('outcome'),
      reason: text('reason'),
      rerun: text('rerun').replace('\n', () => id),
      cause: columns.cause[row],
      ms: columns.ms[row],
    };
  }
}
