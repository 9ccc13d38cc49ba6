import { existsSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { areas, catalog } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { type Ask, nobody } from '../../engine/http/ask.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { type Answer, rehearse, type Script } from '../../fixtures/kit/rule-rehearsal.ts';
import { absentFile } from './absent-file.ts';
import { anonymous } from './anonymous.ts';
import { anonymousPrivate } from './anonymous-private.ts';
import { booleans } from './booleans.ts';
import { brackets } from './brackets.ts';
import { coding } from './coding.ts';
import { etagStable } from './etag-stable.ts';
import { head } from './head.ts';
import { modified } from './modified.ts';
import { notModified } from './not-modified.ts';
import { privateRule } from './private.ts';
import { clauseOf, rules } from './rules.ts';
import { schema } from './schema.ts';
import { spoiledCredential } from './spoiled.ts';
import { stableShape } from './stable-shape.ts';
import { unknownId } from './unknown-id.ts';

test('a rule stands in the file of its name, with its test beside it', () => {
  const isThere = (name: string) => existsSync(new URL(name, import.meta.url));
  const missing = rules.flatMap(({ name }) =>
    [`${name}.ts`, `${name}.test.ts`].filter((file) => !isThere(file)),
  );
  expect(missing).toEqual([]);
  expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
});

test('the folder holds rules and their table alone; what several rules call stands in suites/shared', () => {
  const files = readdirSync(import.meta.dirname).filter((file) => !file.endsWith('.test.ts'));
  expect(files.sort()).toEqual(['rules.ts', ...rules.map(({ name }) => `${name}.ts`)].sort());
});

test.each(rules)('the clauses that $name cites say why', (rule) => {
  for (const operation of catalog.filter(rule.applies)) expect(clauseOf(rule, operation).why).not.toBe('');
});

const askedOf = (name: string) =>
  catalog.filter((operation) => rules.find((rule) => rule.name === name)?.applies(operation));
const ids = (operations: readonly Operation[]) => operations.map(({ id }) => id);
const by =
  (method: string, host?: string) =>
  (operation: Operation): boolean =>
    operation.method === method && (host === undefined || operation.host === host);

const every = ['routed', 'answers', 'framing', 'media', 'utf8', 'bom', 'interoperable', 'schema'];
test.each([...every, 'concurrent', 'no-internals', 'other-method'])(
  '%s is asked of every operation',
  (name) => {
    expect(askedOf(name)).toEqual(catalog);
  },
);

test.each(['coding', 'etag-stable', 'not-modified', 'modified', 'head', 'stable-shape'])(
  '%s is asked of every GET',
  (name) => {
    expect(ids(askedOf(name))).toEqual(ids(catalog.filter(by('GET'))));
  },
);

test('what is said of bodies is asked of every POST and PUT, and of nothing else', () => {
  for (const name of ['malformed-body', 'empty-body', 'wrong-type-body', 'wrong-media-body', 'gzip-body'])
    expect(ids(askedOf(name))).toEqual(
      ids(catalog.filter((operation) => by('POST')(operation) || by('PUT')(operation))),
    );
});

test('what is said of files is asked of those that the document says it of', () => {
  const files = Object.values<Operation>(areas.clientData);
  expect(ids(askedOf('range'))).toEqual(ids(files));
  const { news } = areas.clientData;
  expect(ids(askedOf('json-file'))).toEqual(ids(files.filter((file) => file !== news)));
  expect(ids(askedOf('other-version'))).toEqual(ids(files));
});

test('one operation for each folder in which names are fixed is asked for an absent file', () => {
  expect(ids(askedOf('other-root'))).toEqual(ids(askedOf('absent-file')));
  const folders = askedOf('absent-file').map(({ path }) => path.slice(0, path.lastIndexOf('/')));
  expect(folders.length).toBeGreaterThan(10);
  expect(new Set(folders).size).toBe(folders.length);
  expect(askedOf('absent-file')).not.toContain(areas.clientData.archiveQuests);
});

test('folder and game version are no values of a file', () => {
  for (const name of ['path-long', 'path-unicode', 'path-encoded', 'path-undecodable']) {
    expect(askedOf(name)).not.toContain(areas.clientData.catalog);
    expect(askedOf(name)).toContain(areas.clientData.archiveQuests);
  }
});

test('a list that may be repeated is left to its own check', () => {
  const withQuery = askedOf('query-long');
  expect(withQuery).toContain(areas.extensions.catalogItems);
  expect(askedOf('query-repeated')).toEqual(
    withQuery.filter((operation) => operation !== areas.extensions.catalogItems),
  );
});

const mainApi = catalog.filter(({ host }) => host === 'base');
const { auth, general, me } = areas;

test('every call of the main API is asked but those that a credential has no place in', () => {
  const open: readonly Operation[] = [auth.login, auth.publicKey, general.healthcheck];
  const guarded = mainApi.filter((operation) => !open.includes(operation));
  // The logging API may ask for a session, or take what a client logs before it has one.
  const ofLogs = catalog.filter(({ area }) => area === 'logs');
  expect(ids(askedOf('anonymous'))).toEqual(ids([...guarded, ...ofLogs]));
  expect(ids(askedOf('spoiled'))).toEqual(ids(guarded));
  expect(ids(askedOf('anonymous-private'))).toEqual(
    ids(guarded.filter((operation) => by('GET')(operation) || by('POST')(operation))),
  );
  expect(ids(askedOf('private'))).toEqual(ids(mainApi.filter(by('GET'))));
});

test('a dead session is tried on all operations but those of signing in and out, and the one that logout is judged by', () => {
  const ofSessions: readonly Operation[] = [auth.login, auth.publicKey, me.logout, me.location];
  expect(ids(askedOf('dead-session'))).toEqual(
    ids(mainApi.filter((operation) => !ofSessions.includes(operation))),
  );
});

test('entering the queue is asked for no shape', () => {
  expect(askedOf('shape')).toEqual(catalog.filter((operation) => operation !== areas.queue.enter));
});

test('a run that only reads signs nobody out', () => {
  const left = rules.filter(({ changes }) => !changes).map(({ name }) => name);
  expect(left).not.toContain('dead-session');
  expect(left.length).toBeGreaterThan(10);
});

// Whichever of a rule's calls gets no answer, nobody is accused of what was not seen.

/** Answers so many calls in turn, each by its number from 1; then it is silent. */
const silentAfter = (most: number, answer: (nth: number) => Answer): Script => {
  let asked = 0;
  return () => {
    asked += 1;
    return asked > most ? { error: 'timeout' } : answer(asked);
  };
};

const { config } = areas.general;
const { catalog: file } = areas.clientData;
const same: (nth: number) => Answer = () => ({ body: { a: 1 } });
const changing = (nth: number): Answer => ({ body: { [`a${nth}`]: nth } });
const retagged = (nth: number): Answer => ({ body: 'x', headers: { etag: `"${nth}"` } });
const forAll = (): Answer => ({ body: { a: 1 }, headers: { 'cache-control': 'public, max-age=60' } });
const twoPlayers = (nth: number): Answer => ({
  body: { playerId: `player-${nth === 3 || nth === 6 ? 2 : 1}` },
});
const otherwise = (nth: number): Answer => ({ body: { [`a${nth === 2}`]: 1 } });
const coded = (nth: number): Answer =>
  nth < 3 || nth === 4 ? { body: { a: 1 } } : { body: { a: 2 }, wire: { coding: 'gzip', bytes: 9 } };
const bracketed = catalog.find(({ query }) => Object.keys(query).some((name) => name.endsWith('[]')));

const silent: readonly (readonly [Rule, Operation, number, (nth: number) => Answer])[] = [
  [absentFile, file, 0, same],
  [absentFile, file, 1, same],
  [anonymous, config, 1, same],
  [spoiledCredential, config, 1, same],
  [anonymousPrivate, config, 0, same],
  [anonymousPrivate, config, 1, same],
  [anonymousPrivate, config, 2, twoPlayers],
  [anonymousPrivate, config, 3, twoPlayers],
  [anonymousPrivate, config, 5, twoPlayers],
  [booleans, areas.party.leave, 1, same],
  [brackets, bracketed as Operation, 1, same],
  [brackets, bracketed as Operation, 2, changing],
  [brackets, bracketed as Operation, 3, otherwise],
  [coding, config, 3, coded],
  [coding, config, 4, coded],
  [head, config, 1, same],
  [head, config, 2, retagged],
  [head, config, 3, retagged],
  [privateRule, config, 1, same],
  [unknownId, areas.match.get, 1, same],
  [stableShape, config, 1, same],
  [stableShape, config, 2, changing],
  [stableShape, config, 3, changing],
  [etagStable, config, 1, retagged],
  [etagStable, config, 2, retagged],
  [etagStable, config, 3, retagged],
  [notModified, config, 1, retagged],
  [notModified, config, 2, retagged],
  [modified, config, 1, retagged],
  [modified, config, 2, retagged],
];

test.each(silent.map(([rule, operation, most, answer]) => ({ rule, operation, most, answer })))(
  '$rule.name on $operation.id, silent after $most calls',
  async ({ rule, operation, most, answer }) => {
    const { judgement, asked } = await rehearse(rule, operation, silentAfter(most, answer));
    expect(judgement).toMatchObject({ kind: 'inconclusive', reason: 'timeout' });
    expect(asked).toHaveLength(most + 1);
  },
);

test('a schema of the profile is held against nothing where nothing comes', async () => {
  const stated = () => ({ schema: { type: 'object' } });
  const { judgement } = await rehearse(schema, config, silentAfter(0, same), { stated });
  expect(judgement).toMatchObject({ kind: 'inconclusive', reason: 'timeout' });
});

test('what is marked public and given to nobody is compared with what another player gets', async () => {
  const onlySignedIn: Script = ({ as }) => (as?.startsWith('(') ? { status: 401 } : forAll());
  const silentToOthers: Script = (ask, operation) =>
    ask.as === undefined || ask.as.startsWith('(') ? onlySignedIn(ask, operation) : { error: 'timeout' };
  expect((await rehearse(privateRule, config, silentToOthers)).verdict).toBe('timeout');
});

// Two machines answer in turn by chance, and copies hold what one of them said: what differs between two calls is theirs.

const copyMs = 500;

/**
 * A copy for each kind of call, by one machine; that of the first kind is by the other one at the last of `draws`.
 * @param draws Infinity: each kind has a machine of its own for ever
 */
function served(
  kindOf: (ask: Ask) => string,
  answer: (machine: number, ask: Ask) => Answer,
  draws: number,
): { script: Script; pause: (ms: number) => Promise<void> } {
  let now = 0;
  const kinds = new Map<string, { drawn: number; until: number; machine: number }>();
  const script: Script = (ask) => {
    const kind = kindOf(ask);
    const copy = kinds.get(kind) ?? { drawn: 0, until: 0, machine: kinds.size === 0 ? 117 : 118 };
    if (copy.until <= now) {
      copy.drawn += 1;
      copy.until = now + copyMs;
      if (copy.drawn === draws && copy.machine === 117) copy.machine = 118;
    }
    kinds.set(kind, copy);
    return answer(copy.machine, ask);
  };
  const pause = async (ms: number) => {
    now += ms;
  };
  return { script, pause };
}

const isCoded = ({ headers = [] }: Ask) => headers.some(([name]) => name === 'accept-encoding');
const byPlayer = ({ as = 'main' }: Ask) => String(as);

const machines: readonly [
  string,
  Rule,
  Operation,
  Parameters<typeof served>[0],
  Parameters<typeof served>[1],
][] = [
  [
    'coded and uncoded',
    coding,
    areas.general.config,
    (ask) => String(isCoded(ask)),
    (machine, ask) => ({ body: { machine }, ...(isCoded(ask) && { wire: { coding: 'gzip', bytes: 9 } }) }),
  ],
  [
    'GET and HEAD',
    head,
    areas.general.config,
    ({ method = 'GET' }) => method,
    (machine, { method }) => ({ headers: { etag: `"${machine}"` }, body: method === 'HEAD' ? '' : 'x' }),
  ],
  [
    'raw and encoded brackets',
    brackets,
    areas.messages.listInbox,
    ({ rawBrackets = false }) => String(rawBrackets),
    (machine) => ({ body: { [`of${machine}`]: 1 } }),
  ],
  [
    'two players',
    privateRule,
    areas.me.location,
    byPlayer,
    (machine, { as }) =>
      as === nobody
        ? { status: 401 }
        : { headers: { 'cache-control': 'public' }, body: { servedBy: machine } },
  ],
  [
    'a player, nobody, and another player',
    anonymousPrivate,
    areas.me.location,
    ({ as = 'main' }) => (as === 'another' ? 'another' : 'any'),
    (machine) => ({ body: { servedBy: `ip-10-0-${machine}` } }),
  ],
];

test.each(machines)(
  '%s are not distinguished by the machine that answered',
  async (_, rule, operation, kindOf, answer) => {
    const { script, pause } = served(kindOf, answer, 9);
    expect((await rehearse(rule, operation, script, { pause })).judgement.kind).not.toBe('violation');
  },
);

test.each(machines)(
  '%s that differ each time are distinguished, after ten samples over 4.8 s',
  async (_, rule, operation, kindOf, answer) => {
    const { script, pause } = served(kindOf, answer, Number.POSITIVE_INFINITY);
    const pauses: number[] = [];
    const noted = async (ms: number) => {
      pauses.push(ms);
      await pause(ms);
    };
    const { judgement, asked } = await rehearse(rule, operation, script, { pause: noted });
    expect(judgement.kind).toBe('violation');
    expect(pauses).toEqual([0, 0, ...Array(8).fill(600)]);
    expect(new Set(asked.flatMap(({ nth }) => nth ?? [])).size).toBe(10);
  },
);
