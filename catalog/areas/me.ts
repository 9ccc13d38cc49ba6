// The operations under the heading Me: location, rich presence and logout.
import { area, GET, POST } from '../operation.ts';

export const me = area('me', 'endpoints.me', {
  location: GET('/api/v1/me/location'),
  logout: POST('/api/v1/me/logout', {}, { ends: 'session' }),
  setRichPresence: POST('/api/v1/me/richPresence', {}, { effect: 'shared' }),
});
