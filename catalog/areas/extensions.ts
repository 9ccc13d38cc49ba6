// The operations under the heading Extensions: news, player level, store and wallet.
import { area, GET, POST } from '../operation.ts';

export const extensions = area('extensions', 'endpoints.extensions', {
  news: GET('/api/v1/extensions/news', { locale: '{locale}' }),
  playerLevel: POST('/api/v1/extensions/playerLevels/getPlayerLevel', {}, { effect: 'read' }),
  bundles: POST('/api/v1/extensions/store/getAvailableBundles', {}, { effect: 'read' }),
  catalogItems: GET('/api/v1/extensions/store/getCatalogItems', { 'types[]': '{types}' }),
  recommendations: GET('/api/v1/extensions/store/getRecommendations'),
  specialPacks: GET('/api/v1/extensions/store/getSpecialPacks'),
  creatorCode: GET('/api/v1/extensions/creatorSupport/code', {}, { mayBe404: 'nothing there' }),
  creators: GET('/api/v1/extensions/creatorSupport/creators'),
  localizedCurrencies: POST(
    '/api/v1/extensions/wallet/getLocalizedCurrenciesAfterLogin',
    {},
    { effect: 'read' },
  ),
  needMigration: POST('/api/v1/extensions/wallet/needMigration', {}, { effect: 'read' }),
});
