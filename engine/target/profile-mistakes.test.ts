import { describe, expect, test } from 'vitest';
import { catalog } from '../../catalog/catalog.ts';
import { guessesFor } from '../players/candidate-bodies.ts';
import { readProfile } from './profile.ts';

const read = (text: string, env = {}) => {
  const result = readProfile(text, env);
  return 'mistakes' in result ? result : { mistakes: [], more: 0 };
};
const mistakes = (text: string, env = {}) => read(text, env).mistakes;

test('a syntax error is reported with line and column', () => {
  expect(mistakes('{\n  "omit": [],\n}')).toEqual([
    '3:1 is not JSON: expected a property name in double quotes',
  ]);
  expect(mistakes('')).toEqual(['1:1 is not JSON: expected a value']);
  expect(mistakes('null')).toEqual(['1:1 the profile is null; expected an object']);
});

test('an unknown name is reported with its place and the nearest known one', () => {
  expect(mistakes('{"parameters": {"storyID": "s"}}')).toEqual([
    '1:17 unknown key "storyID" in /parameters; did you mean "storyId"?',
  ]);
  expect(mistakes('{"omit": [\n {"operation": "me.loguot", "reason": "r"}]}')).toEqual([
    '2:3 /omit/0/operation is "me.loguot"; expected the id of an operation, did you mean "me.logout"?',
  ]);
});

