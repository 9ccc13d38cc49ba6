// The operations under the heading Onboarding: the first steps of a player.
import { area, GET, POST } from '../operation.ts';

export const onboarding = area('onboarding', 'endpoints.onboarding', {
  get: GET('/api/v1/onboarding'),
  botMatchStatus: GET('/api/v1/onboarding/get-bot-match-status'),
  currentMode: GET('/api/v1/onboarding/get-onboarding-current-mode'),
  playBotMatch: POST('/api/v1/onboarding/play-bot-match'),
  reconcileRewards: POST('/api/v1/onboarding/reconcile-and-get-onboarding-rewards'),
  updateProgress: POST('/api/v1/onboarding/update-player-progress'),
});
