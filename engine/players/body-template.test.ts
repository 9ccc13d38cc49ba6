import { describe, expect, test } from 'vitest';
import {
  asNumbers,
  type Form,
  fill,
  firstOf,
  formOf,
  forTwo,
  placeholdersIn,
  secondOf,
  write,
} from './body-template.ts';

test('a form says which placeholders it carries', () => {
  expect(formOf({ playerIds: ['{{other.id}}'] }, 'guess').carries).toEqual(['other.id']);
});

test('a form is written as JSON', () => {
  const form = formOf({ playerId: '{{other.id}}' }, 'guess');
  const written = { body: '{"playerId":"p\\"2"}' };
  expect(write(form, { 'other.id': 'p"2' })).toEqual({ ok: true, form, written });
});

test('null is no body, but a placeholder may stand for the JSON null', () => {
  expect(write(formOf(null, 'profile'), {})).toMatchObject({ ok: true, written: { body: null } });
  expect(write(formOf('{{a}}', 'profile'), { a: null })).toMatchObject({
    ok: true,
    written: { body: 'null' },
  });
});

test.each([
  ['application/json; charset=utf-8', '"a=1"'],
  ['application/vnd.game+json', '"a=1"'],
  ['application/x-www-form-urlencoded', 'a=1'],
])('a text under %s is sent as %s', (contentType, body) => {
  const writing = write(formOf('a={{value}}', 'profile', contentType), { value: '1' });
  expect(writing).toMatchObject({ ok: true, written: { body, contentType } });
});

test('a form with an unknown value is not written', () => {
  expect(write(formOf('{{a}}', 'guess'), {})).toEqual({ ok: false, missing: ['a'] });
});

describe('a form for ids that are numbers', () => {
  const form = {
    ...formOf({ partyId: '{{partyId}}', say: '{{value}}' }, 'guess'),
    idsAsNumbers: true,
  } as const;

  test('sends digits as a number, and nothing but ids', () => {
    const writing = write(form, { partyId: '17', value: '18' });
    expect(writing).toMatchObject({ ok: true, written: { body: '{"partyId":17,"say":"18"}' } });
  });

  test('says afterwards which ids went out as numbers: written by that, it is the same again', () => {
    const both = {
      ...formOf({ ids: ['{{other.id}}'], of: '{{partyId}}' }, 'guess'),
      idsAsNumbers: true,
    } as const;
    const values = { 'other.id': 'p2', partyId: '17' };
    const writing = write(both, values);
    const numbered = formOf({ ids: ['{{other.id}}'], of: '{{partyId:number}}' }, 'guess');
    expect(writing).toEqual({ ok: true, form: numbered, written: { body: '{"ids":["p2"],"of":17}' } });
    expect(write(numbered, values)).toEqual(writing);
  });

  test.each(['p1', '017', '-1', '1e3', '9007199254740993', '', 17])('is not written for %j', (partyId) => {
    expect(write(form, { partyId, value: '18' })).toEqual({ ok: false, missing: [] });
  });
});

const values = { 'other.id': 'p2', level: 7, tags: ['a', 'b'], off: false, nothing: null, known: undefined };

describe('a filled template', () => {
  test.each([
    ['a placeholder alone keeps the type of a number', '{{level}}', 7],
    ['… of a list', { tags: '{{tags}}' }, { tags: ['a', 'b'] }],
    ['… of a boolean', '{{off}}', false],
    ['… of null', { at: '{{nothing}}' }, { at: null }],
    ['within a longer text it is text', 'player {{other.id}}, level {{level}}', 'player p2, level 7'],
    ['… and what is no text is JSON there', 'tags={{tags}}', 'tags=["a","b"]'],
    ['a placeholder with space beside it is within a longer text', '{{level}} ', '7 '],
    ['lists and objects are gone through', [{ a: ['{{other.id}}'] }], [{ a: ['p2'] }]],
    ['a member may be named by one', { '{{other.id}}': 1 }, { p2: 1 }],
    [
      'what is no placeholder stays',
      { a: '{level} {{ }} {{1}}', b: 1.5, c: null },
      { a: '{level} {{ }} {{1}}', b: 1.5, c: null },
    ],
  ])('%s', (_, template, body) => {
    expect(fill(template, values)).toEqual({ ok: true, body });
  });

  test('a value that looks like a placeholder is not filled again', () => {
    expect(fill('{{a}} {{b}}', { a: '{{b}}', b: 'x' })).toEqual({ ok: true, body: '{{b}} x' });
  });

  test('a value with a dollar sign is put in as it stands', () => {
    expect(fill('<{{a}}>', { a: "$& $1 $'" })).toEqual({ ok: true, body: "<$& $1 $'>" });
  });
});

