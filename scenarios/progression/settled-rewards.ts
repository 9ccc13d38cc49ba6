// Checks that a second call that brings rewards up to date gives nothing more.
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Operation } from '../../catalog/operation.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { alreadyUsed } from '../../engine/flow/used-up.ts';
import { ignoreStop, requireAnswer } from '../../engine/flow/why-refused.ts';
import type { Exchange } from '../../engine/http/exchange.ts';
import { movementsIn } from '../store/effects.ts';
import { reportATier } from './experience.ts';

const { archives, general } = areas;

/** Expects that a second call does not give again what the first one gave. */
export async function expectSettled(context: StepContext<'player'>, operation: Operation): Promise<void> {
  const before = await context.send('player', general.currencies);
  await context.expectAccepted(operation, await context.send('player', operation));
  const wallet = await context.settledSnapshot('player', general.currencies);
  requireAnswer(await context.send('player', operation));
  await context.expectUnchanged(wallet, `the wallet as it was after the first ${operation.id}`);
  requireSomethingGiven(context, [before, wallet.exchange], operation);
}

/** Keeps the step from passing where the first call gave nothing: the second one then proves nothing. */
export function requireSomethingGiven(
  context: StepContext<'player'>,
  [before, after]: readonly [Exchange, Exchange],
  operation: Operation,
): void {
  // Balances alone: a clock may stand beside them.
  if (movementsIn(before, after).length > 0) return;
  if (context.playedBefore()) context.observe(alreadyUsed);
  else context.notTriggered(`the first ${operation.id} changed nothing in the wallet`);
}

/** Calls that bring rewards up to date, by the names of their steps: the second of two finds nothing left to give. */
const reconciled: Readonly<Record<string, Operation>> = {
  'accounts-once': general.reconcileRewards,
  'old-tracks-once': archives.claimOldTracks,
  'grid-once': archives.reevaluateGrid,
};

/** Rewards are reconciled twice. */
export function reconciling(flow: Flow): void {
  const { step } = flow.scenario('player');
  for (const [name, operation] of Object.entries(reconciled))
    step(
      name,
      [operation, general.currencies],
      effects.progression.once,
      `a second ${operation.id} does not change the wallet`,
      async (context) => {
        // Rewards of a tier are what reevaluating a grid gives.
        if (operation === archives.reevaluateGrid) await reportATier(context).catch(ignoreStop);
        await expectSettled(context, operation);
      },
    );
}
