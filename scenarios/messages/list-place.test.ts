import { expect, test } from 'vitest';
import type { Exchange } from '../../engine/http/exchange.ts';
import { findList, messagesAt } from './list-place.ts';

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
