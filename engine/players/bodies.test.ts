import { describe, expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { type OperationProfile, readProfile } from '../target/profile.ts';
import { type Bodies, createBodies } from './bodies.ts';
import type { Written } from './body-template.ts';

const { addFriend } = areas.players;

function speaking(operations: Readonly<Record<string, OperationProfile>> = {}): Bodies {
  const read = readProfile(JSON.stringify({ operations }), {});
  if (!('profile' in read)) throw new Error(read.mistakes.join('\n'));
  return createBodies({ profile: read.profile });
}

/** Offers to a target that answers by what it is sent; reports what that was. */
async function offering(
  bodies: Bodies,
  answer: (body: string | null) => number,
  values: Readonly<Record<string, string>> = { 'other.id': 'p2' },
  operation: Operation = addFriend,
) {
  const sent: Written[] = [];
  const offered = await bodies.offer(operation, {
    values: async () => values,
    look: async () => undefined,
    send: async (written) => {
      sent.push(written);
      return exchangeOf({ status: answer(written.body) });
    },
  });
  return { offered, sent: sent.map(({ body }) => body) };
}

describe('where the target describes its own bodies', () => {
  const describing = (isNeeded: boolean) =>
    createBodies({
      described: {
        at: '/openapi.json',
        words: {},
        prefixes: [],
        bodies: { 'players.addFriend': { isNeeded, members: [{ path: ['who'], type: 'string' }] } },
      },
    });

  test.each([
    ['one that it needs comes first', true, ['{"who":"p2"}']],
    ['another comes after an empty one', false, ['{}', '{"who":"p2"}']],
  ])('%s', async (_, isNeeded, expected) => {
    const { sent, offered } = await offering(describing(isNeeded), (body) =>
      body === '{"who":"p2"}' ? 200 : 400,
    );
    expect(sent).toEqual(expected);
    expect(offered).toMatchObject({ form: { from: 'description' } });
  });

  test('and does not take them, guesses follow', async () => {
    const { sent } = await offering(describing(true), (body) => (body === '{"friendId":"p2"}' ? 200 : 400));
    expect(sent.slice(0, 2)).toEqual(['{"who":"p2"}', '{}']);
    expect(sent.at(-1)).toBe('{"friendId":"p2"}');
  });
});

describe('without a profile', () => {
  test('an empty object that is taken is all that is sent', async () => {
    const { offered, sent } = await offering(speaking(), () => 200);
    expect(sent).toEqual(['{}']);
    expect(offered).toMatchObject({ kind: 'accepted', form: { template: {}, from: 'guess' } });
  });

  test.each([400, 415, 422])(
    'a body refused by %i is followed by the next form, until one is taken',
    async (status) => {
      const { offered, sent } = await offering(speaking(), (body) =>
        body === '{"friendId":"p2"}' ? 201 : status,
      );
      expect(sent.at(0)).toBe('{}');
      expect(sent.at(-1)).toBe('{"friendId":"p2"}');
      expect(offered).toMatchObject({ kind: 'accepted', form: { template: { friendId: '{{other.id}}' } } });
    },
  );

  test.each([401, 403, 404, 409, 429, 500, 503])(
    'an answer by %i is no refusal of the body: no other is tried',
    async (status) => {
      const { offered, sent } = await offering(speaking(), () => status);
      expect(sent).toEqual(['{}']);
      expect(offered).toMatchObject({ kind: 'refused', exchange: { response: { status } } });
    },
  );

  test('where none is taken the answer to the first stands, within few tries', async () => {
    const { offered, sent } = await offering(speaking(), (body) => (body === '{}' ? 422 : 400));
    expect(sent.length).toBeLessThanOrEqual(8);
    expect(offered).toMatchObject({
      kind: 'refused',
      form: { template: {} },
      exchange: { response: { status: 422 } },
    });
  });

  test('where a list is refused without a word, what the refusal of an object names is asked for', async () => {
    const sent: (string | null)[] = [];
    const offered = await speaking().offer(areas.logs.logsBatch, {
      values: async () => ({ now: 'now', unique: 'x', value: 'v' }),
      look: async () => undefined,
      send: async ({ body }) => {
        sent.push(body);
        const { logs } = JSON.parse(body ?? '') as { logs?: object[] };
        if (logs?.every((each) => 'kind' in each)) return exchangeOf({ status: 202 });
        const fields = [{ field: 'logs[0]', problem: 'kind is required (string)' }];
        return exchangeOf({ status: 422, body: logs ? { fields } : { message: 'must be an object' } });
      },
    });
    expect(sent.slice(0, 2)).toEqual(['{}', expect.stringMatching(/^\[/)]);
    expect(offered).toMatchObject({
      kind: 'accepted',
      form: { template: { logs: [{ kind: 'assay' }] } },
    });
  });

  test('an id in digits is tried as a number before it is tried as text', async () => {
    const { sent } = await offering(speaking(), () => 400, { 'other.id': '17' });
    expect(sent.slice(3, 5)).toEqual(['{"playerId":17}', '{"playerId":"17"}']);
    expect(sent).toHaveLength(8);
  });

  test('shows afterwards that the id was sent as a number', async () => {
    const bodies = speaking();
    await offering(bodies, (body) => (body === '{"playerId":17}' ? 200 : 400), { 'other.id': '17' });
    expect(bodies.chosen().get(addFriend.id)?.template).toEqual({ playerId: '{{other.id:number}}' });
  });

  test('a form whose values nobody knows is left out', async () => {
    const { sent } = await offering(speaking(), () => 400, {});
    expect(sent).toEqual(['{}']);
  });
});

describe('with a profile', () => {
  const stated = speaking({
    'players.addFriend': { body: { who: '{{other.id}}' }, contentType: 'application/x+json', accepts: [409] },
  });

  test('its body is the only form, with its type', async () => {
    expect(stated.forms(addFriend)).toEqual([
      {
        template: { who: '{{other.id}}' },
        carries: ['other.id'],
        from: 'profile',
        contentType: 'application/x+json',
      },
    ]);
    expect((await offering(stated, () => 400)).sent).toEqual(['{"who":"p2"}']);
  });

  test('a status that it lists is acceptance, and any other is none', async () => {
    expect((await offering(stated, () => 409)).offered.kind).toBe('accepted');
    expect((await offering(stated, () => 200)).offered.kind).toBe('refused');
  });

  test('a body that cannot be written is not sent half-filled', async () => {
    const { offered, sent } = await offering(stated, () => 200, {});
    expect(sent).toEqual([]);
    expect(offered).toEqual({ kind: 'unwritable' });
  });

  test('null states that there is no body', async () => {
    expect((await offering(speaking({ 'players.addFriend': { body: null } }), () => 200)).sent).toEqual([
      null,
    ]);
  });
});

test("the session's body is the login's, and may be none", () => {
  const read = readProfile(
    JSON.stringify({ session: { body: null }, operations: { 'auth.login': { body: { a: 1 } } } }),
    {},
  );
  if (!('profile' in read)) throw new Error(read.mistakes.join());
  expect(createBodies(read).forms(areas.auth.login)).toEqual([
    { template: null, carries: [], from: 'profile' },
  ]);
});

test('what was chosen is reported by operation, in order, where it was accepted and is not the likeliest', async () => {
  const bodies = speaking();
  await offering(bodies, () => 400);
  await offering(bodies, () => 200, {}, areas.match.create);
  await offering(bodies, () => 200, {}, areas.messages.clear);
  await offering(bodies, (body) => (body === null ? 200 : 415), {}, areas.queue.cancel);
  await offering(bodies, (body) => (body === null ? 200 : 415), {}, areas.me.logout);
  expect([...bodies.chosen()].map(([id, { template }]) => [id, template])).toEqual([
    ['me.logout', null],
    ['queue.cancel', null],
  ]);
});
