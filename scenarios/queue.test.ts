import { expect, test, vi } from 'vitest';
import { type Form, formOf } from '../engine/players/body-template.ts';
import type { Player } from '../engine/players/players.ts';

import { exchangeOf } from '../fixtures/kit/exchanges.ts';
import { type Put, rehearseFlow, withoutWaits } from '../fixtures/kit/flow-rehearsal.ts';
import { fillUp } from './queue/await-match.ts';
import { mostIn, statedWaitMs } from './queue/reply.ts';
import queue from './queue.ts';

/** A queue of one name: two who wait are matched. Who leaves stays in it where `stays`; who is matched cannot leave. */
async function left(stays: boolean, cancelled = 204, before: readonly number[] = []) {
  const waiting = [...before];
  const matches = new Map<number, readonly number[]>();
  const script = ({ operation, player }: Put) => {
    const own = matches.get(player);
    switch (operation) {
      case 'queue.enter': {
        if (own) return { body: { matchId: `match-${own.join('-')}` } };
        const other = waiting.find((each) => each !== player);
        if (other === undefined) {
          if (!waiting.includes(player)) waiting.push(player);
          return { body: { matchId: null } };
        }
        waiting.splice(waiting.indexOf(other), 1);
        for (const one of [player, other]) matches.set(one, [other, player]);
        return { body: { matchId: `match-${other}-${player}` } };
      }
      case 'queue.cancel':
        if (!stays && waiting.includes(player)) waiting.splice(waiting.indexOf(player), 1);
        return { status: own ? 409 : cancelled, body: '' };
      case 'match.quit':
        matches.delete(player);
        return { body: {} };
      case 'match.get':
        return { body: { players: (own ?? []).map((each) => ({ playerId: `id-of-player-${each}` })) } };
      default:
        return {};
    }
  };
  const { play, context } = rehearseFlow(script);
  Object.assign(context, { isPlayer: (id: string) => id.startsWith('id-of-player-') });
  const [judgement] = await withoutWaits(() => play(queue, 'cancelled-not-matched'));
  return judgement;
}

test('who left the queue is not matched from it', async () => {
  expect(await left(false)).toMatchObject({ kind: 'pass' });
  expect(await left(true)).toMatchObject({ kind: 'violation', actual: 'one with them' });
});

test('who is matched before they can leave, in a queue where nobody waits, has met somebody who left', async () => {
  expect(await left(true, 204, [77])).toMatchObject({ kind: 'violation', actual: 'one with them' });
});

test('is inconclusive when the target refuses the call to leave', async () => {
  expect(await left(true, 400)).toMatchObject({ kind: 'inconclusive' });
});

/** A queue of one name that matches so many players. */
async function found(size: number, players = Number.POSITIVE_INFINITY, toldLate = false) {
  let waiting: number[] = [];
  let spare = 100;
  let asked = 0;
  const matches = new Map<number, string>();
  const script = ({ operation, player }: Put) => {
    if (operation === 'match.get') return { body: { players: ids([...matches.keys()]) } };
    if (operation !== 'queue.enter') return { body: '' };
    if (!matches.has(player) && !waiting.includes(player)) waiting.push(player);
    if (waiting.length >= size) {
      for (const each of waiting) matches.set(each, 'match-1');
      waiting = [];
    }
    // Whoever entered last is told once more than the others have to ask.
    const waits = toldLate && player === 101 && matches.has(player);
    if (waits) asked += 1;
    const isLate = waits && asked < 10;
    return { body: { matchId: isLate ? null : (matches.get(player) ?? null) } };
  };
  const { play, puts } = rehearseFlow(script, {
    flows: {
      async spare() {
        spare += 1;
        const player = { account: spare, id: `id-of-player-${spare}`, name: `${spare}` } as Player;
        return spare > 98 + players ? { ok: false, why: 'nobody else is here' } : { ok: true, player };
      },
    },
  });
  const playing = withoutWaits(() => play(queue, 'find', 'match-size', 'find-one-match'));
  return { judgements: await playing, entered: new Set(puts.map(({ player }) => player)).size };
}
const ids = (accounts: readonly number[]) => accounts.map((each) => `id-of-player-${each}`);

test('finds out how many players a match takes', async () => {
  const { judgements, entered } = await found(5);
  expect(judgements).toMatchObject([
    { behaviour: 'they find one another' },
    { behaviour: 'a match takes 5 players, and names them all' },
    { kind: 'pass' },
  ]);
  expect(entered).toBe(5);
});

