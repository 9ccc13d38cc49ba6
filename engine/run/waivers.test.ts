import { describe, expect, test } from 'vitest';
import { planned, result } from '../../fixtures/kit/assembled.ts';
import type { Outcome } from '../judgement.ts';
import type { Waiver } from '../target/profile.ts';
import type { Result } from './result.ts';
import { applyWaivers, isWaived } from './waivers.ts';

const known = ['a.x#r', 'a.y#r', 'a.z#r', 'b.x#r'];
const waiver = (check: string, over: Partial<Waiver> = {}): Waiver => ({
  check,
  reason: 'the new store is not ready',
  link: 'https://tracker.example/1',
  expires: '2026-11-21',
  ...over,
});
const ran = (outcomes: Readonly<Record<string, Outcome>>): Result[] =>
  Object.entries(outcomes).map(([id, outcome]) => result(planned(id), outcome));

function apply(
  outcomes: Readonly<Record<string, Outcome>>,
  waivers: readonly Waiver[],
  today = '2026-11-21',
) {
  const { checks, accounts } = applyWaivers(ran(outcomes), { waivers, known, today });
  return {
    waived: checks.filter(({ waived }) => waived).map(({ id }) => id),
    problems: accounts.flatMap(({ problem }) => problem ?? []),
    counts: accounts.map(({ waived }) => waived),
    checks,
  };
}

test('a failure of that id is waived, and stays a failure with reason, link and end', () => {
  const { checks, problems } = apply({ 'a.x#r': 'fail', 'a.y#r': 'fail' }, [waiver('a.x#r')]);
  expect(checks[0]).toMatchObject({
    outcome: 'fail',
    waived: {
      reason: 'the new store is not ready',
      link: 'https://tracker.example/1',
      expires: '2026-11-21',
    },
  });
  expect(checks[1]?.waived).toBeUndefined();
  expect(problems).toEqual([]);
});

test('a glob waives every failure it matches, and nothing else', () => {
  const applied = apply({ 'a.x#r': 'fail', 'a.y#r': 'fail', 'a.z#r': 'pass', 'b.x#r': 'fail' }, [
    waiver('a.*'),
  ]);
  expect(applied).toMatchObject({ waived: ['a.x#r', 'a.y#r'], problems: [], counts: [2] });
});

test('warnings are waived where a baseline makes new ones fail the run, and only there', () => {
  const facts = { waivers: [waiver('a.x#r')], known, today: '2026-11-21' };
  const of = (isCompared: boolean) => applyWaivers(ran({ 'a.x#r': 'warn' }), { ...facts, isCompared });
  expect(of(true).checks[0]?.waived?.expires).toBe('2026-11-21');
  expect(of(true).accounts[0]?.waived).toBe(1);
  expect(of(false).checks[0]?.waived).toBeUndefined();
  expect(of(false).accounts[0]?.waived).toBe(0);
});

test('of two waivers in force the first one gives the reason', () => {
  const { checks } = apply({ 'a.x#r': 'fail' }, [
    waiver('a.*', { reason: 'one' }),
    waiver('*', { reason: 'two' }),
  ]);
  expect(checks[0]?.waived?.reason).toBe('one');
});

test('an expired waiver does not hide one that is in force', () => {
  const applied = apply({ 'a.x#r': 'fail' }, [
    waiver('a.x#r', { expires: '2026-01-01' }),
    waiver('a.x#r', { reason: 'two' }),
  ]);
  expect(applied.checks[0]?.waived?.reason).toBe('two');
  expect(applied.problems).toHaveLength(1);
});

describe('the day it names', () => {
  test.each([
    ['2026-11-20', []],
    ['2026-11-21', []],
    ['2026-11-22', ['waiver "a.x#r" expired on 2026-11-21; mend the failure or give a later date']],
    ['2027-01-01', ['waiver "a.x#r" expired on 2026-11-21; mend the failure or give a later date']],
  ])('on %s: %j', (today, problems) => {
    const applied = apply({ 'a.x#r': 'fail' }, [waiver('a.x#r')], today);
    expect(applied.problems).toEqual(problems);
    expect(applied.waived).toEqual(problems.length === 0 ? ['a.x#r'] : []);
  });
});

