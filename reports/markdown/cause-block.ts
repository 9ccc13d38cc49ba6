// One finding in report.md: folded up, since a reader opens the few that are theirs.
import { clauseText } from '../clause-text.ts';
import { shortened, titleOf } from '../console/cause-block.ts';
import type { Cause } from '../fold.ts';
import { counted } from '../headline.ts';
import { codeBlock, codeSpan, htmlText, markdownText } from './escape.ts';

/** Characters; a longer command is no longer read, let alone pasted. */
const longestCommand = 1_000;

/** A `<details>` block: the rule, why it exists, what was seen, and how to see it again. */
export function causeBlock(cause: Cause): string {
  const { example, results, operations } = cause;
  const { says, why } = clauseText(example.clause);
  const title = `${titleOf(cause)} (${counted(results.length, 'check')})`;
  const fields: (readonly [name: string, value: string])[] = [
    ['clause', `${markdownText(says)} (${example.level}, ${codeSpan(example.clause)})`],
    ['why', markdownText(why)],
    ['expected', codeSpan(example.expected ?? '')],
    ['actual', codeSpan(example.actual ?? example.detail ?? '')],
    ['at', codeSpan(shortened(operations, 300), { most: 400 })],
  ];
  const commands = [example.curl ?? '', example.rerun].filter(
    (command) => command !== '' && command.length <= longestCommand,
  );
  return [
    '<details>',
    `<summary>${htmlText(title)} · <code>${htmlText(shortened(operations, 60))}</code></summary>`,
    '',
    ...fields.filter(([, value]) => value !== '').map(([name, value]) => `- ${name}: ${value}`),
    '',
    ...commands.flatMap((command) => [codeBlock(command, 'sh'), '']),
    '</details>',
  ].join('\n');
}
