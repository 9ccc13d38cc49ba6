// The list of checks that a state asks for, one of them open.
import { detailOf } from './detail.js';
import { element, found } from './elements.js';
import { selected } from './select.js';
import { fragmentOf, isAsked } from './state.js';

const atATime = 100;
/** Where nothing is asked for: a taste, the other sections are not to be far. */
const unasked = 15;
/** @type {Record<string, string>} */
const signs = {
  pass: '✓',
  fail: '✗',
  excused: '✗',
  warn: '!',
  observed: '·',
  inconclusive: '?',
  'not-applicable': '-',
  'harness-error': 'E',
};

/**
 * Fills the list; gives the link of the check that is open.
 * @param {import('./unpack.js').Run} run
 * @param {import('./state.js').State} state
 * @param {number} [most]
 * @returns {HTMLElement | undefined}
 */
export function showList(run, state, most = isAsked(state) ? atATime : unasked) {
  const checks = selected(run, state);
  const openAt = checks.findIndex(({ id }) => id === state.check);
  const shown = checks.slice(0, Math.max(most, openAt + 1));
  /** @type {HTMLElement | undefined} */
  let opened;
  const rows = shown.map((check) => {
    const row = rowOf(run, check, state);
    if (check.id === state.check) opened = /** @type {HTMLElement} */ (row.firstElementChild);
    return row;
  });
  found('#list').replaceChildren(...rows);
  found('#shown').replaceChildren(...told(run, checks.length, state));
  const more = found('#more');
  more.hidden = shown.length === checks.length;
  /** @type {HTMLElement} */ (more.firstElementChild).onclick = () => {
    showList(run, state, shown.length + 4 * atATime);
    /** @type {HTMLElement | null} */ (
      found('#list').children[shown.length]?.querySelector('a') ?? null
    )?.focus();
  };
  return opened;
}

/**
 * @param {import('./unpack.js').Run} run
 * @param {import('./unpack.js').Check} check
 * @param {import('./state.js').State} state
 */
function rowOf(run, check, state) {
  const isOpen = check.id === state.check;
  const link = element(
    'a.check',
    { href: fragmentOf({ ...state, check: isOpen ? '' : check.id }), 'aria-expanded': String(isOpen) },
    element(`span.cell.${check.look}`, { 'aria-hidden': 'true' }, signs[check.look] ?? '?'),
    element('span.unseen', {}, `${check.look}: `),
    element('span.id', {}, check.id),
    element('span.title', {}, check.title),
    element('span.level', {}, check.reason || check.level),
  );
  return element('li', {}, link, isOpen && detailOf(run, check));
}

/**
 * How many, and of what that no filter field shows.
 * @param {import('./unpack.js').Run} run
 * @param {number} count
 * @param {import('./state.js').State} state
 */
function told(run, count, state) {
  const { operation, flow, reason, cause, check } = state;
  const of = [
    operation && `of ${operation}`,
    flow && `of the flow ${flow}`,
    reason && `for the reason ${reason}`,
    cause && `of cause ${Number(cause) + 1}`,
  ].filter(Boolean);
  if (count === 0 && check !== '') return [`There is no check ${check} in this run.`];
  const number = count.toLocaleString('en');
  return [
    `${number} of ${run.checks.length.toLocaleString('en')} checks ${of.join(', ')} `,
    isAsked(state) ? element('a', { href: '#checks' }, 'show all') : '',
  ];
}
