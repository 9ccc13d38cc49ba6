import { areas } from '../fixtures/catalog/catalog.ts';
import { flow } from '../fixtures/check/flow/flow.ts';
import { batches } from './logs/batches.ts';

const { analyticsBatch, logsBatch } = areas.logs;

const logs = flow('logs');
batches(logs, { key: 'logs', kind: 'log', operation: logsBatch });
batches(logs, { key: 'analytics', kind: 'analytics', operation: analyticsBatch });

export default logs.suite();
