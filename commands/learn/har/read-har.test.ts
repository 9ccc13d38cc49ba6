import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ConfigurationError } from '../../../engine/values/configuration-error.ts';
import { observedCallIn, readHar } from './read-har.ts';

const entry = (response: object, request: object = {}) => ({
  request: { method: 'GET', url: 'https://api.example/v', headers: [], ...request },
  response: { status: 200, headers: [], ...response },
});
const answerTo = (content: object) => observedCallIn(entry({ content }), 'a.har')?.answer.body;
const base64 = (text: string) => Buffer.from(text).toString('base64');

test('a JSON body is read as text or as base64, with a byte order mark or without', () => {
  const json = { kind: 'json', value: { a: 'ü' } };
  expect(answerTo({ text: '{"a":"ü"}', size: 10 })).toEqual(json);
  expect(answerTo({ text: '\uFEFF{"a":"ü"}' })).toEqual(json);
  expect(answerTo({ text: base64('{"a":"ü"}'), encoding: 'base64' })).toEqual(json);
});

test('a body that was recorded in part, or not at all, is cut; bytes are bytes', () => {
  expect(answerTo({ size: 6_000, text: '{"a":[1,' })).toEqual({ kind: 'cut' });
  expect(answerTo({ size: 6_000 })).toEqual({ kind: 'cut' });
  expect(answerTo({ size: 6_000, text: '', comment: 'not recorded' })).toEqual({ kind: 'cut' });
  expect(answerTo({ size: 4, text: base64('\u0000abc'), encoding: 'base64' })).toEqual({ kind: 'bytes' });
  expect(answerTo({ size: 0 })).toEqual({ kind: 'none' });
});

test('a size that counts the compressed bytes does not make a whole body a part', () => {
  expect(answerTo({ size: 5, text: '{"long":"value"}' })).toEqual({ kind: 'json', value: { long: 'value' } });
});

test('what was sent is its text; a form that is given as params alone is no JSON', () => {
  const sent = (postData: object) => observedCallIn(entry({}, { postData }), 'a.har')?.request.body;
  expect(sent({ mimeType: 'application/json', text: '{"a":1}', params: [] })).toEqual({
    kind: 'json',
    value: { a: 1 },
  });
  expect(
    sent({ mimeType: 'application/x-www-form-urlencoded', params: [{ name: 'a', value: '1' }] }),
  ).toEqual({
    kind: 'bytes',
  });
});

test('header names are in lower case, without those of HTTP/2 itself', () => {
  const headers = [
    { name: ':authority', value: 'api.example' },
    { name: 'X-Version', value: '1' },
    { name: 'broken' },
    null,
  ];
  expect(observedCallIn(entry({}, { headers }), 'a.har')?.request.headers).toEqual([['x-version', '1']]);
});

test('a media type is taken from the header, else from the capture, without its parameters', () => {
  const typed = (headers: object[], mimeType: string) =>
    observedCallIn(entry({ headers, content: { mimeType } }), 'a.har')?.answer.type;
  expect(typed([{ name: 'Content-Type', value: 'Text/Plain; charset=utf-8' }], 'x')).toBe('text/plain');
  expect(typed([], 'application/json; charset=utf-8')).toBe('application/json');
  expect(typed([], 'x-unknown')).toBe('');
});

test('a call without an answer has the status 0', () => {
  expect(observedCallIn(entry({ status: -1 }), 'a.har')?.status).toBe(0);
  expect(observedCallIn({ request: { method: 'GET', url: 'http://a/' } }, 'a.har')?.status).toBe(0);
});

test('what is no entry of an http call is none', () => {
  for (const strange of [null, 1, 'x', [], {}, { request: 1 }, entry({}, { url: 'wss://api.example/' })])
    expect(observedCallIn(strange, 'a.har')).toBeUndefined();
  expect(observedCallIn(entry({}, { url: 'data:text/plain,a' }), 'a.har')).toBeUndefined();
  expect(observedCallIn(entry({}, { url: 'not a url' }), 'a.har')).toBeUndefined();
});

describe('read-har', () => {
  const folder = mkdtempSync(join(tmpdir(), 'har-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  function fileOf(name: string, content: string | Uint8Array): string {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  }

  function pipe(name: string): string {
    const path = join(folder, name);
    execFileSync('mkfifo', [path]);
    return path;
  }

  async function mistake(path: string): Promise<string> {
    const error: unknown = await readHar(path, () => {}).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigurationError);
    const { lines } = error as ConfigurationError;
    expect(lines).toHaveLength(1);
    return (lines[0] ?? '').replace(folder, '…');
  }

  test('reads the entries of a HAR, a byte order mark before it or not', async () => {
    const urls: unknown[] = [];
    const path = fileOf(
      'mark.har',
      '\uFEFF{"log":{"entries":[{"request":{"url":"a"}},{"request":{"url":"b"}}]}}',
    );
    const counts = await readHar(path, (entry) =>
      urls.push((entry as { request: { url: string } }).request.url),
    );
    expect([urls, counts]).toEqual([['a', 'b'], { entries: 2, skipped: 0 }]);
  });

  test('a HAR without calls is a HAR', async () => {
    const path = fileOf('none.har', '{"log":{"entries":[]}}');
    expect(await readHar(path, () => {})).toEqual({ entries: 0, skipped: 0 });
  });

  test.each([
    ['what is not there', () => join(folder, 'absent.har'), 'does not exist'],
    ['a directory', () => folder, 'is a directory'],
    ['a device', () => '/dev/null', 'is not a regular file'],
    ['a pipe that nobody writes to', () => pipe('waiting.har'), 'is not a regular file'],
    ['an empty file', () => fileOf('empty.har', ''), 'is empty'],
    ['a text', () => fileOf('text.har', 'hello there'), 'is not JSON'],
    ['a compressed file', () => fileOf('zip.har', new Uint8Array([0x1f, 0x8b, 8, 0])), 'is not JSON'],
    ['a list', () => fileOf('list.har', '[]'), 'is no HAR'],
    ['another JSON file', () => fileOf('other.har', '{"log":{}}'), 'has no list at log.entries'],
    [
      'a file that was cut off',
      () => fileOf('cut.har', '{"log":{"entries":[{},{"request":'),
      'after 1 whole entries',
    ],
    ['a broken entry', () => fileOf('broken.har', '{"log":{"entries":[{},{"a":}]}}'), 'not JSON in entry 2'],
  ])('%s is reported in one line', async (_, path, expected) => {
    expect(await mistake(path())).toContain(expected);
  });
});
