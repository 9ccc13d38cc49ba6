import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { type Answer, rehearse, type Script } from '../../fixtures/kit/rule-rehearsal.ts';
import { malformedBody } from './malformed-body.ts';
import { noInternals } from './no-internals.ts';

test('it is exactly the body that no-internals asks with', async () => {
  const { asked } = await rehearse(malformedBody, areas.party.create, () => ({ status: 400 }));
  expect(asked).toEqual([{}, { as: 'fuzzer', body: '{"assay":' }]);
  expect((await rehearse(noInternals, areas.party.create, () => ({}))).asked).toContainEqual(asked[1]);
});

const { logs, party, players } = areas;
const refusal = (message: string, status = 400): Answer => ({ status, body: { message } });
const parses = refusal('Unexpected end of JSON input');
const lacksMembers = refusal('a list is missing');
const accepts: Answer = { body: { accepted: 1 } };

/** How a call answers what is no JSON, no body, `{}` and a list; each is 200 unless it is given. */
interface Handler {
  readonly malformed?: Answer;
  readonly empty?: Answer;
  readonly object?: Answer;
  readonly list?: Answer;
}

const answersOf = (
  { malformed = accepts, empty = {}, object = {}, list = {} }: Handler,
  body?: string,
): Answer => {
  if (body === undefined || body === '{}') return object;
  return body === '' ? empty : body.startsWith('[') ? list : malformed;
};

/** A host whose calls do alike, but for one. */
const host =
  (one: Operation, own: Handler, others: Handler): Script =>
  ({ body, as }, { id }) =>
    as === undefined ? {} : answersOf(id === one.id ? own : others, body as string | undefined);

const verdictOf = async (one: Operation, own: Handler, others: Handler) =>
  (await rehearse(malformedBody, one, host(one, own, others))).verdict;

test.each<[string, Operation, Handler, Handler, string]>([
  ['a log batch takes it, and the other refuses it', logs.logsBatch, {}, { malformed: parses }, 'violation'],
  [
    'a log batch takes whatever comes, and says nothing of it',
    logs.logsBatch,
    { malformed: { status: 202 } },
    { malformed: parses },
    'pass',
  ],
  ['both log batches take it', logs.logsBatch, {}, {}, 'pass'],
  ['both refuse it', logs.logsBatch, { malformed: parses }, { malformed: parses }, 'pass'],
  [
    'a log batch takes it, and reports it as left out',
    logs.logsBatch,
    { malformed: { body: { accepted: 0, rejected: 1 } } },
    { malformed: parses },
    'pass',
  ],
  [
    'the other log batch says the same of an empty object, as a lenient parser makes it',
    logs.logsBatch,
    {},
    { malformed: lacksMembers, object: lacksMembers },
    'pass',
  ],
  [
    'the other log batch says something else of an empty object',
    logs.logsBatch,
    {},
    { malformed: parses, object: lacksMembers },
    'violation',
  ],
  [
    'a log batch that refuses an empty object takes it',
    logs.logsBatch,
    { object: lacksMembers, empty: lacksMembers },
    { malformed: lacksMembers, object: lacksMembers, empty: lacksMembers },
    'violation',
  ],
  ['the other log batch wants a session', logs.logsBatch, {}, { malformed: { status: 401 } }, 'pass'],
  [
    'a call that reads its body takes it',
    party.create,
    { list: lacksMembers },
    { malformed: parses },
    'violation',
  ],
  ['a call that may not read its body takes it', party.create, {}, { malformed: parses }, 'pass'],
  [
    'a call takes it that refuses an empty body, as a gateway does',
    party.create,
    { empty: refusal('a body is required') },
    { malformed: parses, empty: refusal('a body is required') },
    'pass',
  ],
  ['all calls take it', party.create, { list: lacksMembers }, {}, 'pass'],
  ['any bytes are a profile', players.setBinaryState, { list: lacksMembers }, { malformed: parses }, 'pass'],
])('judges a host where %s', async (_, one, own, others, expected) => {
  expect(await verdictOf(one, own, others)).toBe(expected);
});

test('does not judge a call among others of which more than one in eight take it', async () => {
  const taking = new Set(
    [party.create, ...Object.values(areas.game), areas.messages.claim].map(({ id }) => id),
  );
  const script: Script = ({ body, as }, { id }) =>
    as === undefined
      ? {}
      : answersOf(taking.has(id) ? { list: lacksMembers } : { malformed: parses }, String(body));
  expect((await rehearse(malformedBody, party.create, script)).verdict).toBe('pass');
});

test('a call that can be made once is not judged: what came after it was refused for its state', async () => {
  let calls = 0;
  const script: Script = (ask, operation) => {
    if (operation.id !== party.create.id || ask.as === undefined) return { ...parses };
    calls += 1;
    return calls === 1 ? {} : refusal('already made');
  };
  expect((await rehearse(malformedBody, party.create, script)).verdict).toBe('pass');
});

test('an id of each request makes no refusal another one', async () => {
  let calls = 0;
  const script: Script = (ask, { id }) => {
    calls += 1;
    const own = answersOf({ list: lacksMembers }, ask.body as string | undefined);
    if (id === party.create.id || ask.as === undefined) return own;
    return { status: 400, body: { message: 'a list is missing', requestId: `${calls}a7c9f1e3b5d8` } };
  };
  expect((await rehearse(malformedBody, party.create, script)).verdict).toBe('pass');
});

test('names the other log batch, or how many other calls refuse it', async () => {
  const judged = async (one: Operation) =>
    (await rehearse(malformedBody, one, host(one, { list: lacksMembers }, { malformed: parses }))).judgement;
  expect(await judged(logs.logsBatch)).toMatchObject({
    clause: 'sense.malformed-json',
    expected: 'a refusal of what is no JSON, as logs.analyticsBatch does',
    actual: '200 to a body that is cut off in the middle',
  });
  expect(await judged(party.create)).toMatchObject({
    expected: expect.stringMatching(/^a refusal of what is no JSON, as \d\d other calls do$/),
  });
});
