import { expect, test } from 'vitest';
import { codeBlock, codeSpan, htmlText, markdownText } from './escape.ts';

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
