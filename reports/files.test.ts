import { expect, test } from 'vitest';
import { parseFormats } from './files.ts';

test('formats are a list with commas between, each taken once', () => {
  expect(parseFormats('har')).toEqual(['har']);
  expect(parseFormats('ctrf, har,gitlab,har')).toEqual(['ctrf', 'har', 'gitlab']);
});

test.each(['', 'html', 'har,', 'toString', 'har;ctrf'])('%j is refused, and what there is named', (text) => {
  expect(() => parseFormats(text)).toThrow(/" is no format; expected ctrf, har, gitlab\.$/);
});
