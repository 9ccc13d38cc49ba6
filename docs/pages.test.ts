// Every link of the pages to a file or a heading leads somewhere, and CONTRIBUTING.md names files and identifiers that exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../engine/files.ts';
import { inlineCodeIn, pages, pageText } from '../fixtures/kit/markdown.ts';

const all = [...pages, 'CONTRIBUTING.md'];

/** The fragments by which a page's headings are linked. */
const anchorsOf = (page: string): string[] =>
  Array.from(pageText(page).matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );

const links = all.flatMap((page) =>
  Array.from(pageText(page).matchAll(/\]\(([^)\s]+)\)/g), ([, to = '']) => [page, to] as const).filter(
    ([, to]) => !/^https?:/.test(to),
  ),
);

test.each(links)('%s: %s leads somewhere', (page, to) => {
  const [file = '', anchor] = to.split('#');
  const path = file === '' ? page : join(dirname(page), file);
  expect(existsSync(join(root, path))).toBe(true);
  if (anchor !== undefined) expect(anchorsOf(path)).toContain(anchor);
});

test('README shows one path, and leads to every page', () => {
  const readme = pageText('README.md');
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(120);
  for (const page of pages.filter((page) => page !== 'README.md')) expect(readme).toContain(`](${page}`);
});

/** Files and folders that the commands of the pages and of `--help` write; not where a reader is to put a name (`DIR`). */
const written = [...all.map(pageText), readFileSync(join(root, 'commands/help-examples.ts'), 'utf8')].flatMap(
  (text) =>
    Array.from(
      text.matchAll(/(?:\bNIGHT=|--keep |--output | > |--out )([a-z][\w./-]*)/g),
      ([, name = '']) => name,
    ),
);
const ignored = new Set(
  readFileSync(join(root, '.gitignore'), 'utf8')
    .split('\n')
    .map((line) => line.replace(/^\/|\/$/g, '')),
);

test.each([...new Set(written)])('what a shown command writes to %s is no change of the clone', (name) => {
  expect([...ignored].filter((path) => name === path || name.startsWith(`${path}/`))).not.toEqual([]);
});

const rooms = ['catalog', 'engine', 'suites', 'scenarios', 'load', 'reports', 'commands', 'fixtures'];
const sources = rooms.flatMap((room) =>
  readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(room, path)),
);
const fileNames = new Set(sources.map((path) => basename(path)));
const words = new Set(
  sources.flatMap((path) => readFileSync(join(root, path), 'utf8').match(/[\w$]+(?:\.[\w$]+)*/g) ?? []),
);
/** `a.b.c` holds the members `a.b` and `b.c`, so that one is found in the middle of a chain too. */
const members = new Set(
  [...words].flatMap((word) => {
    const parts = word.split('.');
    return [...parts, ...parts.slice(1).map((part, at) => `${parts[at]}.${part}`)];
  }),
);

const isFileName = (code: string) => /^[\w-]+(\.\w+)*\.(ts|md|json)$/.test(code);
const isPath = (code: string) => /^[\w.-]+(\/[\w.-]+)+$/.test(code);
/** Neither commands nor patterns such as `scenarios/NAME.ts`. */
const contributing = inlineCodeIn('CONTRIBUTING.md').filter(
  (code) => !/^(np[mx] |-)|\b(NAME|RULE)\b/.test(code),
);

test.each(contributing.filter(isPath))('CONTRIBUTING.md: the path %s exists', (path) => {
  expect(existsSync(join(root, path))).toBe(true);
});

test.each(contributing.filter(isFileName))('CONTRIBUTING.md: a source file is named %s', (name) => {
  expect(fileNames.has(name) || existsSync(join(root, name))).toBe(true);
});

const identifiers = contributing
  .filter((code) => !isPath(code) && !isFileName(code))
  .flatMap((code) => code.match(/[A-Za-z]+(?:\.[A-Za-z]+|[a-z][A-Z])\w*/g) ?? []);

test.each(identifiers)('CONTRIBUTING.md: the sources hold %s', (identifier) => {
  expect(members.has(identifier)).toBe(true);
});
