import { areas } from '../../fixtures/catalog/catalog.ts';
import { type Journey, stop } from './journey.ts';

export const logs: Journey = {
  name: 'logs',
  about: 'a client hands in a batch of log records',
  cast: 1,
  stops: [stop(areas.logs.logsBatch, { batch: 'log' })],
};

export const analytics: Journey = {
  name: 'analytics',
  about: 'a client hands in a batch of analytics events',
  cast: 1,
  stops: [stop(areas.logs.analyticsBatch, { batch: 'analytics' })],
};
