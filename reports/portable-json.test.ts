import { expect, test } from 'vitest';
import { portableJson } from './portable-json.ts';

test('half a surrogate pair is replaced, all else is kept', () => {
  const value = { a: '\uD800x\uDC00', b: '🦊\u{10FFFF}', c: '\\ud800 \\\\ud800', d: '\u0000\n' };
  expect(JSON.parse(portableJson(value))).toEqual({ ...value, a: '\uFFFDx\uFFFD' });
});
