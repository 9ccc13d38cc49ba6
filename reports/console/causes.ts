// Prints one finding on the console: the rule, why it exists, what was seen, and how to repeat it.
import { resultFile } from '../files.ts';
import type { Cause } from '../summary/causes.ts';
import { counted, whole } from '../summary/headline.ts';
import { clauseText } from '../summary/places.ts';
import { blank, columns, copiedField, field, type Line, terminalText } from './layout.ts';

/** Characters; a longer command is no longer read, let alone pasted. */
const longestCurl = 600;

/** The lines of one cause, a blank one first. */
export function causeBlock(cause: Cause, width: number): Line[] {
  const { example, results, operations } = cause;
  const { says, why } = clauseText(example.clause);
  return [
    blank,
    {
      spans: [
        { text: `${titleOf(cause)} `, style: 'bad' },
        { text: `(${counted(results.length, 'failure')})` },
      ],
    },
    ...field('clause', `${says} (${example.level}, ${clausesOf(cause)})`, width, 2),
    ...field('why', why, width, 2),
    ...field('expected', example.expected ?? '', width, 2),
    ...field('actual', example.actual ?? example.detail ?? '', width, 2),
    ...(example.curl === undefined ? [] : [copiedField('curl', curlLine(example.curl))]),
    copiedField('rerun', example.rerun),
    ...(rulesOf(cause) < 2 ? [] : field('checks', shortened(idsOf(cause), width - 12), width)),
    ...(operations.length === 0 ? [] : field('at', shortened(operations, width - 12), width)),
  ];
}

/** A cause in one line, where there is no room for its block. */
export function causeLine(cause: Cause, width: number): Line {
  const { example, results } = cause;
  const count = `${whole(results.length)}×`.padStart(7);
  const seen = example.actual ?? example.detail ?? '';
  const at = shortened(idsOf(cause), Math.max(20, Math.floor(width / 3)));
  return { spans: [{ text: `${count} ${titleOf(cause)}: ${seen}  ` }, { text: at, style: 'weak' }] };
}

/** What --only, a waiver and `npm run explain` take. */
const idsOf = ({ results }: Cause) => results.map(({ id }) => id);

/** The rule's title; `and 2 more rules` where one cause broke several. */
export function titleOf(cause: Cause): string {
  const { title } = cause.example;
  const more = rulesOf(cause) - 1;
  return more === 0 ? title : `${title}, and ${counted(more, 'more rule')}`;
}

const rulesOf = ({ results }: Cause): number => new Set(results.map(({ title }) => title)).size;

/** The example's clause, and how many more one cause broke. */
function clausesOf({ example, results }: Cause): string {
  const more = new Set(results.map(({ clause }) => clause)).size - 1;
  return more === 0 ? example.clause : `${example.clause} and ${whole(more)} more`;
}

/** A command that a terminal would not print as it stands cannot be copied from it. */
function curlLine(curl: string): string {
  const printable = curl.length <= longestCurl && terminalText(curl) === curl;
  return printable ? curl : `see ${resultFile}`;
}

/** `a, b, c … and 128 more`: as many as fit, at least one. */
export function shortened(names: readonly string[], width: number): string {
  const all = names.join(', ');
  if (columns(all) <= width) return all;
  const ending = ` … and ${whole(names.length)} more`;
  let taken = names[0] ?? '';
  let count = 1;
  for (const name of names.slice(1)) {
    if (columns(`${taken}, ${name}${ending}`) > width) break;
    taken += `, ${name}`;
    count += 1;
  }
  return count === names.length ? all : `${taken} … and ${whole(names.length - count)} more`;
}
