import { expect, test } from 'vitest';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { guess, type Put, rehearseFlow, withoutWaits } from '../../fixtures/kit/flow-rehearsal.ts';
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

/** The judgement of a reported step, on a server whose onboarding shows these steps as done. */
async function judgedReport(done: (isReported: boolean) => readonly string[], knowsSteps = true) {
  let isReported = false;
  const { play } = rehearseFlow(
    ({ operation, ask }: Put) => {
      if (operation === 'onboarding.updateProgress') {
        if (knowsSteps && !String(ask.body).includes('"menu"')) return { status: 422 };
        isReported = true;
      }
      const steps = ['menu', 'trial'].map((step) => ({ step, completed: done(isReported).includes(step) }));
      const reply = exchangeOf({ status: 200, body: { steps } });
      return { ...reply, request: { ...reply.request, body: String(ask.body) } };
    },
    { flows: { forms: ({ id }) => (id === 'onboarding.updateProgress' ? [guess({ step: 'menu' })] : []) } },
  );
  return (await withoutWaits(() => play(progression, 'onboarding-kept')))[0];
}

test('a step that the target knows by its name is done once it was reported', async () => {
  expect((await judgedReport((isReported) => (isReported ? ['menu'] : [])))?.kind).not.toBe('violation');
  expect(await judgedReport(() => [])).toMatchObject({
    kind: 'violation',
    actual: 'not done, and all as before the report',
  });
});

test('a report says nothing where another step is done, or where any name is taken', async () => {
  expect((await judgedReport((isReported) => (isReported ? ['trial'] : [])))?.kind).not.toBe('violation');
  expect((await judgedReport(() => [], false))?.kind).not.toBe('violation');
});

test('where the target knows no step of a guessed name, one that it shows as not done is reported', async () => {
  const { play, puts } = rehearseFlow(
    ({ operation, ask }: Put) => {
      if (operation === 'onboarding.updateProgress') {
        const reply = exchangeOf({ status: String(ask.body).includes('"trial"') ? 200 : 404 });
        return { ...reply, request: { ...reply.request, body: String(ask.body) } };
      }
      return {
        body: {
          steps: [
            { step: 'menu', completed: true },
            { step: 'trial', completed: false },
          ],
        },
      };
    },
    { flows: { forms: ({ id }) => (id === 'onboarding.updateProgress' ? [guess({ step: '1' })] : []) } },
  );
  const [judgement] = await withoutWaits(() => play(progression, 'onboarding-step'));
  expect(judgement).toMatchObject({ kind: 'pass' });
  const sent = puts.filter(({ operation }) => operation === 'onboarding.updateProgress');
  expect(sent.map(({ ask }) => ask.body)).toEqual(['{"step":"1"}', '{"step":"trial"}']);
});