describe('a waiver that is no longer right fails the run, in one line with what to do', () => {
  test('one that matches no check', () => {
    expect(apply({ 'a.x#r': 'fail' }, [waiver('a.xx#r')]).problems).toEqual([
      'waiver "a.xx#r" matches no check; mend it (nearest: a.x#r) or delete it',
    ]);
  });

  test('one that names a clause', () => {
    expect(apply({ 'a.x#r': 'fail' }, [waiver('sense.answers')]).problems).toEqual([
      'waiver "sense.answers" is a clause; npm run explain -- sense.answers names its checks',
    ]);
  });

  test.each<Outcome>(['pass', 'observed'])('one whose check gives %s', (outcome) => {
    expect(apply({ 'a.x#r': outcome }, [waiver('a.x#r')]).problems).toEqual([
      'waiver "a.x#r" is no longer needed, its check does not fail any more; delete it',
    ]);
  });

  test.each(['not-triggered', 'left-out'] as const)(
    'one whose check has no precondition to fail: %s',
    (reason) => {
      const idle = { ...result(planned('a.x#r'), 'not-applicable'), reason };
      const { accounts } = applyWaivers([idle], { waivers: [waiver('a.x#r')], known, today: '2026-11-21' });
      expect(accounts[0]?.problem).toMatch('no longer needed');
    },
  );

  test('a glob of which none fails any more', () => {
    expect(apply({ 'a.x#r': 'pass', 'a.y#r': 'pass', 'a.z#r': 'pass' }, [waiver('a.*')]).problems).toEqual([
      'waiver "a.*" is no longer needed, none of its 3 checks fails any more; delete it',
    ]);
  });

  test('one that has expired, even where its check only warns', () => {
    expect(apply({ 'a.x#r': 'warn' }, [waiver('a.x#r')], '2026-12-01').problems).toEqual([
      'waiver "a.x#r" expired on 2026-11-21; mend the failure or give a later date',
    ]);
  });

  test('one that has expired and is not needed', () => {
    expect(apply({ 'a.x#r': 'pass' }, [waiver('a.x#r')], '2026-12-01').problems).toEqual([
      'waiver "a.x#r" expired on 2026-11-21 and is no longer needed; delete it',
    ]);
  });

  test('a hostile one is shown safely', () => {
    const [line = ''] = apply({}, [waiver(`\x1b[2J${'x'.repeat(500)}`)]).problems;
    expect(line).toMatch(/^waiver "\\u001b\[2Jx+…" matches no check/);
  });
});

describe('nothing is held against a waiver', () => {
  test.each<Outcome>(['inconclusive', 'harness-error', 'warn'])('whose check gives %s', (outcome) => {
    expect(apply({ 'a.x#r': outcome }, [waiver('a.x#r')])).toMatchObject({ problems: [], waived: [] });
  });

  test.each(['read-only', 'host-not-given'] as const)('whose check was kept back: %s', (reason) => {
    const kept = { ...result(planned('a.x#r'), 'not-applicable'), reason };
    const { accounts } = applyWaivers([kept], { waivers: [waiver('a.x#r')], known, today: '2026-11-21' });
    expect(accounts).toMatchObject([{ waived: 0 }]);
    expect(accounts[0]?.problem).toBeUndefined();
  });

  test('whose check was not asked in this run', () => {
    expect(apply({ 'b.x#r': 'pass' }, [waiver('a.x#r')]).problems).toEqual([]);
  });

  test('that has expired, but whose check was not asked or could not be judged', () => {
    expect(apply({ 'b.x#r': 'pass' }, [waiver('a.x#r')], '2026-12-01').problems).toEqual([]);
    expect(apply({ 'a.x#r': 'inconclusive' }, [waiver('a.x#r')], '2026-12-01').problems).toEqual([]);
  });

  test.each<[string, Readonly<Record<string, Outcome>>]>([
    ['one still fails', { 'a.x#r': 'fail', 'a.y#r': 'pass', 'a.z#r': 'pass' }],
    ['one could not be judged', { 'a.x#r': 'inconclusive', 'a.y#r': 'pass', 'a.z#r': 'pass' }],
    ['one was not asked', { 'a.x#r': 'pass', 'a.y#r': 'pass' }],
    ['one warns', { 'a.x#r': 'warn', 'a.y#r': 'pass', 'a.z#r': 'pass' }],
  ])('that is a glob of which %s', (_, outcomes) => {
    expect(apply(outcomes, [waiver('a.*')]).problems).toEqual([]);
  });
});

test('without waivers nothing changes', () => {
  const checks = ran({ 'a.x#r': 'fail' });
  expect(applyWaivers(checks, { waivers: [], known, today: '2026-11-21' })).toEqual({ checks, accounts: [] });
});

test('while the run goes, a failure under a waiver in force does not count, and one under an expired waiver does', () => {
  const waivers = [{ check: 'party.*', reason: 'r', link: 'https://a.example', expires: '2026-01-10' }];
  expect(isWaived('party.get#answers', waivers, '2026-01-10')).toBe(true);
  expect(isWaived('party.get#answers', waivers, '2026-01-11')).toBe(false);
  expect(isWaived('queue.enter#answers', waivers, '2026-01-10')).toBe(false);
});
