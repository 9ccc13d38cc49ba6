// The operations under the heading Logging: batches of analytics and logs, on the logging host.
import { area, POST } from '../operation.ts';

export const logs = area(
  'logs',
  'endpoints.logging',
  // Shared: a batch ends up in logs that the operators of the server read.
  {
    analyticsBatch: POST('/api/v1/gameDataAnalytics/v2/batch', {}, { effect: 'shared' }),
    logsBatch: POST('/api/v1/gameLogs/batch', {}, { effect: 'shared' }),
  },
  { host: 'gamelogs' },
);