test.each([
  ['[]', '1:1 the profile is []; expected an object'],
  [
    '{"parameters": {"storyId": ""}}',
    '1:17 /parameters/storyId is ""; expected a string that is not empty, a number or a boolean',
  ],
  ['{"words": {"gmae": "quest"}}', '1:12 unknown key "gmae" in /words; did you mean "game"?'],
  [
    '{"words": {"game": "a/b"}}',
    '1:12 /words/game is "a/b"; expected a word of letters, digits, ".", "_", "~" or "-"',
  ],
  [
    '{"wordsAt": {"party.create": {"game": "x"}}}',
    '1:14 party.create holds no neutral word that could be another; remove it from /wordsAt',
  ],
  [
    '{"wordsAt": {"auth.login": {"game": "x"}}}',
    '1:29 unknown key "game" in /wordsAt/auth.login; expected "storefront"',
  ],
  [
    '{"wordsAt": {"auth.login": {"storefrnt": "x"}}}',
    '1:29 unknown key "storefrnt" in /wordsAt/auth.login; did you mean "storefront"?',
  ],
  [
    '{"wordsAt": {"auth.login": {}}}',
    '1:14 /wordsAt/auth.login is {}; expected an object that says what stands for the neutral word',
  ],
  ['{"wordsAt": {"auth.logn": {}}}', '1:14 unknown key "auth.logn" in /wordsAt; did you mean "auth.login"?'],
  ['{"operations": {"xyzzy": {}}}', '"xyzzy" in /operations; profile.schema.json lists what there may be'],
  [
    '{"omit": [{"operation": "stroe.*", "reason": "r"}]}',
    '1:12 /omit/0/operation is "stroe.*"; no operation has such an id',
  ],
  ['{"omit": [{"operation": "me.logout"}]}', '1:11 /omit/0/reason is missing; expected the reason in words'],
  [
    '{"session": {"transport": {"kind": "cokie"}}}',
    '1:28 /session/transport/kind is "cokie"; expected one of "cookie", ',
  ],
  [
    '{"session": {"transport": {"kind": "bearer", "source": "token at /x"}}}',
    'expected a JSON Pointer into the login answer',
  ],
  [
    '{"session": {"transport": {"kind": "bearer"}}}',
    '1:14 /session/transport/source is missing; expected a JSON Pointer',
  ],
  ['{"session": {"hosts": ["gamelogs"]}}', 'expected an object such as {"gamelogs": true}'],
  [
    '{"session": {"hosts": {"logs": true}}}',
    'unknown key "logs" in /session/hosts; expected "cdn" or "gamelogs"',
  ],
  [
    '{"session": {"hosts": {"base": true}}}',
    'unknown key "base" in /session/hosts; expected "cdn" or "gamelogs"',
  ],
  ['{"session": {"hosts": {"cdn": "yes"}}}', '/session/hosts/cdn is "yes"; expected true or false'],
  ['{"session": {"jwt": {"alg": "none"}}}', '1:22 /session/jwt/alg is "none"; expected one of "HS256", '],
  [
    '{"private": ["party.*", "me.*"], "shared": ["me.*"]}',
    '/shared/0 is "me.*", which /private names too; remove one of them',
  ],
  [
    '{"expects": {"party/full": {"behaviour": "x", "until": "soon"}}}',
    '/until is "soon"; expected a day, as 2026-12-31',
  ],
  ['{"shared": "party.*"}', '/shared is "party.*"; expected a list of ids, each once'],
  [
    '{"private": ["a b"]}',
    '/private/0 is "a b"; expected the id of an operation or a check, or a glob of ids',
  ],
  [
    '{"operations": {"party.craete": {}}}',
    '1:17 unknown key "party.craete" in /operations; did you mean "party.create"?',
  ],
  [
    '{"operations": {"party.create": {"effect": "reads"}}}',
    'expected one of "read", "own", "shared", did you mean "read"?',
  ],
  [
    '{"operations": {"party.create": {"accepts": [20]}}}',
    '1:46 /operations/party.create/accepts/0 is 20; expected a status from 200 to 499',
  ],
  [
    '{"operations": {"party.create": {"ids": {"partyId": "id"}}}}',
    'partyId is "id"; expected a JSON Pointer, such as /data/id',
  ],
  [
    '{"operations": {"party.create": {"ids": {"partyID": "/id"}}}}',
    'unknown key "partyID" in /operations/party.create/ids; did you mean "partyId"?',
  ],
  [
    '{"operations": {"party.create": {"ids": {"party id": "/id"}}}}',
    '"party id" is no name here; expected the name of an identifier',
  ],
  [
    '{"operations": {"party.create": {"schema": {"type": "objct"}}}}',
    'schema/type is "objct"; expected one of "array", "boolean", ',
  ],
  [
    '{"operations": {"party.create": {"schema": {"minLength": -1}}}}',
    'schema/minLength is -1; expected a value that must be >= 0',
  ],
  [
    '{"operations": {"party.create": {"schema": {"$ref": "#/$defs/x"}}}}',
    "/operations/party.create/schema is no JSON Schema: can't resolve reference",
  ],
  [
    '{"operations": {"party.create": {"schema": {"typ": "object"}}}}',
    'is no JSON Schema: strict mode: unknown keyword: \\"typ\\"'.replaceAll('\\', ''),
  ],
  ['{"operations": {"party.create": {"schema": {"pattern": "("}}}}', '/operations/party.create/schema'],
  [
    '{"operations": {"party.create": {"body": ["{{player.nam}}"]}}}',
    '1:43 /operations/party.create/body/0 names {{player.nam}}, which nobody knows; did you mean "player.name"?',
  ],
  ['{"operations": {"party.create": {"body": "by {{player.id"}}}', 'body holds "{{" without "}}"'],
  ['{"operations": {"party.create": {"body": {"{{x}}": 1}}}}', 'names {{x}}, which nobody knows'],
  [
    '{"operations": {"party.create": {"body": ["{{messageId}}"]}}}',
    '1:43 /operations/party.create/body/0 names {{messageId}}, which nobody knows here: flows find it for bodies of messages alone',
  ],
  [
    '{"session": {"body": "{{unqiue}}"}}',
    '/session/body names {{unqiue}}, which nobody knows; did you mean "unique"?',
  ],
  ['{"operations": {"me.location": {"body": {}}}}', 'a GET has none; remove it'],
  ['{"operations": {"party.create": {"contentType": "json"}}}', 'is "json"; expected a media type'],
  [
    '{"operations": {"party.invite": {"parameters": {"storyId": "s"}}}}',
    '"storyId" is no parameter of party.invite; it has partyId',
  ],
  [
    '{"waivers": [{"check": "a#b", "reason": "r", "link": "https://x", "expires": "2026-02-29"}]}',
    'expires is "2026-02-29"; expected a day (YYYY-MM-DD)',
  ],
  [
    '{"waivers": [{"check": "a#b", "reason": "r", "link": "ticket 7", "expires": "2026-02-28"}]}',
    'link is "ticket 7"; expected a link (https://…)',
  ],
  ['{"sources": {"words": "a run"}}', '"words" is no name here; expected a JSON Pointer into this file'],
])('a mistake is reported with its place and what was expected: %s', (text, phrase) => {
  const [line = '', ...others] = mistakes(text);
  expect(line).toContain(phrase);
  expect(others).toEqual([]);
});

