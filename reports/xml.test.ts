import { expect, test } from 'vitest';
import { attribute, xmlText } from './xml.ts';

test.each([
  ['markup', '<a b="c">&amp;</a>', '&lt;a b="c"&gt;&amp;amp;&lt;/a&gt;'],
  ['the end of a CDATA section', ']]>', ']]&gt;'],
  ['control characters', '\0\x1b[31m\x08', '\\u{0}\\u{1b}[31m\\u{8}'],
  ['lone surrogates', '\uD800x\uDC00', '\\u{d800}x\\u{dc00}'],
  ['noncharacters', '\uFFFE\uFFFF', '\\u{fffe}\\u{ffff}'],
  ['a carriage return', 'a\r\nb', 'a&#13;\nb'],
  ['what XML has a place for', 'ü 🦊 \t\n \u0085', 'ü 🦊 \t\n \u0085'],
])('%s in content', (_, text, written) => {
  expect(xmlText(text)).toBe(written);
});

test('an attribute keeps quotes, tabs and line ends through normalisation', () => {
  expect(attribute('message', '"a"\t\r\n<b>')).toBe(' message="&quot;a&quot;&#9;&#13;&#10;&lt;b&gt;"');
});
