import { expect, test } from 'vitest';
import { membersNamedIn } from '../../../fixtures/kit/named-members.ts';

const sent = { status: 'READ', amount: 'abc', messageIds: ['m1'] };
const expectedRead = "Invalid enum value. Expected 'read' | 'unread', received 'READ'";

test.each<[string, unknown, string[]]>([
  ['Rails', { errors: { status: ['is not included in the list'] } }, ['status']],
  ['Rails, of a blank', { errors: { status: ["can't be blank"] } }, ['status']],
  ['Rails, of a number', { errors: { amount: ['is not a number'] } }, ['amount:number']],
  ['Rails, of a range', { errors: { amount: ['must be greater than 0'] } }, ['amount:number']],
  ['Rails, of a length', { errors: { name: ['is too short (minimum is 3 characters)'] } }, ['name:string']],
  ['Rails, of a format', { errors: { name: ['is invalid'] } }, ['name']],
  ['Rails, of a word', { errors: { name: ['is reserved'] } }, ['name']],
  ['Rails, of another record', { errors: { player: ['must exist'] } }, ['player']],
  ['Rails, in objects', { errors: { status: [{ error: 'inclusion', value: 'READ' }] } }, ['status']],
  ['dry-validation', { errors: { status: ['must be one of: read, unread'] } }, ['status=read|unread']],
  ['Laravel', { message: 'x', errors: { status: ['The selected status is invalid.'] } }, ['status']],
  [
    'Laravel, of a list',
    { errors: { 'logs.0.kind': ['The logs.0.kind field is required.'] } },
    ['logs.0.kind'],
  ],
  [
    'Laravel, whose message writes the name as words',
    {
      message: 'The message ids field is required.',
      errors: { messageIds: ['The message ids field is required.'] },
    },
    ['messageIds'],
  ],
  ['Django', { status: ['"READ" is not a valid choice.'] }, ['status']],
  ['Django, of a status', { status: ['This field is required.'] }, ['status']],
  ['Django, of an integer', { amount: ['A valid integer is required.'] }, ['amount:integer']],
  ['Django, of a list', { ids: ['Expected a list of items but got type "str".'] }, ['ids:list']],
  ['Django, of a text', { name: ['Not a valid string.'] }, ['name:string']],
  ['Django, of a blank', { name: ['This field may not be blank.'] }, ['name']],
  [
    'Django, of a date',
    { since: ['Datetime has wrong format. Use one of these formats instead: YYYY-MM-DD[+HH:MM|Z].'] },
    ['since:date'],
  ],
  ['Marshmallow', { json: { status: ['Must be one of: read, unread.'] } }, ['status=read|unread']],
  ['Marshmallow, of messages', { messages: { status: ['Missing data for required field.'] } }, ['status']],
  ['webargs', { errors: { json: { status: ['Missing data for required field.'] } } }, ['status']],
  ['Marshmallow, of what is not wanted', { errors: { flag: ['Unknown field.'] } }, ['-flag']],
  [
    'an error with a name and a status, and details of its own',
    {
      Error: {
        Status: 400,
        Name: 'ValidationFailed',
        Message: 'Events: is required',
        Details: [{ Field: 'Events', Reason: 'is required' }],
      },
    },
    ['Events'],
  ],
  ['Zod, flattened', { fieldErrors: { status: ['Required'] } }, ['status']],
  [
    'Zod, flattened, of an enumeration',
    { error: { formErrors: [], fieldErrors: { status: [expectedRead] } } },
    ['status=read|unread'],
  ],
  [
    'Zod, flattened, under the name of a map',
    { errors: { formErrors: [], fieldErrors: { status: ['Required'] } } },
    ['status'],
  ],
  [
    'Django, of what is below a member',
    { errors: { loadout: { non_field_errors: ['Too many.'], perks: ['This field is required.'] } } },
    ['loadout', 'loadout.perks'],
  ],
  [
    'Zod, formatted',
    { errors: { _errors: [], status: { _errors: [expectedRead] } } },
    ['status=read|unread'],
  ],
  [
    'Zod, as a tree',
    { errors: [], properties: { status: { errors: ['Invalid option: expected one of "read"|"unread"'] } } },
    ['status=read|unread'],
  ],
  [
    'Zod, as the text of its error',
    { error: JSON.stringify([{ expected: 'string', path: ['flag'], message: 'Required' }]) },
    ['flag:string'],
  ],
  [
    'Valibot',
    { issues: [{ expected: '"read" | "unread"', message: 'Invalid type', path: [{ key: 'status' }] }] },
    ['status=read|unread'],
  ],
  [
    'TypeBox',
    [
      {
        path: '/status',
        message: 'Expected union value',
        schema: { anyOf: [{ const: 'read' }, { const: 'unread' }] },
      },
    ],
    ['status=read|unread'],
  ],
  ['ASP.NET', { errors: { Amount: ['The field Amount must be between 1 and 10.'] } }, ['amount']],
  [
    'ASP.NET, with a path',
    {
      errors: {
        '$.amount': [
          'The JSON value could not be converted to System.Int32. Path: $.amount | LineNumber: 0.',
        ],
        request: ['The request field is required.'],
      },
    },
    ['amount:integer'],
  ],
  ['FluentValidation', { errors: { Name: ["'Name' must not be empty."] } }, ['Name']],
  ['PlayFab', { errorMessage: 'Invalid input', errorDetails: { Flag: ['Not a flag.'] } }, ['Flag']],
  [
    'Mongoose',
    { errors: { status: { message: 'bad', path: 'status', properties: { enumValues: ['read'] } } } },
    ['status'],
  ],
  [
    'Quarkus',
    {
      title: 'Constraint Violation',
      violations: [{ field: 'post.body.status', message: 'must not be null' }],
    },
    ['status'],
  ],
  ['Hibernate', { violations: [{ field: 'create.arg0.status', message: 'must not be null' }] }, ['status']],
  [
    'Symfony',
    { violations: [{ propertyPath: 'flag', message: 'This value should not be blank.' }] },
    ['flag'],
  ],
  ['Javalin', { amount: [{ message: 'CHECK_FAILED', args: {}, value: null }] }, ['amount']],
  ['Play', { 'obj.status': [{ msg: ['error.expected.jsstring'], args: [] }] }, ['status']],
  [
    'hapi',
    { message: '"status" is required', validation: { source: 'payload', keys: ['status'] } },
    ['status'],
  ],
  [
    'JSON:API',
    {
      errors: [
        { status: '422', source: { pointer: '/data/attributes/status' }, detail: 'must be read or unread' },
      ],
    },
    ['status=read|unread'],
  ],
  [
    'AdonisJS',
    { errors: [{ message: 'The selected status is invalid', field: 'status', meta: { choices: ['read'] } }] },
    ['status=read'],
  ],
  [
    'Litestar',
    { extra: [{ message: 'Expected `int`, got `str`', key: 'amount', source: 'body' }] },
    ['amount:integer'],
  ],
  [
    'any names and any words',
    { errors: { status: 'bad', code: ['is bad'], type: ['x'], title: ['y'] } },
    ['status', 'code', 'type', 'title'],
  ],
  [
    'maps in maps',
    { invalid: { loadout: { perks: ['too many'], skin: { id: ['x'] } } } },
    ['loadout.perks', 'loadout.skin.id'],
  ],
  [
    'predicates under details',
    { error: { details: { status: 'is not known', code: 'is required' } } },
    ['status', 'code'],
  ],
])('reads the map or list of %s', (_, body, expected) => {
  expect(membersNamedIn(body, sent)).toEqual(expected);
});

