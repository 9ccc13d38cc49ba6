// Starts the scripts of the page: only the list of checks needs them.
import { difference } from './difference.js';
import { addCopyButtons, element, found, marked } from './elements.js';
import { showList } from './list.js';
import { fragmentOf, isAsked, stateOf } from './state.js';
import { unpacked } from './unpack.js';

const fields = /** @type {const} */ (['area', 'level', 'outcome', 'text']);

export async function start() {
  for (const group of document.querySelectorAll('[data-roving]')) rove(/** @type {HTMLElement} */ (group));
  nameCells();
  addCopyButtons();
  for (const box of document.querySelectorAll('.cause')) markDifference(box);
  const blocks = [...document.querySelectorAll('script.data')].map((block) => block.textContent ?? '');
  const run = await unpacked(blocks).catch(() => undefined);
  if (run === undefined) {
    found('#shown').textContent = 'This browser cannot unpack the list of checks; result.json has it.';
    return;
  }
  const form = /** @type {HTMLFormElement} */ (found('#filters'));
  form.hidden = false;
  const show = () => showState(run, form);
  addEventListener('hashchange', () => show());
  for (const name of fields) {
    const event = name === 'text' ? 'input' : 'change';
    fieldOf(form, name).addEventListener(event, () => filter(run, form, name));
  }
  form.addEventListener('submit', (event) => event.preventDefault());
  found('#clear').addEventListener('click', () => {
    location.hash = '#checks';
  });
  show();
  document.documentElement.dataset.ready = 'true';
}

/** @param {HTMLFormElement} form @param {typeof fields[number]} name */
const fieldOf = (form, name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));

/**
 * What the address asks for, brought into view.
 * @param {import('./unpack.js').Run} run
 * @param {HTMLFormElement} form
 */
function showState(run, form) {
  const state = stateOf(location.hash);
  for (const name of fields) {
    const field = fieldOf(form, name);
    if (field.value !== state[name]) field.value = state[name];
  }
  const opened = showList(run, state);
  if (!isAsked(state) || form.contains(document.activeElement)) return;
  const target = opened ?? found('#shown');
  target.focus({ preventScroll: true });
  (opened ? target : found('#checks')).scrollIntoView({ block: 'start' });
}

/**
 * A filter of the form: letters do not each make a step back, choices do.
 * @param {import('./unpack.js').Run} run
 * @param {HTMLFormElement} form
 * @param {typeof fields[number]} name
 */
function filter(run, form, name) {
  const { value } = fieldOf(form, name);
  const state = { ...stateOf(location.hash), [name]: value, check: '' };
  if (name !== 'text') {
    location.hash = fragmentOf(state);
    return;
  }
  history.replaceState(null, '', fragmentOf(state));
  showList(run, state);
}

/** @param {Element} box */
function markDifference(box) {
  const [expected, actual] = ['expected', 'actual'].map((name) => box.querySelector(`[data-${name}]`));
  if (!expected || !actual) return;
  const [a, b] = difference(expected.textContent ?? '', actual.textContent ?? '');
  expected.replaceChildren(element('span', {}, ...marked(a)));
  actual.replaceChildren(element('span', {}, ...marked(b)));
}

// Cells are many: one of them is on the way of the Tab key, the arrows lead to the others.

/** @param {HTMLElement} group */
function rove(group) {
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

// A cell says its name beside it, under the pointer and under the keyboard's focus.

function nameCells() {
  const name = element('div.naming', { 'aria-hidden': 'true', hidden: '' });
  document.body.append(name);
  const hide = () => {
    name.hidden = true;
  };
  /** @param {Event} event */
  const show = ({ target }) => {
    const cell = target instanceof Element ? target.closest('[data-roving] :is(.step, .cell)') : null;
    if (!cell) return;
    // The browser's own would come later, and to the pointer alone.
    cell.removeAttribute('title');
    name.textContent = cell.querySelector('.unseen')?.textContent ?? '';
    name.hidden = false;
    const { left, bottom } = cell.getBoundingClientRect();
    const most = document.documentElement.clientWidth - name.offsetWidth - 8;
    name.style.left = `${Math.max(8, Math.min(left, most)) + scrollX}px`;
    name.style.top = `${bottom + 4 + scrollY}px`;
  };
  for (const event of ['pointerover', 'focusin']) addEventListener(event, show);
  for (const event of ['pointerout', 'focusout']) addEventListener(event, hide);
  addEventListener('keydown', ({ key }) => key === 'Escape' && hide());
}
