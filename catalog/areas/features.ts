// The operations under the heading Features: status flags.
import { area, GET } from '../operation.ts';

export const features = area('features', 'endpoints.features', {
  archives: GET('/api/v1/feature/status/archives'),
  userSampling: GET('/api/v1/feature/status/usersampling'),
});
