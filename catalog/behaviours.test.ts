import { expect, test } from 'vitest';
import { behaviourValue, noticeOfChange, othersData, points } from './behaviours.ts';

test.each([
  ['queue/find', 'they find one another', 'matched with one another'],
  ['queue/find', 'they are told no match in time', 'no match in time'],
  ['queue/find-party', 'matched: leader and member', 'leader and member'],
  ['queue/find-party', 'matched: leader', 'leader alone'],
  ['friends/stranger-reads-list', '200, who they are', othersData],
  ['friends/stranger-reads-list', '200, not who they are', 'nothing of theirs'],
  ['friends/stranger-reads-list', '403, not who they are', 'refused'],
  ['match/other-view', '200, and who plays', othersData],
  ['match/other-view', '404, not who plays', 'not found'],
  [
    'party/stranger-read',
    'without the key 200 (shows less), with a wrong one 403, with it 200',
    'a part of it',
  ],
  [
    'party/stranger-read',
    'without the key 200 (shows as much), with a wrong one 200 (shows as much), with it 200',
    othersData,
  ],
  [
    'party/stranger-read',
    'without the key 403, with a wrong one 404, with it 200',
    'nothing without the key',
  ],
  ['party/full', 'a party of 4 takes no other: join 200, accept 409', 'at most 4'],
  ['me.location#anonymous', 'without a credential: 401', 'sign in first'],
  ['me.location#spoiled', 'with a spoiled credential: 200, in the same form as signed in', 'as signed in'],
  ['names/search-other-case', 'it does not', 'no'],
])('%s: "%s" is the value "%s", and a value is its own', (id, sentence, value) => {
  expect(behaviourValue(id, sentence)).toBe(value);
  expect(behaviourValue(id, value)).toBe(value);
});

test('a point that no table names has its sentence, with what each status means', () => {
  expect(behaviourValue('friends/add-again', '204')).toBe('accepted');
  expect(behaviourValue('friends/add-again', '409')).toBe(behaviourValue('friends/add-again', '403'));
  expect(behaviourValue('logs/logs-again', '200, then 503')).toBe('accepted, then server error');
  expect(behaviourValue('friends/add-unknown', '200 with a body that refuses it')).toBe(
    'refused in the body',
  );
  expect(
    behaviourValue(
      'me.location#anonymous',
      'without a credential: 200 with a body that refuses it, as signed in',
    ),
  ).toBe('refused in the body');
  expect(behaviourValue('toString', 'a body of 5 MiB: answered 413')).toBe(
    'a body of 5 MiB: answered refused',
  );
});

test('the shape of an answer has no value', () => {
  expect(behaviourValue('party.get#shape', '200 {}')).toBeUndefined();
});

test('a change is told in words of those who play', () => {
  const find = ['they find one another', 'they are told no match in time'] as const;
  expect(noticeOfChange('queue/find', 'how two players are matched', ...find)).toBe(
    'players no longer find one another in the queue (before: matched with one another)',
  );
  expect(
    noticeOfChange(
      'friends/stranger-info',
      'how the server answers a lookup of an unknown player',
      '404',
      '200',
    ),
  ).toBe('a lookup of an unknown player: the server now accepts it (before: not found)');
  expect(noticeOfChange('store/types', 'whether other types differ', 'other items', 'the same items')).toBe(
    'whether other types differ: now the same items (before: other items)',
  );
});

test('no sentence about a change has a wrong article', () => {
  const notices = Object.values(points).flatMap((choices) => choices.map(([, , notice]) => notice));
  expect(notices.length).toBeGreaterThan(100);
  for (const notice of notices)
    expect(notice).not.toMatch(/\ba (?:a|two|logs|friends|queue can|analytics|presence)\b/);
});
