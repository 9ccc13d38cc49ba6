import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { examples, examplesOf } from './help-examples.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

function help(...args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', './runtime.js', 'cli.ts', 'help', ...args],
    {
      cwd: root,
      encoding: 'utf8',
      timeout: 30_000,
    },
  );
  return stdout + stderr;
}

test('each command has examples, and is an npm script', () => {
  const commands = Array.from(help().matchAll(/^ {2}(\w+) (?:\[|<| )/gm), ([, name = '']) => name);
  const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
  expect(commands).toContain('diff');
  for (const command of commands.filter((name) => name !== 'help')) {
    expect(Object.keys(examples)).toContain(command);
    expect(scripts[command === 'run' ? 'start' : command]).toContain(`cli.ts ${command}`);
  }
});

test('the help of a command ends with its examples', () => {
  expect(help('diff').trimEnd()).toContain(examplesOf('diff').trim());
});

test('what examples do is aligned in one column, except after commands that are too long', () => {
  expect(examplesOf('serve')).toBe(
    [
      '',
      'Examples:',
      '  npm run serve -- --port 8080                  on 8080, 8081 and 8082',
      "  npm run serve -- --mutant 'who leaves stays'  with one thing wrong",
    ].join('\n'),
  );
});

test('a command without examples has nothing at its end', () => {
  expect(examplesOf('dance')).toBe('');
});
