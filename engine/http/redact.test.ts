import { expect, test } from 'vitest';
import { createLearned, createRedactor } from './redact.ts';

function hidden(text: string, ...values: readonly string[]): string {
  const learned = createLearned(4);
  for (const value of values) learned.add(value);
  return learned.hide(text, '*');
}

test('hides every occurrence of every value, and leaves the rest as it was', () => {
  expect(hidden('a abcd b efghi abcd', 'abcd', 'efghi')).toBe('a * b * *');
  expect(hidden('abcd', 'abcd')).toBe('*');
  expect(hidden('abce', 'abcd')).toBe('abce');
  expect(hidden('', 'abcd')).toBe('');
});

test('of values that begin alike the longest is hidden', () => {
  expect(hidden('abcdef abcdxx', 'abcd', 'abcdef')).toBe('* *xx');
});

test('hides values that overlap as one', () => {
  expect(hidden('xabcdefgh', 'xabcd', 'abcdefg')).toBe('*h');
  expect(hidden('abababab', 'abab')).toBe('*');
});

test('values side by side are hidden one by one', () => {
  expect(hidden('abcdefgh', 'abcd', 'efgh')).toBe('**');
});

test('a character beyond Latin-1 is not taken for the one it shares its last byte with', () => {
  expect(hidden('\u0161bcd \u0161bcd', 'abcd')).toBe('\u0161bcd \u0161bcd');
  expect(hidden('abcd \u0161bcd', '\u0161bcd')).toBe('abcd *');
});

const secret = 's3cr/et+ "päss"';

function knowing(...secrets: string[]) {
  const redactor = createRedactor();
  for (const each of secrets) redactor.learn(each);
  return redactor;
}

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';

