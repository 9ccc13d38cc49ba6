import { expect, test } from 'vitest';
import { areas, catalog } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { readProfile } from '../../engine/target/profile.ts';
import { examined } from '../../fixtures/kit/examined.ts';
import type { Sampled } from './observe-operation.ts';
import { doctorJson, linesOf, omissionsOf, omitLines } from './report.ts';

const { auth, general, me, party } = areas;
const observation = (
  { id, host }: Operation,
  seen: Sampled['seen'],
  reason?: Sampled['reason'],
): Sampled => ({
  id,
  host,
  seen,
  status: seen === 'served' ? 200 : 404,
  ...(reason && { reason }),
});
const inParty = catalog.filter(({ id }) => id.startsWith('party.'));
const omittedOf = (...sample: Sampled[]) =>
  omissionsOf(examined({ sample })).map(({ operation }) => operation);

test('an area that is not served at all is one line, of others each operation is', () => {
  const gone = [...inParty, me.logout].map((operation) => observation(operation, 'unrouted'));
  expect(omittedOf(observation(me.location, 'served'), ...gone)).toEqual(['me.logout', 'party.*']);
  const [first, ...others] = inParty as [Operation, ...Operation[]];
  const most = others.map((operation) => observation(operation, 'unrouted'));
  expect(omittedOf(observation(first, 'served'), ...most)).toEqual(others.map(({ id }) => id));
});

test('what may be there under another word or identifier is not given up', () => {
  const there = observation(me.location, 'served');
  expect(omittedOf(there, observation(party.details, 'unrouted', 'unknown-resource'))).toEqual([]);
  expect(omittedOf(there, observation(party.details, 'unrouted', 'word-unknown'))).toEqual([]);
});

test('a login that is not there is no operation to leave out', () => {
  expect(omittedOf(observation(me.location, 'served'), observation(auth.login, 'unrouted'))).toEqual([]);
});

test('a host that serves nothing is not left out: its URL is more likely to be wrong', () => {
  expect(omittedOf(observation(me.location, 'unrouted'), observation(general.config, 'unrouted'))).toEqual(
    [],
  );
});

/** Operations that a profile with these lines leaves out. */
function taken(lines: readonly string[]): string[] {
  const read = readProfile(`{\n${lines.join('\n')}\n}`, {});
  return 'profile' in read ? [...read.profile.omitted.keys()].toSorted() : [];
}

test('the lines are what a profile takes', () => {
  const gone = [...inParty, me.logout].map((operation) => observation(operation, 'unrouted'));
  const lines = omitLines(
    omissionsOf(examined({ sample: [observation(me.location, 'served'), ...gone] })),
    40,
  );
  expect(taken(lines.slice(2))).toEqual([me.logout, ...inParty].map(({ id }) => id).toSorted());
});

const omissions = (operations: readonly Operation[]) =>
  operations.map(({ id }) => ({ operation: id, reason: 'not served' }));

test('where there is no room for a line each, one line is what a profile takes', () => {
  const ids = inParty.map(({ id }) => id).toSorted();
  const room = ids.length + 4;
  expect(omitLines(omissions(inParty), room)).toHaveLength(room);
  const lines = omitLines(omissions(inParty), room - 1);
  expect(lines).toHaveLength(3);
  expect(taken(lines.slice(2))).toEqual(ids);
  expect(omitLines(omissions(inParty), 3)).toEqual(lines);
  expect(omitLines(omissions(inParty), 2)).toEqual([]);
  expect(omitLines([], 40)).toEqual([]);
  expect(omitLines(omissions(inParty), room, 7)).toContain(
    'for the profile, where these are not meant to be served (npm run learn -- --omit-missing writes such a block) (7 more operations were not looked at; a run asks them):',
  );
});

test('entries that do not fit in one line are counted, with where they stand; a profile takes those that are shown', () => {
  const lines = omitLines(omissions(catalog), 40);
  const shown = taken(lines.slice(2, 3));
  expect(lines[2]?.length).toBeLessThanOrEqual(2_000);
  expect(shown.length).toBeGreaterThan(25);
  expect(lines.slice(3)).toEqual([`… and ${catalog.length - shown.length} more: "omit" of --json holds all`]);
  expect(omitLines(omissions(catalog), 3)).toEqual([]);
});

test('doctor prints them in forty lines, and --json all', () => {
  const gone = catalog.filter(({ effect, host }) => effect === 'read' && host === 'base').slice(2);
  const seen = examined({
    sample: [
      observation(me.logout, 'served'),
      ...gone.map((operation) => observation(operation, 'unrouted')),
    ],
  });
  const lines = linesOf(seen, []);
  expect(lines.length).toBeLessThanOrEqual(40);
  const pasted = lines.filter((line) => line.startsWith('"omit": ['));
  const { omit } = doctorJson(seen, []);
  expect(omit).toEqual(omissionsOf(seen));
  expect(taken(pasted).length).toBeGreaterThan(25);
  expect(omit.length).toBeGreaterThan(taken(pasted).length);
});
