import { expect, test } from 'vitest';
import { areas, catalog, operationById } from '../../catalog/catalog.ts';
import { scriptOf } from './call-script.ts';
import { type TargetFacts, unknownTarget } from './target-facts.ts';

const script = (ids: readonly string[], facts: TargetFacts = unknownTarget) =>
  scriptOf(
    ids.flatMap((id) => operationById(id) ?? []),
    facts,
  );
const names = (ids: readonly string[], facts?: TargetFacts) =>
  script(ids, facts).drafts.map(({ name }) => name);

test('an operation that needs nobody is alone', () => {
  expect(names(['clientData.catalog'])).toEqual(['clientData.catalog']);
});

test('an operation of the main API is signed in for', () => {
  expect(names(['general.version'])).toEqual(['auth.login', 'general.version']);
});

test('what names another player has that one signed in too', () => {
  expect(names(['general.richPresence'])).toEqual([
    'auth.login',
    'auth.login (the other player)',
    'players.addFriend',
    'general.richPresence',
  ]);
});

test('what needs a state comes after the calls that lead there, each once', () => {
  expect(names(['party.cancelJoin', 'party.acceptJoin'])).toEqual([
    'auth.login',
    'auth.login (the other player)',
    'party.create',
    'party.join (to be cancelled)',
    'party.cancelJoin',
    'party.join (to be accepted)',
    'party.acceptJoin',
  ]);
});

test('an identifier that is known is not asked for, one of a party of one’s own is', () => {
  const parameters = { storyId: 'S1', partyId: 'of others' };
  const facts = { ...unknownTarget, parameters };
  expect(names(['archives.story'])).toContain('archives.storyStatus');
  expect(names(['archives.story'], facts)).not.toContain('archives.storyStatus');
  expect(names(['party.update'], facts)).toContain('party.create');
});

test('an identifier that a profile finds in many answers is taken from the first', () => {
  const ids = { partyId: '/id' };
  const operations = { 'party.create': { ids }, 'party.details': { ids } };
  const { drafts } = script(['party.details', 'party.update'], { ...unknownTarget, operations });
  const identifierSources = drafts.filter(({ captures }) =>
    captures.some(({ variable }) => variable === 'partyId'),
  );
  expect(identifierSources.map(({ name }) => name)).toEqual(['party.create']);
});

test('nothing is taken out of an answer that nobody uses', () => {
  const { drafts } = script(['match.create']);
  expect(drafts.flatMap(({ captures }) => captures.map(({ variable }) => variable))).toEqual(['session']);
});

test('what a target does not mean to serve is left out', () => {
  const facts = { ...unknownTarget, omitted: ['general.redeem'] };
  const ids = catalog.map(({ id }) => id);
  const called = new Set(names(ids, facts));
  expect(ids.filter((id) => !called.has(id))).toEqual(['general.redeem']);
});

test('chapters keep the order of `callOrder`, and empty ones are left out', () => {
  const { chapters } = script([areas.me.logout.id, areas.match.get.id]);
  expect(chapters.map(({ title }) => title)).toEqual(['Sign in', 'Match', 'Sign out']);
});
