import { describe, expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Ask } from '../../engine/http/ask.ts';
import { type Answer, rehearse, type Script } from '../../fixtures/kit/rule-rehearsal.ts';
import { notModified } from './not-modified.ts';

const { catalog } = areas.clientData;
const tagged = (etag: string): Answer => ({ headers: { etag }, body: 'x' });
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
] as [string, (etag: string) => Answer, string][])('returns $2 for $0', async (_, conditional, expected) => {
  expect((await rehearse(notModified, catalog, when(tagged('"a"'), conditional))).verdict).toBe(expected);
});

test('a weak tag counts, no tag is fine', async () => {
  const weak = when(tagged('W/"a"'), (etag) => (etag === 'W/"a"' ? { status: 304 } : {}));
  expect((await rehearse(notModified, catalog, weak)).verdict).toBe('pass');
  expect(
    (
      await rehearse(
        notModified,
        catalog,
        when({}, () => ({})),
      )
    ).verdict,
  ).toBe('not-triggered');
});

describe('a file that is coded for who takes codings', () => {
  const gzip = { coding: 'gzip', bytes: 9 };
  const coded =
    (etag: string, answers: (asked: string) => Answer): Script =>
    (ask) => {
      const takes = ask.headers?.some(
        ([name, value]) => name === 'accept-encoding' && value.includes('gzip'),
      );
      const asked = sent(ask);
      if (takes) return asked === undefined ? { headers: { etag }, body: 'x', wire: gzip } : answers(asked);
      return asked === undefined ? tagged('"a"') : { status: 304 };
    };
  const again = (etag: string): Answer => ({ headers: { etag }, body: 'x', wire: gzip });

  test.each<[string, string, (asked: string) => Answer, string]>([
    ['304', '"a-gzip"', () => ({ status: 304 }), 'pass'],
    ['the whole content again', '"a-gzip"', again, 'warning'],
    ['the whole content again to its weak tag', 'W/"a"', again, 'warning'],
    ['another content each time', '"a-gzip"', (asked) => again(asked === '"b"' ? '"c"' : '"b"'), 'pass'],
    ['a refusal', '"a-gzip"', () => ({ status: 403 }), 'pass'],
  ])('gives %s for %s', async (_, etag, answers, expected) => {
    expect((await rehearse(notModified, catalog, coded(etag, answers))).verdict).toBe(expected);
  });

  test('is not asked for by the tag of both, which was tried', async () => {
    const { verdict } = await rehearse(notModified, catalog, coded('"a"', again));
    expect(verdict).toBe('pass');
  });
});
