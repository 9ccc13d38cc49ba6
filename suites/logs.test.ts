import { expect, test } from 'vitest';
import { areas } from '../catalog/catalog.ts';
import { mended } from '../engine/players/mended-bodies.ts';
import type { Context } from '../engine/probe/context.ts';
import { parsedJson } from '../engine/values/json-walk.ts';
import { type Answer, exchangeOf, rehearseCheck, type Script } from '../fixtures/kit/rule-rehearsal.ts';
import logs from './logs.ts';

test('a batch is accepted in whichever form the server takes', async () => {
  const onlyLists: Script = ({ body }) => ({
    status: typeof body === 'string' && body.startsWith('[') ? 202 : 400,
  });
  const { judgement, asked } = await rehearseCheck(logs.checks, 'logs.logsBatch#accepts-batch', onlyLists);
  expect(judgement.kind).toBe('pass');
  expect(asked).toHaveLength(3);
});

test('judges a batch that was built from refusals like a plain call', async () => {
  const only = JSON.stringify({ entries: [{}] });
  const { judgement } = await rehearseCheck(logs.checks, 'logs.logsBatch#accepts-batch', () => ({}), {
    ask: async (operation, { body = only } = {}) =>
      exchangeOf(operation, { body }, { status: body === only ? 202 : 422 }),
  });
  expect(judgement.kind).toBe('pass');
});

const { logsBatch } = areas.logs;
const lacking = { fields: [{ field: 'records[1]', problem: 'kind is required (string)' }] };
const lists: Script = ({ body }) => {
  const { records } = (parsedJson(String(body ?? '{}')) ?? {}) as { records?: { kind?: unknown }[] };
  if (records?.every(({ kind }) => typeof kind === 'string')) return { status: 202 };
  return { status: 422, body: records ? lacking : {} };
};
const mend: Context['flows']['mend'] = (operation, form, refusal) =>
  mended(operation, form, refusal, async () => undefined);

test('a batch whose records a refusal asks for more is sent with that', async () => {
  const { judgement } = await rehearseCheck(logs.checks, `${logsBatch.id}#accepts-batch`, lists, {
    flows: { mend },
  });
  expect(judgement).toMatchObject({
    kind: 'pass',
    evidence: { request: { body: expect.stringContaining('"kind":"assay"') } },
  });
});

test('a batch that is refused for no member that changes it stays without a verdict', async () => {
  const { judgement } = await rehearseCheck(
    logs.checks,
    `${logsBatch.id}#accepts-batch`,
    () => ({ status: 422, body: lacking }),
    { flows: { mend } },
  );
  expect(judgement).toMatchObject({ kind: 'inconclusive', reason: 'needs-body' });
});

test.each<[Answer, object]>([
  [{ status: 400 }, { kind: 'inconclusive', reason: 'needs-body' }],
  [{ status: 403 }, { kind: 'inconclusive', reason: 'auth-wall' }],
  [{ status: 429 }, { kind: 'inconclusive', reason: 'rate-limited' }],
  [{ status: 500 }, { kind: 'violation' }],
])('no batch accepted but %j', async (answer, expected) => {
  const { judgement } = await rehearseCheck(logs.checks, 'logs.analyticsBatch#accepts-batch', ({ body }) =>
    body === undefined ? { status: 400 } : answer,
  );
  expect(judgement).toMatchObject(expected);
});

test.each<[number, readonly number[] | undefined, object]>([
  [202, undefined, { kind: 'pass' }],
  [422, [422], { kind: 'pass' }],
  [400, undefined, { kind: 'violation', actual: "the profile's is answered 400" }],
  [403, undefined, { kind: 'inconclusive', reason: 'auth-wall' }],
])("the profile's batch is the one that is judged: %i", async (status, accepts, expected) => {
  const { judgement, asked } = await rehearseCheck(
    logs.checks,
    'logs.logsBatch#accepts-batch',
    () => ({ status }),
    {
      stated: () => ({ body: { lines: [] } }),
      flows: { accepts: () => accepts },
    },
  );
  expect(judgement).toMatchObject(expected);
  expect(asked).toEqual([{}]);
});

/** The judgement of ids where the logging API tells repeats by that member, of each player or of all. */
async function judgedIds(member: string, ids: 'of each' | 'of all', asked401 = true) {
  const known = new Set<string>();
  const answerTo: Script = ({ as = 'main', body }) => {
    if (as === '(nobody)' && asked401) return { status: 401 };
    const name = parsedJson(String(body ?? '{}')) as Record<string, unknown>;
    const found = [name, ...(Array.isArray(name.logs) ? name.logs : [])].find((each) => each?.[member]);
    if (found === undefined) return { status: 202, body: { accepted: 2, duplicate: false } };
    const id = `${ids === 'of each' ? as : ''} ${found[member]}`;
    const duplicate = known.has(id);
    known.add(id);
    return { status: 202, body: { accepted: duplicate ? 0 : 2, duplicate } };
  };
  const { judgement } = await rehearseCheck(logs.checks, `${logsBatch.id}#batch-ids`, answerTo);
  return judgement;
}

test.each(['batchId', 'eventId', 'id'])(
  'repeats that are told by the %s of anybody are found',
  async (member) => {
    expect(await judgedIds(member, 'of each')).toMatchObject({ kind: 'pass' });
    expect(await judgedIds(member, 'of all')).toMatchObject({
      kind: 'violation',
      actual: 'answered as when its first sender sends it again: 202',
    });
  },
);

test('a logging API that knows no senders, or no ids, is not judged by them', async () => {
  expect(await judgedIds('batchId', 'of all', false)).toMatchObject({ kind: 'not-applicable' });
  expect(await judgedIds('key', 'of all')).toMatchObject({ kind: 'not-applicable' });
});
