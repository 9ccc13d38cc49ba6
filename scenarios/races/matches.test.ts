import { expect, test } from 'vitest';
import type { Exchange } from '../../engine/http/exchange.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { rehearseFlow } from '../../fixtures/kit/flow-rehearsal.ts';
import racesSuite from '../races.ts';

interface Target {
  /** The answer to the nth match that a player creates; `meets`: several are on their way. */
  readonly creates: (nth: number, meets: boolean) => { readonly status: number; readonly matchId?: string };
  /** Matches that are over once so many reads were made. */
  readonly overAfter?: number;
  readonly isBrief?: boolean;
  readonly signsInTwice?: boolean;
}

/** Plays one step against matches that players create; `quits` gets those that the teardown quits. */
async function played(step: string, target: Target, quits: string[] = []) {
  const { creates, overAfter, isBrief = false, signsInTwice = false } = target;
  const made = new Map<number, number>();
  let reads = 0;
  const create = (player: number, meets: boolean): Exchange => {
    const nth = (made.get(player) ?? 0) + 1;
    made.set(player, nth);
    const { status, matchId } = creates(nth, meets);
    return exchangeOf({ status, body: JSON.stringify({ matchId: matchId && `${player}-${matchId}` }) });
  };
  const { play, context } = rehearseFlow(
    ({ operation, player, ask }) => {
      if (operation === 'match.quit') quits.push(String(ask.params?.matchId));
      if (operation !== 'match.get') return create(player, false);
      reads += 1;
      const isOver =
        overAfter !== undefined && reads > overAfter && !String(ask.params?.matchId).endsWith('-1');
      return { status: isOver ? 404 : 200, body: '{}' };
    },
    {
      flows: {
        attacksBriefly: isBrief,
        burst: async (calls) => ({
          ok: true,
          exchanges: calls.map(({ player }) => create(player.account, true)),
        }),
        ...(signsInTwice ? {} : { withSecondSession: async () => undefined }),
      },
    },
  );
  const [judgement] = await play(racesSuite, step);
  await context.flows.tearDown();
  return judgement;
}

const onlyOne = (nth: number) => (nth === 1 ? { status: 201, matchId: '1' } : { status: 409 });

test('a player who gets one match, however many they ask for, holds', async () => {
  expect(await played('two-matches', { creates: onlyOne })).toMatchObject({
    kind: 'pass',
    detail: 'no violation in 3 rounds',
  });
  expect(await played('two-matches', { creates: onlyOne, isBrief: true })).toMatchObject({
    detail: 'no violation in one round',
  });
});

test('calls at one moment that leave a player in two matches are a finding, with what repeats it', async () => {
  const creates = (nth: number, meets: boolean) =>
    meets ? { status: 201, matchId: String(nth) } : onlyOne(nth);
  expect(await played('two-matches', { creates })).toMatchObject({
    kind: 'violation',
    actual: 'not so in 3 of 3 rounds; 8 calls at one moment, 8 acknowledged: the player is in 8 matches',
    repetition: { how: 'last-byte', requests: { length: 8 } },
  });
});

test('matches that are ended again are no finding', async () => {
  const creates = (nth: number, meets: boolean) =>
    meets ? { status: 201, matchId: String(nth) } : onlyOne(nth);
  expect(await played('two-matches', { creates, overAfter: 9, isBrief: true })).toMatchObject({
    kind: 'pass',
  });
});

test('a match that is not shown to the player is not theirs to quit', async () => {
  const creates = (nth: number, meets: boolean) =>
    meets ? { status: 201, matchId: String(nth) } : onlyOne(nth);
  const quits: string[] = [];
  await played('two-matches', { creates, overAfter: 0, isBrief: true }, quits);
  expect(quits).toHaveLength(2);
  expect(quits.every((id) => id.endsWith('-1'))).toBe(true);
});

test('a player who may be in several matches is observed', async () => {
  const creates = (nth: number) => ({ status: 201, matchId: String(nth) });
  expect(await played('two-matches', { creates })).toMatchObject({
    kind: 'observed',
    behaviour: 'one after another they do it too: a player is in 2 matches',
  });
});

test('is not exercised when no read shows the match, or when bursts are not answered', async () => {
  expect(await played('two-matches', { creates: () => ({ status: 201 }) })).toMatchObject({
    reason: 'needs-state',
  });
  const creates = (nth: number, meets: boolean) => (meets ? { status: 429 } : onlyOne(nth));
  expect(await played('two-matches', { creates })).toMatchObject({ reason: 'rate-limited' });
});

test('two sessions need a second sign-in, and are tried where attacks were asked for', async () => {
  expect(await played('queue-sessions', { creates: onlyOne, isBrief: true })).toMatchObject({
    reason: 'budget',
  });
  expect(await played('queue-sessions', { creates: onlyOne })).toMatchObject({ reason: 'needs-players' });
});
