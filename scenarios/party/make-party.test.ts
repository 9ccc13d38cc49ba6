import { expect, test } from 'vitest';
import { judgeStep, type Put } from '../../fixtures/kit/flow-rehearsal.ts';
import { letIn } from './make-party.ts';

/** The judgement of letting a friend into a party, where these operations are answered so. */
async function admitted(statuses: Readonly<Record<string, number>>) {
  let isIn = false;
  const script = ({ operation }: Put) => {
    const status = statuses[operation] ?? 200;
    if (status === 200 && /^party.accept(Join|Invite)$/.test(operation)) isIn = true;
    const members = ['id-of-player-1', ...(isIn ? ['id-of-player-2'] : [])].map((playerId) => ({ playerId }));
    return operation === 'party.details' ? { body: { members } } : { status, body: {} };
  };
  const { judgement, puts } = await judgeStep(
    (context) => letIn(context, 'p-1', ['leader', 'friend']),
    script,
  );
  return { judgement, called: puts.map(({ operation }) => operation) };
}

test('admits a player who asks to join, and invites nobody', async () => {
  const { judgement, called } = await admitted({});
  expect(judgement?.kind).toBe('pass');
  expect(called).not.toContain('party.invite');
});

test('where joining is not possible, an invitation leads in', async () => {
  const { judgement, called } = await admitted({ 'party.join': 403 });
  expect(judgement?.kind).toBe('pass');
  expect(called).toContain('party.acceptInvite');
});

test('reports the refusal to join when an invitation is refused as well', async () => {
  const { judgement } = await admitted({ 'party.join': 403, 'party.invite': 409 });
  expect(judgement).toMatchObject({ kind: 'inconclusive', detail: expect.stringContaining('party.join') });
});

test('does not invite a player whose request to join got a server error', async () => {
  const { judgement, called } = await admitted({ 'party.join': 500 });
  expect(judgement).toMatchObject({ kind: 'violation', actual: '500' });
  expect(called).not.toContain('party.invite');
});
