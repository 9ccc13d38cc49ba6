import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { type Answer, rehearse, type Script } from '../../fixtures/kit/rule-rehearsal.ts';
import { head, headContradicts } from './head.ts';

const { config } = areas.general;
const get: Answer = { body: { a: 1 }, headers: { etag: '"a"' } };
const answering =
  (answer: Answer): Script =>
  ({ method }) =>
    method === 'HEAD' ? answer : get;

test.each([
  [
    'the same fields',
    { headers: { 'content-length': '7', etag: '"a"', 'content-type': 'application/json' } },
    'pass',
  ],
  ['fewer fields', {}, 'pass'],
  ['404, as many routers do', { status: 404 }, 'not-triggered'],
  ['405', { status: 405 }, 'not-triggered'],
  ['501', { status: 501 }, 'not-triggered'],
  ['a server error', { status: 500 }, 'violation'],
  ['another length', { headers: { 'content-length': '0' } }, 'violation'],
  ['another ETag', { headers: { etag: '"b"' } }, 'violation'],
  ['another type', { headers: { 'content-type': 'text/html' } }, 'violation'],
  ['a rate limit', { status: 429 }, 'rate-limited'],
] as [string, Answer, string][])('returns $2 for $0', async (_, answer, expected) => {
  expect((await rehearse(head, config, answering(answer))).verdict).toBe(expected);
});

test('a GET that has an effect may show more than a HEAD, which has none', async () => {
  const judged = async (answer: Answer) =>
    (await rehearse(head, areas.game.reconcileChallenges, answering(answer))).verdict;
  expect(await judged({ headers: { 'content-length': '0', etag: '"b"' } })).toBe('pass');
  expect(await judged({ status: 500 })).toBe('violation');
});

test('a body whose length or tag changes from GET to GET cannot be contradicted', async () => {
  let n = 0;
  const growing: Script = ({ method }) =>
    method === 'HEAD' ? { headers: { 'content-length': '3' } } : { body: 'x'.repeat(++n) };
  expect((await rehearse(head, config, growing)).verdict).toBe('pass');
  const tagged: Script = ({ method }) => ({
    headers: { etag: `"${++n}"` },
    body: method === 'HEAD' ? '' : 'x',
  });
  expect((await rehearse(head, config, tagged)).verdict).toBe('pass');
});

test('what else changes by itself excuses no field that does not', async () => {
  let n = 0;
  const script: Script = ({ method }) =>
    method === 'HEAD'
      ? { headers: { etag: '"h"', 'content-type': 'text/html', 'content-length': '1' } }
      : { headers: { etag: `"${++n}"`, 'content-type': 'text/plain' }, body: 'x'.repeat(n) };
  const { judgement } = await rehearse(head, config, script);
  expect(judgement).toMatchObject({ kind: 'violation', actual: 'text/html' });
});

test('a length that HEAD and GET share, and that is another one now and then, is no contradiction', async () => {
  let n = 0;
  const clock: Script = ({ method }) => {
    n += 1;
    const body = n === 2 ? 'x'.repeat(89) : 'x'.repeat(90);
    return method === 'HEAD' ? { headers: { 'content-length': String(body.length) } } : { body };
  };
  expect((await rehearse(head, config, clock)).verdict).toBe('pass');
});

const answer = (headers: Record<string, string>, body = '', status = 200, coding?: string) => ({
  status,
  headers: Object.entries(headers),
  body: Buffer.from(body),
  wire: { bytes: body.length, ...(coding !== undefined && { coding }) },
});
const whole = answer({ 'content-type': 'application/json', etag: '"a"', 'content-length': '7' }, '{"a":1}');

test.each([
  ['all of it', answer({ 'content-type': 'application/json', etag: '"a"', 'content-length': '7' })],
  ['nothing but the status', answer({})],
  ['parameters of the type', answer({ 'content-type': 'application/json; charset=utf-8' })],
  ['a weakened ETag', answer({ etag: 'W/"a"' })],
  ['the length of another coding', answer({ 'content-length': '3' }, '', 200, 'gzip')],
])('HEAD may say %s', (_, head) => {
  expect(headContradicts(head, whole)).toEqual([]);
});

test.each([
  ['status', answer({}, '', 500)],
  ['Content-Type', answer({ 'content-type': 'text/html' })],
  ['ETag', answer({ etag: '"b"' })],
  ['Content-Length', answer({ 'content-length': '0' })],
])('another %s contradicts', (field, head) => {
  expect(headContradicts(head, whole).map((found) => found.field)).toEqual([field]);
});
