import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { formOf } from '../players/body-template.ts';
import { bodiesInWords, changeInWords, shownInstead, shownStill, soughtIn } from './wording.ts';

const nowhere = { paths: new Set<string>(), names: new Set<string>() };
const shown = (body: unknown, status = 200) => exchangeOf({ status, body: body as object });
const many = { a: 1, b: 2, c: 3, d: 4 };
const view = { operation: areas.archives.activeNode, what: 'the node', value: 'n2' };

test('a view names its value, but for a secret, and for one that its words name already', () => {
  expect(soughtIn(view)).toBe('the node, "n2"');
  expect(soughtIn({ ...view, anywhere: true })).toBe('the node');
  expect(soughtIn({ ...view, what: '"n2", which the profile fixes' })).toBe('"n2", which the profile fixes');
  expect(soughtIn({ operation: view.operation, what: 'the match' })).toBe('the match');
});

test('bodies are named with their origins, one of each', () => {
  const [first, second] = [formOf({ a: 1 }, 'guess'), formOf({ b: 2 }, 'guess')];
  const made = formOf({ of: '{{value}}' }, 'refusal');
  expect(bodiesInWords([made, first, second, first])).toBe(
    '{"of":"{{value}}"} (made from what a refusal asks for), {"a":1} (guessed, one of 2)',
  );
  expect(bodiesInWords([formOf(null, 'guess')])).toBe('no body (guessed)');
});

test('a body is named without the secrets that a read showed, on one line, and by its members where it is long', () => {
  const shown = formOf({ token: 'abc', note: '\u2028', value: '{{value}}' }, 'read');
  expect(bodiesInWords([shown])).toBe(
    '{"token":"…","note":"\\u2028","value":"{{value}}"} (made from what a read shows)',
  );
  const long = 'x'.repeat(100);
  expect(bodiesInWords([formOf([{ a: long, b: 1, c: 2, d: 3, [long]: 4, e: 5 }], 'read')])).toBe(
    'a body with a, b, c, d and 1 more (made from what a read shows)',
  );
  expect(bodiesInWords([formOf(long, 'guess')])).toBe('a body of 102 characters (guessed)');
});

test('a message names the place that showed such a value before, and what stands there', () => {
  const expected = { ...nowhere, paths: new Set(['/data/#/id']) };
  const list = (...ids: string[]) => shown({ ...many, data: ids.map((id) => ({ id })) });
  expect(shownInstead(list('n1'), 'n2', expected)).toBe('200 with "n1" at /data/0/id');
  expect(shownInstead(list('a', 'b', 'c'), 'n2', expected)).toBe(
    '200 with "a" at /data/0/id, "b" at /data/1/id and 1 more',
  );
});

test('a message names the member that the call sent, where no answer showed such a value', () => {
  const expected = { ...nowhere, names: new Set(['nodeId']) };
  expect(shownInstead(shown({ ...many, data: { nodeId: 'n1' } }), 'n2', expected)).toBe(
    '200 with "n1" at /data/nodeId',
  );
});

test('a short answer is quoted, a long one is said not to hold the value', () => {
  expect(shownInstead(shown({ name: 'x', level: 3 }), 'n2', nowhere)).toBe(
    '200 with "x" at /name, 3 at /level',
  );
  expect(shownInstead(shown(many), 'n2', nowhere)).toBe('200 without it anywhere');
  expect(shownInstead(exchangeOf({ status: 200, body: 'plain' }), 'n2', nowhere)).toBe(
    '200 without it anywhere',
  );
});

test('a value that stands where it does not count is named with its place', () => {
  expect(shownInstead(shown({ ...many, last: 'n2' }), 'n2', nowhere)).toBe('200 with it only at /last');
  expect(shownStill(shown({ members: [{ id: 'n2' }] }), 'n2')).toBe('200 with it at /members/0/id');
  expect(shownStill(shown({ members: ['see n2'] }), 'n2')).toBe('200: it still does');
});

test('neither credentials nor parts of long texts are quoted', () => {
  const secret = shown({ sessionToken: 'abcdefgh', note: 'x'.repeat(81) });
  expect(shownInstead(secret, 'n2', nowhere)).toBe('200 with a text of 81 characters at /note');
});

test('a change is said as what stood at its places, and what stands there now', () => {
  const changed = (before: unknown, after: unknown, ...places: string[]) =>
    changeInWords(shown(before), shown(after), places);
  expect(changed({ coins: 100 }, { coins: 90 }, '/coins')).toEqual({
    was: '100 at /coins',
    is: '90 at /coins',
  });
  expect(changed({ items: ['a'] }, { items: ['a', 'b'] }, '/items/-')).toEqual({
    was: 'nothing more at /items/-',
    is: '"b" at /items/-',
  });
  expect(changed({ apiKey: 'one' }, { apiKey: 'two' }, '/apiKey')).toEqual({
    was: 'status 200',
    is: 'status 200, and another content',
  });
});
