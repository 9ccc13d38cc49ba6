// Builds safe HTML from text of a target: templates escape all text that no template made, and steering characters are
// made visible.
import { resultFile } from '../files.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Characters that HTML does not allow, or that steer how text around them is shown; they are shown by number. */
const steering =
  /[\p{Cs}\p{Zl}\p{Zp}\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFF]|(?![\n\t])\p{Cc}|[\u{E0000}-\u{E007F}]/gu;

/** Text that needs no escape, which is most; the test is cheap. */
const plain = /^[\n !#-%(-;=?-~]*$/;

/** Text in which nothing steers. */
const ascii = /^[\n\t -~]*$/;

/** HTML that is safe to put into HTML as it stands. */
export class Markup {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }
}

export type Content = string | number | Markup | false | undefined | readonly Content[];

/** `<p>${text}</p>`: texts and numbers are escaped, lists are joined, false and undefined are nothing. Quote attributes. */
export function markup(parts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  let html = parts[0] ?? '';
  for (const [at, content] of contents.entries()) html += htmlOf(content) + parts[at + 1];
  return new Markup(html);
}

export const nothing = new Markup('');

function htmlOf(content: Content): string {
  if (content instanceof Markup) return content.html;
  if (content === false || content === undefined) return '';
  if (typeof content === 'number') return String(content);
  return typeof content === 'string' ? escaped(content) : content.map(htmlOf).join('');
}

function escaped(text: string): string {
  if (plain.test(text)) return text;
  return visible(text).replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Line ends and tabs stay; every other steering character is shown as `\u{202e}`. */
export function visible(text: string): string {
  if (ascii.test(text)) return text;
  return text.replace(steering, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** At most so many characters, the last one … where something was left out. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

// Links within the page: the fragment holds the filters and the open check.

/** `#area=party&outcome=fail`, for a link. */
export function fragment(parameters: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(parameters).map(
    ([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`,
  );
  return `#${pairs.join('&')}`;
}

// Common elements: fields, commands to copy, tables.
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
