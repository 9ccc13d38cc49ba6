import { expect, test } from 'vitest';
import { exchangeOf } from '../../../fixtures/kit/exchanges.ts';
import type { Exchange } from '../../http/exchange.ts';
import { complaintsIn, valuesAllowed } from './refusals.ts';

const refusal = (body: unknown) => exchangeOf({ method: 'POST', status: 400, body });

/** Members as they are named, with their types: `name:string`. */
const saidOf = (refused: Exchange) =>
  complaintsIn(refused).map(
    ({ path, type, of, allowed, isUnwanted }) =>
      `${isUnwanted ? '-' : ''}${path.join('.')}${type ? `:${type}` : ''}${of ? `<${of}>` : ''}${allowed ? `=${allowed.join('|')}` : ''}`,
  );

const said = (body: unknown) => saidOf(refusal(body));

test.each<[string, unknown, string[]]>([
  [
    'a service that names its rules',
    {
      title: 'validation failed',
      status: 422,
      errors: [
        { field: 'messageIds', rule: 'required', type: 'array' },
        { field: 'status', rule: 'enum', values: ['read', 'unread'] },
      ],
    },
    ['messageIds:list', 'status=read|unread'],
  ],
  [
    'a service that points and gives codes',
    {
      code: 'invalid',
      detail: 'the body is not valid',
      errors: [
        { pointer: '/messageId', code: 'unknown_member' },
        { pointer: '/message_ids', code: 'required', expected: 'array' },
        { pointer: '/loadout/perks', code: 'wrong_type', expected: 'array' },
        { pointer: '/role', code: 'enum', allowed: ['killer', 'survivor'] },
      ],
    },
    ['-messageId', 'message_ids:list', 'loadout.perks:list', 'role=killer|survivor'],
  ],
  [
    'a service that writes its members in Pascal case and words its complaint beside them',
    {
      Data: null,
      Fault: {
        Reason: 'BodyInvalid',
        Text: 'The field PlayerIds must be an array.',
        Fields: [
          { Name: 'PlayerIds', In: 'Body', Problem: 'Array of String' },
          { Name: 'Flag', In: 'Body', Problem: 'one of Read, Unread' },
          { Name: 'limit', In: 'Query', Problem: 'Integer' },
        ],
      },
    },
    ['PlayerIds:list<string>', 'Flag=Read|Unread'],
  ],
  [
    'a service that points at a record and words what it lacks',
    {
      error: {
        code: 'VALIDATION_FAILED',
        fields: [
          { field: 'logs[0]', problem: 'eventType is required (string)', in: 'body' },
          { field: 'logs.1', problem: "missing field 'weight' (integer)" },
          { pointer: '/logs/2', reason: 'level must be one of low, high' },
          { path: ['logs', 3], message: 'logs[3].kind is required' },
          { path: ['logs', 4, 'map'], message: 'is required' },
          { field: 'logs[5]', problem: 'must be an object' },
          { field: 'logs[6]', problem: 'logs must hold objects' },
        ],
      },
    },
    [
      'logs.0.eventType:string',
      'logs.1.weight:integer',
      'logs.2.level=low|high',
      'logs.3.kind',
      'logs.4.map',
      'logs.5:object',
      'logs.6:object',
    ],
  ],
  [
    'a map of records to what each lacks',
    { errors: { 'records[0]': ['eventType is required'], 'records[1].kind': ['is required'] } },
    ['records.0.eventType', 'records.1.kind'],
  ],
  [
    'a sentence that begins with the record',
    {
      message:
        'records[0]: eventType must be a string; records[1] lacks a kind; records[2] weight is required; records[3]: is required; records[4] must be an object',
    },
    ['records.0.eventType:string', 'records.1.kind', 'records.2.weight', 'records.4:object'],
  ],
  [
    'a list of complaints beside a text that names no member',
    {
      reason: 'BodyInvalid',
      text: 'The field value must be present.',
      fields: [{ name: 'value', in: 'body', problem: 'present' }],
    },
    ['value'],
  ],
  [
    'members under snake case',
    { error_list: [{ field_name: 'stepId', error_code: 'E7', reason: 'must be a string' }] },
    ['stepId:string'],
  ],
  [
    'a text that complains about a member which its envelope does not hold',
    { reason: 'invalid', text: 'The field stepId must be a string' },
    ['stepId:string'],
  ],
  [
    'a map whose members are called text and reason',
    { text: ['is required'], reason: ['reason must be a string'] },
    ['text', 'reason:string'],
  ],
  [
    'ajv',
    [
      {
        instancePath: '',
        keyword: 'required',
        params: { missingProperty: 'stepId' },
        message: "must have required property 'stepId'",
      },
      { instancePath: '/limit', keyword: 'type', params: { type: 'integer' }, message: 'must be integer' },
      {
        instancePath: '/mode',
        keyword: 'enum',
        params: { allowedValues: ['a', 'b'] },
        message: 'must be equal to one of the allowed values',
      },
      {
        instancePath: '',
        keyword: 'additionalProperties',
        params: { additionalProperty: 'x' },
        message: 'must NOT have additional properties',
      },
    ],
    ['stepId', 'limit:integer', 'mode=a|b', '-x'],
  ],
  [
    'Fastify',
    {
      statusCode: 400,
      code: 'FST_ERR_VALIDATION',
      error: 'Bad Request',
      message: "body must have required property 'stepId'",
    },
    ['stepId'],
  ],
  [
    'zod 3',
    {
      issues: [
        {
          code: 'invalid_type',
          expected: 'string',
          received: 'undefined',
          path: ['stepId'],
          message: 'Required',
        },
      ],
      name: 'ZodError',
    },
    ['stepId:string'],
  ],
  [
    'zod 4',
    {
      errors: [
        {
          expected: 'array',
          code: 'invalid_type',
          path: ['messageIds'],
          message: 'Invalid input: expected array, received undefined',
        },
        { code: 'unrecognized_keys', keys: ['assay'], path: [], message: 'Unrecognized key: "assay"' },
        {
          code: 'invalid_value',
          values: ['read', 'unread'],
          path: ['status'],
          message: 'Invalid option: expected one of "read"|"unread"',
        },
      ],
    },
    ['messageIds:list', '-assay', 'status=read|unread'],
  ],
  [
    'pydantic',
    {
      detail: [
        { type: 'missing', loc: ['body', 'player_id'], msg: 'Field required', input: {} },
        {
          type: 'int_parsing',
          loc: ['body', 'step'],
          msg: 'Input should be a valid integer, unable to parse string as an integer',
        },
        {
          type: 'enum',
          loc: ['body', 'flag'],
          msg: "Input should be 'read' or 'unread'",
          ctx: { expected: "'read' or 'unread'" },
        },
        { type: 'extra_forbidden', loc: ['body', 'x'], msg: 'Extra inputs are not permitted' },
        { type: 'missing', loc: ['query', 'limit'], msg: 'Field required' },
      ],
    },
    ['player_id', 'step:integer', 'flag=read|unread', '-x'],
  ],
  [
    'Spring',
    {
      timestamp: '2026-01-01',
      status: 400,
      error: 'Bad Request',
      errors: [{ field: 'stepId', defaultMessage: 'must not be blank', objectName: 'request' }],
      path: '/api/v1/onboarding/update-player-progress',
    },
    ['stepId'],
  ],
  [
    'Go validator',
    { error: "Key: 'StepRequest.StepID' Error:Field validation for 'StepID' failed on the 'required' tag" },
    ['stepID'],
  ],
  [
    'Go json',
    'json: cannot unmarshal string into Go struct field StepRequest.step of type int',
    ['step:integer'],
  ],
  ['serde', { message: 'missing field `stepId` at line 1 column 2' }, ['stepId']],
  [
    'express-validator',
    { errors: [{ type: 'field', msg: 'Invalid value', path: 'stepId', location: 'body' }] },
    ['stepId'],
  ],
  [
    'class-validator',
    {
      statusCode: 400,
      message: ['stepId should not be empty', 'stepId must be a string', 'property x should not exist'],
      error: 'Bad Request',
    },
    ['stepId:string', '-x'],
  ],
  [
    'class-validator, of what stands in others, and named like a word of its own',
    {
      statusCode: 400,
      message: ['property value should not exist', 'logs.0.property note should not exist'],
      error: 'Bad Request',
    },
    ['-value', '-logs.0.note'],
  ],
  [
    'class-validator, of an enumeration',
    { message: ['flag must be one of the following values: READ, UNREAD'], statusCode: 400 },
    ['flag=READ|UNREAD'],
  ],
  [
    'a list as Go prints it',
    { error: { code: 'bad_request', message: 'field "language" must be one of [en fr pt-BR]' } },
    ['language=en|fr|pt-BR'],
  ],
  ['joi', { message: '"messageIds" is required' }, ['messageIds']],
  ['joi, of an array', { message: '"messageIds" must be an array' }, ['messageIds:list']],
  [
    'ASP.NET',
    {
      title: 'One or more validation errors occurred.',
      status: 400,
      errors: { StepId: ['The StepId field is required.'] },
    },
    ['StepId'],
  ],
  ['Django', { step_id: ['This field is required.'] }, ['step_id']],
  ['Rails', { errors: { name: ["can't be blank"] } }, ['name']],
  [
    'RFC 9457 with a list',
    {
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      errors: [{ pointer: '#/stepId', detail: 'is required' }],
    },
    ['stepId'],
  ],
  [
    'RFC 7807 with invalid-params',
    {
      title: 'Your request is not valid',
      'invalid-params': [{ name: 'step', reason: 'must be a positive integer' }],
    },
    ['step:integer'],
  ],
  [
    'JSON:API',
    { errors: [{ status: '422', source: { pointer: '/data/attributes/step' }, detail: 'is missing' }] },
    ['step'],
  ],
  ['a sentence', { ok: false, error: { code: 'BAD_REQUEST', message: 'status is missing' } }, ['status']],
  ['a sentence of a type', { message: 'step has to be a string of 1 to 256 characters' }, ['step:string']],
  [
    'a sentence of a list',
    { message: 'entries must be a list of at most 1000 objects' },
    ['entries:list<object>'],
  ],
  [
    'a sentence that lists values',
    { message: 'mark must be one of read, unread or archived' },
    ['mark=read|unread|archived'],
  ],
  [
    'several names in one sentence',
    'Missing required fields: storyId, pageId and nodeId',
    ['storyId', 'pageId', 'nodeId'],
  ],
  ['a sentence that says either', { error: { message: 'status is read or unread' } }, ['status=read|unread']],
  ['a sentence that says missing or empty', { message: 'status is missing or empty' }, ['status']],
  [
    'a sentence about the body',
    { title: 'The body needs state_name and payload' },
    ['state_name', 'payload'],
  ],
  ['a sentence of what is not there', 'the body has no text under scout', ['scout:string']],
  ['a sentence of what a member is not', { message: 'records is no list' }, ['records:list']],
  [
    'ajv, of a list as the root',
    [
      { keyword: 'required', params: { missingProperty: 'name' } },
      { keyword: 'additionalProperties', params: { additionalProperty: 'extra' } },
    ],
    ['name', '-extra'],
  ],
  [
    'class-validator, as it stands',
    { message: [{ property: 'stepId', constraints: { isString: 'stepId must be a string' } }] },
    ['stepId:string'],
  ],
  ['keys that are not wanted, of no place', { keys: ['a', 'b'] }, ['-a', '-b']],
  [
    'what stands in no body',
    {
      errors: [
        { msg: 'Invalid value', path: 'limit', location: 'query' },
        { loc: [], msg: 'required' },
      ],
    },
    [],
  ],
  ['a place without its root', { detail: [{ loc: ['payload', 'x'], msg: 'Field required' }] }, ['payload.x']],
  ['Go validator, of a rule', "Field validation for 'Step' failed on the 'number' tag", ['step:number']],
  ['a quoted name', { detail: '"presence" must be an object' }, ['presence:object']],
])('reads what %s says', (_, body, expected) => {
  expect(said(body)).toEqual(expected);
});

