// Names and values, and commands that are there to be copied.
import { resultFile } from '../files.ts';
import { type Content, type Markup, markup } from './markup.ts';

export const field = (name: string, value: Content): Markup =>
  markup`<div><dt>${name}</dt><dd>${value}</dd></div>`;

/** Characters; the whole of a longer command stands in the result. */
const longestCommand = 600;

/** A command with a button that copies it, once the page's script runs. */
export function longCommand(command: string): Markup {
  return command.length > longestCommand
    ? markup`<span class="weak">too long for a page; see ${resultFile}</span>`
    : markup`<code class="command" data-copy>${command}</code>`;
}

/** A table with a head, in a box of its own that scrolls sideways where the page is narrow. */
export function table(
  label: string,
  heads: readonly Content[],
  rows: readonly (readonly Content[])[],
): Markup {
  return markup`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table><thead><tr>${heads.map((name) => markup`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => markup`<tr>${cells.map((cell) => markup`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
}
