import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { everything, sampleResult, sampleRun } from '../fixtures/kit/sample-run.ts';
import { scratchFolder } from '../fixtures/kit/scratch.ts';
import { explainCommand } from './explain.ts';

afterEach(() => void vi.restoreAllMocks());

function printed(): { readonly text: () => string } {
  const written: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  return { text: () => written.join('') };
}

function stored(content: string): string {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'result.json'), content);
  return join(folder, 'result.json');
}

test('a check is explained with how the named run judged it', async () => {
  const { text } = printed();
  const check = sampleResult({ id: 'party/left-view', outcome: 'warn', level: 'inferred', actual: 'them' });
  const result = stored(JSON.stringify({ ...everything, ...sampleRun([check]) }));
  await explainCommand(['party/left-view'], { result });
  expect(text()).toContain('at level inferred: warn');
});

test('a result that was named and is none is a mistake', async () => {
  printed();
  await expect(explainCommand(['needs-body'], { result: stored('{}') })).rejects.toThrow('--result');
});

test('the sign for any entry of a list is explained', async () => {
  const { text } = printed();
  await explainCommand(['#']);
  expect(text()).toMatch(/^#\s+term\n.*\/friends\/#\/id: any entry of the list/);
});

test('a word that is not known is a mistake with the nearest ones, and none lists what there is', async () => {
  await expect(explainCommand(['needs-bdy'])).rejects.toThrow('did you mean "needs-body"');
  await expect(explainCommand(['xyzzyplugh'])).rejects.toThrow('without a word');
  const { text } = printed();
  await explainCommand([]);
  expect(text()).toContain('an exit code (2)');
});

test.each([
  ['party/lefft', 'party/left-view'],
  ['party/lefft-view', 'party/left-view'],
  ['party/leav', 'party/leave'],
])('a mistyped step %s is nearest to %s', async (word, step) => {
  await expect(explainCommand([word])).rejects.toThrow(`did you mean "${step}"`);
});

test('a last part is answered with the ids that end with it', async () => {
  await expect(explainCommand(['left-view'])).rejects.toThrow('did you mean "party/left-view"');
});

test.each([
  [['exit 2'], ['2']],
  [['exit', '2'], ['2']],
  [['Exit code 130'], ['130']],
  [['exit', 'code', '3'], ['3']],
  [
    ['exit 1', 'needs-body'],
    ['1', 'needs-body'],
  ],
  [['exit'], ['0', '1', '2', '3', '130']],
  [['exit codes'], ['0', '1', '2', '3', '130']],
  [['exit 0..3'], ['0', '1', '2', '3', '130']],
])('%j explains %j', async (words, explained) => {
  const { text } = printed();
  await explainCommand(words);
  expect(Array.from(text().matchAll(/^(\S+) {2}(?:exit code|reason)/gm), ([, word]) => word)).toEqual(
    explained,
  );
});

test('an exit code that there is not is a mistake', async () => {
  await expect(explainCommand(['exit 7'])).rejects.toThrow('explain: "7" is no word');
});

test('known words are explained beside one that is not known', async () => {
  const { text } = printed();
  await expect(explainCommand(['130', 'needs-bdy', 'harness-error'])).rejects.toThrow(
    /^explain: "needs-bdy"/,
  );
  expect(text()).toMatch(/^130 .+\nharness-error /s);
});
