import { expect, test } from 'vitest';
import { parsedJson } from '../engine/values/json-walk.ts';
import { guess, rehearseFlow, withoutWaits } from '../fixtures/kit/flow-rehearsal.ts';
import state from './state.ts';

interface Sent {
  readonly stateName: string;
  readonly version: number;
}

test('a state that stands at a higher version from an earlier run is written at the version that the refusal names', async () => {
  const stands = new Map([['NewLoresUIData', 4]]);
  const stored = new Map<string, unknown>();
  const { play } = rehearseFlow(
    ({ operation, ask }) => {
      if (operation !== 'players.setState')
        return {
          body: stored.get(operation === 'players.challengeUIData' ? 'ChallengeUIData' : 'NewLoresUIData'),
        };
      const sent = parsedJson(String(ask.body)) as Sent;
      const version = stands.get(sent.stateName) ?? 0;
      if (sent.version !== version) return { status: 409, body: { version } };
      stands.set(sent.stateName, version + 1);
      stored.set(sent.stateName, sent);
      return { body: { version: version + 1 } };
    },
    {
      flows: {
        forms: () => [
          guess({ stateName: '{{stateName}}', data: '{{value}}', version: 0 }, 'stateName', 'value'),
        ],
      },
    },
  );
  const all = await withoutWaits(() => play(state, 'challenge-ui-data-written', 'new-lores-ui-data-written'));
  expect(all.at(-1)).toMatchObject({ kind: 'pass' });
});
