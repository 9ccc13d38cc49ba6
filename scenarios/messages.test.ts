import { expect, test } from 'vitest';
import type { Form } from '../engine/players/body-template.ts';
import { exchangeOf } from '../fixtures/kit/exchanges.ts';
import { type Put, rehearseFlow, withoutWaits } from '../fixtures/kit/flow-rehearsal.ts';
import messages from './messages.ts';

/** The judgement of a list that is cleared, and is then so. */
async function judged(cleared: (nth: number) => readonly object[]) {
  let isCleared = false;
  let nth = 0;
  const { play } = rehearseFlow(({ operation }) => {
    if (operation === 'messages.clear') isCleared = true;
    if (operation !== 'messages.list') return {};
    return { body: { mail: isCleared ? cleared(++nth) : [{ id: 'm-1' }, { id: 'm-2' }] } };
  });
  const [judgement] = await withoutWaits(() => play(messages, 'cleared-list'));
  return judgement;
}

const both = ['m-1', 'm-2'];

test.each<[string, (nth: number) => readonly object[], object]>([
  ['empty', () => [], { kind: 'pass' }],
  ['as it was', () => both.map((id) => ({ id })), { kind: 'violation' }],
  ['as it was, with a clock', (nth) => both.map((id) => ({ id, asked: nth })), { kind: 'violation' }],
  [
    'all marked, and written in another order each time',
    (nth) => both.map((id) => (nth % 2 ? { id, deleted: true } : { deleted: true, id })),
    { reason: 'unknown-resource' },
  ],
  ['all marked', () => both.map((id) => ({ id, deleted: true })), { reason: 'unknown-resource' }],
])('a list that is cleared is %s', async (_, cleared, expected) => {
  expect(await judged(cleared)).toMatchObject(expected);
});

const form: Form = { template: { id: '{{messageId}}' }, carries: ['messageId'], from: 'profile' };

/** What is noted of a message that is marked, and which were, on a server that lists them so. */
async function noted(list: (marked: readonly string[], nth: number) => readonly object[]) {
  const marked: string[] = [];
  let nth = 0;
  const script = ({ operation, ask }: Put) => {
    if (operation === 'messages.markAs') marked.push(JSON.parse(String(ask.body)).id);
    return operation === 'messages.list' ? { body: { mail: list(marked, ++nth) } } : {};
  };
  const { play } = rehearseFlow(script, {
    flows: { forms: ({ id }) => (id === 'messages.markAs' ? [form] : []) },
  });
  const [judgement] = await withoutWaits(() => play(messages, 'marked-listed'));
  return { judgement, marked };
}

const ids = ['m-1', 'm-2', 'm-3'];
const withMarks = (read: readonly string[]) => (marked: readonly string[]) =>
  ids.map((id) => ({ id, is: [...read, ...marked].includes(id) ? 'read' : 'new' }));

test('a message that was read already is not the one that is looked at', async () => {
  const { judgement, marked } = await noted(withMarks(['m-3']));
  expect(judgement).toMatchObject({ kind: 'observed', behaviour: 'it is changed' });
  expect(marked).toEqual(['m-3', 'm-2']);
});

test('one that is unread is enough', async () => {
  expect((await noted(withMarks([]))).marked).toEqual(['m-3']);
});

test('where no mark shows, that is noted', async () => {
  const { judgement, marked } = await noted(withMarks(ids));
  expect(judgement).toMatchObject({ kind: 'observed', behaviour: 'it is as before' });
  expect(marked).toEqual(['m-3', 'm-2', 'm-1']);
});

test('a clock in every message is no mark', async () => {
  const { judgement } = await noted((_, nth) => ids.map((id) => ({ id, asked: nth })));
  expect(judgement).toMatchObject({ behaviour: 'it is as before' });
});

/** The judgement of a step where the inbox begins with one message, and each call of these adds another. */
async function withFew(
  step: string,
  causes: readonly string[],
  after: (marked: readonly string[]) => object = () => ({}),
) {
  const mail = ['m-1'];
  const marked: string[] = [];
  const { play, puts } = rehearseFlow(
    ({ operation, ask }) => {
      if (causes.includes(operation)) mail.push(`m-${mail.length + 1}`);
      if (operation === 'messages.markAs') marked.push(JSON.parse(String(ask.body)).id);
      const list = mail
        .slice(0, Number(ask.params?.limit ?? 9))
        .map((id) => ({ id, read: marked.includes(id) }));
      return operation.startsWith('messages.list')
        ? { body: { mail: list, ...after(marked) } }
        : { body: { partyId: 'p-1' } };
    },
    { flows: { forms: ({ id }) => (id === 'messages.markAs' ? [{ ...form, from: 'guess' }] : []) } },
  );
  const [judgement] = await withoutWaits(() => play(messages, step));
  return { judgement, called: new Set(puts.map(({ operation }) => operation)) };
}

test.each([
  ['a request', ['players.addFriend'], ['players.addFriend']],
  ['an invitation', ['party.invite'], ['players.addFriend', 'party.create', 'party.invite']],
])('where a player has one message, %s brings another', async (_, causes, expected) => {
  const { judgement, called } = await withFew('limit-one', causes);
  expect(judgement?.kind).toBe('pass');
  expect([...called].filter((each) => /addFriend|create|invite$/.test(each))).toEqual(expected);
});

