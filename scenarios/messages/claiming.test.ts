import { expect, test } from 'vitest';
import type { Form } from '../../engine/players/body-template.ts';
import { rehearseFlow, withoutWaits } from '../../fixtures/kit/flow-rehearsal.ts';
import messages from '../messages.ts';

const form: Form = { template: { id: '{{messageId}}' }, carries: ['messageId'], from: 'guess' };
const ids = ['m-1', 'm-2', 'm-3'];

/** The judgement of a second claim where each claim takes these messages, and pays so much. */
async function judged({
  step = 'claim-once',
  takes,
  pays,
  names,
  isShown = true,
}: {
  readonly step?: string;
  /** What the answer to a claim says that it gives. */
  readonly names?: number;
  readonly takes: (named: string, nth: number) => string;
  readonly pays: (nth: number) => number;
  readonly isShown?: boolean;
}) {
  const taken: string[] = [];
  let coins = 0;
  const { play } = rehearseFlow(
    ({ operation, ask }) => {
      if (operation === 'messages.claim') {
        coins += pays(taken.length);
        taken.push(takes(JSON.parse(String(ask.body)).id, taken.length));
        return { body: names === undefined ? {} : { reward: { coins: names } } };
      }
      if (operation === 'general.currencies') return { body: { coins } };
      const mail = ids.map((id) => ({ id, ...(isShown && { claimed: taken.includes(id) }) }));
      return operation.startsWith('messages.list') ? { body: { mail } } : { body: {} };
    },
    { flows: { forms: ({ id }) => (id === 'messages.claim' ? [form] : []) } },
  );
  const [judgement] = await withoutWaits(() => play(messages, step));
  return judgement;
}

const named = (id: string) => id;
const next = (_: string, nth: number) => ids[nth] ?? '';

test('a message that pays again is wrong, though the body was a guess', async () => {
  expect(await judged({ takes: named, pays: () => 5 })).toMatchObject({ kind: 'violation' });
});

test('a message that pays once is right', async () => {
  expect(await judged({ takes: named, pays: (nth) => (nth === 0 ? 5 : 0) })).toMatchObject({ kind: 'pass' });
});

test('a claim that takes the next message, whichever is named, accuses nobody', async () => {
  expect(await judged({ takes: next, pays: () => 5 })).toMatchObject({ reason: 'needs-body' });
  expect(await judged({ takes: next, pays: () => 5, isShown: false })).toMatchObject({
    reason: 'needs-body',
  });
});

test.each<[string, Parameters<typeof judged>[0], object]>([
  ['arrives', { takes: named, pays: () => 5, names: 5 }, { kind: 'pass' }],
  ['does not arrive', { takes: named, pays: () => 0, names: 5 }, { kind: 'violation' }],
  ['is not named', { takes: named, pays: () => 0 }, { reason: 'needs-state' }],
])('what a claim gives %s', async (_, how, expected) => {
  expect(await judged({ step: 'claim-arrives', ...how })).toMatchObject(expected);
});
