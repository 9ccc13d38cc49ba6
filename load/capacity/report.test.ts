import { expect, test } from 'vitest';
import { sampleStep } from '../../fixtures/kit/sample-step.ts';
import { stepLine } from './report.ts';
import { advance, beginSearch } from './search.ts';
import { parseSlo } from './slo.ts';

test('what was answered wrongly in a step is reported by operation and status', () => {
  const begun = beginSearch({
    ...{ slo: parseSlo('p95=80ms'), start: 50, maxRate: 100, budgetMs: 60_000 },
    ...{ seed: 1, arrivals: 'poisson', requestsPerJourney: 4 },
  });
  const byOperation = [
    { operation: 'queue.cancel', answer: '404', count: 80 },
    { operation: 'party.create', answer: '500', count: 4 },
  ];
  const kinds = { 'status 404': 80, 'status 5xx': 4 };
  const errors = { wrong: 84, transport: 0, kinds, byOperation };
  const step = { ...sampleStep, sent: 800, journeys: 200, achieved: 50, errors };
  expect(stepLine(advance(begun, step, 5_000))).toContain(
    ', 84 wrong: queue.cancel 404 x 80, party.create 500 x 4',
  );
});
