import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Ask } from '../../engine/http/ask.ts';
import { type Answer, rehearse, type Script } from '../../fixtures/kit/rule-rehearsal.ts';
import { etagStable, modified, notModified } from './validators.ts';

const { catalog } = areas.clientData;
const tagged = (etag: string, body = 'x'): Answer => ({ headers: { etag }, body });
/** The nth plain answer, the last one from then on. */
const inTurn =
  (...answers: Answer[]): Script =>
  ({ nth = 1 }) =>
    answers[Math.min(nth, answers.length) - 1] ?? {};

test.each([
  ['one tag for the same bytes', inTurn(tagged('"a"')), 'pass'],
  ['another tag for other bytes', inTurn(tagged('"a"', 'x'), tagged('"b"', 'y')), 'pass'],
  ['one tag for other bytes', inTurn(tagged('"a"', 'x'), tagged('"a"', 'y')), 'violation'],
  ['one change, as a redeploy makes it', inTurn(tagged('"a"'), tagged('"b"')), 'pass'],
  ['a tag made anew each time', inTurn(tagged('"a"'), tagged('"b"'), tagged('"c"')), 'warning'],
  ['a tag that changes to and fro', inTurn(tagged('"a"'), tagged('"b"'), tagged('"a"')), 'warning'],
  [
    'a weak tag, which promises no bytes',
    inTurn(tagged('W/"a"', 'x'), tagged('W/"a"', 'y')),
    'not-triggered',
  ],
  ['no tag', inTurn({}), 'not-triggered'],
  ['a tag that comes and goes', inTurn(tagged('"a"'), {}), 'not-triggered'],
] as [string, Script, string][])('etag-stable: %s', async (_, script, told) => {
  expect((await rehearse(etagStable, catalog, script)).told).toBe(told);
});

const sent = ({ headers = [] }: Ask) => headers.find(([name]) => name === 'if-none-match')?.[1];
const when =
  (plain: Answer, conditional: (etag: string) => Answer): Script =>
  (ask) => {
    const etag = sent(ask);
    return etag === undefined ? plain : conditional(etag);
  };

test.each([
  ['304', () => ({ status: 304 }), 'pass'],
  ['the whole content again', () => tagged('"a"'), 'violation'],
  ['412', () => ({ status: 412 }), 'violation'],
  ['a server error', () => ({ status: 500 }), 'violation'],
  ['a firewall that dislikes it', () => ({ status: 403 }), 'unstable-answers'],
  ['content that has changed', (etag) => (etag === '"b"' ? { status: 304 } : tagged('"b"')), 'pass'],
  ['content that changes each time', (etag) => tagged(etag === '"b"' ? '"c"' : '"b"'), 'not-triggered'],
  [
    'content that has changed, and then breaks',
    (etag) => (etag === '"b"' ? { status: 500 } : tagged('"b"')),
    'violation',
  ],
  [
    'content that has changed, and then a rate limit',
    (etag) => (etag === '"b"' ? { status: 429 } : tagged('"b"')),
    'rate-limited',
  ],
  ['the whole content, untagged', () => ({}), 'not-triggered'],
  ['a rate limit', () => ({ status: 429 }), 'rate-limited'],
] as [string, (etag: string) => Answer, string][])('not-modified: %s', async (_, conditional, told) => {
  expect((await rehearse(notModified, catalog, when(tagged('"a"'), conditional))).told).toBe(told);
});

test('not-modified: a weak tag counts, no tag is fine', async () => {
  const weak = when(tagged('W/"a"'), (etag) => (etag === 'W/"a"' ? { status: 304 } : {}));
  expect((await rehearse(notModified, catalog, weak)).told).toBe('pass');
  expect(
    (
      await rehearse(
        notModified,
        catalog,
        when({}, () => ({})),
      )
    ).told,
  ).toBe('not-triggered');
});

test.each([
  ['the content', () => tagged('"a"'), 'pass'],
  ['304', () => ({ status: 304 }), 'violation'],
  ['something else', () => ({ status: 403 }), 'unstable-answers'],
] as [string, () => Answer, string][])('modified: %s', async (_, conditional, told) => {
  expect((await rehearse(modified, catalog, when(tagged('"a"'), conditional))).told).toBe(told);
});

test('modified: without an ETag there is nothing to ask', async () => {
  const { told, asked } = await rehearse(modified, catalog, () => ({ body: 'x' }));
  expect([told, asked.length]).toEqual(['not-triggered', 1]);
});
