import { expect, test } from 'vitest';
import { type JsonText, readJson } from './json-walk.ts';

const spotOf = ({ offsetOf, spotAt }: JsonText, pointer: string) => {
  const offset = offsetOf(pointer);
  return offset === undefined ? undefined : spotAt(offset);
};

test.each([
  ['{"a" 1}', 1, 6, '":"'],
  ['{"a": 1 "b": 2}', 1, 9, '"," or "}"'],
  ['[1, 2', 1, 6, '"," or "]"'],
  ['[\n  1,\n  tru\n]', 3, 3, 'a value'],
  ['{"a": 01}', 1, 7, 'a value'],
  ['{"a": "tab\there"}', 1, 7, 'a value'],
  ['{} {}', 1, 4, 'the end of the file'],
  ["{'a': 1}", 1, 2, 'a property name in double quotes'],
  ['{"a": 1,\r\n"b": }', 2, 6, 'a value'],
])('%j is wrong at line %i, column %i', (text, line, column, expected) => {
  const { wrong, spotAt } = readJson(text);
  expect(wrong?.why).toBe(`expected ${expected}`);
  expect(spotAt(wrong?.offset ?? 0)).toEqual({ line, column });
});

test.each(['{"a": [1, -0.5e+3, "x\\u00e4\\n", true, null, {}]}', ' [ ] ', '\uFEFF{}', '"é"'])(
  'sound JSON is parsed: %j',
  (text) => {
    expect(readJson(text)).toMatchObject({ value: JSON.parse(text.replace('\uFEFF', '')), repeated: [] });
  },
);

test('a value is found under its pointer', () => {
  const text = '{\n  "a/b": { "~": [10,\n    20] }\n}';
  const read = readJson(text);
  expect(spotOf(read, '/a~1b')).toEqual({ line: 2, column: 3 });
  expect(spotOf(read, '/a~1b/~0/1')).toEqual({ line: 3, column: 5 });
  expect(spotOf(read, '/b')).toBeUndefined();
});

test.each(['[', '{"a":'])('a text nested without end is an error, not a crash: %s', (open) => {
  expect(readJson(open.repeat(200_000)).wrong?.why).toBe('expected at most 100 levels');
});

test('a string of a mebibyte is read', () => {
  expect(readJson(`"${'a\\n'.repeat(349_525)}"`)).toMatchObject({ repeated: [] });
});

test.each(['{\n // why\n "a": 1}', '{"a": 1 /* why */}', '# why\n{}'])(
  'a comment is reported as one: %j',
  (text) => {
    expect(readJson(text).wrong?.why).toMatch(/; JSON has no comments$/);
  },
);

test('a name that stands in an object twice is reported, however it is escaped; the last counts', () => {
  const read = readJson('{"a": {"b": 1,\n"\\u0062": 2}, "b": 3, "__proto__": {"a": 4}}');
  expect(read.repeated).toEqual(['/a/b']);
  expect(spotOf(read, '/a/b')).toEqual({ line: 2, column: 1 });
  expect(read.value).toHaveProperty(['a', 'b'], 2);
});
