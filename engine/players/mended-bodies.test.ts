import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import type { Json } from '../target/profile-validation.ts';
import { formOf } from './body-template.ts';
import { mended, otherSide } from './mended-bodies.ts';

const refusal = (body: unknown) => exchangeOf({ status: 400, body });

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

test.each<[string, string | undefined, Json]>([
  ['invitee', '1004', '{{other.id:number}}'],
  ['friendUid', undefined, '{{other.id:number}}'],
  ['invitee', 'q1x', 1],
  ['inviteLevel', '1004', 1],
])('a call about another player says in the number %s, where that one is %s, %j', async (name, id, said) => {
  const refused = refusal({ error: { message: `missing field '${name}' (integer)` } });
  const look = async (_: unknown, sought: string) => (sought === 'other.id' ? id : undefined);
  const form = await mended(areas.party.invite, formOf({}, 'guess'), refused, look);
  expect(form?.template).toEqual({ [name]: said });
  expect(form?.answers).toEqual([name === 'friendUid' ? said : 1]);
  expect(form?.from).toBe('refusal');
});

test('a key that was made up becomes the name of a character, where the refusal repeats it and speaks of them', async () => {
  const { saveVoiceOver } = areas.game;
  const template = { voices: { assay: '{{value}}' } };
  const says = async (body: unknown) => {
    const form = formOf(template, 'guess');
    const known = async (_: unknown, name: string) => (name === 'characterName' ? 'Scout' : undefined);
    return (await mended(saveVoiceOver, form, refusal(body), known))?.template;
  };
  expect(await says({ detail: [{ loc: ['body', 'voices', 'assay'], msg: 'is not a character' }] })).toEqual({
    voices: { Scout: '{{value}}' },
  });
  expect(await says({ error: 'NO_SUCH_CHARACTER', details: [{ field: 'voices', reason: 'assay' }] })).toEqual(
    {
      voices: { Scout: '{{value}}' },
    },
  );
  expect(await says({ errors: [{ title: 'There is no character assay' }] })).toEqual({
    voices: { Scout: '{{value}}' },
  });
  expect(await says({ error: 'NO_SUCH_LANGUAGE', reason: 'assay' })).toBeUndefined();
});

test('a currency is that of the offer, whatever its member is called', async () => {
  const refused = { errors: [{ field: 'currencyId', message: 'must not be null' }] };
  expect(await next({}, refused, areas.general.purchase)).toEqual({ currencyId: '{{currency}}' });
});

test.each([
  ["missing field 'id' (integer)", { id: '{{messageId:number}}' }],
  ["missing field 'ids' (array)", { ids: ['{{messageId}}'] }],
])('%s in a call about a message names that message', async (message, body) => {
  expect(await next({}, { error: { message } }, areas.messages.claim)).toEqual(body);
});

test('a refused 0 that is of the type asked for is taken to be out of range', async () => {
  const refused = { error: { message: 'xp must be an integer from 1 to 1000' } };
  expect(await next({ xp: 0 }, refused, areas.archives.updateXp)).toEqual({ xp: 1 });
});

test('of the values that a refusal lists it takes the one that is meant', async () => {
  const { markAs } = areas.messages;
  expect(await next({ flag: 'READ' }, { message: 'flag must be one of unread, read' }, markAs)).toEqual({
    flag: 'read',
  });
  expect(await next({ flag: 'READ' }, { message: 'flag is invalid' }, markAs)).toEqual({ flag: 'read' });
});

