import { expect, test } from 'vitest';
import { areas, catalog } from '../../catalog/catalog.ts';
import type { Host, Operation } from '../../catalog/operation.ts';
import type { Sampled } from './observe-operation.ts';
import { inDeadAreas } from './sample-operations.ts';
import { applying, type Facts, shareOf, shareOfServed } from './share.ts';

const { clientData, game, logs, me, party } = areas;
const reads = catalog.filter(({ host, effect }) => host === 'base' && effect === 'read').slice(0, 10);
const writes = catalog.filter(({ host, effect }) => host === 'base' && effect !== 'read').slice(0, 10);

const check = ({ id, host }: Operation, rule: string, clause = 'x') => ({
  id: `${id}#${rule}`,
  title: rule,
  operation: id,
  host,
  clause,
  level: 'documented' as const,
});
/** For each operation, the check whether it is served, and one of its answer. */
const twoChecksOf = (operations: readonly Operation[]) =>
  operations.flatMap((operation) => [check(operation, 'routed'), check(operation, 'answers')]);
const observation = ({ id, host }: Operation, seen: Sampled['seen'], status = 200): Sampled => ({
  id,
  host,
  seen,
  status,
});
const served = (operation: Operation) => observation(operation, 'served');
const missing = (operation: Operation) => observation(operation, 'unrouted', 404);

const factsOf = (meant: readonly Operation[], sampled: readonly Sampled[]): Facts => ({
  checks: twoChecksOf(meant),
  meant,
  sampled,
  drawn: new Set(meant.map(({ id }) => id)),
  signedIn: true,
  walled: new Set(),
});

/** @param meant the operations that the profile does not leave out; all of them count as drawn */
const judgedShare = (meant: readonly Operation[], sampled: readonly Sampled[], more: Partial<Facts> = {}) =>
  shareOf(meant[0]?.host ?? 'base', { ...factsOf(meant, sampled), ...more })?.judged;

test('counts every check of a served operation, and of a missing one only whether it is served', () => {
  expect(judgedShare(reads, reads.map(served))).toBe(1);
  expect(judgedShare(reads, reads.map(missing))).toBe(0.5);
  expect(judgedShare(reads, [...reads.slice(0, 5).map(served), ...reads.slice(5).map(missing)])).toBe(0.75);
});

test('estimates operations that were not sampled: reads by the sampled reads, writes by the sampled writes', () => {
  expect(judgedShare(reads, [...reads.slice(0, 4).map(served), ...reads.slice(4, 8).map(missing)])).toBe(
    0.75,
  );
  const seen = [...reads.slice(0, 5).map(served), ...writes.slice(0, 5).map(missing)];
  expect(judgedShare([...reads, ...writes], seen)).toBe(0.75);
});

test('estimates what is left where all that is missing is left out, by the served operations alone', () => {
  const seen = [...reads.slice(0, 4).map(served), ...reads.slice(4, 8).map(missing)];
  expect(shareOfServed('base', factsOf(reads, seen))).toBe(1);
  const refusing = reads.slice(0, 4).map((read) => observation(read, 'served', 403));
  expect(shareOfServed('base', factsOf(reads, [...refusing, ...seen.slice(4)]))).toBe(0.5);
});

test('does not count operations that a run cannot distinguish from missing paths, where nothing is served', () => {
  const neverAbsent = (some: readonly Operation[]) => some.filter(({ mayBe404 }) => mayBe404 === 'never');
  const base = catalog.filter(({ host }) => host === 'base');
  const gets = neverAbsent(base.filter(({ method }) => method === 'GET'));
  const seenGets = gets.slice(0, 8).map(missing);
  // Here every missing path is answered 404, so an area with an operation that names no resource is known to be missing.
  const all = judgedShare([...gets, ...writes], seenGets);
  expect(all).toBe(0.5);
  // Here every POST is answered 501, so a run cannot say of any POST whether it is missing.
  const vaguePost = { ...observation(areas.auth.login, 'open', 501), reason: 'catch-all' as const };
  const posts = neverAbsent(base.filter(({ method }) => method === 'POST')).slice(0, gets.length);
  expect(judgedShare([...gets, ...posts], [...seenGets, vaguePost])).toBeCloseTo(
    gets.length / (gets.length + posts.length) / 2,
  );
  // A 404 to one of these may mean its resource.
  const ofResources = base.filter(({ method, mayBe404 }) => method === 'GET' && mayBe404 === 'unknown id');
  expect(judgedShare([...gets, ...ofResources], [...seenGets, vaguePost])).toBeCloseTo(
    gets.length / (gets.length + ofResources.length) / 2,
  );
});

