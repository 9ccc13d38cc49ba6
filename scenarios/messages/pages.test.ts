import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { rehearseFlow, withoutWaits } from '../../fixtures/kit/flow-rehearsal.ts';
import messages from '../messages.ts';
import { nextPages, nextPositions } from './pages.ts';

const url = 'http://a.test/v/api/v1/messages/listV2?limit=2';
const next = (parts: Parameters<typeof exchangeOf>[0]) =>
  nextPages(exchangeOf({ url, status: 200, ...parts }), areas.messages.listLimited)[0];
const link = (field: string) => ({ headers: { link: field } });

test('the next page is found in a Link field, or at next in the body', () => {
  expect(next(link('</api/v1/messages/listV2?from=2>; rel="next"'))).toEqual({ query: '?from=2' });
  expect(next(link('<?p=1>; rel=prev, <?a=1,2>; title="x"; rel="last next"'))).toEqual({ query: '?a=1,2' });
  expect(next({ body: { links: { next: { href: `${url}&from=2` } } } })).toEqual({
    query: '?limit=2&from=2',
  });
});

test.each([
  [
    { mail: [], next_cursor: 'm 2' },
    { query: '?limit=2&cursor=m+2', parameter: 'cursor' },
  ],
  [{ paging: { nextPageToken: 'bzI' } }, { query: '?limit=2&pageToken=bzI', parameter: 'pageToken' }],
  [{ nextOffset: 2 }, { query: '?limit=2&offset=2', parameter: 'offset' }],
  [{ continuationToken: 'x' }, { query: '?limit=2&continuationToken=x', parameter: 'continuationToken' }],
  [{ next: 4 }, { query: '?limit=2&cursor=4', parameter: 'cursor' }],
])('a cursor of %j goes back under its name', (body, found) => {
  expect(next({ body })).toEqual(found);
});

test.each([
  { cursor: '' },
  { nextCursor: null },
  { page: 1, token: 'of-the-session' },
  { nextCursor: 'x', hasMore: false },
  { mail: [{ nextToken: 'x' }] },
  { limit: 2, nextPage: '/api/v2/other' },
])('%j holds no cursor', (body) => {
  expect(next({ body })).toBeUndefined();
});

test.each([
  [{ mail: [{ id: 'a' }], offset: 0, total: 4 }, 2, '?limit=2&offset=2'],
  [{ data: { Page: 1, PageSize: 2 } }, 2, '?limit=2&page=2'],
  [{ pageNumber: 0 }, 2, '?limit=2&pageNumber=1'],
  [{ offset: 0 }, 0, undefined],
  [{ offset: 0, hasMore: false }, 2, undefined],
  [{ offset: '0', limit: 2, pages: 3 }, 2, undefined],
  [{ mail: [{ offset: 0 }] }, 2, undefined],
])('a page with %j and %d entries leads to %s', (body, held, query) => {
  expect(nextPositions(exchangeOf({ url, status: 200, body }), held)[0]?.query).toBe(query);
});

test('no next page is found in other links, other paths, times, and what was asked already', () => {
  expect(next(link('<?from=2>; rel="last"'))).toBeUndefined();
  expect(next(link('</api/v1/messages/unread?from=2>; rel="next"'))).toBeUndefined();
  expect(next({ body: { nextAt: '2', last: '?from=2' } })).toBeUndefined();
  expect(next(link('<?limit=2>; rel="next"'))).toBeUndefined();
});

/** The judgement of messages in pages of two, of which the server shows some on each page. */
async function judged(
  page: (from: number) => readonly string[],
  how: 'link' | 'cursor' | 'next' | 'offset' | 'unread cursor' | 'nothing' = 'link',
) {
  const all = ['m-1', 'm-2', 'm-3', 'm-4'];
  const mail = (ids: readonly string[], beside = {}) => ({
    body: { mail: ids.map((id) => ({ id })), ...beside },
  });
  const { play } = rehearseFlow(({ operation, ask }) => {
    if (operation === 'messages.list') return mail(all);
    if (operation !== 'messages.listLimited') return {};
    const isRead = how !== 'unread cursor';
    const from = isRead
      ? Number(ask.path?.match(how === 'next' ? /after=(\d+)/ : /(?:from|cursor|offset)=(\d+)/)?.[1] ?? 0)
      : 0;
    const headers = how === 'link' && from === 0 ? { link: '<?limit=2&from=2>; rel="next"' } : {};
    const beside =
      how === 'offset'
        ? { offset: from }
        : from > 0
          ? {}
          : how.includes('cursor')
            ? { nextCursor: '2' }
            : how === 'next'
              ? { next: '2' }
              : {};
    const status = from > 2 ? 416 : 200;
    return { ...mail(page(from), beside), url: URL.parse(ask.path ?? '', url)?.href ?? url, headers, status };
  });
  const [judgement] = await withoutWaits(() => play(messages, 'pages'));
  return judgement;
}

test.each(['link', 'cursor', 'next', 'offset'] as const)(
  'pages that a %s leads to pass with each message once, in whichever order',
  async (how) => {
    const judgement = await judged((from) => (from ? ['m-1', 'm-4'] : ['m-3', 'm-2']), how);
    expect(judgement).toMatchObject({ kind: 'pass' });
  },
);

test.each(['link', 'cursor', 'next', 'offset'] as const)(
  'a message on two pages, or on none, is a violation: %s',
  async (how) => {
    expect(await judged((from) => (from ? ['m-2', 'm-3', 'm-4'] : ['m-1', 'm-2']), how)).toMatchObject({
      actual: 'page 2 holds a message once more: m-2',
    });
    expect(await judged((from) => (from ? ['m-4'] : ['m-1', 'm-2']), how)).toMatchObject({
      actual: 'no page holds a message of the list: m-3',
    });
  },
);

test('a cursor that the server does not read, or reads otherwise, is not judged', async () => {
  const unread = await judged(() => ['m-1', 'm-2'], 'unread cursor');
  expect(unread).toMatchObject({ kind: 'not-applicable' });
  const otherwise = await judged((from) => (from ? [] : ['m-1', 'm-2']), 'cursor');
  expect(otherwise).toMatchObject({ kind: 'not-applicable' });
});

test('a list whose answers lead to no next page is not judged', async () => {
  expect(await judged(() => ['m-1', 'm-2'], 'nothing')).toMatchObject({ kind: 'not-applicable' });
});
