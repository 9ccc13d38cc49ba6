// A server that lacks one operation: steps that need none of its answers are judged as if it were there.
import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import type { Mutation } from '../../fixtures/mutants/mutant.ts';
import { openProver } from './prover.ts';

const { archives, general, match, messages, mysteryBox, onboarding, party, playerName, players } = areas;

/** The operation is not routed, nor does HEAD or OPTIONS name it. */
const lacking =
  ({ id, path }: Operation): Mutation =>
  () =>
  (call, forward) =>
    call.operation?.id === id || (['HEAD', 'OPTIONS'].includes(call.method) && call.url === path)
      ? forward({ url: '/api/v1/nowhere/at/all' })
      : undefined;

const judged: readonly (readonly [Operation, readonly string[]])[] = [
  [archives.activeNode, ['progression/story']],
  [general.entitlements, ['store/purchase', 'store/purchase-paid']],
  [messages.list, ['messages/claim', 'messages/mark', 'messages/limit-inbox']],
  [mysteryBox.status, ['progression/gift', 'progression/gift-amount', 'progression/gift-once']],
  [onboarding.get, ['progression/bot-match-shown', 'progression/onboarding-step']],
  [onboarding.botMatchStatus, ['progression/onboarding-step', 'progression/onboarding-own']],
  [party.join, ['party/leave', 'party/left-view', 'party/left-party-stays', 'party/remove']],
  [party.create, ['login/same-player', 'login/logout']],
  [playerName.get, ['names/search', 'names/umlauts-search', 'names/emoji-search']],
  [players.addFriend, ['friends/block', 'friends/blocked-list']],
  [match.create, ['match/queued-view', 'match/queued-quit']],
];

test('a step that needs no answer of a missing operation passes without it', async () => {
  const { prove, close } = await openProver('1');
  try {
    for (const [operation, steps] of judged) {
      const { missed } = await prove({
        name: operation.id,
        wrong: '',
        clause: operation.clause,
        operations: [],
        turns: [],
        mutation: lacking(operation),
        says: Object.fromEntries(steps.map((step) => [step, 'pass'])),
      });
      expect(missed, operation.id).toEqual([]);
    }
  } finally {
    close();
  }
}, 120_000);
