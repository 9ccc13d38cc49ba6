// Elements from text: nothing that a target said is ever read as HTML.

/**
 * @param {string} name `p`, or `p.weak` with a class
 * @param {Record<string, string>} attributes
 * @param {...(Node | string | false | undefined)} children
 * @returns {HTMLElement}
 */
export function element(name, attributes = {}, ...children) {
  const [tag = '', ...classes] = name.split('.');
  const made = document.createElement(tag);
  if (classes.length > 0) made.className = classes.join(' ');
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== false && child !== undefined));
  return made;
}

/** @param {string} selector @returns {HTMLElement} what the page always has */
export function found(selector) {
  return /** @type {HTMLElement} */ (document.querySelector(selector));
}

/** @param {import('./difference.js').Runs} parts */
export function marked(parts) {
  return parts.map(({ text, differs }) => (differs && text.trim() !== '' ? element('mark', {}, text) : text));
}
