import { expect, test } from 'vitest';
import { catalog } from '../../catalog/catalog.ts';
import { type Profile, silentProfile } from '../../engine/target/profile.ts';
import type { Target } from '../../engine/target/target.ts';
import { examined } from '../../fixtures/kit/examined.ts';
import { lackingIn } from './examination.ts';
import { findingsOf } from './findings.ts';

const everyBut = (...ids: readonly string[]) =>
  new Map(catalog.flatMap(({ id }) => (ids.includes(id) ? [] : [[id, 'not built'] as const])));

test('what only operations need that the profile leaves out is not asked for', () => {
  const profile = { ...silentProfile, omitted: everyBut('me.location') };
  const target = { ...examined({}).target, profile };
  expect(findingsOf(examined({}, { target })).map(({ code }) => code)).toEqual(['no-profile']);
  expect(findingsOf(examined({})).map(({ code }) => code)).toContain('host-not-given');
});

test('a version pattern that nobody names is reported with what it costs, and only where it is needed', () => {
  const found = (given: Target['given']) =>
    findingsOf(examined({}, { target: { ...examined({}).target, given } })).find(
      ({ code }) => code === 'version-pattern-unnamed',
    );
  expect(found([])?.what).toBe(
    'no version pattern is named: a guess goes to 1 operation (utils.contentVersionOf), and its refusal is held against nobody',
  );
  expect(found(['versionPattern'])).toBeUndefined();
});

const lacking = (profile: Partial<Profile>, ids: readonly string[]) => {
  const stated = { ...silentProfile, ...profile };
  const target = { ...examined({}).target, profile: stated, profileFile: 'my target.json' };
  const sample = ids.map((id) => ({ id, host: 'base' as const, seen: 'served' as const, status: 200 }));
  const look = examined({ sample }, { target, lacking: lackingIn(stated) });
  return findingsOf(look).find(({ code }) => code === 'profile-lacks');
};
const inRun = { '/operations/me.location/accepts': 'answers in a run' };
const learnt = { operations: { 'me.location': { accepts: [200], schema: {} } }, sources: inRun };

test('learning is recommended with a command that replaces the profile itself, for what is served', () => {
  const found = lacking({}, ['me.location']);
  expect(found?.what).toContain('no accepted statuses of 1 (me.location)');
  expect(found?.remedy).toMatch(
    /^npm run learn -- --profile 'my target.json' --output 'my target.json' --force /,
  );
  const captured = { '/operations/me.location/accepts': '3 answers in client.har' };
  expect(lacking({ ...learnt, sources: captured }, ['me.location', 'party.create'])?.remedy).toContain(
    'learn',
  );
});

test('what a run has learnt already is not to be learnt again', () => {
  expect(lacking(learnt, ['me.location'])).toBeUndefined();
  expect(lacking(learnt, ['me.location', 'players.fullProfile'])).toBeUndefined();
  expect(lacking(learnt, ['me.location', 'party.create'])?.remedy).toContain('npm run learn');
  const unsuccessful = { ...learnt, operations: { ...learnt.operations, 'party.create': {} } };
  expect(lacking(unsuccessful, ['party.create'])?.remedy).toContain('by hand');
});