test('two payload schemas of one $id do not meet', () => {
  const schema = { $id: 'https://api.example/answer', type: 'object' };
  const operations = { 'me.location': { schema }, 'me.logout': { schema } };
  expect(mistakes(JSON.stringify({ operations }))).toEqual([]);
});

test("a login's body may name its token, and nobody's id", () => {
  const body = { jwt: '{{token}}', name: '{{player.name}}', device: '{{unique}}', at: '{{now}}' };
  for (const [said, wrong] of [
    [body, 0],
    [{ ...body, id: '{{player.id}}' }, 1],
  ] as const)
    for (const text of [{ session: { body: said } }, { operations: { 'auth.login': { body: said } } }])
      expect(mistakes(JSON.stringify(text))).toHaveLength(wrong);
});

test('all mistakes are reported at once, in the order of the text', () => {
  const text = '{\n"wrods": {},\n"operations": {"me.logout": {"body": "{{x}}"}},\n"omit": 1\n}';
  expect(mistakes(text).map((line) => line.split(' ')[0])).toEqual(['2:1', '3:30', '4:1']);
});

describe('a hostile file', () => {
  test('with a hundred thousand mistakes is reported with twenty of them, and how many more', () => {
    const keys = Array.from({ length: 50_000 }, (_, n) => `"k${n}": 1`).join();
    const { mistakes, more } = read(`{${keys}}`);
    expect(mistakes).toHaveLength(20);
    expect(more).toBe(50_000 - 20);
  });

  test('with a key that stands twice is not read by half', () => {
    expect(mistakes('{"words": {}, "words": {"game": "x"}}')).toEqual(['1:15 /words stands there twice']);
  });

  test.each(['__proto__', 'constructor', 'toString'])('with a key named %s gains nothing', (key) => {
    const within = (at: string) => mistakes(at.replace('KEY', `"${key}": {"game": "x"}`))[0];
    for (const at of ['{KEY}', '{"words": {KEY}}', '{"operations": {KEY}}', '{"parameters": {KEY}}'])
      expect(within(at)).toContain(`unknown key "${key}"`);
    expect(within('{"operations": {"party.create": {"ids": {KEY}}}}')).toBeDefined();
  });

  test('with a long pointer to the mistake is reported with its end', () => {
    const schema = { properties: { [`a${'b'.repeat(90)}`]: { type: 'objct' } } };
    const [line] = mistakes(JSON.stringify({ operations: { 'party.create': { schema } } }));
    expect(line).toMatch(/^1:\d+ …b+\/type is "objct"/);
  });

  test('with a key of control characters and great length is reported in one printable line', () => {
    const [line = ''] = mistakes(
      JSON.stringify({ operations: { 'party.create': { ids: { [`\u001b[31m${'x'.repeat(500)}`]: '/a' } } } }),
    );
    expect(line).not.toMatch(/[\x00-\x1f]/);
    expect(line.length).toBeLessThan(400);
  });
});

test.each([
  ['{"headers": {"X-Key": "geheim\\nX: 1"}}', 'is no header value'],
  ['{"headers": {"X Key": "geheim"}}', 'is no header name'],
  ['{"headers": {"Content-Length": "geheim"}}', 'is set by the client itself'],
  ['{"headers": {"X-Key": ["geheim"]}}', 'is neither a string nor'],
  ['{"headers": {"X-Key": {"env": "UNSET"}}}', 'takes its value from UNSET, which is not set'],
  ['{"headers": {"X-Key": {"env": "TWO_LINES"}}}', 'which holds more than one line'],
])('a header that cannot be sent is a mistake, and its value is not repeated: %s', (text, phrase) => {
  const [line = '', ...others] = mistakes(text, { TWO_LINES: 'geheim\ngeheim' });
  expect(line).toContain(phrase);
  expect(line).not.toContain('geheim');
  expect(others).toEqual([]);
});

test('a body may name whatever the forms that are tried without a profile name', () => {
  const written = catalog
    .filter(({ id, method }) => method !== 'GET' && id !== 'auth.login')
    .flatMap((operation) =>
      guessesFor(operation).map(({ template }) => ({ [operation.id]: { body: template } })),
    );
  const found = written.flatMap((operations) => mistakes(JSON.stringify({ operations })));
  expect(found).toEqual([]);
});
