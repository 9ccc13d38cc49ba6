import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from './fixtures/kit/scratch.ts';

const limitMs = 20_000;

/** The CLI as a user starts it. */
async function assay(...command: string[]) {
  const { code, stderr } = await script('cli.ts', ...command);
  return { code, stderr };
}

function script(...command: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const args = ['--import', './runtime.js', ...command];
  return new Promise((resolve) => {
    // vitest sets a BASE_URL of its own.
    const options = { cwd: import.meta.dirname, timeout: limitMs, env: { PATH: process.env.PATH } };
    execFile(process.execPath, args, options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}

test.each([
  [
    'an option given as nothing',
    ['run', '--keep', ''],
    "assay: option '--keep <dir>' is given nothing; --help shows what there is",
  ],
  [
    'one of several given as nothing',
    ['run', '--only', 'party', ''],
    "assay: option '--only <id...>' is given nothing; --help shows what there is",
  ],
  [
    'an option that there is not',
    ['doctor', '--nosuch'],
    "assay: unknown option '--nosuch'; --help shows what there is",
  ],
  [
    'a misspelt option',
    ['run', '--ony', 'party'],
    "assay: unknown option '--ony'; did you mean --only? --help shows what there is",
  ],
  [
    'a value that is none of those allowed',
    ['run', '--attack', 'onn'],
    "assay: option '--attack <mode>' argument 'onn' is invalid. Allowed choices are auto, on, off. --help shows what there is",
  ],
  // npx keeps an option that stands where a command would, so after a mistake there the way to help is a command.
  [
    'a URL without its scheme',
    ['localhost:31880'],
    'assay: run: "localhost:31880" has no scheme; write http://localhost:31880, or https://localhost:31880',
  ],
  [
    'a URL of another scheme',
    ['run', 'ws://localhost:1'],
    'assay: run: "ws://localhost:1" has the scheme ws; expected http://… or https://…',
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
  [
    'words of --only with a comma between',
    ['run', '--only', 'party,me.logout,#answers'],
    'assay: --only: "party,me.logout,#answers" matches nothing; put blanks between words: --only party me.logout \'#answers\'',
  ],
  [
    'the word of other commands for the file that learn writes',
    ['learn', '--out', 'nosuch/profile.json'],
    'assay: --output: "nosuch/profile.json" stands in a folder that does not exist',
  ],
  [
    'a command that there is not',
    ['staging.json'],
    "assay: unknown command 'staging.json'; npm run help shows what there is",
  ],
  [
    'an option of run without it',
    ['--only', 'party'],
    'assay: --only is an option of run: npm start -- --only …',
  ],
  [
    'help on a command that there is not',
    ['help', 'nosuch'],
    "assay: unknown command 'nosuch'; npm run help shows what there is",
  ],
  [
    'a misspelt command',
    ['rn'],
    "assay: unknown command 'rn'; did you mean run? npm run help shows what there is",
  ],
])('%s: exit 2, and one line that begins with "assay:"', async (_, command, line) => {
  expect(await assay(...command)).toEqual({ code: 2, stderr: `${line}\n` });
});

test.each([
  [['--nosuch'], "assay: unknown option '--nosuch'; --help shows what there is"],
  [['nosuch'], 'assay: hostile: "nosuch" is part of no behaviour\'s name'],
])('the hostile servers with %j: exit 2, and a line that begins with "assay:"', async (words, line) => {
  const { code, stderr } = await script('commands/hostile/hostile.ts', ...words);
  expect([code, stderr.split('\n')[0]]).toEqual([2, line]);
});

test('help on a command is its help, exit 0', async () => {
  expect(await assay('help', 'doctor')).toEqual({ code: 0, stderr: '' });
});

test('a host that is not reached is reported in one way, whether there is a result already or not', async () => {
  const out = scratchFolder();
  const run = () => script('cli.ts', 'run', 'http://127.0.0.1:1', '--out', out);
  const why =
    /^assay: base: not reached at http:\/\/127\.0\.0\.1:1 \(refused\): .*\nassay: .*othing was judged.*\n$/;
  const fresh = await run();
  expect([fresh.code, fresh.stdout]).toEqual([2, '']);
  expect(fresh.stderr).toMatch(why);
  const result = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8'));
  writeFileSync(join(out, 'result.json'), JSON.stringify({ ...result, exitCode: 1 }));
  const again = await run();
  expect([again.code, again.stdout]).toEqual([2, '']);
  expect(again.stderr).toMatch(why);
});
