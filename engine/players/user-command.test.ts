import { expect, test } from 'vitest';
import { explainCommand, type FailedCommand } from './user-command.ts';

const explanation = (over: Partial<FailedCommand>) =>
  explainCommand({ words: ['print-token'], stdout: '', stderr: '', env: {}, secrets: [], ...over });

test('of the complaints of a command the first line is reported, printable and short', () => {
  expect(explanation({ stderr: '\n  no \x1b[31maccount\u202e\nat line 7\n' }).complaint).toBe(
    ' and says "no \\u001b[31maccount\\u202e"',
  );
  expect(explanation({ stderr: 'x'.repeat(5_000) }).complaint.length).toBeLessThan(100);
  expect(explanation({ stderr: ' \n' }).complaint).toBe('');
});

test.each<[string, Partial<FailedCommand>]>([
  ['a known secret', { secrets: ['hunter22'] }],
  ['the value of a variable', { env: { VAULT_PASSWORD: 'hunter22' } }],
  ['what it printed as a token', { stdout: 'hunter22\n' }],
  ['the value of an option', { words: ['print', '--password=hunter22'] }],
  ['the value behind an option', { words: ['print', '--password', 'hunter22'] }],
  ['a header', { words: ['curl', '-H', "'x-api-key:", "hunter22'"] }],
  ['a credential', { words: ['curl', '-H', '"Authorization:', 'Bearer', 'hunter22"'] }],
  ['a login', { words: ['curl', "'-u'", 'me:hunter22'] }],
])('%s is in neither of both', (_, failed) => {
  const { complaint, split } = explanation({ stderr: 'refused: hunter22', ...failed });
  expect(complaint).toBe(' and says "refused: [redacted]"');
  expect(split).not.toContain('hunter22');
});

test('the words of a command that holds a quote are reported, since no shell joins them', () => {
  expect(explanation({ words: ['sh', '-c', "'echo", "x'"] }).split).toBe(
    `; no shell runs it, so quotes are not understood: its words are "sh" "-c" "'echo" "x'"`,
  );
  expect(explanation({ words: ["'a", ...'bcdefghij'] }).split).toMatch(/"h" and 2 more$/);
  expect(explanation({ words: ['sh', '-c', 'echo'] }).split).toBe('');
});
