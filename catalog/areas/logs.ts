import { area, POST } from '../operation.ts';

export const logs = area(
  'logs',
  'endpoints.logging',
  {
    analyticsBatch: POST('/api/v1/gameDataAnalytics/v2/batch', {}, { effect: 'shared' }),
    logsBatch: POST('/api/v1/gameLogs/batch', {}, { effect: 'shared' }),
  },
  'gamelogs',
);
