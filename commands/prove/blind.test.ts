import { expect, test } from 'vitest';
import type { Result } from '../../engine/run/result.ts';
import { blindServers, heldBack } from '../../fixtures/blind/servers.ts';
import { sampleResult, sampleRun } from '../../fixtures/kit/sample-run.ts';
import { correctRunsOf, operationsOf, scoreOf } from './blind.ts';

const mutant = {
  name: 'leaves-nothing',
  cause: 'lost write',
  does: 'a member who leaves stays in the party',
  calls: ['DELETE /api/v1/party/leave?disband=true', 'GET /api/v1/party/details'],
  words: ['leave', 'left'],
};
const view: Partial<Result> = { id: 'party/left-view', operation: ['party.details', 'party.leave'] };
const wallet: Partial<Result> = { id: 'store/wallet', operation: 'general.currencies', level: 'open' };
const observed = (behaviour: string): Partial<Result> => ({ ...wallet, outcome: 'observed', behaviour });
const run = (...checks: Partial<Result>[]) => sampleRun(checks.map(sampleResult));
const correct = correctRunsOf([run(view, observed('alike')), run(view, observed('alike'))]);

test('a failure about a call of the mutant, in words of its cause, is found and named', () => {
  const found = run({ ...view, outcome: 'fail' }, observed('alike'));
  expect(scoreOf(mutant, correct, found, false)).toEqual({
    grade: 'failed',
    isNamed: true,
    by: ['party/left-view'],
  });
});

test('a warning counts less, and one about something else names nothing', () => {
  const found = run(view, observed('alike'), {
    id: 'me.logout#routed',
    operation: 'me.logout',
    outcome: 'warn',
  });
  const before = correctRunsOf([
    run(view, observed('alike'), { id: 'me.logout#routed', operation: 'me.logout' }),
    run(view, observed('alike'), { id: 'me.logout#routed', operation: 'me.logout' }),
  ]);
  expect(scoreOf(mutant, before, found, false)).toEqual({
    grade: 'warned',
    isNamed: false,
    by: ['me.logout#routed'],
  });
});

test('what only changed is seen with a baseline, and not without', () => {
  const found = run(view, observed('with different ones'));
  expect(scoreOf(mutant, correct, found, true)).toMatchObject({ grade: 'changed', by: ['store/wallet'] });
  expect(scoreOf(mutant, correct, found, false).grade).toBe('silent');
});

test('what changed and fails the run is found with a baseline', () => {
  const found = run(view, {
    ...observed('with different ones'),
    since: { gate: 'changed', before: 'alike' },
  });
  expect(scoreOf(mutant, correct, found, true)).toMatchObject({ grade: 'failed', by: ['store/wallet'] });
  expect(scoreOf(mutant, correct, found, false).grade).toBe('silent');
});

test('what differs between two runs against the correct server is no finding', () => {
  const wandering = correctRunsOf([correct.runs[0], run(view, observed('with different ones'))]);
  expect(scoreOf(mutant, wandering, run(view, observed('by turns')), true).grade).toBe('silent');
});

test('there are at least 90 bugs in four servers, each with documented calls; a third is held back', () => {
  const mutants = blindServers.flatMap((server) => server.mutants);
  expect(mutants.length).toBeGreaterThanOrEqual(90);
  for (const each of mutants) expect(operationsOf(each).length).toBeGreaterThan(0);
  for (const server of blindServers)
    expect(new Set(server.mutants.map(({ name }) => name)).size).toBe(server.mutants.length);
  expect(heldBack.size).toBe(mutants.length / 3);
});
