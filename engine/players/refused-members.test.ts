import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { exchangeOf } from '../probe/evidence.ts';
import type { Json } from '../target/profile-validation.ts';
import { formOf } from './body-template.ts';
import { complaintsIn, mended } from './refused-members.ts';

const refusal = (body: unknown) => exchangeOf({ status: 400, body });
const responseTo = (body: unknown) =>
  refusal(body).response as NonNullable<ReturnType<typeof refusal>['response']>;

/** Members as they are named, with their types: `name:string`. */
const said = (body: unknown) =>
  complaintsIn(responseTo(body)).map(
    ({ path, type, of, allowed, isUnwanted }) =>
      `${isUnwanted ? '-' : ''}${path.join('.')}${type ? `:${type}` : ''}${of ? `<${of}>` : ''}${allowed ? `=${allowed.join('|')}` : ''}`,
  );

test.each<[string, unknown, string[]]>([
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

const shown: Record<string, Json> = { stepId: 'tutorial' };
const next = async (template: Json, body: unknown, operation: Parameters<typeof mended>[0]) =>
  (await mended(operation, formOf(template, 'guess'), refusal(body), async (_, name) => shown[name]))
    ?.template;

test('a member is filled with what the target itself shows under its name', async () => {
  expect(await next({}, { message: 'stepId is required' }, areas.onboarding.updateProgress)).toEqual({
    stepId: 'tutorial',
  });
});

test('a player is named by a placeholder, and as a number where the refusal asks for one', async () => {
  const { addFriend } = areas.players;
  expect(await next({}, { message: 'targetPlayerId is required' }, addFriend)).toEqual({
    targetPlayerId: '{{other.id}}',
  });
  expect(
    await next({ playerId: '{{other.id}}' }, { message: 'playerId has to be an integer' }, addFriend),
  ).toEqual({
    playerId: '{{other.id:number}}',
  });
});

test('a call about another player names that player where the refusal says nothing of what the text is', async () => {
  const refused = 'the body has no text under guest';
  expect(await next({}, refused, areas.party.invite)).toEqual({ guest: '{{other.id}}' });
});

test('of the values that a refusal lists it takes the one that is meant', async () => {
  const { markAs } = areas.messages;
  expect(await next({ flag: 'READ' }, { message: 'flag must be one of unread, read' }, markAs)).toEqual({
    flag: 'read',
  });
  expect(await next({ flag: 'READ' }, { message: 'flag is invalid' }, markAs)).toEqual({ flag: 'read' });
});

test('a member that is not wanted is left out, and others stay', async () => {
  const { markAs } = areas.messages;
  const body = {
    errors: [{ code: 'unrecognized_keys', keys: ['state'], path: [], message: 'Unrecognized key' }],
  };
  expect(await next({ state: 'READ', flag: 'READ' }, body, markAs)).toEqual({ flag: 'READ' });
});

test.each<[string, string, Json]>([
  ['an object', 'thing must be an object', { assay: '{{value}}' }],
  ['an object of a log', 'event must be an object', { message: '{{unique}}' }],
  ['an integer', 'level must be an integer', 1],
  ['a number', 'level must be a number', 1],
  ['a boolean', 'ready must be a boolean', true],
  ['a date', 'since must be a timestamp', '{{now}}'],
  ['a list', 'things must be an array', ['{{value}}']],
  ['a text', 'word must be a string', '{{value}}'],
  ['something', 'word is required', '{{value}}'],
  ['one of several', 'word must be one of red, green', 'red'],
])('a member that nothing is known of is filled as the refusal words it: %s', async (_, message, value) => {
  const [name = ''] = message.split(' ');
  expect(await next({}, { message }, areas.onboarding.updateProgress)).toMatchObject({ [name]: value });
});

test('a list of values that may be sent holds one of them', async () => {
  const body = [{ instancePath: '/words', message: 'must be array', params: { allowedValues: ['red'] } }];
  expect(await next({}, body, areas.onboarding.updateProgress)).toEqual({ words: ['red'] });
});

test('a call about the player themselves names that player', async () => {
  const body = { message: 'playerId is required' };
  expect(await next({}, body, areas.onboarding.updateProgress)).toEqual({ playerId: '{{player.id}}' });
});

test.each<[string, Json, string]>([
  ['a list', ['x'], 'an array'],
  ['an object', { x: 1 }, 'an object'],
  ['an integer', 1, 'a number'],
  ['a boolean', true, 'a boolean'],
  ['a number of a placeholder', '{{other.id:number}}', 'an integer'],
])('what was sent as the refusal asks for it is left as it is: %s', async (_, sent, wanted) => {
  const body = { message: `step must be ${wanted}` };
  expect(await next({ step: sent }, body, areas.onboarding.updateProgress)).toBe(undefined);
});

test('what was sent otherwise is replaced', async () => {
  const body = { message: 'step must be an array' };
  expect(await next({ step: true }, body, areas.onboarding.updateProgress)).toEqual({ step: ['{{value}}'] });
});

test('silence asks for nothing', async () => {
  const { response: _, ...silence } = exchangeOf();
  const form = formOf({}, 'guess');
  expect(await mended(areas.onboarding.updateProgress, form, silence, async () => undefined)).toBe(undefined);
});

test('a list of objects holds a record', async () => {
  const body = { message: 'entries must be a list of at most 1000 objects' };
  expect(await next({}, body, areas.logs.logsBatch)).toMatchObject({ entries: [{ message: '{{unique}}' }] });
});

test('what a batch lacks is put into its record, unless the batch itself was asked for it', async () => {
  const refused = { message: 'event_type must be a non-empty string' };
  const { analyticsBatch } = areas.logs;
  expect(await next({ events: [{ type: 'a' }] }, refused, analyticsBatch)).toEqual({
    events: [{ type: 'a', event_type: '{{value}}' }],
  });
  expect(await next({ events: [{}], logs: [{}] }, refused, analyticsBatch)).toMatchObject({
    event_type: '{{value}}',
  });
  const { updateProgress } = areas.onboarding;
  expect(await next({ steps: [{}] }, { message: 'stepId is required' }, updateProgress)).toMatchObject({
    stepId: 'tutorial',
  });
});

test('a refusal that adds nothing gives no further body', async () => {
  expect(
    await next({ stepId: 'tutorial' }, { message: 'stepId is required' }, areas.onboarding.updateProgress),
  ).toBe(undefined);
  expect(await next({}, { message: 'no such step' }, areas.onboarding.updateProgress)).toBe(undefined);
});

test('a name that every object has is not taken for a member', async () => {
  expect(await next({}, { message: '"__proto__" is required' }, areas.onboarding.updateProgress)).toBe(
    undefined,
  );
});
