import { expect, test } from 'vitest';
import { formOf } from '../../engine/players/body-template.ts';
import { judgeStep, type Put } from '../../fixtures/kit/flow-rehearsal.ts';
import { letIn, makeAskingParty } from './make-party.ts';

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

/** The kinds of party that are made, on a server whose parties of these kinds let in every player who joins. */
async function kindsMade(open: readonly string[], kinds: readonly string[]) {
  const [first, ...others] = kinds.map((kind) => formOf({ kind }, 'guess'));
  const form = { ...(first as ReturnType<typeof formOf>), ...(others.length > 0 && { others }) };
  let party: { kind: string; members: Set<number> } | undefined;
  const made: string[] = [];
  const script = ({ operation, player, ask }: Put) => {
    if (operation === 'party.create') {
      const { kind } = JSON.parse(String(ask.body)) as { kind: string };
      made.push(kind);
      party = { kind, members: new Set([player]) };
      return { status: 201, body: { partyId: `party-${made.length}` } };
    }
    if (operation === 'party.join' && open.includes(party?.kind ?? '')) party?.members.add(player);
    if (operation === 'party.leave') party?.members.delete(player);
    const members = [...(party?.members ?? [])].map((number) => ({ playerId: `id-of-player-${number}` }));
    return { body: { partyId: `party-${made.length}`, members } };
  };
  const forms = ({ id }: { readonly id: string }) => (id === 'party.create' ? [form] : []);
  await judgeStep((context) => makeAskingParty(context, 'friend'), script, { flows: { forms } });
  return made;
}

test('a party is of the first kind that does not let in every player who joins', async () => {
  expect(await kindsMade(['public', 'friends'], ['public', 'friends', 'private'])).toEqual([
    'public',
    'friends',
    'private',
  ]);
  expect(await kindsMade([], ['public', 'private'])).toEqual(['public']);
});

test('where the target names no kinds, one party is made, and nobody tries to join', async () => {
  expect(await kindsMade(['public'], ['public'])).toEqual(['public']);
});
