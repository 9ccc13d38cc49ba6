import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { catalog } from '../../catalog/catalog.ts';
import { fileOf } from '../../fixtures/kit/scratch.ts';
import { catalogCommand, formatNames, selectedOperations } from './catalog.ts';

const secret = 'hunter2-hunter2-hunter2';
const profile = {
  words: { storefront: 'steel' },
  headers: { 'x-api-key': { env: 'API_KEY' }, 'x-session-token': secret, 'x-client': '7' },
};
const cwd = () => dirname(fileOf('profile.json', JSON.stringify(profile)));

test.each(formatNames)('%s has the words of the profile, and no secret', async (format) => {
  const text = await catalogCommand({ format, profile: 'profile.json' }, cwd());
  expect(text).toContain('/api/v1/auth/provider/steel/login');
  expect(text).not.toContain(secret);
});

test.each(formatNames)('%s has the operations that were selected', async (format) => {
  const text = await catalogCommand({ format, only: ['general.version'] }, '.');
  expect(text).toContain('/api/v1/version');
  expect(text).not.toContain('/api/v1/config');
});

test('the profile of the environment is not that of an export', async () => {
  const folder = cwd();
  writeFileSync(`${folder}/.env`, 'PROFILE=profile.json\n');
  expect(await catalogCommand({ format: 'json' }, folder)).toContain('provider/storefront/login');
});

test('a profile that cannot be read is a mistake in the settings', async () => {
  await expect(catalogCommand({ format: 'json', profile: 'absent.json' }, cwd())).rejects.toThrow(
    /^--profile: "absent.json" does not exist/,
  );
});

const ids = async (...only: string[]) => (await selectedOperations(only)).map(({ id }) => id);

test('no word selects every operation', async () => {
  expect(await selectedOperations([])).toBe(catalog);
});

test.each([
  ['an id', ['party.create'], ['party.create']],
  ['an area', ['me'], ['me.location', 'me.logout', 'me.setRichPresence']],
  ['an area alone, where a flow has its name', ['match'], ['match.create', 'match.get', 'match.quit']],
  ['globs, in document order', ['queue.c*', 'match.*it'], ['match.quit', 'queue.cancel']],
  ['a step of a flow', ['party/create'], ['party.create']],
  ['a check', ['queue.enter#routed'], ['queue.enter']],
])('--only with %s selects the operations that it names', async (_, only, selected) => {
  expect(await ids(...only)).toEqual(selected);
});

test('a flow selects what it judges, a rule all that has it', async () => {
  expect(await ids('friends')).toEqual(expect.arrayContaining(['players.addFriend', 'players.block']));
  expect(await ids('#routed')).toHaveLength(catalog.length);
});

test('a word that names nothing is a mistake, reported with what is near', async () => {
  await expect(selectedOperations(['party.create', 'partie'])).rejects.toThrow(
    /^--only: "partie" matches nothing; did you mean "party/,
  );
});
