import { expect, test, vi } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Level } from '../../catalog/clauses/clause.ts';
import type { Operation } from '../../catalog/operation.ts';
import { inconclusive, type Judgement, observed, pass, violation } from '../../engine/judgement.ts';
import { type Form, formOf } from '../../engine/players/body-template.ts';
import type { Json } from '../../engine/target/profile-validation.ts';
import {
  fewestMembers,
  type Played,
  provedBySteps,
  settledBodies,
  withoutBroken,
  withoutRefused,
} from './stated-bodies.ts';

const { acceptInvite, details, invite, update } = areas.party;

const step = (judgement: Judgement, operations: readonly Operation[], level: Level = 'inferred') =>
  ({ step: { operations, level }, judgement }) as unknown as Played;
const joined = step(pass(), [acceptInvite, invite]);

test('operations of a step that passed are proved', () => {
  expect([...provedBySteps([joined])]).toEqual(['party.acceptInvite', 'party.invite']);
});

test.each([
  ['an effect that is missing', violation('the member', 'nobody')],
  ['a body that nobody knows', inconclusive('needs-body', 'a guess')],
  ['a refusal', inconclusive('needs-state', 'answered 409')],
])('what a step shows is doubted by %s in another', (_, judgement) => {
  expect([...provedBySteps([joined, step(judgement, [details, invite])])]).toEqual(['party.acceptInvite']);
});

test.each([
  ['that was not asked', step(inconclusive('prerequisite-failed', 'nobody is in'), [acceptInvite])],
  ['without people', step(inconclusive('needs-players', 'one account'), [acceptInvite])],
  ['that asserts nothing', step(inconclusive('needs-state', 'answered 409'), [acceptInvite], 'open')],
])('a step %s takes nothing back', (_, other) => {
  expect(provedBySteps([joined, other])).toContain('party.acceptInvite');
});

test('what is only observed proves nothing', () => {
  expect(provedBySteps([step(observed('204'), [invite]), step(pass(), [details], 'open')]).size).toBe(0);
});

const guess = (template: Json) => formOf(template, 'guess');
const empty = guess({});
const { id } = areas.players.addFriend;

function settled(tried: readonly Form[], accepted: Form, effective?: Form) {
  const bodies = { forms: () => tried, chosen: () => new Map([[id, accepted]]) };
  return settledBodies(bodies, new Map(effective && [[id, effective]])).get(id);
}

test('a body whose effect showed is stated', () => {
  const friend = guess({ playerId: '{{other.id}}' });
  expect(settled([empty, friend], empty, friend)).toEqual({ playerId: '{{other.id}}' });
});

test('an empty body that was merely accepted is not, where another would say more', () => {
  expect(settled([empty, guess({ playerId: '{{other.id}}' })], empty)).toBeUndefined();
});

test('an empty body is stated where there is nothing to say but who it is', () => {
  expect(settled([empty, guess(null), guess({ playerId: '{{player.id}}' })], empty)).toEqual({});
});

test('a body that was merely accepted is not stated, even where an emptier one was refused', () => {
  const named = guess({ storyId: '{{storyId}}' });
  expect(settled([empty, named], named)).toBeUndefined();
});

test('a body with a value that a profile cannot name is not stated', () => {
  const node = guess({ nodeId: '{{nodeId}}' });
  expect(settled([empty, node], node, node)).toBeUndefined();
});

test('a body that names the version of what it replaces is not stated, since it is refused the next time', () => {
  const write = guess({ data: { assay: '{{value}}' }, version: 4 });
  expect(settled([empty, write], write, write)).toBeUndefined();
});

const { addFriend, removeFriend, setState } = areas.players;

test.each([
  ['dropped', 'is not understood', 400, removeFriend],
  ['kept', 'names nobody to take back', 404, removeFriend],
  ['dropped', 'is refused though nothing is missing', 403, setState],
  ['kept', 'was made before', 409, addFriend],
  ['dropped', 'was made before, and is then not understood', 400, addFriend],
  ['dropped', 'is about somebody who is unknown', 404, addFriend],
  ['kept', 'is about a party that is unknown', 404, update],
  ['kept', 'is put too often', 429, setState],
  ['dropped', 'makes the server fail', 500, setState],
  ['kept', 'is taken', 204, invite],
] as const)('a body whose effect showed is %s where its plain call %s (%i)', (fate, _, status, { id }) => {
  const settled = new Map([[id, { playerId: '{{other.id}}' }]]);
  const kept = withoutRefused(settled, new Map([[id, empty]]), [{ id, status }]);
  expect(kept.has(id)).toBe(fate === 'kept');
});

test('a body that was stated stays, however its plain call is answered', () => {
  const settled = new Map([[id, {}]]);
  expect(withoutRefused(settled, new Map(), [{ id, status: 400 }]).has(id)).toBe(true);
});

test.each([
  ['its operation keeps the larger body', addFriend, 'larger', 'smaller'],
  ['a body that is no smaller is not stated', setState, 'smaller', undefined],
  [
    'its area keeps the larger bodies, where it judges none of them',
    areas.players.friends,
    'larger',
    'smaller',
  ],
] as const)('where a step no longer passes with smaller bodies, %s', (_, judges, friend, state) => {
  const whole = { state: {} };
  const larger = new Map<string, Json>([
    [addFriend.id, { playerId: 1, playerIds: [1] }],
    [invite.id, { playerId: 1, playerIds: [1] }],
    [setState.id, whole],
  ]);
  const smaller = new Map<string, Json>([
    [addFriend.id, { playerId: 1 }],
    [invite.id, { playerId: 1 }],
    [setState.id, whole],
  ]);
  const again = (judgement: Judgement) => [step(judgement, [judges])];
  expect(withoutBroken(smaller, larger, again(pass()))).toEqual(smaller);
  expect(withoutBroken(smaller, larger, again(inconclusive('needs-players', 'one account')))).toEqual(
    smaller,
  );
  const kept = withoutBroken(smaller, larger, again(violation('a friend', 'none')));
  expect(kept.get(addFriend.id)).toEqual((friend === 'larger' ? larger : smaller).get(addFriend.id));
  expect(kept.get(setState.id)).toEqual(state && whole);
  expect(kept.get(invite.id)).toEqual({ playerId: 1 });
});

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
