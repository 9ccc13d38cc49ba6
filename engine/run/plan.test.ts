import { describe, expect, test } from 'vitest';
import type { PlannedCheck } from '../judgement.ts';
import { namesOf, select } from './plan.ts';

const planned = (
  id: string,
  operation: string | readonly string[] = id.split('#')[0] ?? '',
): PlannedCheck => ({
  id,
  operation,
  title: 'is as it says',
  host: 'base',
  clause: 'c',
  level: 'documented',
});

const plan = [
  planned('party.create#routed'),
  planned('party.create#answers'),
  planned('party.details#routed'),
  planned('partyline.call#routed'),
  planned('me.logout#routed'),
  planned('login/session-ends', ['me.logout', 'auth.login']),
];
const ids = (...only: string[]) => select(plan, only).ids;

test('without a word, all are asked', () => {
  expect(select(plan, [])).toEqual({ ids: plan.map(({ id }) => id), unmatched: [] });
});

describe('a word of --only is', () => {
  test.each<readonly [string, string, string[]]>([
    ['an id', 'party.create#routed', ['party.create#routed']],
    ['an operation', 'party.create', ['party.create#routed', 'party.create#answers']],
    ['an area', 'party', ['party.create#routed', 'party.create#answers', 'party.details#routed']],
    ['a rule', '#answers', ['party.create#answers']],
    ['a flow', 'login', ['login/session-ends']],
    ['a step', 'login/session-ends', ['login/session-ends']],
    ['an operation that a step is filed under', 'me.logout', ['me.logout#routed', 'login/session-ends']],
    ['an area that a step is filed under', 'me', ['me.logout#routed', 'login/session-ends']],
    ['a glob', 'party.*#routed', ['party.create#routed', 'party.details#routed']],
    ['a glob of one letter', 'me.l?gout#*', ['me.logout#routed']],
    [
      'a glob over rules',
      '#r*',
      ['party.create#routed', 'party.details#routed', 'partyline.call#routed', 'me.logout#routed'],
    ],
  ])('%s: %s', (_, word, found) => {
    expect(ids(word)).toEqual(found);
  });

  test('never a pattern of another kind', () => {
    expect(select(plan, ['party.creat.', 'party[.]create', 'part', '(', 'party+'])).toEqual({
      ids: [],
      unmatched: ['party.creat.', 'party[.]create', 'part', '(', 'party+'],
    });
  });
});

test('words add up, each check once and in plan order', () => {
  expect(ids('#answers', 'party.create')).toEqual(['party.create#routed', 'party.create#answers']);
});

test('a word that matches nothing is reported, beside others that do', () => {
  expect(select(plan, ['party', 'prty']).unmatched).toEqual(['prty']);
});

test('names of a check are its id, operations, areas, flow and rule', () => {
  expect(namesOf(planned('party.create#routed'))).toEqual([
    'party.create#routed',
    'party.create',
    'party',
    '#routed',
  ]);
  expect(namesOf(planned('login/step', ['auth.login']))).toEqual([
    'login/step',
    'auth.login',
    'auth',
    'login',
  ]);
});
