// Everything that is known of one check.
import { commandLine } from './copy.js';
import { difference } from './difference.js';
import { element, marked } from './elements.js';
import { fragmentOf } from './state.js';

/**
 * @param {import('./unpack.js').Run} run
 * @param {import('./unpack.js').Check} check
 */
export function detailOf({ clauses, texts, exchanges }, check) {
  const told = texts.get(check.at) ?? {};
  const exchange = exchanges.get(check.at);
  const clause = clauses.get(check.clause) ?? { says: check.clause, why: '', source: '', link: '' };
  const { says, why, source, link } = clause;
  const [expected, actual] = difference(told.expected ?? '', told.actual ?? '');
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
      told.expected !== undefined && field('expected', ...marked(expected)),
      told.actual !== undefined && field('actual', ...marked(actual)),
      told.behaviour !== undefined && told.behaviour !== told.actual && field('observed', told.behaviour),
      check.reason !== '' && field('reason', reasonOf(check.reason)),
      told.detail !== undefined && field('detail', told.detail),
      told.waived !== undefined && field('waived', `through ${told.waived[2]}: ${told.waived[0]}`),
      told.known === true && field('known', 'the baseline has this failure too'),
      field('at', ...check.operations.flatMap((id, at) => [at > 0 && ', ', operationLink(id)])),
      told.curl !== undefined && field('curl', commandLine(told.curl)),
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
