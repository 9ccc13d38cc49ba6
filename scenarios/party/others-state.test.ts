import { expect, test } from 'vitest';
import { formOf } from '../../engine/players/body-template.ts';
import type { Json } from '../../engine/target/profile-validation.ts';
import { type Facts, rehearseFlow, withoutWaits } from '../../fixtures/kit/flow-rehearsal.ts';
import party from '../party.ts';

const templates: Readonly<Record<string, Json>> = {
  'party.invite': { guest: '{{other.id}}' },
  'party.acceptInvite': { from: '{{other.id}}', party: '{{partyId}}' },
  'party.acceptJoin': { whom: '{{other.id}}' },
};

/** The bodies that were put, by operation, on a server where everybody is in. */
async function bodiesOf(state: Json, ...steps: string[]) {
  const script = () => ({
    body: {
      partyId: 'p-1',
      members: [1, 2, 3].map((nth) => ({ id: `id-of-player-${nth}` })),
      state: 'READY',
    },
  });
  const forms: NonNullable<Facts['flows']>['forms'] = ({ id }) => {
    const template = id === 'party.setPlayerState' ? state : templates[id];
    return template === undefined ? [] : [formOf(template, 'profile')];
  };
  const { play, puts } = rehearseFlow(script, { flows: { forms, pointer: () => '/partyId' } });
  await withoutWaits(() => play(party, ...steps));
  return (operation: string) => puts.flatMap((put) => (put.operation === operation ? [put.ask.body] : []));
}

test.each<[string, Json, RegExp]>([
  ['with a value of ours', { note: '{{value}}' }, /^{"note":"assayready-\d+"}$/],
  ['that it fixes', { state: 'READY' }, /^{"state":"READY"}$/],
])('another member’s state is set with the body of the profile, %s', async (_, state, body) => {
  const bodies = await bodiesOf(state, 'others-state');
  expect(bodies('party.setPlayerState').at(-1)).toMatch(body);
});

test('who accepts says whose invitation, and a leader whom they let in', async () => {
  const bodies = await bodiesOf({ state: 'READY' }, 'declined-accept', 'join-accept');
  const accept = '{"from":"id-of-player-1","party":"p-1"}';
  expect(bodies('party.acceptInvite')).toEqual([accept, accept, accept]);
  expect(bodies('party.acceptJoin')).toEqual(['{"whom":"id-of-player-6"}']);
});
