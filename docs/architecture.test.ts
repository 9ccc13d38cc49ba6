// docs/architecture.md names files and functions that are there, and draws the arrows that the linter holds.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../engine/files.ts';
import { codeOf, fencesIn, pageText, rowsBelow } from '../fixtures/kit/markdown.ts';

const page = 'docs/architecture.md';
const text = (path: string) => readFileSync(join(root, path), 'utf8');

interface Override {
  readonly includes: readonly string[];
  readonly linter: {
    readonly rules: {
      readonly style?: {
        readonly noRestrictedImports?: {
          readonly options: { readonly patterns: readonly { readonly group: readonly string[] }[] };
        };
      };
    };
  };
}

/** What files of a folder may not import, as the linter has it; undefined where it says nothing. */
function forbiddenIn(folder: string): readonly string[] | undefined {
  const { overrides } = JSON.parse(text('biome.json')) as { readonly overrides: readonly Override[] };
  const own = overrides.find(({ includes }) => includes.includes(`${folder}/**`));
  return own?.linter.rules.style?.noRestrictedImports?.options.patterns.flatMap(({ group }) => group);
}

const rooms = ['catalog', 'engine', 'suites', 'scenarios', 'load', 'reports', 'commands', 'fixtures'];
const inside = [
  'values',
  'http',
  'target',
  'compare',
  'players',
  'probe',
  'preflight',
  'flow',
  'attack',
  'run',
];

/** Rooms that a room may import; what is said of every folder in it holds for the room. */
function allowedFor(room: string): string[] {
  const folders = room === 'engine' ? inside.map((name) => `engine/${name}`) : [room];
  const forbidden = folders.map((folder) => forbiddenIn(folder) ?? []);
  return rooms
    .filter((other) => other !== room)
    .flatMap((other) => {
      if (!forbidden.some((patterns) => patterns.includes(`**/${other}/**`))) return [other];
      return forbidden.flat().flatMap((pattern) => {
        const [, exception] = new RegExp(`^!\\*\\*/(${other}/\\w+)/\\*\\*$`).exec(pattern) ?? [];
        return exception === undefined ? [] : [exception];
      });
    });
}

/** Room → what its arrows point at. */
function arrows(): Map<string, string[]> {
  const drawing = fencesIn(page).find(({ language }) => language === 'mermaid')?.lines ?? [];
  return new Map(
    drawing.flatMap((line) => {
      const [from, to] = line.trim().split(' --> ');
      return from && to ? [[from, to.split(' & ')] as const] : [];
    }),
  );
}

test('the arrows between rooms are those of the linter', () => {
  const drawn = arrows();
  expect([...drawn.keys()].sort()).toEqual(['cli.ts', ...rooms.filter((room) => room !== 'catalog')].sort());
  for (const room of rooms)
    expect([room, (drawn.get(room) ?? []).sort()]).toEqual([room, allowedFor(room).sort()]);
});

test('the arrows of the entry point are its imports', () => {
  const imported = Array.from(text('cli.ts').matchAll(/'\.\/(\w+)\//g), ([, room]) => room);
  expect(arrows().get('cli.ts')?.sort()).toEqual([...new Set(imported)].sort());
});

test('the order inside the engine is that of the linter', () => {
  const order =
    fencesIn(page)
      .find(({ language }) => language === 'text')
      ?.lines[0]?.split(' ← ') ?? [];
  expect([...order].sort()).toEqual([...inside].sort());
  for (const [at, folder] of order.entries()) {
    const forbidden = forbiddenIn(`engine/${folder}`) ?? [];
    const barred = order.filter((other) => forbidden.includes(`**/${other}/**`));
    expect([folder, barred]).toEqual([folder, order.slice(at + 1)]);
  }
});

test('every room is described', () => {
  const described = rowsBelow(page, '## Which rooms are there?').flatMap(([room]) => codeOf(room));
  expect(described.sort()).toEqual(['cli.ts', ...rooms].sort());
});

const headings = [
  ...pageText(page)
    .split('\n')
    .filter((line) => line.startsWith('### ')),
  '## Where does the rest happen?',
];

test.each(headings)('%s: each file holds the function that is named', (heading) => {
  const rows = rowsBelow(page, heading);
  expect(rows.length).toBeGreaterThan(2);
  for (const row of rows) {
    const [[file = ''], [name]] = [codeOf(row[0]), codeOf(row[1])];
    expect([file, existsSync(join(root, file))]).toEqual([file, true]);
    // A file without a function of its own: a thread's entry, or one with only a default export.
    if (name === undefined) {
      expect([file, row[1]]).toEqual([
        file,
        /^export default /m.test(text(file)) ? 'default export' : 'none',
      ]);
      continue;
    }
    const declared = new RegExp(
      `\\b(?:function|const|class) ${name}\\b|^export default ${name}\\(|^ {2}${name}: `,
      'm',
    );
    expect([file, name, declared.test(text(file))]).toEqual([file, name, true]);
  }
});

test.each([
  ['the path', /path goes through (\d+) files/, headings.slice(0, -1)],
  ['the decision', /These (\d+) files hold the whole decision/, headings.slice(0, 1)],
])('%s has as many files as the page says', (_, words, tables) => {
  const [, stated] = words.exec(pageText(page)) ?? [];
  const named = tables.flatMap((heading) => rowsBelow(page, heading).flatMap(([file]) => codeOf(file)));
  expect(new Set(named).size).toBe(Number(stated));
});
