// The operations under the heading General: configuration, consents, versions, purchases and the like.
import { area, GET, POST } from '../operation.ts';

export const general = area('general', 'endpoints.general', {
  checkClientVersion: POST('/api/v1/clientVersion/check', {}, { effect: 'read' }),
  config: GET('/api/v1/config'),
  displayRankOnTally: GET('/api/v1/config/DISPLAY_RANK_ON_TALLY/raw'),
  consent: GET('/api/v1/consent', { onlyAttentionNeeded: 'false' }),
  richPresence: GET('/api/v1/friends/richPresence/{playerId}'),
  healthcheck: GET('/api/v1/healthcheck'),
  inventories: GET('/api/v1/inventories'),
  matchIncentives: POST('/api/v1/matchIncentives', {}, { effect: 'read' }),
  entitlements: POST('/api/v1/owned-products/get-update-entitlements'),
  purchase: POST('/api/v1/purchases/{characterName}'),
  realTimeUrl: GET('/api/v1/realTimeMessaging/getUrl'),
  redeem: POST('/api/v1/redeemableCodes/{redeemableCode}', {}, { effect: 'shared' }),
  marketingRedirect: GET('/api/v1/rewards/marketing-consent/redirect-data', {
    shouldNotThrowOperationNotAllowed: 'true',
  }),
  milestoneProgress: POST('/api/v1/special-events/milestone-progress'),
  reconcileRewards: POST('/api/v1/unifiedaccounts/reconcile-rewards'),
  inSamplingPool: GET('/api/v1/usersampling/me/in-pool'),
  version: GET('/api/v1/version'),
  currencies: GET('/api/v1/wallet/currencies'),
  currencyExpiry: GET('/api/v1/wallet/currency/expire'),
});
