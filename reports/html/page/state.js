// Keeps the filters and the open check in the address of the page.

/**
 * @typedef {{area: string, level: string, outcome: string, text: string, operation: string, flow: string, reason: string,
 *   cause: string, check: string}} State
 */

const parameters = /** @type {const} */ ([
  'area',
  'level',
  'outcome',
  'text',
  'operation',
  'flow',
  'reason',
  'cause',
  'check',
]);

/**
 * `#area=party&outcome=fail` → state; what is not there is empty. A check's own `#` may stand as it is.
 * @param {string} fragment
 * @returns {State}
 */
export function stateOf(fragment) {
  const given = new URLSearchParams(fragment.replace(/^#/, ''));
  return /** @type {State} */ (
    Object.fromEntries(parameters.map((name) => [name, (given.get(name) ?? '').slice(0, 400)]))
  );
}

/**
 * State → `#area=party&outcome=fail`; `#checks` where nothing is filtered.
 * @param {Partial<State>} state
 */
export function fragmentOf(state) {
  const given = parameters.flatMap((name) => (state[name] ? [[name, state[name] ?? '']] : []));
  return given.length === 0 ? '#checks' : `#${new URLSearchParams(given)}`;
}

/** True where anything is filtered or open. @param {State} state */
export function isAsked(state) {
  return parameters.some((name) => state[name] !== '');
}
