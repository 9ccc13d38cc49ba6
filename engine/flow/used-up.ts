// Recognizes refusals of what a player can do only once: where the player has done it before, the operation is used up,
// not broken.
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { type Exchange, statusOf } from '../http/exchange.ts';
import { type Judgement, observed } from '../judgement.ts';

const onceOnly: ReadonlySet<string> = new Set(
  [
    ...[areas.mysteryBox.claim, areas.general.purchase, areas.general.redeem],
    ...[areas.messages.claim, areas.ranks.claimRewards, areas.archives.claimOldTracks],
    ...[areas.onboarding.updateProgress, areas.onboarding.playBotMatch, areas.playerName.set],
  ].map(({ id }) => id),
);

/** The behaviour of a target that refuses to do it a second time. */
export const alreadyUsed = 'already used';

/** The judgement where a player who may have made a once-only call before is refused it; else undefined. */
export function usedUp(judgement: Judgement, [first]: readonly Operation[]): Judgement | undefined {
  const refusal = first && onceOnly.has(first.id) ? refusalOf(judgement, first) : undefined;
  return refusal && observed(alreadyUsed, refusal);
}

/** The refusal in a judgement. 400 and 422 may mean a wrong value: they count only for violations, not for names. */
function refusalOf(judgement: Judgement, { id }: Operation): Exchange | undefined {
  if (judgement.kind !== 'violation' && judgement.kind !== 'inconclusive') return undefined;
  const { evidence } = judgement;
  const status = evidence ? statusOf(evidence) : 0;
  if (judgement.kind === 'inconclusive' && judgement.reason !== 'needs-state') return undefined;
  const isSure = judgement.kind === 'violation' && id !== areas.playerName.set.id;
  return (isSure ? [400, 403, 409, 410, 422] : [403, 409, 410]).includes(status) ? evidence : undefined;
}
