import { expect, test, vi } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { rehearseFlow } from '../../fixtures/kit/flow-rehearsal.ts';
import messages from '../messages.ts';
import { nextQuery } from './pages.ts';

const url = 'http://a.test/v/api/v1/messages/listV2?limit=2';
const next = (parts: Parameters<typeof exchangeOf>[0]) =>
  nextQuery(exchangeOf({ url, status: 200, ...parts }), areas.messages.listLimited);
const link = (field: string) => ({ headers: { link: field } });

test('the next page is found in a Link field, or at next in the body', () => {
  expect(next(link('</api/v1/messages/listV2?from=2>; rel="next"'))).toBe('?from=2');
  expect(next(link('<?p=1>; rel=prev, <?a=1,2>; title="x"; rel="last next"'))).toBe('?a=1,2');
  expect(next({ body: { links: { next: { href: `${url}&from=2` } } } })).toBe('?limit=2&from=2');
});

test('no next page is found in other links, other paths, cursors, and what was asked already', () => {
  expect(next(link('<?from=2>; rel="last"'))).toBeUndefined();
  expect(next(link('</api/v1/messages/unread?from=2>; rel="next"'))).toBeUndefined();
  expect(next({ body: { next: 'bzI', nextAt: '', last: '?from=2' } })).toBeUndefined();
  expect(next(link('<?limit=2>; rel="next"'))).toBeUndefined();
});

/** The judgement of messages in pages of two, of which the server shows some on each page. */
async function judged(page: (from: number) => readonly string[], isLinked = true) {
  const all = ['m-1', 'm-2', 'm-3', 'm-4'];
  const mail = (ids: readonly string[]) => ({ body: { mail: ids.map((id) => ({ id })) } });
  const { play } = rehearseFlow(({ operation, ask }) => {
    if (operation === 'messages.list') return mail(all);
    if (operation !== 'messages.listLimited') return {};
    const from = Number(ask.path?.match(/from=(\d+)/)?.[1] ?? 0);
    const headers = isLinked && from === 0 ? { link: '<?limit=2&from=2>; rel="next"' } : {};
    return { ...mail(page(from)), url, headers };
  });
  vi.useFakeTimers();
  try {
    const playing = play(messages, 'pages');
    await vi.runAllTimersAsync();
    return (await playing)[0];
  } finally {
    vi.useRealTimers();
  }
}

test('pages that hold each message once pass, in whichever order', async () => {
  expect(await judged((from) => (from ? ['m-1', 'm-4'] : ['m-3', 'm-2']))).toMatchObject({ kind: 'pass' });
});

test('a message on two pages, or on none, is a violation', async () => {
  expect(await judged((from) => (from ? ['m-2', 'm-3', 'm-4'] : ['m-1', 'm-2']))).toMatchObject({
    actual: 'page 2 holds a message once more: m-2',
  });
  expect(await judged((from) => (from ? ['m-4'] : ['m-1', 'm-2']))).toMatchObject({
    actual: 'no page holds a message of the list: m-3',
  });
});

test('a list whose answers lead to no next page is not judged', async () => {
  expect(await judged(() => ['m-1', 'm-2'], false)).toMatchObject({ kind: 'not-applicable' });
});
