import { expect, test } from 'vitest';
import { membersNamedIn } from '../../../fixtures/kit/named-members.ts';

const sent = { status: 'READ', amount: 'abc', messageIds: ['m1'], playerId: 'p7' };

test.each<[string, ...string[]]>([
  ['Status is not included in the list', 'status'],
  ["Message ids can't be blank", 'messageIds'],
  ["Room name can't be blank", 'room_name'],
  [
    'Validation failed: Status is not included in the list, Amount is not a number',
    'status',
    'amount:number',
  ],
  ['missing parameter: status', 'status'],
  ['status is not valid', 'status'],
  ['unknown status "READ", use read or unread', 'status=read|unread'],
  ['"READ" is not a valid status, allowed: read, unread', 'status=read|unread'],
  ['Unsupported status: READ', 'status'],
  ['invalid value for status: READ', 'status'],
  ['Invalid status: must be one of read, unread', 'status=read|unread'],
  ['unrecognized status "READ" (expected "read" or "unread")', 'status=read|unread'],
  ['status must be read/unread', 'status=read|unread'],
  ["status must be either 'read' or 'unread'", 'status=read|unread'],
  ['status must be "read" or "unread" (was "READ")', 'status=read|unread'],
  ['expected status in [read, unread]', 'status=read|unread'],
  ['allowed values for status: read, unread', 'status=read|unread'],
  ['status (read|unread) is required', 'status=read|unread'],
  ['no status given', 'status'],
  ['status not provided', 'status'],
  ['please provide status', 'status'],
  ['the body must contain status', 'status'],
  ['status: required', 'status'],
  ['mark.body.status: must not be null', 'status'],
  ['amount: must be a valid integer; flag: cannot be blank.', 'amount:integer', 'flag'],
  ['rpc error: code = InvalidArgument desc = flag is required', 'flag'],
  ['body/status must be equal to one of the allowed values', 'status'],
  [
    "body/loadout must have required property 'perks', body/amount must be integer",
    'loadout.perks',
    'amount:integer',
  ],
  ['request/body/status must be equal to one of the allowed values: read, unread', 'status=read|unread'],
  ['instance.status is not one of enum values: read,unread', 'status=read|unread'],
  ['amount must be a `number` type, but the final value was: `NaN`', 'amount:number'],
  ["'READ' is not one of ['read', 'unread']", 'status=read|unread'],
  ["Expected 'read' | 'unread', received 'READ'", 'status=read|unread'],
])('reads the sentence: %s', (message, ...expected) => {
  expect(membersNamedIn({ error: message }, sent)).toEqual(expected);
});

test.each([
  'player is not a friend',
  'message not found',
  'not in queue',
  'you are not a member of the party',
  'insufficient funds',
  'unknown player "p7"',
  "Player 'p7' not found",
  'forbidden: must be the leader',
  'not enough coins: need 50, have 3',
  'the invite has expired',
  'querystring/limit must be integer',
  'Please provide credentials',
])('names no member for the state: %s', (message) => {
  expect(membersNamedIn({ error: message }, sent)).toEqual([]);
  expect(membersNamedIn({ code: 'X', error: { message } }, sent)).toEqual([]);
});

test('names a value that was sent only with the type or the values that are taken instead', () => {
  expect(membersNamedIn({ error: "'abc' is not of type 'integer'" }, sent)).toEqual(['amount:integer']);
  expect(membersNamedIn({ error: 'unexpected "abc"' }, sent)).toEqual([]);
});

test('reads long repetitive text at once', () => {
  const parts = [
    'a',
    'a ',
    'a.',
    '[0]',
    'a|',
    '"a" ',
    '$.a',
    'is ',
    'missing ',
    'invalid ',
    'x is ',
    'a/',
    '(',
    "'",
  ];
  const started = performance.now();
  for (const part of parts)
    for (const before of ['', 'missing ', 'one of ', 'must be ', '"'])
      membersNamedIn({ error: `${before}${part.repeat(2_000)}`, errors: { a: [part.repeat(2_000)] } }, sent);
  // A map of one's own is no map of members, and its texts are as long as they like.
  for (const part of parts) membersNamedIn({ foo: part.repeat(40_000) }, sent);
  expect(performance.now() - started).toBeLessThan(5_000);
});