test('of listed values of which none is meant it takes the first, and keeps the others for later', async () => {
  const refused = refusal({
    fields: [{ field: 'payWith', problem: 'is required (one of gems, shards, coins)' }],
  });
  const form = await mended(
    areas.general.purchase,
    formOf({ quantity: 1 }, 'guess'),
    refused,
    async () => undefined,
  );
  expect(form?.template).toEqual({ quantity: 1, payWith: 'gems' });
  expect(form?.others?.map(({ template }) => template)).toEqual([
    { quantity: 1, payWith: 'shards' },
    { quantity: 1, payWith: 'coins' },
  ]);
  const meant = refusal({ message: 'flag must be one of unread, read' });
  const flagged = formOf({ flag: 'READ' }, 'guess');
  expect((await mended(areas.messages.markAs, flagged, meant, async () => undefined))?.others).toBe(
    undefined,
  );
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

test('an unwanted member goes with all others that are not among those that the refusal lists', async () => {
  const { analyticsBatch } = areas.logs;
  const says = 'Entry 0 does not fit: unknown field `level`, expected one of `eventId`, `timestamp`';
  const template = { events: [{ timestamp: '{{now}}', level: 'info', type: 'assay', message: 'x' }] };
  const form = await mended(analyticsBatch, formOf(template, 'guess'), refusal(says), async () => undefined);
  expect(form?.template).toEqual({ events: [{ timestamp: '{{now}}' }] });
  expect(form?.unwanted).toEqual(['level', 'type', 'message']);
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

test('a batch is put under the name that is missing, though the refusal names no type', async () => {
  const { logsBatch } = areas.logs;
  const missing = (name: string) => ({ type: 'missing', loc: ['body', name], msg: 'Field required' });
  const entries = [{ message: '{{unique}}' }];
  expect(await next({}, { detail: [missing('entries')] }, logsBatch)).toMatchObject({ entries });
  const both = [missing('clientId'), missing('entries')];
  expect(await next({}, { detail: both }, logsBatch)).toMatchObject({ clientId: '{{value}}', entries });
  const odd = [missing('clientId'), missing('payload')];
  const guessed = { clientId: entries, payload: '{{value}}' };
  expect(await next({}, { detail: odd }, logsBatch)).toMatchObject(guessed);
  const types = ['clientId must be a string', 'payload must be an array'];
  expect(await next(guessed, { errors: types }, logsBatch)).toMatchObject({
    clientId: '{{value}}',
    payload: entries,
  });
});

test('the id of a batch and its list stand beside the records, and another list goes', async () => {
  const { logsBatch } = areas.logs;
  const [sent, records] = [{ logs: [{ level: 'info' }] }, [{ message: '{{unique}}' }]];
  const withId = await next(sent, { fields: [{ field: 'batchId', problem: 'required' }] }, logsBatch);
  expect(withId).toEqual({ ...sent, batchId: '{{unique}}' });
  const withList = await next({ ...sent, batchId: '{{unique}}' }, { detail: 'events: required' }, logsBatch);
  expect(withList).toMatchObject({ batchId: '{{unique}}-2', events: records });
  expect(withList).not.toHaveProperty('logs');
});

test('a moment that has to be a number is sent in seconds', async () => {
  const { logsBatch } = areas.logs;
  const refused = { rejected: [{ index: 0, problem: 'timestamp: must be a unix time' }] };
  expect(await next({ events: [{ timestamp: '{{now}}' }] }, refused, logsBatch)).toEqual({
    events: [{ timestamp: '{{now:number}}' }],
  });
});

test('what a batch lacks is put into its record, unless the batch itself was asked for it', async () => {
  const refused = { message: 'event_type must be a non-empty string' };
  const { analyticsBatch } = areas.logs;
  expect(await next({ events: [{ type: 'a' }] }, refused, analyticsBatch)).toEqual({
    events: [{ type: 'a', event_type: 'assay' }],
  });
  expect(await next({ events: [{}], logs: [{}] }, refused, analyticsBatch)).toMatchObject({
    event_type: 'assay',
  });
  const { updateProgress } = areas.onboarding;
  expect(await next({ steps: [{}] }, { message: 'stepId is required' }, updateProgress)).toMatchObject({
    stepId: 'tutorial',
  });
});

test('what a refusal asks of any record of a batch is put into the one of the body', async () => {
  const { logsBatch } = areas.logs;
  const record = { type: 'a' };
  const fields = [
    { field: 'logs[7]', problem: 'eventType is required (string)' },
    { field: 'logs[7]', problem: 'weight must be an integer' },
    { field: 'logs[8]', problem: 'level must be one of low, high' },
  ];
  const mendedRecord = { type: 'a', eventType: 'assay', weight: 1, level: 'low' };
  expect(await next({ logs: [record] }, { error: { fields } }, logsBatch)).toEqual({ logs: [mendedRecord] });
  const atRoot = [{ instancePath: '/3', message: 'must have', params: { missingProperty: 'eventType' } }];
  expect(await next([record], atRoot, logsBatch)).toEqual([{ type: 'a', eventType: 'assay' }]);
});

test('several records of a batch that were refused for one member are one complaint', async () => {
  const errors = [3, 7].map((at) => ({ field: `logs[${at}].level`, message: 'must be one of [INFO, WARN]' }));
  const { logsBatch } = areas.logs;
  expect(await next({ logs: [{ level: 'info' }] }, { errors }, logsBatch)).toEqual({
    logs: [{ level: 'INFO' }],
  });
});

test('a list that is refused for members which it cannot have becomes an object with them', async () => {
  const refused = { error: { fields: [{ field: 'logs', problem: 'is required (array of objects)' }] } };
  expect(await next([{ type: 'a' }], refused, areas.logs.logsBatch)).toMatchObject({
    logs: [{ message: '{{unique}}' }],
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

test('one player is named under a name that ends with a side, and several where that is refused', async () => {
  const { create } = areas.match;
  expect(await next({}, { message: 'missing field: playersA' }, create)).toEqual({
    playersA: '{{player.id}}',
  });
  const one = { playersA: '{{player.id}}' };
  expect(await next(one, { message: 'bad field: playersA' }, create)).toEqual({
    playersA: ['{{player.id}}'],
  });
});

test('the two sides of a game are named where a made-up word is refused and none are listed', async () => {
  const refused = { message: 'bad field: side' };
  const template = { side: '{{value}}' };
  const form = await mended(
    areas.queue.enter,
    formOf(template, 'guess'),
    refusal(refused),
    async () => undefined,
  );
  expect(form?.template).toEqual({ side: 'A' });
  expect(form?.others?.map((other) => other.template)).toContainEqual({ side: 'B' });
});

test.each([
  ['side', 'B', 'A'],
  ['side', 'left', 'right'],
  ['Role', 'KILLER', 'SURVIVOR'],
  ['team', 'Blue', 'Red'],
  ['role', 'admin', undefined],
  ['status', 'A', undefined],
])('the other side of %s %s is %s', (name, word, other) => {
  expect(otherSide(name, word)).toBe(other);
});

test('a side that was asked for is one of two where a made-up word is refused without a name', async () => {
  const form = formOf({ side: '{{value}}' }, 'refusal');
  const unnamed = refusal({ title: 'Bad Request', detail: 'Failed to read request' });
  const next = await mended(areas.queue.enter, form, unnamed, async () => undefined);
  expect(next?.template).toEqual({ side: 'A' });
  expect(next?.others?.map((other) => other.template)).toContainEqual({ side: 'B' });
  const own = formOf({ side: '{{value}}' }, 'guess');
  expect(await mended(areas.queue.enter, own, unnamed, async () => undefined)).toBeUndefined();
});

test('a member is named by the placeholder of what the target shows under its name', async () => {
  const refused = refusal({ message: 'missing field: entryId' });
  const look = async () => 'the first one';
  const readPage = areas.archives.readPage;
  const form = await mended(readPage, formOf({}, 'guess'), refused, look, { entryId: 'pageId' });
  expect(form?.template).toEqual({ entryId: '{{pageId}}' });
});

test('a word that a framework refuses without a reason is tried in another case, until each was', async () => {
  const { markAs } = areas.messages;
  const notIncluded = { errors: { status: ['is not included in the list'] } };
  const marked = (status: string) => ({ messageIds: [1], status });
  expect(await next(marked('READ'), notIncluded, markAs)).toEqual(marked('read'));
  expect(await next(marked('read'), notIncluded, markAs)).toEqual(marked('Read'));
  expect(await next(marked('Read'), notIncluded, markAs)).toEqual(marked('READ'));
  expect(await next(marked('IN_GAME'), notIncluded, markAs)).toEqual(marked('in_game'));
  expect(await next(marked('read'), { message: 'status is required' }, markAs)).toBe(undefined);
});
