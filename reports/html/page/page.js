// The page comes alive: it stands without this, but for the list of checks.
import { addCopyButtons } from './copy.js';
import { difference } from './difference.js';
import { element, found, marked } from './elements.js';
import { showList } from './list.js';
import { rove } from './roving.js';
import { fragmentOf, isAsked, stateOf } from './state.js';
import { unpacked } from './unpack.js';

const fields = /** @type {const} */ (['area', 'level', 'outcome', 'text']);

export async function start() {
  for (const group of document.querySelectorAll('[data-roving]')) rove(/** @type {HTMLElement} */ (group));
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
