// The operations under the heading Player name: set, read, search.
import { area, GET, POST } from '../operation.ts';

export const playerName = area('playerName', 'endpoints.player-name', {
  set: POST('/api/v1/playername/storefront/{providerPlayerName}', {}, { effect: 'shared' }),
  get: GET('/api/v1/playername', {}, { mayBe404: 'nothing there' }),
  search: GET('/api/v1/playername/search/crossplatformv2', { playerName: '{playerName}' }),
});
