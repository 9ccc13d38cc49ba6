import { expect, test } from 'vitest';
import type { Exchange } from '../../engine/http/exchange.ts';
import { rehearseFlow } from '../../fixtures/kit/flow-rehearsal.ts';
import messages from '../messages.ts';
import { findList, messagesAt } from './inbox.ts';

const answered = (value: unknown): Exchange => ({
  request: { method: 'GET', url: 'http://127.0.0.1/', headers: [] },
  response: { status: 200, headers: [], body: Buffer.from(JSON.stringify(value)), wire: { bytes: 0 } },
  startedAt: 0,
  durationMs: 0,
  attempts: 1,
  waits: 0,
});

test.each([
  ['at the root', [{ id: 1 }, { id: 2 }], { list: '', key: 'id' }],
  [
    'under a name',
    { data: { mail: [{ mail_id: 'a' }, { mail_id: 'b' }] } },
    { list: '/data/mail', key: 'mail_id' },
  ],
  [
    'with other identifiers in its entries',
    {
      messages: [
        { senderId: 'x', messageId: 'a' },
        { senderId: 'y', messageId: 'b' },
      ],
    },
    { list: '/messages', key: 'messageId' },
  ],
  [
    'beside a shorter list',
    { folders: [{ id: 'inbox' }], items: [{ id: 1 }, { id: 2 }] },
    { list: '/items', key: 'id' },
  ],
  [
    'as a map by the identifiers of its entries',
    { unread: 1, messages: { 7: { id: 7 }, 9: { id: 9 } } },
    { list: '/messages', key: 'id' },
  ],
])('a list is found %s', (_, value, place) => {
  expect(findList(answered(value))).toEqual(place);
});

test.each([
  ['entries share it', { messages: [{ id: 1 }, { id: 1 }] }],
  ['entries are no objects', { messages: ['a', 'b'] }],
  ['there are none', { messages: [] }],
  ['nothing tells entries apart', { messages: [{ title: 'a' }, { title: 'b' }] }],
])('no list is found where %s', (_, value) => {
  expect(findList(answered(value))).toBeUndefined();
});

test('finds the list of messages by a message that is known to be in it', () => {
  const value = { folders: [{ id: 'inbox' }, { id: 'news' }], items: [{ ref: 'm-1' }] };
  expect(findList(answered(value), 'm-1')).toEqual({ list: '/items', key: 'ref' });
});

test('messages are read where the list was found', () => {
  const place = { list: '/mail', key: 'id' };
  expect(messagesAt(answered({ mail: [{ id: 7, read: false }] }), place)).toEqual([
    { id: 7, text: '{"id":7,"read":false}' },
  ]);
  expect(messagesAt(answered({ mail: [] }), place)).toEqual([]);
  expect(messagesAt(answered({ other: [] }), place)).toBeUndefined();
});

/** The judgement of an inbox of these messages, of all that there are. */
async function inboxOnly(inbox: readonly object[], all: readonly object[]) {
  const { play } = rehearseFlow(({ operation }) =>
    operation.startsWith('messages.') ? { body: { mail: operation === 'messages.list' ? all : inbox } } : {},
  );
  return (await play(messages, 'inbox-only'))[0];
}

const [first, second, news] = [
  { id: 1, box: 'INBOX' },
  { id: 2, box: 'INBOX' },
  { id: 3, box: 'NEWS' },
];

test('an inbox that holds all, and says that one is elsewhere, is wrong', async () => {
  const all = [first, second, news];
  expect(await inboxOnly(all, all)).toMatchObject({ kind: 'violation' });
  expect(await inboxOnly([first, second], all)).toMatchObject({ kind: 'pass' });
});

test.each<[string, readonly object[], readonly object[]]>([
  ['leaves some out, by another rule', [first, news], [first, second, news]],
  ['names no box', [{ id: 1 }, { id: 2 }], [{ id: 1 }, { id: 2 }]],
  [
    'names its boxes in other words',
    [
      { id: 1, box: 'a' },
      { id: 2, box: 'b' },
    ],
    [{ id: 1 }, { id: 2 }],
  ],
  [
    'has two members that say so',
    [
      { id: 1, to: 'inbox', via: 'push' },
      { id: 2, to: 'inbox', via: 'inbox' },
    ],
    [{ id: 1 }, { id: 2 }],
  ],
])('an inbox that %s accuses nobody', async (_, inbox, all) => {
  expect(await inboxOnly(inbox, all)).toMatchObject({ kind: 'not-applicable' });
});