test('a template with an unknown value is not filled at all: every unknown name is reported, once', () => {
  const template = { a: '{{known}}', b: ['{{other.id}}', '{{partyId}} {{known}}'] };
  expect(fill(template, values)).toEqual({ ok: false, missing: ['known', 'partyId'] });
});

test('what every object inherits is no value', () => {
  expect(fill('{{toString}}', values)).toEqual({ ok: false, missing: ['toString'] });
});

test('the placeholders of a template are listed once each, in order', () => {
  expect(placeholdersIn({ a: '{{b}} {{a}}', '{{c}}': ['{{b}}', 1, null] })).toEqual(['b', 'a', 'c']);
});

test('an identifier in digits goes out as a number where the template says so', () => {
  expect(fill({ id: '{{other.id:number}}' }, { 'other.id': '17' })).toEqual({ ok: true, body: { id: 17 } });
  expect(placeholdersIn('{{other.id:number}}')).toEqual(['other.id']);
});

test('an identifier that is no number cannot stand for one', () => {
  expect(fill('{{other.id:number}}', { 'other.id': 'p-17' })).toEqual({ ok: false, missing: ['other.id'] });
});

test('placeholders are made numbers where they are all that a string says', () => {
  const template = { '{{a}}': ['{{a}}', 'of {{a}}', '{{b}}', { c: '{{a}}' }] };
  expect(asNumbers(template, ['a'])).toEqual({
    '{{a}}': ['{{a:number}}', 'of {{a}}', '{{b}}', { c: '{{a:number}}' }],
  });
});

describe('a form for two', () => {
  const both = { 'other.id': '7', [secondOf('other.id')]: '8' };
  const bodyOf = (template: Parameters<typeof formOf>[0], from: 'guess' | 'profile') => {
    const form = forTwo(formOf(template, from), 'other.id');
    const writing = form && write(form, both);
    return writing?.ok ? JSON.parse(String(writing.written.body)) : undefined;
  };

  test('keeps a list that names both already, as a body mended once more does', () => {
    const once = forTwo(formOf({ ids: ['{{other.id}}'] }, 'guess'), 'other.id') as Form;
    expect(forTwo(once, 'other.id')?.template).toEqual(once.template);
    expect(forTwo(formOf({ ids: ['{{other.id}}', 'p-3'] }, 'guess'), 'other.id')).toBeUndefined();
  });

  test('names both where its list named one, as ids, as numbers or as objects', () => {
    expect(bodyOf({ ids: ['{{other.id}}'], platform: 'any' }, 'profile')).toEqual({
      ids: ['7', '8'],
      platform: 'any',
    });
    expect(bodyOf({ ids: ['{{other.id:number}}'] }, 'profile')).toEqual({ ids: [7, 8] });
    expect(bodyOf({ players: [{ playerId: '{{other.id}}' }] }, 'guess')).toEqual({
      players: [{ playerId: '7' }, { playerId: '8' }],
    });
  });

  test('leaves out of a guess what names one, and is none where a profile names one', () => {
    const template = { playerId: '{{other.id}}', playerIds: ['{{other.id}}'] };
    expect(bodyOf(template, 'guess')).toEqual({ playerIds: ['7', '8'] });
    expect(bodyOf(template, 'profile')).toBeUndefined();
  });

  test('is none without a list, or with one of more', () => {
    expect(bodyOf({ playerId: '{{other.id}}' }, 'guess')).toBeUndefined();
    expect(bodyOf({ ids: ['{{other.id}}', 'somebody'] }, 'guess')).toBeUndefined();
    expect(bodyOf(null, 'guess')).toBeUndefined();
  });

  test('knows whose second a placeholder is', () => {
    expect(firstOf(secondOf('messageId'))).toBe('messageId');
    expect(firstOf('messageId')).toBe('messageId');
  });
});