test('a count that stays when one message of two is marked is wrong, though the body was a guess', async () => {
  const stays = await withFew('marked-count', ['players.addFriend'], () => ({ unread: 2 }));
  expect(stays.judgement).toMatchObject({ kind: 'violation' });
  const counts = await withFew('marked-count', ['players.addFriend'], (marked) => ({
    unread: 2 - marked.length,
  }));
  expect(counts.judgement).toMatchObject({ kind: 'pass' });
  const alone = await withFew('marked-count', [], () => ({ unread: 1 }));
  expect(alone.judgement).toMatchObject({ reason: 'needs-body' });
});

/** The judgement of what changes in the list once a message is marked. @param list the states by id, of one read after another */
async function markedAlone(list: (isMarked: boolean, nth: number) => Record<string, string>) {
  let isMarked = false;
  let nth = 0;
  const script = ({ operation }: Put) => {
    if (operation === 'messages.markAs') isMarked = true;
    if (operation !== 'messages.list') return {};
    if (isMarked) nth += 1;
    return { body: { mail: Object.entries(list(isMarked, nth)).map(([id, is]) => ({ id, is })) } };
  };
  const { play } = rehearseFlow(script, {
    flows: { forms: ({ id }) => (id === 'messages.markAs' ? [form] : []) },
  });
  const [judgement] = await withoutWaits(() => play(messages, 'marked-alone'));
  return judgement;
}

test.each<[string, (isMarked: boolean, nth: number) => Record<string, string>, string]>([
  ['the message itself', (is) => ({ 'm-1': 'claimed', 'm-2': is ? 'read' : 'new' }), 'pass'],
  ['another', (is) => ({ 'm-1': is ? 'read' : 'claimed', 'm-2': 'new' }), 'violation'],
  [
    'another, in a copy from before it was claimed, and then the message itself',
    (is, nth) =>
      is && nth < 12 ? { 'm-1': 'new', 'm-2': 'new' } : { 'm-1': 'claimed', 'm-2': is ? 'read' : 'new' },
    'pass',
  ],
])('after a mark, the list shows a change of %s', async (_, list, kind) => {
  expect(await markedAlone(list)).toMatchObject({ kind });
});

/** The judgement of a call that marks two, where every player has three messages and a claim changes two of them. */
async function markedTwo(most: number) {
  const states = new Map<string, string>();
  const script = ({ player, operation, ask }: Put) => {
    const named: string[] = ask.body === undefined ? [] : (JSON.parse(String(ask.body)).ids ?? []);
    const keyOf = (id: string) => `${player}/${id}`;
    if (operation === 'messages.claim') for (const id of named) states.set(keyOf(id), 'claimed');
    if (operation === 'messages.markAs') for (const id of named.slice(0, most)) states.set(keyOf(id), 'read');
    if (!operation.startsWith('messages.list')) {
      const request = { method: 'POST', url: 'http://a.test/', headers: [], body: String(ask.body) };
      return { ...exchangeOf({ status: 200 }), request };
    }
    return { body: { mail: ids.map((id) => ({ id, is: states.get(keyOf(id)) ?? 'new' })) } };
  };
  const list: Form = { template: { ids: ['{{messageId}}'] }, carries: ['messageId'], from: 'profile' };
  const { play } = rehearseFlow(script, {
    flows: { forms: ({ id }) => (/markAs|claim/.test(id) ? [list] : []) },
  });
  const [, judgement] = await withoutWaits(() => play(messages, 'claim-two', 'mark-two'));
  return judgement;
}

test.each([
  [2, 'pass'],
  [1, 'violation'],
])(
  'where a claim left one of three messages, those of another player are marked: %i of two is a %s',
  async (most, kind) => {
    expect(await markedTwo(most)).toMatchObject({ kind });
  },
);

/** The judgement of a mark that changes nothing, on a server that takes these words and demands one of them. */
async function lostMark(words: readonly string[] | 'any' | 'none') {
  const status = { template: { id: '{{messageId}}', status: 'read' }, carries: ['messageId'], from: 'guess' };
  const script = ({ operation, ask }: Put) => {
    if (operation === 'messages.list') return { body: { mail: ids.map((id) => ({ id, status: 'unread' })) } };
    if (operation !== 'messages.markAs') return {};
    const { status: said } = JSON.parse(String(ask.body));
    const isTaken = words === 'none' || (words === 'any' ? said !== undefined : words.includes(said));
    return isTaken ? {} : { status: 422, body: {} };
  };
  const { play } = rehearseFlow(script, {
    flows: { forms: ({ id }) => (id === 'messages.markAs' ? [status as Form] : []) },
  });
  return (await withoutWaits(() => play(messages, 'marked-alone')))[0];
}

test('a mark that the call demands by the word that the list shows otherwise is lost', async () => {
  expect(await lostMark(['read', 'unread'])).toMatchObject({ kind: 'violation', actual: 'status unread' });
});

test.each<[string, Parameters<typeof lostMark>[0]]>([
  ['takes any word', 'any'],
  ['needs none', 'none'],
  ['takes another word than the list shows', ['read']],
])('a server that %s may mean something else by it', async (_, words) => {
  expect(await lostMark(words)).toMatchObject({ kind: 'inconclusive', reason: 'needs-state' });
});