/** A queue that matches one of each kind, and lists the kinds where none is named. Who leaves stays in it where `stays`. */
async function ofKinds(kinds: readonly string[], stays: boolean, ...steps: readonly string[]) {
  const waiting: { player: number; kind: string }[] = [];
  const matches = new Map<number, string>();
  const script = ({ operation, player, ask }: Put) => {
    const at = waiting.findIndex((each) => each.player === player);
    if (operation === 'match.get') return { body: { players: ids([...matches.keys()]) } };
    if (operation === 'match.quit') matches.delete(player);
    if (operation === 'queue.cancel' && at >= 0 && !stays) waiting.splice(at, 1);
    if (operation !== 'queue.enter') return { body: '' };
    const { kind } = JSON.parse(`${ask.body}`) as { kind: string };
    const rival = matches.has(player) ? undefined : waiting.find((each) => each.kind !== kind);
    if (rival) {
      waiting.splice(waiting.indexOf(rival), 1);
      for (const each of [rival.player, player]) matches.set(each, `match-${player}`);
    } else if (at < 0 && !matches.has(player)) waiting.push({ player, kind });
    return { body: { matchId: matches.get(player) ?? null } };
  };
  const [form, ...others] = kinds.map((kind) => formOf({ kind }, 'guess'));
  const forms = () => [{ ...(form as Form), others }];
  const { play, context } = rehearseFlow(script, { flows: { forms } });
  Object.assign(context, { isPlayer: (id: string) => id.startsWith('id-of-player-') });
  return withoutWaits(() => play(queue, ...steps));
}

test('players who are not matched as one kind enter as two', async () => {
  expect(await ofKinds(['killer', 'survivor'], false, 'find', 'match-size', 'found-waiting')).toMatchObject([
    { behaviour: 'they find one another' },
    { behaviour: 'a match takes 2 players, and names them all' },
    { kind: 'pass' },
  ]);
  for (const [stays, kind] of [
    [false, 'pass'],
    [true, 'violation'],
  ] as const)
    expect(await ofKinds(['killer', 'survivor'], stays, 'cancelled-not-matched')).toMatchObject([{ kind }]);
  expect(await ofKinds(['killer'], false, 'find')).toMatchObject([
    { behaviour: 'they are told no match in time' },
  ]);
});

test('counts a player who is told of the match a moment later', async () => {
  const { judgements } = await found(3, undefined, true);
  expect(judgements[1]).toMatchObject({ behaviour: 'a match takes 3 players, and names them all' });
});

test('enters eight players at most, and says so', async () => {
  const { judgements, entered } = await found(20);
  expect(judgements[1]).toMatchObject({
    kind: 'not-applicable',
    detail: 'the queue did not match the 8 players who entered it',
  });
  expect(entered).toBe(8);
});

test('says why no other player entered', async () => {
  const { judgements } = await found(5, 3);
  expect(judgements[2]).toMatchObject({
    detail:
      'the queue did not match the 3 players who entered it, and no other one does: nobody else is here',
  });
});

test.each([
  [{ place: 40, waitSeconds: 30, playersNeeded: 10 }, 10],
  [{ match: { size: 3, teamSize: 5, capacity: 'five' } }, 5],
  [{ position: 12 }, 0],
])('an answer of the queue may speak of more players: %o', (body, most) => {
  expect(mostIn(exchangeOf({ status: 200, body }))).toBe(most);
});

test.each([
  [true, 'violation'],
  [false, 'not-applicable'],
])('two who are told two matches have met where one of these names both: %s', async (isNamed, kind) => {
  const script = ({ operation, player, ask }: Put) => {
    if (operation === 'queue.enter') return { body: { matchId: `match-of-${player}` } };
    if (operation !== 'match.get') return { body: '' };
    const other = ask.params?.matchId === 'match-of-1' && isNamed ? [2] : [];
    return { body: { players: ids([player, ...other]) } };
  };
  const { play } = rehearseFlow(script);
  const [judgement] = await withoutWaits(() => play(queue, 'find-one-match'));
  expect(judgement).toMatchObject({ kind });
});

test('nobody is brought in where those who wait are enough', async () => {
  const bringIn = vi.fn(async () => undefined);
  const people = ['leader', 'other'];
  const add = vi.fn(async () => {});
  await fillUp({ bringIn } as never, people, -1, add);
  expect(people).toEqual(['leader', 'other']);
  expect([bringIn, add].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
});

test.each<[unknown, number | undefined]>([
  [{ status: 'QUEUED', eta_seconds: 3 }, 4_000],
  [{ ticket: { estimatedWaitTimeMs: 2_500 } }, 3_500],
  [{ estimatedWait: 4 }, 5_000],
  [{ eta: 0 }, 2_000],
  [{ estimatedWaitSeconds: 45 }, undefined],
  [{ waiting: 3, beta: 3, eta: '3' }, undefined],
])('a match is awaited for as long as the queue says: %j', (body, withinMs) => {
  expect(statedWaitMs(exchangeOf({ body }))).toBe(withinMs);
});
