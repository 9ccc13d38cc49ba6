import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';

const limitMs = 20_000;

/** The CLI as a user starts it. */
const assay = (...command: string[]) => script('cli.ts', ...command);

function script(...command: string[]): Promise<{ code: unknown; stderr: string }> {
  const args = ['--import', './runtime.js', ...command];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: import.meta.dirname, timeout: limitMs }, (error, _, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stderr }),
    );
  });
}

test.each([
  ['an option given as nothing', ['run', '--keep', ''], "assay: option '--keep <dir>' is given nothing"],
  [
    'one of several given as nothing',
    ['run', '--only', 'party', ''],
    "assay: option '--only <id...>' is given nothing",
  ],
  ['an option that there is not', ['doctor', '--nosuch'], "assay: unknown option '--nosuch'"],
  [
    'a URL without its scheme',
    ['localhost:31880'],
    'assay: run: "localhost:31880" has no scheme; write http://localhost:31880, or https://localhost:31880',
  ],
  [
    'a URL that is a word',
    ['run', 'staging'],
    'assay: run: "staging" is no URL; give the one of your main API (http://…), or --only WORD to run less',
  ],
  [
    'a word where the doctor takes a URL',
    ['doctor', 'staging'],
    'assay: doctor: "staging" is no URL; give the one of your main API (http://…)',
  ],
  [
    'a URL without its scheme where learn takes one',
    ['learn', 'localhost:1'],
    'assay: learn: "localhost:1" has no scheme; write http://localhost:1, or https://localhost:1',
  ],
  ['a command that there is not', ['staging.json'], "assay: unknown command 'staging.json'"],
  ['help on a command that there is not', ['help', 'nosuch'], "assay: unknown command 'nosuch'"],
])('%s: exit 2, and a line that begins with "assay:"', async (_, command, line) => {
  const { code, stderr } = await assay(...command);
  expect([code, stderr.split('\n')[0]]).toEqual([2, line]);
});

test.each([
  [['--nosuch'], "assay: unknown option '--nosuch'"],
  [['nosuch'], 'assay: hostile: "nosuch" is part of no behaviour\'s name'],
])('the hostile servers with %j: exit 2, and a line that begins with "assay:"', async (words, line) => {
  const { code, stderr } = await script('commands/hostile/hostile.ts', ...words);
  expect([code, stderr.split('\n')[0]]).toEqual([2, line]);
});

test('after a command that there is not, the way to help is a command, since npx keeps options that stand there', async () => {
  expect((await assay('nosuch')).stderr).toContain('\n(npm run help shows what there is)');
  expect((await assay('doctor', '--nosuch')).stderr).toContain('\n(--help shows what there is)');
});

test('help on a command is its help, exit 0', async () => {
  expect(await assay('help', 'doctor')).toEqual({ code: 0, stderr: '' });
});
