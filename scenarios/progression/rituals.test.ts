import { expect, test } from 'vitest';
import { rehearseFlow } from '../../fixtures/kit/flow-rehearsal.ts';
import progression from '../progression.ts';

/** What is observed of rituals that a server answers, of which each answer is told its number. */
async function observed(rituals: (answer: number) => unknown) {
  let answers = 0;
  const { play } = rehearseFlow(({ operation }) => {
    if (operation === 'game.rituals') answers += 1;
    return { body: { rituals: rituals(answers), serverTime: `at ${answers}` } };
  });
  return (await play(progression, 'rituals'))[0];
}

const named = (name: string, rest = {}) => [{ ritualId: name, kind: 'hook', ...rest }];

test('rituals of other ids in each answer are others each time', async () => {
  const others = { kind: 'observed', behaviour: 'others each time' };
  expect(await observed((answer) => named(`ritual-${answer}`))).toMatchObject(others);
});

test('rituals whose clock, count or order changes are the same', async () => {
  const same = { kind: 'observed', behaviour: 'the same' };
  expect(await observed(() => named('ritual-1'))).toMatchObject(same);
  expect(await observed((answer) => named('ritual-1', { endsInSeconds: 100 - answer }))).toMatchObject(same);
  const readAt = (answer: number) => `2026-01-01T00:00:0${answer % 10}Z`;
  expect(await observed((answer) => named('ritual-1', { readAt: readAt(answer) }))).toMatchObject(same);
  const both = [...named('ritual-1'), ...named('ritual-2')];
  expect(await observed((answer) => (answer % 2 ? both : both.toReversed()))).toMatchObject(same);
});
