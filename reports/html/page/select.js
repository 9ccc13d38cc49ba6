// Which checks a state asks for.

/**
 * @param {import('./unpack.js').Run} run
 * @param {import('./state.js').State} state
 * @returns {import('./unpack.js').Check[]} in plan order; what went wrong first where nothing is asked for
 */
export function selected({ checks, texts }, state) {
  const wanted = state.text.toLowerCase();
  const others = ['area', 'level', 'outcome', 'text', 'operation', 'flow', 'reason', 'cause'];
  const alone = others.every((name) => state[/** @type {keyof typeof state} */ (name)] === '');
  const opened = state.check !== '' && alone ? checks.find(({ id }) => id === state.check) : undefined;
  if (state.check !== '' && alone) return opened ? checks.filter((check) => isBeside(check, opened)) : [];
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

const worstFirst = ['fail', 'harness-error', 'warn', 'excused', 'inconclusive'];

/** @param {import('./unpack.js').Check} check */
function rank({ look }) {
  const at = worstFirst.indexOf(look);
  return at < 0 ? worstFirst.length : at;
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
