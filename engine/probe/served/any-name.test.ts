// Client-data files of hosts that answer any name: what is there shows by its content alone.
import { describe, expect, test } from 'vitest';
import { areas } from '../../../catalog/catalog.ts';
import type { Operation } from '../../../catalog/operation.ts';
import type { Answer, Call } from '../../../fixtures/kit/loopback.ts';
import { judgeOf, type Kind, notFound, onCdn, segments, serving } from '../../../fixtures/kit/routed.ts';

const { clientData } = areas;
const real = [
  clientData.catalog,
  clientData.contentMetadata,
  clientData.cinematics,
  clientData.eulaDefinition,
];
const folder = '/clientData/live/content/1.0.0/';
const given = { ...onCdn, env: { ...segments, VERSION_PATTERN: '1.0' } };
const nameOf = ({ path }: Call) => path.slice(path.lastIndexOf('/') + 1);

/** Whatever stands under the folder and version is answered so, and other paths 404. */
const below =
  (answer: Kind): Kind =>
  (call) =>
    call.path.startsWith(folder) ? answer(call) : notFound(call);
/** The same by a route of one segment. */
const inFolder =
  (answer: Kind): Kind =>
  (call) =>
    /^\/clientData\/live\/content\/1\.0\.0\/[^/]+$/.test(call.path) ? answer(call) : notFound(call);

const judge = async (kind: Kind, operations: readonly Operation[], files: readonly Operation[] = real) =>
  Object.values(await (await judgeOf(serving(files, kind), given)).all(operations));

let count = 0;
const contents: readonly (readonly [string, Kind])[] = [
  ['null', () => ({ body: null })],
  ['{}', () => ({ body: {} })],
  ['a list', () => ({ body: [{ id: 'default' }] })],
  ['an error as a success', () => ({ body: { error: { code: 'NO_SUCH_FILE' } } })],
  ['a page', () => ({ body: '<!doctype html><title>Play</title>' })],
  ['a 500', () => ({ status: 500, body: { error: 'cannot read' } })],
  ['its own name', (call) => ({ body: { file: nameOf(call), name: nameOf(call).split('.')[0] } })],
  ['its own name as a member', (call) => ({ body: { [nameOf(call).split('.')[0] ?? '']: { items: [] } } })],
  ['its own path', (call) => ({ body: { missing: call.path } })],
  [
    'an id that is another each time',
    () => {
      count += 1;
      return { body: { items: [], trace: `t-${count}`, at: count } };
    },
  ],
];

describe.each(contents)('a host that answers %s', (_, answer) => {
  test.each<readonly [string, (answer: Kind) => Kind]>([
    ['to any name in the folder', inFolder],
    ['to any name below', below],
  ])('%s: what is there is served, what says the same may be there or not', async (_, where) => {
    const operations = [
      clientData.catalog,
      clientData.contentMetadata,
      clientData.dlcList,
      clientData.collections,
    ];
    expect(await judge(where(answer), operations)).toEqual(['served', 'served', 'any-name', 'any-name']);
  });
});

test('a file that honestly holds null is served where absent ones are 404, and open where they hold it too', async () => {
  const empty = (operation: Operation): Answer => ({
    body: operation === clientData.dlcList ? null : { this: operation.id },
  });
  const files = [...real, clientData.dlcList];
  const on = async (unrouted: Kind) =>
    Object.values(await (await judgeOf(serving(files, unrouted, empty), given)).all([clientData.dlcList]));
  expect(await on(notFound)).toEqual(['served']);
  expect(await on(below(() => ({ body: null })))).toEqual(['any-name']);
  // Even where other files prove what the whole host says to the unknown.
  expect(await on(() => ({ body: null }))).toEqual(['any-name']);
});

test('a host that says {} to everything shows no file at all', async () => {
  expect(await judge(() => ({ body: {} }), [clientData.catalog], [])).toEqual(['catch-all']);
});

test('what a host says to every path is no file, once files show', async () => {
  const operations = [clientData.catalog, clientData.dlcList];
  const absent = { body: { error: 'not found' } };
  expect(await judge(() => absent, operations)).toEqual(['served', 'not served']);
});

test('each folder may say something else to any name', async () => {
  const kind: Kind = (call) =>
    call.path.includes('/consents/')
      ? { body: { languages: [] } }
      : call.path.includes('/onboarding/')
        ? { status: 502, body: 'gateway' }
        : below(() => ({ body: null }))(call);
  const operations = [clientData.eulaDefinition, clientData.eula, clientData.onboarding, clientData.dlcList];
  expect(await judge(kind, operations)).toEqual(['served', 'any-name', 'any-name', 'any-name']);
});

test.each<readonly [string, RegExp, Operation]>([
  ['languages of two letters', /\/consents\/eula\/v4\/[a-z]{2}\.json$/, clientData.eula],
  ['definitions of any consent', /\/consents\/\w+\/v4\/definition\.json$/, clientData.privacyV4Definition],
  ['events of any region', /\/freetoplay\/[A-Z]+\/event\.json$/, clientData.freeToPlayNA],
  ['archives of any name', /\/archiveQuests\/\w+\.json$/, clientData.archiveQuests],
  ['news of any name', /\/News\/[\w-]+$/, clientData.news],
])('a route that takes %s shows none of them', async (_, pattern, operation) => {
  const kind: Kind = (call) => (pattern.test(call.path) ? { body: { title: 'none' } } : notFound(call));
  expect(await judge(kind, [operation], [clientData.catalog])).toEqual(['any-name']);
});

test('an archive and a language show where their content is their own', async () => {
  const kind: Kind = (call) => {
    if (call.path.endsWith('/archiveQuests/S1.json')) return { body: { quests: [1] } };
    if (call.path.endsWith('/consents/eula/v4/en.json')) return { body: { text: 'Agreed' } };
    return below(() => ({ body: [] }))(call);
  };
  const judged = await judgeOf(kind, { ...given, words: {}, parameters: { archiveId: 'S1' } });
  expect(Object.values(await judged.all([clientData.archiveQuests, clientData.eula]))).toEqual([
    'served',
    'served',
  ]);
});

test('404, 405 and 501 say that a file is not there, also by a route that takes any name', async () => {
  for (const status of [404, 405, 501])
    expect(
      await judge(
        inFolder(() => ({ status, body: { error: 'none' } })),
        [clientData.dlcList],
      ),
    ).toEqual(['not served']);
});

test('where folder and version were assumed and nothing shows, they are what is unknown', async () => {
  const judged = await judgeOf(
    below(() => ({ body: null })),
    onCdn,
  );
  expect(Object.values(await judged.all([clientData.catalog]))).toEqual(['segments-unknown']);
});
