// Results as runs assemble them, however they ended.
import { expect, test } from 'vitest';
import { complete, facts, planned, ran, result } from '../../fixtures/kit/assembled.ts';
import { outcomes } from '../judgement.ts';
import { assemble } from './assemble.ts';
import type { RunResult } from './result.ts';
import { schemaProblem } from './validate-result.ts';

/** As it is read again. */
const stored = (run: RunResult): unknown => JSON.parse(JSON.stringify(run));

test.each(['complete', 'interrupted', 'budget', 'worker-died', 'bail'] as const)(
  'a run that ended %s',
  (ended) => {
    const missing = { reason: 'interrupted', detail: 'not asked' } as const;
    const run = ran([...outcomes, undefined], { ending: { ended, missing } });
    expect(run.checks).toHaveLength(outcomes.length + 1);
    expect(schemaProblem(stored(run))).toBeUndefined();
  },
);

test('a run without a check', () => {
  expect(schemaProblem(stored(ran([])))).toBeUndefined();
});

test('a run of one host, with waivers that hold and do not, against a baseline', () => {
  const check = planned('area.op0#routed');
  const waiver = (glob: string, expires: string) => ({
    check: glob,
    reason: 'r',
    link: 'https://h/1',
    expires,
  });
  const run = assemble(
    [check, planned('area.op1#routed', 'cdn')],
    new Map([[check.id, result(check, 'fail')]]),
    complete,
    {
      ...facts(),
      target: { embedded: false, base: 'http://base' },
      waivers: [waiver('area.*', '2026-12-31'), waiver('nothing.*', '2020-01-01')],
      known: [check.id],
      incidents: ['base fell silent'],
      baseline: ran(['pass', 'pass']),
    },
  );
  expect(run.baseline).toBeDefined();
  expect(run.waivers.map(({ problem }) => problem === undefined)).toEqual([true, false]);
  expect(schemaProblem(stored(run))).toBeUndefined();
});
