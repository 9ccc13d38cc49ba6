import { expect, test } from 'vitest';
import { rehearseFlow } from '../../fixtures/kit/flow-rehearsal.ts';
import messages from '../messages.ts';

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
