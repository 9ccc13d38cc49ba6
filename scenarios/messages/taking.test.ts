import { expect, test, vi } from 'vitest';
import { type Put, rehearseFlow } from '../../fixtures/check/flow/rehearsed.ts';
import type { Form } from '../../fixtures/players/bodies/form.ts';
import messages from '../messages.ts';

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
  vi.useFakeTimers();
  try {
    const playing = play(messages, 'marked-listed');
    await vi.runAllTimersAsync();
    const [judgement] = await playing;
    return { judgement, marked };
  } finally {
    vi.useRealTimers();
  }
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
