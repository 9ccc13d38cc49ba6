// The pages lead somewhere: every link to a file or a heading of this repository is right.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../engine/files.ts';
import { pages, pageText } from './markdown.ts';

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