test('reads a list of maps at the root as the elements of a list that was sent', () => {
  const refused = { logs: [{}, { kind: ['This field is required.'] }] };
  expect(membersNamedIn(refused, { logs: [{}, {}] })).toEqual(['logs.1.kind']);
});

test('takes a member that was sent in another case for another one where the target misses it or has its type', () => {
  const map = (text: string) => ({ errors: { MessageIds: [text] } });
  expect(membersNamedIn(map('is too long'), sent)).toEqual(['messageIds']);
  expect(membersNamedIn(map('is required'), sent)).toEqual(['MessageIds']);
  expect(membersNamedIn(map('must be an array'), sent)).toEqual(['MessageIds:list']);
  expect(membersNamedIn(map('is required'), { messageIds: [] })).toEqual(['messageIds']);
});

test.each<[string, unknown]>([
  ['an envelope under errors', { errors: { code: 'X', message: 'not enough gold' } }],
  ['an envelope of a code', { errors: { code: 'NOT_FRIENDS' } }],
  ['an envelope of one sentence', { errors: { message: 'must be the leader' } }],
  [
    'the errors of the whole body',
    { REQUEST_BODY: [{ message: 'DESERIALIZATION_FAILED', args: {}, value: 'x' }] },
  ],
  ['the errors of a query', { errors: { query: { limit: ['Not a valid integer.'] } } }],
  [
    'a query of hapi',
    { message: '"limit" must be a number', validation: { source: 'query', keys: ['limit'] } },
  ],
  ['the base of Rails', { errors: { base: ['You are not in a party'] } }],
  ['a list of messages', { messages: ['You are not friends'] }],
  ['a reason', { reason: 'you must be the leader' }],
  ['the name of an error', { error: { name: 'ConflictError', message: 'the status differs', details: {} } }],
])('names no member for %s', (_, body) => {
  expect(membersNamedIn(body, sent)).toEqual([]);
});

test('a code says what one record lacks, written as the answer writes its own names', () => {
  const rejected = [{ index: 0, code: 'event_type_missing' }];
  expect(membersNamedIn({ batchId: 'b', rejected }, sent)).toEqual(['0.eventType']);
  expect(membersNamedIn({ batch_id: 'b', rejected }, sent)).toEqual(['0.event_type']);
  expect(membersNamedIn({ code: 'session_missing' }, sent)).toEqual([]);
});
