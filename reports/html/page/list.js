// Shows the checks that the filters select, one of them open.
import { difference } from './difference.js';
import { commandLine, element, found, marked } from './elements.js';
import { fragmentOf, isAsked } from './state.js';

const atATime = 100;
/** Where nothing is asked for: a taste, the other sections are not to be far. */
const unasked = 15;

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
  found('#shown').replaceChildren(...countShown(run, checks.length, state));
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
    element(`span.cell.${check.look}`, { 'aria-hidden': 'true' }, run.signs[check.look] ?? '?'),
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
function countShown(run, count, state) {
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

// Which checks a state asks for.

/**
 * @param {import('./unpack.js').Run} run
 * @param {import('./state.js').State} state
 * @returns {import('./unpack.js').Check[]} in plan order; what went wrong first where nothing is asked for
 */
function selected({ checks, texts, signs }, state) {
  const wanted = state.text.toLowerCase();
  const others = ['area', 'level', 'outcome', 'text', 'operation', 'flow', 'reason', 'cause'];
  const alone = others.every((name) => state[/** @type {keyof typeof state} */ (name)] === '');
  const opened = state.check !== '' && alone ? checks.find(({ id }) => id === state.check) : undefined;
  if (state.check !== '' && alone) return opened ? checks.filter((check) => isBeside(check, opened)) : [];
  // The page names the looks from the worst on; whatever is no worse than a pass stays in plan order.
  const worstFirst = Object.keys(signs);
  const rank = (/** @type {import('./unpack.js').Check} */ { look }) =>
    Math.min(worstFirst.indexOf(look), worstFirst.indexOf('pass'));
  if (alone) return checks.toSorted((a, b) => rank(a) - rank(b) || a.at - b.at);
  return checks.filter(
    (check) =>
      (state.area === '' || check.operations.some((id) => id.startsWith(`${state.area}.`))) &&
      (state.operation === '' || check.operations.includes(state.operation)) &&
      (state.flow === '' || flowOf(check) === state.flow) &&
      (state.level === '' || check.level === state.level) &&
      (state.outcome === '' || check.look === state.outcome || check.outcome === state.outcome) &&
      (state.reason === '' || check.reason === state.reason) &&
      (state.cause === '' || check.cause === Number(state.cause) + 1) &&
      (wanted === '' || textOf(check, texts.get(check.at)).includes(wanted)),
  );
}

/** The flow that a check is a step of; empty for a rule. @param {import('./unpack.js').Check} check */
function flowOf({ id }) {
  return id.includes('#') ? '' : id.slice(0, Math.max(0, id.indexOf('/')));
}

/**
 * A check that is opened alone stands among the others of its operation, or of its flow.
 * @param {import('./unpack.js').Check} check
 * @param {import('./unpack.js').Check} opened
 */
function isBeside(check, opened) {
  const flow = flowOf(opened);
  if (flow !== '') return flowOf(check) === flow;
  return check === opened || (flowOf(check) === '' && check.operations[0] === opened.operations[0]);
}

/**
 * @param {import('./unpack.js').Check} check
 * @param {import('./unpack.js').Texts} [texts]
 */
function textOf({ id, title, clause, reason, operations }, texts) {
  const { detail, expected, actual, behaviour } = texts ?? {};
  return [id, title, clause, reason, ...operations, detail, expected, actual, behaviour]
    .join('\n')
    .toLowerCase();
}

// Everything that is known of one check.

/**
 * @param {import('./unpack.js').Run} run
 * @param {import('./unpack.js').Check} check
 */
function detailOf({ clauses, texts, exchanges }, check) {
  const own = texts.get(check.at) ?? {};
  const exchange = exchanges.get(check.at);
  const clause = clauses.get(check.clause) ?? { says: check.clause, why: '', source: '', link: '' };
  const { says, why, source, link } = clause;
  const [expected, actual] = difference(own.expected ?? '', own.actual ?? '');
  const broke = ['fail', 'warn', 'harness-error'].includes(check.outcome);
  return element(
    'div.detail',
    {},
    element(
      'dl',
      {},
      field('clause', says, ' ', element('span.weak', {}, `${check.level}, ${check.clause}`)),
      source !== '' &&
        field('source', link === '' ? source : element('a', { href: link, rel: 'noreferrer' }, source)),
      why !== '' && field('why', why),
      own.expected !== undefined && field('expected', ...marked(expected)),
      own.actual !== undefined && field('actual', ...marked(actual)),
      own.behaviour !== undefined && own.behaviour !== own.actual && field('observed', own.behaviour),
      check.reason !== '' && field('reason', reasonOf(check.reason)),
      own.detail !== undefined && field('detail', own.detail),
      own.waived !== undefined && field('waived', `through ${own.waived[2]}: ${own.waived[0]}`),
      own.known === true && field('known', 'the baseline has this failure too'),
      field('at', ...check.operations.flatMap((id, at) => [at > 0 && ', ', operationLink(id)])),
      own.curl !== undefined && field('curl', commandLine(own.curl)),
      field('rerun', commandLine(check.rerun)),
      field('took', `${check.ms} ms`),
    ),
    exchange
      ? element(
          'div.exchange',
          {},
          element('h3', {}, 'Exchange'),
          pre('asked', exchange.asked),
          pre('answered', exchange.answered),
          exchange.note !== '' && element('p.weak', {}, exchange.note),
        )
      : broke &&
          element('p.weak', {}, 'The exchange is not in this page; result.json has it where there was one.'),
  );
}

/** @param {string} name @param {...(Node | string | false | undefined)} value */
function field(name, ...value) {
  return element('div', {}, element('dt', {}, name), element('dd', {}, ...value));
}

/** @param {string} label @param {string} text */
function pre(label, text) {
  return element('pre', { 'aria-label': label, tabindex: '0', role: 'region' }, text);
}

/** @param {string} operation */
const operationLink = (operation) => element('a', { href: fragmentOf({ operation }) }, operation);

/** @param {string} reason */
const reasonOf = (reason) => element('a', { href: fragmentOf({ reason }) }, reason);