test.each([
  ['another refusal', { message: 'there is no such player' }],
  ['a refusal of the body', { message: 'the body must be a JSON object' }],
  ['a refusal of the syntax', { message: 'Unexpected token } in JSON at position 1' }],
  ['a refusal of the caller', { error: { code: 'forbidden', message: 'only the leader may do that' } }],
  ['a page', '<html><body>name is required</body></html>'],
  ['nothing', {}],
])('finds no member in %s', (_, body) => {
  expect(said(body)).toEqual([]);
});

const axum = (said: string) =>
  `Failed to deserialize the JSON body into the target type: ${said} at line 1 column 9`;

test.each<[string, unknown, unknown, string[]]>([
  ['a missing field', axum('missing field `privacyState`'), {}, ['privacyState']],
  ['a missing field below another', axum('loadout: missing field `perks`'), {}, ['loadout.perks']],
  [
    'one of several variants',
    axum('privacyState: unknown variant `assay-1`, expected one of `public`, `friends`, `private`'),
    { privacyState: 'assay-1' },
    ['privacyState=public|friends|private'],
  ],
  ['a bad field', { code: 400, message: 'bad field: side' }, { side: 'x' }, ['side']],
  ['the word for a member that was sent', { message: 'invalid side' }, { side: 'x', mode: 'y' }, ['side']],
  ['a word that no member is named by', { message: 'invalid credentials' }, { side: 'x' }, []],
  ['a bad request', { message: 'bad request' }, { side: 'x' }, []],
  ['one of two variants', axum('side: unknown variant `assay-1`, expected `A` or `B`'), {}, ['side=A|B']],
  [
    'another type',
    axum('schemaVersion: invalid type: string "assay-1", expected i64'),
    {},
    ['schemaVersion:integer'],
  ],
  ['a map', axum('voiceOvers: invalid type: string "assay-1", expected a map'), {}, ['voiceOvers:object']],
  ['a list', axum('playerIds: invalid type: string "assay-1", expected a sequence'), {}, ['playerIds:list']],
  [
    'an id of a form',
    axum('messageIds[0]: UUID parsing failed: invalid character: found `s` at 3'),
    {},
    ['messageIds.0:string'],
  ],
  ['an unknown field', axum('unknown field `extra`, expected `a` or `b`'), {}, ['-extra']],
  [
    'a variant whose member it does not name',
    { error: 'Json deserialize error: unknown variant `assay-1`, expected `A` or `B` at line 1 column 18' },
    { side: 'assay-1', mode: 'x' },
    ['side=A|B'],
  ],
  [
    'a type whose member it does not name',
    { error: 'invalid type: string "assay-1", expected u32 at line 1 column 18' },
    { batch: [{ nth: 'assay-1' }] },
    ['batch.0.nth:integer'],
  ],
  [
    'a value that two members were sent with',
    { error: 'unknown variant `x`, expected `A`' },
    { a: 'x', b: 'x' },
    [],
  ],
])('reads from the words of serde: %s', (_, body, sent, expected) => {
  const { request, ...answered } = refusal(body);
  expect(saidOf({ ...answered, request: { ...request, body: JSON.stringify(sent) } })).toEqual(expected);
});

