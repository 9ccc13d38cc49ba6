import { expect, test } from 'vitest';
import { areas, catalog } from '../../catalog/catalog.ts';
import type { Host, Operation } from '../../catalog/operation.ts';
import type { Sampled } from './observe-operation.ts';
import { inDeadAreas } from './sample-operations.ts';
import { applying, type Facts, shareOf } from './share.ts';

const { clientData, game, logs, me, party } = areas;
const reads = catalog.filter(({ host, effect }) => host === 'base' && effect === 'read').slice(0, 10);
const writes = catalog.filter(({ host, effect }) => host === 'base' && effect !== 'read').slice(0, 10);

const check = (row: Operation, rule: string, clause = 'x') => ({
  ...{ id: `${row.id}#${rule}`, title: rule, operation: row.id, host: row.host, clause },
  level: 'documented' as const,
});
const twoOf = (rows: readonly Operation[]) =>
  rows.flatMap((row) => [check(row, 'routed'), check(row, 'answers')]);
const observation = ({ id, host }: Operation, seen: Sampled['seen'], status = 200): Sampled => ({
  ...{ id, host, seen, status },
});
const served = (row: Operation) => observation(row, 'served');
const missing = (row: Operation) => observation(row, 'unrouted', 404);

const judged = (meant: readonly Operation[], sampled: readonly Sampled[], more: Partial<Facts> = {}) => {
  const drawn = new Set(meant.map(({ id }) => id));
  const host = meant[0]?.host ?? 'base';
  return shareOf(host, {
    checks: twoOf(meant),
    meant,
    sampled,
    drawn,
    signedIn: true,
    walled: new Set(),
    ...more,
  })?.judged;
};

test('of what is served all is judged, of what is missing that it is', () => {
  expect(judged(reads, reads.map(served))).toBe(1);
  expect(judged(reads, reads.map(missing))).toBe(0.5);
  expect(judged(reads, [...reads.slice(0, 5).map(served), ...reads.slice(5).map(missing)])).toBe(0.75);
});

test('what was not looked at is taken for like what was, reads for reads and changes for changes', () => {
  expect(judged(reads, [...reads.slice(0, 4).map(served), ...reads.slice(4, 8).map(missing)])).toBe(0.75);
  const seen = [...reads.slice(0, 5).map(served), ...writes.slice(0, 5).map(missing)];
  expect(judged([...reads, ...writes], seen)).toBe(0.75);
});

test('where nothing is served, what a run could not tell from any other path is not counted as judged', () => {
  const plain = (rows: readonly Operation[]) => rows.filter(({ absence }) => absence === 'never');
  const base = catalog.filter(({ host }) => host === 'base');
  const gets = plain(base.filter(({ method }) => method === 'GET'));
  const seen = gets.slice(0, 8).map(missing);
  // All paths get 404 to every method: an area with an operation that names no resource is dead.
  const all = judged([...gets, ...writes], seen);
  expect(all).toBe(0.5);
  const vague = { ...observation(areas.auth.login, 'open', 501), reason: 'catch-all' as const };
  const posts = plain(base.filter(({ method }) => method === 'POST')).slice(0, gets.length);
  expect(judged([...gets, ...posts], [...seen, vague])).toBeCloseTo(
    gets.length / (gets.length + posts.length) / 2,
  );
  const named = base.filter(({ method, absence }) => method === 'GET' && absence === 'id');
  expect(judged([...gets, ...named], [...seen, vague])).toBeCloseTo(
    gets.length / (gets.length + named.length) / 2,
  );
});

test('operations that are always looked at stand for themselves alone', () => {
  const drawn = new Set(reads.slice(5).map(({ id }) => id));
  const seen = [...reads.slice(0, 5).map(missing), ...reads.slice(5, 7).map(served)];
  expect(judged(reads, seen, { drawn })).toBe(0.75);
});

test('nothing is said of a host of which too little was seen', () => {
  expect(judged(reads, reads.slice(0, 4).map(served))).toBeUndefined();
  expect(judged([logs.logsBatch], [served(logs.logsBatch)])).toBe(1);
});

test('a file that comes with no success, and a refusal of who is signed in, leave the rest open', () => {
  const files = Object.values<Operation>(clientData).slice(0, 5);
  expect(
    judged(
      files,
      files.map((row) => observation(row, 'served', 500)),
    ),
  ).toBe(0.5);
  expect(
    judged(
      reads,
      reads.map((row) => observation(row, 'served', 500)),
    ),
  ).toBe(1);
  expect(
    judged(
      reads,
      reads.map((row) => observation(row, 'served', 403)),
    ),
  ).toBe(0.5);
});

test('where nobody is signed in, nothing is known of what comes after a logout', () => {
  const checks = [...twoOf(reads), ...reads.map((row) => check(row, 'dead-session', 'auth.logout'))];
  expect(judged(reads, reads.map(served), { checks })).toBe(1);
  expect(judged(reads, reads.map(served), { checks, signedIn: false })).toBeCloseTo(2 / 3);
});

test('a check of several operations takes all of them', () => {
  const [first, second] = reads as [Operation, Operation];
  const flow = { ...check(first, ''), id: 'flow/step', operation: [first.id, second.id] };
  const seen = [...reads.slice(0, 1).map(served), ...reads.slice(1).map(missing)];
  expect(judged(reads, seen, { checks: [flow] })).toBe(0);
});

test('it says what leaving out what is missing would give, and what the words would', () => {
  const wordless = reads.slice(5).map((row): Sampled => ({ ...missing(row), reason: 'word-unknown' }));
  const sampled = [...reads.slice(0, 4).map(served), ...reads.slice(4, 5).map(missing), ...wordless];
  const drawn = new Set(reads.map(({ id }) => id));
  const facts = {
    checks: twoOf(reads),
    meant: reads,
    sampled,
    drawn,
    signedIn: true,
    walled: new Set<Host>(),
  };
  expect(shareOf('base', facts)).toMatchObject({
    judged: 0.45,
    ifOmitted: 1,
    ifWorded: 0.95,
    served: 4,
    told: 10,
  });
});

test('checks apply where all hosts of theirs are given and nothing of theirs is left out', () => {
  const rows = [me.location, party.create, logs.logsBatch];
  const omitted = new Map([[party.create.id, 'not built']]);
  const target = { hosts: { base: 'http://x' }, profile: { omitted } } as never;
  expect(applying(twoOf(rows), target).map(({ operation }) => operation)).toEqual([
    me.location.id,
    me.location.id,
  ]);
});

test('of an operation that may be absent, absence is known where nothing of its area is there', () => {
  const inParty = [party.create, party.details, party.leave];
  const seen = (sampled: readonly Sampled[]) => inDeadAreas(sampled).map(({ reason }) => reason);
  expect(seen(inParty.map(missing))).toEqual([undefined, undefined, undefined]);
  expect(seen([served(party.create), missing(party.details)])).toEqual([undefined, 'unknown-resource']);
  expect(seen([missing(game.challenges)])).toEqual([undefined]);
});

test('of a logging API that refuses everybody no call is judged, though it is known to be served', () => {
  const batches = [logs.logsBatch, logs.analyticsBatch];
  const sampled = batches.map((row) => observation(row, 'served', 405));
  expect(judged(batches, sampled)).toBe(1);
  expect(judged(batches, sampled, { walled: new Set<Host>(['gamelogs']) })).toBe(0.5);
});
