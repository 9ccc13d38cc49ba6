import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { flow } from '../../engine/flow/flow.ts';
import { rehearseFlow, withoutWaits } from '../../fixtures/kit/flow-rehearsal.ts';
import messages from '../messages.ts';
import { expectFilteredByMark, wasRead } from './read-marks.ts';

test.each<[Record<string, unknown>, boolean | undefined]>([
  [{ id: 1, isRead: false }, false],
  [{ id: 1, read_at: null }, false],
  [{ id: 1, readAt: '2026-01-01T00:00:00Z' }, true],
  [{ id: 1, unread: true }, false],
  [{ id: 1, flag: 'UNREAD' }, false],
  [{ id: 1, status: 'read' }, true],
  [{ id: 1, status: 'active', seen: false, isNew: true }, undefined],
])('%j is read: %s', (entry, expected) => {
  expect(wasRead(entry)).toBe(expected);
});

/** The judgement of a list that shows the messages so, each time it is asked for. */
async function listed(shown: (nth: number) => object) {
  let nth = 0;
  const { play } = rehearseFlow(({ operation }) => {
    nth += Number(operation === 'messages.list');
    return { body: { mail: [{ id: 7, ...shown(nth) }] } };
  });
  return (await play(messages, 'list-unmarked'))[0];
}

test('a message that is read as soon as it was listed was marked by the list', async () => {
  expect(await listed((nth) => ({ isRead: nth > 1 }))).toMatchObject({
    kind: 'violation',
    actual: '1 of 1 entries are read',
  });
  expect(await listed(() => ({ isRead: false }))).toMatchObject({ kind: 'pass' });
});

test('a list may mark what it shows as seen, and says nothing where all is read', async () => {
  expect(await listed((nth) => ({ isNew: nth === 1 }))).toMatchObject({ kind: 'not-applicable' });
  expect(await listed(() => ({ isRead: true }))).toMatchObject({ kind: 'not-applicable' });
});

/** The judgement on a server with one read and one unread message, by what its filters show. */
async function filtered(shown: (filter: string) => readonly boolean[] | undefined) {
  const made = flow('filters');
  made
    .scenario('player')
    .step('only', [areas.messages.listFiltered], effects.messages.byMark, 'holds', (context) =>
      expectFilteredByMark(context, { list: '/messages', key: 'id' }),
    );
  const { play } = rehearseFlow(({ ask }) => {
    const marks = shown(String(ask.params?.filter));
    return marks ? { body: { messages: marks.map((read, id) => ({ id, read })) } } : { status: 400 };
  });
  const [judgement] = await withoutWaits(() => play(made.suite(), 'only'));
  return judgement?.kind;
}

test.each<[string, (filter: string) => readonly boolean[] | undefined, string]>([
  ['heed it', (filter) => ({ unread: [false], read: [true] })[filter], 'pass'],
  ['ignore it', (filter) => (/^(?:un)?read$/.test(filter) ? [true, false] : undefined), 'violation'],
  ['take any word', () => [true, false], 'not-applicable'],
  ['know neither word', () => undefined, 'not-applicable'],
])('filters for read and unread messages that %s: %3$s', async (_, shown, kind) => {
  expect(await filtered(shown)).toBe(kind);
});