test.each<[string, unknown]>([
  ['pydantic', { detail: [{ loc: ['query', 'platform'], msg: "Input should be 'all', 'pc' or 'console'" }] }],
  [
    'express-validator',
    { errors: [{ path: 'platform', location: 'query', msg: 'one of all, pc, console' }] },
  ],
  ['JSON:API', { errors: [{ source: { parameter: 'platform' }, detail: 'one of all, pc, console' }] }],
  ['webargs', { errors: { query: { platform: ['Must be one of: all, pc, console.'] } } }],
  ['Fastify', { message: 'querystring/platform must be one of all, pc, console' }],
])('reads from a refused GET the values that a parameter takes: %s', (_, body) => {
  const url = 'http://a.test/friends?platform=x&limit=1';
  expect(valuesAllowed(exchangeOf({ status: 400, url, body }), 'platform')).toEqual(['all', 'pc', 'console']);
  expect(valuesAllowed(exchangeOf({ status: 400, url, body }), 'limit')).toEqual([]);
  expect(complaintsIn(refusal(body))).toEqual([]);
});

test.each([
  ["Unsupported platform. Supported platforms are 'all' and 'storefront'", ['all', 'storefront']],
  ["platform: 'x' is not 'all' or 'storefront'", ['all', 'storefront']],
  ["unknown platform; try 'all'", ['all']],
])('takes the quoted words of a sentence that it cannot read: %s', (message, expected) => {
  const url = 'http://a.test/friends?platform=x';
  expect(valuesAllowed(exchangeOf({ status: 400, url, body: { message } }), 'platform')).toEqual(expected);
});

