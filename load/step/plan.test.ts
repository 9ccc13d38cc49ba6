import { expect, test } from 'vitest';
import { samplePlan } from '../../fixtures/kit/sample-step.ts';
import { planOf } from './plan.ts';

const { plan: shared, data: _ } = samplePlan({ exclusive: true });
const step = (inFlight: number) => ({
  rate: 50,
  durationMs: 5_000,
  warmupMs: 1_000,
  seed: 1,
  arrivals: 'poisson' as const,
  inFlight,
  label: 'test',
});
const planned = (inFlight: number, groups: number, given = {}, segments = 1) => {
  const stages = [{ from: 50, to: 50, durationMs: 6_000 }];
  return planOf({ ...shared, ...given, groups }, [], step(inFlight), stages, segments);
};

test('where there are people for all that may be under way no two journeys share them', () => {
  const { plan, inFlight } = planned(40, 300);
  expect(plan).toMatchObject({ ownActors: true, inFlight: 40, stillInside: [] });
  expect(inFlight).toBe(40);
});

test('a few people fewer bound what may be under way, and none is played twice at once', () => {
  const { plan, inFlight } = planned(150, 101, {}, 2);
  expect(plan.ownActors).toBe(true);
  expect(inFlight).toBe(100);
  expect(plan.inFlight).toBe(50);
});

test('with far too few people journeys share them; where nothing is changed they may', () => {
  expect(planned(300, 60)).toMatchObject({ plan: { ownActors: false, inFlight: 300 }, inFlight: 300 });
  expect(planned(40, 300, { exclusive: false }).plan.ownActors).toBe(false);
});
