import { expect, test, vi } from 'vitest';
import { type Form, formOf } from '../../engine/players/body-template.ts';
import type { Json } from '../../engine/target/profile-validation.ts';
import { fewestMembers } from './fewest-members.ts';

const guess = (template: Json) => formOf(template, 'guess');
const eleven = guess(Object.fromEntries([...'abcdefghijk'].map((name) => [name, '{{other.id}}'])));

/** Plays a scenario for each of these conditions: it takes the first body that holds one of its sets of members. */
function server(...scenarios: readonly (readonly string[])[][]) {
  return vi.fn(async (offers: ReadonlyMap<string, readonly Form[]>) => {
    return new Map(
      Array.from(offers, ([id, forms]) => {
        const took = scenarios.flatMap((sets) => {
          const holds = ({ template }: Form) =>
            sets.some((names) => names.every((name) => Object.hasOwn(template as object, name)));
          return forms.find(holds) ?? [];
        });
        return [id, took] as const;
      }),
    );
  });
}

async function reduced(form: Form, play: ReturnType<typeof server>, id = 'players.addFriend') {
  return (await fewestMembers(new Map([[id, form]]), play)).get(id)?.template;
}

test('of eleven spellings of one id, the one that matters is left', async () => {
  const play = server([['g']]);
  expect(await reduced(eleven, play)).toEqual({ g: '{{other.id}}' });
  expect(play).toHaveBeenCalledOnce();
});

test('where two members matter together, both are left, in a bounded number of rounds', async () => {
  const play = server([['b', 'j']]);
  expect(await reduced(eleven, play)).toEqual({ b: '{{other.id}}', j: '{{other.id}}' });
  expect(play.mock.calls.length).toBeLessThanOrEqual(8);
});

test('of a member and a list that do the same, the list is left, since it can name two', async () => {
  const both = guess({ playerId: '{{other.id}}', playerIds: ['{{other.id}}'] });
  expect(await reduced(both, server([['playerId'], ['playerIds']]))).toEqual({ playerIds: ['{{other.id}}'] });
});

test('a body that one scenario needs more of is reduced no further than that', async () => {
  expect(await reduced(eleven, server([['a']], [['a', 'c']]))).toEqual({
    a: '{{other.id}}',
    c: '{{other.id}}',
  });
});

test('an operation that keeps the first body without effect is offered the next one', async () => {
  const play = vi.fn(async (offers: ReadonlyMap<string, readonly Form[]>) => {
    const [first] = offers.get('players.addFriend') ?? [];
    const isRight = first !== undefined && Object.hasOwn(first.template as object, 'c');
    return new Map([['players.addFriend', isRight ? [first] : []]]);
  });
  const took = new Map(
    Array.from(
      await fewestMembers(new Map([['players.addFriend', guess({ a: 1, b: 1, c: 1 })]]), async (offers) => {
        const found = await play(offers);
        return new Map([...found].filter(([, forms]) => forms.length > 0));
      }),
    ),
  );
  expect(took.get('players.addFriend')?.template).toEqual({ c: 1 });
  expect(play).toHaveBeenCalledTimes(3);
});

test.each([
  ['a body of one member', guess({ state: { assay: '{{value}}' } })],
  ['a list', guess([{ a: 1, b: 1 }])],
  ['a body that a profile states', formOf({ a: 1, b: 1 }, 'profile')],
])('%s is left as it is, and nothing is played', async (_, form) => {
  const play = server([['a']]);
  expect(await reduced(form, play)).toEqual(form.template);
  expect(play).not.toHaveBeenCalled();
});

test('what no smaller body has the effect of stays whole', async () => {
  const form = guess({ a: 1, b: 1, c: 1 });
  expect(await reduced(form, server([['a', 'b', 'c']]))).toEqual(form.template);
});
