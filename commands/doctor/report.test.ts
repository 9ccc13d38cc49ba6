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
    {},
  );
  expect(taken(lines.slice(2))).toEqual([me.logout, ...inParty].map(({ id }) => id).toSorted());
});

const omissions = (operations: readonly Operation[]) =>
  operations.map(({ id }) => ({ operation: id, reason: 'not served' }));

test('where there is no room for a line each, a command is named that writes them', () => {
  const room = inParty.length + 4;
  const command = 'npm run learn -- --omit-missing';
  const lines = omitLines(omissions(inParty), room, {}, 7);
  expect(lines).toHaveLength(room);
  expect(lines[1]).toBe(
    `for the profile, where these are not meant to be served (${command} writes such a block) (7 more operations were not looked at; a run asks them):`,
  );
  const short = omitLines(omissions(inParty), room - 1, { profileFile: 'my p.json' });
  expect(short).toEqual([
    '',
    `not served: ${inParty
      .slice(0, 5)
      .map(({ id }) => id)
      .join(', ')} and ${inParty.length - 5} more`,
    `  where they are not meant to be: ${command} --profile 'my p.json' --output 'my p.json' --force leaves them out; "omit" of npm run -s doctor -- --json is the block to paste`,
  ]);
  expect(omitLines(omissions(inParty), 3, {})).toHaveLength(3);
  expect(omitLines(omissions(inParty), 2, {})).toEqual([]);
  expect(omitLines([], 40, {})).toEqual([]);
});

test('doctor prints forty short lines, and --json all that is not served', () => {
  const gone = catalog.filter(({ effect, host }) => effect === 'read' && host === 'base').slice(2);
  const seen = examined({
    sample: [
      observation(me.logout, 'served'),
      ...gone.map((operation) => observation(operation, 'unrouted')),
    ],
  });
  const lines = linesOf(seen, []);
  expect(lines.length).toBeLessThanOrEqual(40);
  for (const line of lines) expect(line.length).toBeLessThan(300);
  const { omit } = doctorJson(seen, []);
  expect(omit).toEqual(omissionsOf(seen));
  expect(omit.length).toBeGreaterThan(25);
});
