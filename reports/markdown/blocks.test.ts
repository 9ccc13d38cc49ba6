import { expect, test } from 'vitest';
import { bounded, codeBlock, codeSpan, htmlText, list, markdownText, table } from './blocks.ts';

test.each([
  ['markup', '*a* _b_ `c` [d](e) <f> ~g~ $h$', '\\*a\\* \\_b\\_ \\`c\\` \\[d\\](e) \\<f\\> \\~g\\~ \\$h\\$'],
  ['the end of a cell', 'a|b\\|c', 'a\\|b\\\\\\|c'],
  ['a link without brackets', 'see https://h/x or www.h', 'see https:\\//h/x or www\\.h'],
  ['a mention', '@everyone', '@<!-- -->everyone'],
  ['an entity', '&lt;', '\\&lt;'],
  ['line ends and steering characters', 'a\n# b\x1b[2J\u202E', 'a\\\\n\\# b\\\\e\\[2J\\\\u{202e}'],
])('%s is text', (_, text, written) => {
  expect(markdownText(text)).toBe(written);
});

test('the fence of a code span is longer than any run of backticks in it', () => {
  expect(codeSpan('a')).toBe('`a`');
  expect(codeSpan('a``b`')).toBe('``` a``b` ```');
  expect(codeSpan('`')).toBe('`` ` ``');
});

test('a bar ends the cell of a table even in a code span', () => {
  expect(codeSpan('a|b', { inTable: true })).toBe('`a\\|b`');
  expect(codeSpan('a|b')).toBe('`a|b`');
});

test('an empty text is no code span', () => {
  expect(codeSpan('  ')).toBe('');
});

test('a code block stays one line within its fence', () => {
  expect(codeBlock("curl -d '```\n```'", 'sh')).toBe("````sh\ncurl -d '```\\n```'\n````");
});

test('text in HTML holds no tag and no mention', () => {
  expect(htmlText(`<b a="c">&'@d`)).toBe('&#60;b a=&#34;c&#34;&#62;&#38;&#39;@<!-- -->d');
});

test('what is too long is cut between characters', () => {
  expect(markdownText('abcdef', 4)).toBe('abc…');
  expect(codeSpan('🦊🦊🦊', { most: 4 })).not.toMatch(/\p{Cs}/u);
});

const rows = (count: number, cell = 'x') => Array.from({ length: count }, () => [cell, 'y']);

test('a table shows how many rows it leaves out', () => {
  expect(table(['a', 'b'], rows(3), 2)).toBe(
    '| a | b |\n| --- | --- |\n| x | y |\n| x | y |\n\n… and 1 more row in result.json',
  );
  expect(table(['a', 'b'], rows(2), 2)).not.toContain('more');
});

test('rows that are too long for the share of a table are left out too', () => {
  const text = table(['a', 'b'], rows(20, '語'.repeat(700)), 20);
  expect(Buffer.byteLength(text)).toBeLessThan(5.2 * 1024);
  expect(text).toContain('… and 18 more rows in result.json');
});

test('a list shows how many items it leaves out', () => {
  expect(list(['a', 'b', 'c'], 2)).toBe('- a\n- b\n- … and 1 more in result.json');
  expect(list(['a'], 2)).toBe('- a');
});

test('blocks are taken while they fit, in their order, and the line that counts the rest fits too', () => {
  const restLine = (count: number) => `${count} more`;
  expect(bounded(['aa', 'bb', 'cc'], 12, restLine)).toEqual(['aa', '2 more']);
  expect(bounded(['aa', 'bb', 'cc'], 11, restLine)).toEqual(['3 more']);
  expect(bounded(['aa', 'bb', 'cc'], 16, restLine)).toEqual(['aa', 'bb', 'cc']);
  expect(bounded([], 0, restLine)).toEqual([]);
});