for (const [form, text] of [
  ['as it is', secret],
  ['percent-encoded', encodeURIComponent(secret)],
  ['percent-encoded in lower case', encodeURIComponent(secret).replace(/%../g, (hex) => hex.toLowerCase())],
  ['as form data', encodeURIComponent(secret).replaceAll('%20', '+')],
  ['as JSON', JSON.stringify(secret).slice(1, -1)],
  ['as JSON with escaped slashes', JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/')],
  ['as base64', Buffer.from(secret).toString('base64').replace(/=+$/, '')],
] as const) {
  test(`a learned secret is hidden ${form}`, () => {
    expect(knowing(secret).text(`before ${text} after ${text}`)).toBe('before [redacted] after [redacted]');
  });
}

test('a secret that contains another is hidden whole', () => {
  expect(knowing('abcdef', 'abcdef-ghijkl').text('abcdef-ghijkl')).toBe('[redacted]');
});

test('a short secret does not blot out words', () => {
  expect(knowing('party').text('POST /api/v1/party')).toBe('POST /api/v1/party');
});

test('what looks like a JWT is hidden unasked, and what does not is kept', () => {
  const { text } = createRedactor();

  expect(text(`a ${jwt} b "${jwt}"`)).toBe('a [redacted] b "[redacted]"');
  expect(text('eyJust.a.word or eyJhbGciOiJIUzI1NiJ9')).toBe('eyJust.a.word or eyJhbGciOiJIUzI1NiJ9');
});

test('a hostile text of JWT beginnings takes no time', () => {
  const begun = performance.now();

  createRedactor().text('eyJ-'.repeat(500_000));

  expect(performance.now() - begun).toBeLessThan(20_000);
});

test('every header that carries a credential is hidden, and its shape kept', () => {
  const { headers } = createRedactor();

  expect(
    headers([
      ['Authorization', 'Bearer abc'],
      ['authorization', 'abc def'],
      ['Proxy-Authorization', 'Basic YTpi'],
      ['Cookie', 'sid=1; theme=dark; lone'],
      ['Set-Cookie', 'sid=abc; Path=/; HttpOnly'],
      ['X-Auth-Token', 'abc'],
      ['x-csrf', 'abc'],
      ['X-CSRF-Token', 'abc'],
      ['X-Api-Key', 'abc'],
      ['apikey', 'abc'],
      ['X-Session-Id', 'abc'],
      ['X-Client-Version', '1.2'],
      ['Location', `https://me:pw@host/login?accessToken=abc&x=1`],
    ]),
  ).toEqual([
    ['Authorization', 'Bearer [redacted]'],
    ['authorization', '[redacted]'],
    ['Proxy-Authorization', 'Basic [redacted]'],
    ['Cookie', 'sid=[redacted]; theme=[redacted]; [redacted]'],
    ['Set-Cookie', 'sid=[redacted]; Path=/; HttpOnly'],
    ['X-Auth-Token', '[redacted]'],
    ['x-csrf', '[redacted]'],
    ['X-CSRF-Token', '[redacted]'],
    ['X-Api-Key', '[redacted]'],
    ['apikey', '[redacted]'],
    ['X-Session-Id', '[redacted]'],
    ['X-Client-Version', '1.2'],
    ['Location', 'https://[redacted]@host/login?accessToken=[redacted]&x=1'],
  ]);
});

test('the token query and user information of a URL are hidden', () => {
  const { url } = createRedactor();

  expect(url('http://a:b@host/login?x=1&token=abc&y=2#f')).toBe(
    'http://[redacted]@host/login?x=1&token=[redacted]&y=2#f',
  );
  expect(url('http://host/at@sign?ids=[]')).toBe('http://host/at@sign?ids=[]');
});

test('credential members of a JSON body are hidden', () => {
  const { body } = createRedactor();

  expect(body('{"accessToken": "a\\"b","name":"c","refresh_token":"cut o')).toBe(
    '{"accessToken": "[redacted]","name":"c","refresh_token":"[redacted]',
  );
});

test.each([
  ...['token', 'accessToken', 'refresh_token', 'jwt', 'secret', 'client_secret', 'password', 'passwd'],
  ...['credential', 'credentials', 'X-Amz-Credential', 'authorization', 'x-authorization', 'signature'],
  ...['X-Amz-Signature', 'ticket', 'authTicket', 'session_ticket', 'apikey', 'api_key', 'X-Api-Key'],
  ...[
    'accessKey',
    'access-key',
    'session',
    'user_session',
    'sessionId',
    'session_key',
    'PHPSESSID',
    'JSESSIONID',
  ],
  ...['sid', 'quest_sid', 'SID', 'auth', 'x-auth', 'csrf', 'XSRF', 'csrf-token'],
])('a value under the name %s is hidden in a query, a member and a header', (name) => {
  const { url, body, headers } = createRedactor();
  expect(url(`http://host/a?x=1&${name}=abc&y=2`)).toBe(`http://host/a?x=1&${name}=[redacted]&y=2`);
  expect(body(JSON.stringify({ x: 'a', [name]: 'abc', y: 'b' }))).toBe(
    JSON.stringify({ x: 'a', [name]: '[redacted]', y: 'b' }),
  );
  const field = name.replaceAll('_', '-');
  expect(headers([[field, 'abc']])).toEqual([[field, '[redacted]']]);
});

test.each(['userSid', 'mySession', 'userAuth', 'playerCSRF', 'connect.sid', 'session2_sid'])(
  'a value under the name %s is hidden in a query and a member',
  (name) => {
    const { url, body } = createRedactor();
    expect(url(`http://host/a?${name}=abc`)).toBe(`http://host/a?${name}=[redacted]`);
    expect(body(JSON.stringify({ [name]: 'abc' }))).toBe(JSON.stringify({ [name]: '[redacted]' }));
  },
);

test.each([
  ...[
    'keyboard',
    'monkey',
    'hotkey',
    'key',
    'token_type',
    'tickets',
    'tokens',
    'cricket',
    'author',
    'inside',
  ],
  ...['sidekick', 'signatures', 'secretary', 'sessions', 'authority', 'passage'],
])('a value under the name %s stays, wherever it stands', (name) => {
  const { url, body } = createRedactor();
  expect(url(`http://host/a?${name}=abc`)).toBe(`http://host/a?${name}=abc`);
  expect(body(JSON.stringify({ [name]: 'abc' }))).toBe(JSON.stringify({ [name]: 'abc' }));
});

test('a member that only ends like a short word stays, and so do counts', () => {
  const { body } = createRedactor();
  const json =
    '{"classId":"a","statusID":"b","CLASSID":"c","possession":"d","oauth":"e","tokens":5,"ticket":2}';
  expect(body(json)).toBe(json);
});

test.each(['keyboard', 'x-author', 'x-inside', 'x-tickets', 'x-possession', 'x-classid'])(
  'the header %s stays',
  (name) => {
    expect(createRedactor().headers([[name, 'abc']])).toEqual([[name, 'abc']]);
  },
);

test('a hostile body of names takes no time', () => {
  const { body } = createRedactor();
  const start = performance.now();
  for (const part of ['"', '"token', '"a:', '?token', '"token":"\\'])
    body(part.repeat(Math.ceil(1_000_000 / part.length)));
  expect(performance.now() - start).toBeLessThan(3_000);
});
