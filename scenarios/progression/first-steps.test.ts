import { expect, test } from 'vitest';
import { rehearseFlow } from '../../fixtures/kit/flow-rehearsal.ts';
import progression from '../progression.ts';

/** The judgement of the status of a player who reports a match against bots, on a server that answers such statuses. */
async function judged(status: (player: number, isReported: boolean) => unknown) {
  let isReported = false;
  const { play } = rehearseFlow(({ operation, player }) => {
    if (operation === 'onboarding.playBotMatch') isReported = true;
    return { body: { status: status(player, isReported) } };
  });
  return (await play(progression, 'bot-match-shown'))[0];
}

test('a status that changes passes', async () => {
  expect(await judged((player, isReported) => player === 1 && isReported)).toMatchObject({ kind: 'pass' });
});

test('a status that stays is a violation, where the player is as new as another', async () => {
  expect(await judged(() => false)).toMatchObject({ kind: 'violation' });
  expect(await judged((player) => `player-${player}`)).toMatchObject({ kind: 'violation' });
});

test('a status that an earlier run reached is used up', async () => {
  const used = { kind: 'observed', behaviour: 'already used' };
  expect(await judged((player) => player === 1)).toMatchObject(used);
  expect(await judged((player) => (player === 1 ? 'PLAYED' : 'NOT_PLAYED'))).toMatchObject(used);
});
