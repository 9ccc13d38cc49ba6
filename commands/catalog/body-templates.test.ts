import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bodyExpression, jsonText, pointed, quoted, textExpression } from './body-templates.ts';
import type { Template } from './target-speech.ts';

const named = (name: string) => `v.${name}`;
const evaluated = (expression: string, scope: Record<string, unknown> = {}): unknown =>
  new Function(...Object.keys(scope), `return (${expression});`)(...Object.values(scope));
const v = { a: '1', name: 'key' };

/** Texts of what a literal, a template or a line could be ended by. */
const hostile = fc
  .array(fc.constantFrom('{', '}', "'", '"', '`', '\\', '$', '\n', '\r', '\u2028', '\0', '\ud800', 'a', '🦊'))
  .map((characters) => characters.join(''));

test('whatever a text holds, its literal is that text, on one line, and no variable', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(evaluated(quoted(text))).toBe(text);
      expect(quoted(text)).not.toMatch(/\{\{|\}\}|[\n\r\u2028\u2029]/);
    }),
  );
});

const plain = hostile.map((text) => text.replace(/[{}]/g, ''));

test('whatever stands around a variable, the expression is the text with its value', () => {
  fc.assert(
    fc.property(plain, plain, (before, after) => {
      const expression = textExpression(`${before}{{a}}${after}`, named);
      expect(evaluated(expression, { v })).toBe(`${before}1${after}`);
    }),
  );
});

test.each<readonly [string, Template, unknown]>([
  ['a variable alone', '{{a}}', '1'],
  ['a number', { n: '{{a:number}}' }, { n: 1 }],
  ['a number in a text', 'n={{a:number}}', 'n=1'],
  ['a member whose name is a variable', { '{{name}}': [true, null, 2] }, { key: [true, null, 2] }],
  ['names that need quotes', { 'a-b': {}, "it's": [] }, { 'a-b': {}, "it's": [] }],
])('a body as an expression: %s', (_, template, value) => {
  expect(evaluated(bodyExpression(template, named), { v })).toEqual(value);
});

test('a member named __proto__ stays one', () => {
  const body = evaluated(bodyExpression(JSON.parse('{"__proto__":{"x":1}}'), named)) as object;
  expect(Object.keys(body)).toEqual(['__proto__']);
});

test('JSON for a tool that puts in text: numbers lose their quotes, texts keep them', () => {
  expect(
    JSON.parse(jsonText({ n: '{{a:number}}', t: '{{a}}', m: 'x{{a:number}}' }).replaceAll('{{a}}', '1')),
  ).toEqual({
    n: 1,
    t: '1',
    m: 'x1',
  });
});

test.each([
  ['', 'answer', { id: 1 }],
  ['/data/0/id', 'answer?.data?.[0]?.id', undefined],
  ['/a~1b/c~0d', "answer?.['a/b']?.['c~d']", undefined],
])('the pointer %j is %s', (pointer, expression, value) => {
  expect(pointed('answer', pointer)).toBe(expression);
  expect(evaluated(pointed('answer', pointer), { answer: { id: 1 } })).toEqual(value);
});
