import { expect, test } from 'vitest';
import type { Judgement } from '../../engine/judgement.ts';
import { Spoken } from './learner.ts';
import { unjudgedFlows, unlearntLines } from './unlearnt.ts';

const inconclusive = (reason: 'needs-state' | 'prerequisite-failed', detail: string): Judgement => ({
  kind: 'inconclusive',
  reason,
  detail,
});
const played = (id: string, judgement: Judgement) => ({ step: { id }, judgement });

test('counts the steps of each flow that stay open, with the reason that most of them began with', () => {
  const flows = unjudgedFlows([
    played('login/a', { kind: 'pass' }),
    played('names/a', inconclusive('needs-state', 'no name')),
    played('store/a', inconclusive('prerequisite-failed', 'a')),
    played('store/b', inconclusive('prerequisite-failed', 'a')),
    played('store/c', inconclusive('needs-state', 'nothing was paid')),
    played('store/d', { kind: 'pass' }),
  ]);
  expect(flows).toEqual([
    {
      flow: 'store',
      unjudged: 3,
      steps: 4,
      why: inconclusive('needs-state', 'nothing was paid'),
    },
    { flow: 'names', unjudged: 1, steps: 1, why: inconclusive('needs-state', 'no name') },
  ]);
});

test('names operations without a body, and by area what never succeeded with what it lacks; nothing of captures', () => {
  const spoken = new Map([['general.config', new Spoken()]]);
  spoken.get('general.config')?.statuses.add('200');
  const answered = new Map([
    ['general.config', 200],
    ['general.redeem', 404],
    ['clientData.versionedNews', 0],
  ]);
  const why = { reason: 'needs-state', detail: 'nothing was paid' } as const;
  const flows = [{ flow: 'store', unjudged: 17, steps: 24, why }];
  const tookBody = new Set(['queue.enter', 'party.invite']);
  const profile = { operations: { 'party.invite': { body: {} } }, parameters: { versionPattern: '7.2' } };
  expect(unlearntLines({ spoken, unlearnt: { answered, flows, tookBody } }, profile)).toEqual([
    'no body stated, since it showed no effect or was refused again; a run guesses it, unless you state it: queue.enter',
    'not learnt, since no call of them succeeded:',
    '  general: general.redeem (answered 404, which may want an existing redeemableCode in parameters)',
    '  clientData: clientData.versionedNews (not answered)',
    'not played whole:',
    '  store: 17 of 24 steps stay inconclusive (needs-state: nothing was paid)',
  ]);
  expect(unlearntLines({ spoken }, profile)).toEqual([]);
});