test('estimates the rest by the operations that were drawn, and not by those that are always sampled', () => {
  const drawn = new Set(reads.slice(5).map(({ id }) => id));
  const seen = [...reads.slice(0, 5).map(missing), ...reads.slice(5, 7).map(served)];
  expect(judgedShare(reads, seen, { drawn })).toBe(0.75);
});

test('returns undefined where fewer than five operations of a host were sampled, unless it has no more', () => {
  expect(judgedShare(reads, reads.slice(0, 4).map(served))).toBeUndefined();
  expect(judgedShare([logs.logsBatch], [served(logs.logsBatch)])).toBe(1);
});

test('counts only the route of a file that is not delivered, and of a call that refuses a signed-in player', () => {
  const files = Object.values<Operation>(clientData).slice(0, 5);
  expect(
    judgedShare(
      files,
      files.map((file) => observation(file, 'served', 500)),
    ),
  ).toBe(0.5);
  expect(
    judgedShare(
      reads,
      reads.map((read) => observation(read, 'served', 500)),
    ),
  ).toBe(1);
  expect(
    judgedShare(
      reads,
      reads.map((read) => observation(read, 'served', 403)),
    ),
  ).toBe(0.5);
});

test('does not count checks that need a logout where nobody is signed in', () => {
  const checks = [...twoChecksOf(reads), ...reads.map((read) => check(read, 'dead-session', 'auth.logout'))];
  expect(judgedShare(reads, reads.map(served), { checks })).toBe(1);
  expect(judgedShare(reads, reads.map(served), { checks, signedIn: false })).toBeCloseTo(2 / 3);
});

test('counts a check of several operations only where all of them are served', () => {
  const [first, second] = reads as [Operation, Operation];
  const flow = { ...check(first, ''), id: 'flow/step', operation: [first.id, second.id] };
  const seen = [...reads.slice(0, 1).map(served), ...reads.slice(1).map(missing)];
  expect(judgedShare(reads, seen, { checks: [flow] })).toBe(0);
});

test('states the share with missing operations left out, and with unknown words given', () => {
  const wordUnknown = reads.slice(5).map((read): Sampled => ({ ...missing(read), reason: 'word-unknown' }));
  const sampled = [...reads.slice(0, 4).map(served), ...reads.slice(4, 5).map(missing), ...wordUnknown];
  const drawn = new Set(reads.map(({ id }) => id));
  const facts = {
    checks: twoChecksOf(reads),
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

test('applies a check where all its hosts are given and the profile leaves none of its operations out', () => {
  const operations = [me.location, party.create, logs.logsBatch];
  const omitted = new Map([[party.create.id, 'not built']]);
  const target = { hosts: { base: 'http://x' }, profile: { omitted } } as never;
  expect(applying(twoChecksOf(operations), target).map(({ operation }) => operation)).toEqual([
    me.location.id,
    me.location.id,
  ]);
});

test('knows that an operation on a resource is missing only where nothing of its area is served', () => {
  const inParty = [party.create, party.details, party.leave];
  const reasons = (sampled: readonly Sampled[]) => inDeadAreas(sampled).map(({ reason }) => reason);
  expect(reasons(inParty.map(missing))).toEqual([undefined, undefined, undefined]);
  expect(reasons([served(party.create), missing(party.details)])).toEqual([undefined, 'unknown-resource']);
  expect(reasons([missing(game.challenges)])).toEqual([undefined]);
});

test('counts only the routes of a logging API that refuses every session', () => {
  const batches = [logs.logsBatch, logs.analyticsBatch];
  const sampled = batches.map((batch) => observation(batch, 'served', 405));
  expect(judgedShare(batches, sampled)).toBe(1);
  expect(judgedShare(batches, sampled, { walled: new Set<Host>(['gamelogs']) })).toBe(0.5);
});
