// Copy buttons beside commands.
import { element } from './elements.js';

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
