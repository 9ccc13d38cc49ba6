// Builds safe HTML from text of a target: templates escape all text that no template made, and steering characters are
// made visible. `documentOf` makes it one file.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { BehaviourChange } from '../../engine/run/compare-runs.ts';
import { cut, escapedHtml, steering } from '../../engine/values/text.ts';
import { resultFile } from '../files.ts';

/** Characters that steer text, and those that HTML does not allow; they are shown by number. */
const unsafe = new RegExp(`[${steering}\\uFFFC-\\uFFFF]|(?![\\n\\t])\\p{Cc}`, 'gu');

/** Text that needs no escape, which is most; the test is cheap. */
const plain = /^[\n !#-%(-;=?-~]*$/;

/** Text without any unsafe character. */
const ascii = /^[\n\t -~]*$/;

/** HTML that is safe to put into HTML as it stands. */
export class Markup {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }
}

export type Content = string | number | Markup | false | undefined | readonly Content[];

/** `<p>${text}</p>`: escapes texts, joins lists, leaves out false and undefined. Attributes have to be quoted. */
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
  return escapedHtml(visible(text));
}

/** Line ends and tabs stay; every other steering character is shown as `\u{202e}`. */
export function visible(text: string): string {
  if (ascii.test(text)) return text;
  return text.replace(unsafe, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
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

/** Most characters of a command that is shown; a longer one stands in the result. */
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

/** Two cells: the values before and after, at no more than `most` places of a change. */
export function changeCells({ before, after, places }: BehaviourChange, most: number): Markup[][] {
  const shown = places?.slice(0, most) ?? [{ at: '', before, after }];
  return (['before', 'after'] as const).map((side) =>
    shown.map(
      (place) =>
        markup`<p>${place.at !== '' && markup`<code>${cut(place.at, 80)}</code> `}${cut(place[side], 160)}</p>`,
    ),
  );
}

// The page as one file: its style, its script and its data, and a policy that lets nothing else in.

/** In the order of their dependencies. */
const scripts = ['unpack.js', 'state.js', 'difference.js', 'elements.js', 'list.js', 'page.js'];

/** Later ones may override earlier ones. */
const styles = ['text', 'overview', 'sections', 'media'];

interface Page {
  readonly title: string;
  readonly body: Content;
  /** Data in base64, which a browser does not show. A page without data has no script, and its policy lets none run. */
  readonly blocks?: readonly string[];
}

/** The whole file. It loads nothing from outside, and no script runs but its own. */
export function documentOf({ title, body, blocks }: Page): string {
  const style = styles.map((name) => source(`style/${name}.css`)).join('');
  const script =
    blocks &&
    `'use strict';(()=>{${scripts.map((name) => plainScript(source(name))).join('\n')}\nstart();})();`;
  const policy = [
    "default-src 'none'",
    ...(script ? [`script-src '${digest(script)}'`] : []),
    `style-src '${digest(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const data = blocks?.map(
    (block) => markup`<script type="application/octet-stream" class="data">${new Markup(block)}</script>\n`,
  );
  return `<!doctype html>
${
  markup`<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Markup(style)}</style>
</head>
<body>
${body}
${data}${script !== undefined && markup`<script>${new Markup(script)}</script>`}
</body>
</html>
`.html
}`;
}

const source = (name: string) => readFileSync(new URL(`./page/${name}`, import.meta.url), 'utf8');

/** The files are modules to an editor and to tests; in the page they share one scope. */
const plainScript = (text: string) =>
  text.replace(/^import .*;\n/gm, '').replace(/^export (?=(async )?function|const)/gm, '');

const digest = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;
