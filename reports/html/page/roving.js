// Cells are many: one of them is on the way of the Tab key, the arrows lead to the others.

/** @param {HTMLElement} group */
export function rove(group) {
  const cells = /** @type {HTMLElement[]} */ ([...group.querySelectorAll('a')]);
  for (const cell of cells) cell.tabIndex = -1;
  const [first] = cells;
  if (first) first.tabIndex = 0;
  group.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const next = neighbour(cells, document.activeElement, event.key);
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
  group.addEventListener('focusin', ({ target }) => {
    for (const cell of cells) cell.tabIndex = cell === target ? 0 : -1;
  });
}

/**
 * @param {HTMLElement[]} cells
 * @param {Element | null} from
 * @param {string} key
 * @returns {HTMLElement | undefined}
 */
function neighbour(cells, from, key) {
  const at = cells.indexOf(/** @type {HTMLElement} */ (from));
  if (at < 0) return undefined;
  if (key === 'ArrowRight') return cells[at + 1];
  if (key === 'ArrowLeft') return cells[at - 1];
  if (key === 'Home') return cells[0];
  if (key === 'End') return cells.at(-1);
  if (key === 'ArrowDown') return nearest(cells, cells[at], 1);
  if (key === 'ArrowUp') return nearest(cells, cells[at], -1);
  return undefined;
}

/**
 * The cell above or below that is nearest, by where they stand on the page.
 * @param {HTMLElement[]} cells
 * @param {HTMLElement | undefined} from
 * @param {1 | -1} direction
 */
function nearest(cells, from, direction) {
  if (!from) return undefined;
  const here = from.getBoundingClientRect();
  let [best, least] = [/** @type {HTMLElement | undefined} */ (undefined), Number.POSITIVE_INFINITY];
  // From a cell to a cell, from an area's name to another's.
  for (const cell of cells.filter(({ className }) => (className === '') === (from.className === ''))) {
    const there = cell.getBoundingClientRect();
    const down = (there.top - here.top) * direction;
    if (down < here.height / 2) continue;
    const far = down * 4 + Math.abs(there.left - here.left);
    if (far < least) [best, least] = [cell, far];
  }
  return best;
}
