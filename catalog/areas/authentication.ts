// The operations under the heading Authentication: login and public key.
import { area, GET, POST } from '../operation.ts';

export const auth = area('auth', 'endpoints.authentication', {
  login: POST('/api/v1/auth/provider/storefront/login', { token: '<JWT>' }),
  publicKey: GET('/api/v1/auth/v2/publicKey'),
});
