// Makes elements from text, so that nothing from a target is ever parsed as HTML.

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

// Copy buttons beside commands.

/**
 * A command with its button.
 * @param {string} command
 */
export function commandLine(command) {
  const code = element('code.command', {}, command);
  return element('div.copied', {}, code, copyButton(code));
}

/** Gives the commands of the page their buttons. */
export function addCopyButtons() {
  for (const code of document.querySelectorAll('code[data-copy]')) {
    const box = element('div.copied', {});
    code.replaceWith(box);
    box.append(code, copyButton(/** @type {HTMLElement} */ (code)));
  }
}

/** @param {HTMLElement} code */
function copyButton(code) {
  const button = element('button', { type: 'button' }, 'copy');
  button.addEventListener('click', async () => {
    const text = code.textContent ?? '';
    const done = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    // Where the browser does not let a page write there, the command is at least selected.
    if (!done) getSelection()?.selectAllChildren(code);
    button.textContent = done || document.execCommand('copy') ? 'copied' : 'selected';
    setTimeout(() => {
      button.textContent = 'copy';
    }, 1500);
  });
  return button;
}
