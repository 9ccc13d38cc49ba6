// The page as one file: its style, its script and its data, and a policy that lets nothing else in.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Content, Markup, markup } from './markup.ts';

/** In the order in which they need each other. */
const scripts = [
  'unpack.js',
  'state.js',
  'select.js',
  'difference.js',
  'elements.js',
  'copy.js',
  'detail.js',
  'list.js',
  'roving.js',
  'page.js',
];

const styles = ['colours', 'text', 'head', 'cells', 'overview', 'sections', 'checks', 'media'];

export interface Page {
  readonly title: string;
  readonly body: Content;
  /** Base64, shown by no browser: what is not script is data to it. */
  readonly blocks: readonly string[];
  /** The page needs no script, and its policy lets none run. */
  readonly isStatic?: boolean;
}

/** The whole file. Nothing in it asks for anything outside, and a script that is not its own does not run. */
export function documentOf({ title, body, blocks, isStatic = false }: Page): string {
  const style = styles.map((name) => source(`style/${name}.css`)).join('');
  const script = isStatic
    ? ''
    : `'use strict';(()=>{${scripts.map((name) => plainScript(source(name))).join('\n')}\nstart();})();`;
  const policy = [
    "default-src 'none'",
    ...(isStatic ? [] : [`script-src '${digest(script)}'`]),
    `style-src '${digest(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const data = blocks.map(
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
${data}${!isStatic && markup`<script>${new Markup(script)}</script>`}
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
