// The operations under the heading Queue, ranks and utils.
import { area, GET, POST } from '../operation.ts';

const clause = 'endpoints.queue-ranks-utils';

export const queue = area('queue', clause, {
  enter: POST('/api/v1/queue', {}, { effect: 'shared' }),
  cancel: POST('/api/v1/queue/cancel', {}, { mayBe404: 'nothing there', effect: 'shared' }),
  issueToken: POST('/api/v1/queue/token/issue'),
});

export const ranks = area('ranks', clause, {
  claimRewards: POST('/api/v1/ranks/claim-rank-rewards', {}, { mayBe404: 'nothing there' }),
  resetAndGetPips: POST('/api/v1/ranks/reset-get-pips-v2'),
});

export const utils = area('utils', clause, {
  contentVersion: GET('/api/v1/utils/contentVersion/version'),
  contentVersionOf: GET('/api/v1/utils/contentVersion/version', { versionPattern: '{versionPattern}' }),
});