test.each<[string, unknown, readonly string[]]>([
  [
    'a code',
    { code: 'VALIDATION_ERROR', message: 'status must be one of READ, UNREAD' },
    ['status=READ|UNREAD'],
  ],
  ['a severity', { severity: 'error', message: 'status is required' }, ['status']],
  ['an id', { id: 'abc', message: 'status is required' }, ['status']],
  ['the value that was sent', { received: 'x', message: 'status must be an array' }, ['status:list']],
  ['a date', { at: '2026-11-30', message: 'status is required' }, ['status']],
  ['a pointer under a name of its own', { at: '/mark', says: 'must be present (one of a, b)' }, ['mark=a|b']],
  ['a place in a list', { index: 2, at: '/level', says: 'expected one of "a"|"b"' }, ['list.2.level=a|b']],
  ['the element itself', { index: 0, at: '/', says: 'Unrecognized key: "level"' }, ['-list.0.level']],
  [
    'a name beside a sentence without one',
    { element: 'mark', problem: 'wrong type: expected array' },
    ['mark:list'],
  ],
])('reads the entries of a list of complaints that have %s', (_, entry, expected) => {
  const { request, ...answered } = refusal({ errors: [entry] });
  const body = JSON.stringify({ status: 'x', list: [{ level: 'l' }] });
  expect(saidOf({ ...answered, request: { ...request, body } })).toEqual(expected);
});

test.each([
  "Unknown platform 'x', expected 'all', 'pc' or 'console'",
  "platform 'x' is not supported; supported: 'all', 'pc', 'console'",
  'unknown platform "x" (known: all, pc, console)',
  "Value 'x' not allowed for platform. Accepted: ‘all’, ‘pc’, ‘console’",
  "Input should be 'all', 'pc' or 'console'",
])('reads from a sentence the values that a parameter takes: %s', (message) => {
  const url = 'http://a.test/friends?platform=x';
  expect(valuesAllowed(exchangeOf({ status: 400, url, body: { message } }), 'platform')).toEqual([
    'all',
    'pc',
    'console',
  ]);
});
