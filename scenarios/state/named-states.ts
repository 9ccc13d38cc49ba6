// The states that hold JSON: what each is called in a write, and the call that reads it.
import { players } from '../../catalog/areas/players.ts';
import type { Operation } from '../../catalog/operation.ts';

export interface NamedState {
  /** Begins the names of the steps. */
  readonly key: string;
  readonly stateName: string;
  readonly read: Operation;
}

export const namedStates: readonly [NamedState, ...NamedState[]] = [
  { key: 'challenge-ui-data', stateName: 'ChallengeUIData', read: players.challengeUIData },
  { key: 'new-lores-ui-data', stateName: 'NewLoresUIData', read: players.newLoresUIData },
  { key: 'seen-news-articles', stateName: 'SeenNewsArticles', read: players.seenNewsArticles },
  { key: 'seen-store-items', stateName: 'SeenStoreItems', read: players.seenStoreItems },
];
