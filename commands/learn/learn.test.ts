import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Json } from '../../engine/target/profile-validation.ts';
import { serve } from '../../fixtures/kit/loopback.ts';
import { harFile, scratchFolder } from '../../fixtures/kit/scratch.ts';
import { learnFromCaptures } from './har/read-har.ts';
import { learnCommand, nothingLearnt, save, summaryLines } from './learn.ts';
import type { Learnt } from './learner.ts';
import { profileText } from './profile-text.ts';

const output = () => join(scratchFolder(), 'profile.json');
const config = { url: 'http://127.0.0.1:1/x/api/v1/config', answers: {} };

test('the skeleton that init writes is replaced without --force: it states nothing', () => {
  const file = output();
  writeFileSync(file, '{"$schema": "./profile.schema.json", "words": {}, "operations": {}}');
  expect(save('{"words":{"game":"x"}}', file, false)).toBe('written');
  writeFileSync(file, '[]');
  expect(() => save('{}', file, false)).toThrow(/is there already/);
});

test('writes the profile that captures teach, and how to use it from a path with a space', async () => {
  const file = output();
  const print = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => print.mockRestore());
  await learnCommand({ har: [harFile([config])], output: file });
  expect(print.mock.calls.flat().join('')).toContain(`npm start -- --profile '${file}'\n`);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    operations: { 'general.config': { accepts: [200] } },
  });
});

test.each([
  ['hosts without a capture', { base: 'http://127.0.0.1:1' }, /--base, --cdn and --gamelogs belong to --har/],
  ['a host that is no URL', { har: ['a.har'], cdn: 'ftp://a' }, /^--cdn: .* neither http nor https/],
  ['--omit-missing with a capture', { har: ['a.har'], omitMissing: true }, /--omit-missing belongs to a run/],
  ['--read-only with a capture', { har: ['a.har'], readOnly: true }, /--read-only belongs to a run/],
  ['a rate with a capture', { har: ['a.har'], rate: 5 }, /--rate belongs to a run/],
])('%s is a mistake in the settings', async (_, options, mistake) => {
  await expect(learnCommand({ ...options, output: output() })).rejects.toThrow(mistake);
});

test('a file that is there is refused before a run plays', async () => {
  const file = output();
  writeFileSync(file, '{"words": {"game": "x"}}');
  const asked = vi.fn();
  const BASE_URL = await serve((_, response) => {
    asked();
    response.end();
  });
  vi.stubEnv('BASE_URL', BASE_URL);
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(learnCommand({ output: file })).rejects.toThrow(/is there already; --force replaces it/);
  expect(asked).not.toHaveBeenCalled();
});

test('what a capture teaches is added to a profile, which is checked first', async () => {
  const [before, file] = [output(), output()];
  const print = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => print.mockRestore());
  const har = [harFile([config])];
  writeFileSync(before, JSON.stringify({ operations: { 'party.create': { accepts: [201] } }, omit: 7 }));
  await expect(learnCommand({ har, profile: before, output: file })).rejects.toThrow(/omit/);
  writeFileSync(before, JSON.stringify({ operations: { 'party.create': { accepts: [201] } } }));
  await learnCommand({ har, profile: before, output: file });
  expect(JSON.parse(readFileSync(file, 'utf8')).operations).toMatchObject({
    'general.config': { accepts: [200] },
    'party.create': { accepts: [201] },
  });
});

test('a capture without calls of the interface is an error, and nothing is written', async () => {
  const file = output();
  const har = [harFile([{ url: 'http://127.0.0.1:1/index.html' }])];
  await expect(learnCommand({ har, output: file })).rejects.toThrow(/no call in it matches the interface/);
  expect(() => readFileSync(file)).toThrow(/ENOENT/);
});

test('a host that is named goes before the one with more calls', async () => {
  const file = output();
  const there = { url: 'http://127.0.0.1:2/api/v1/version', answers: {} };
  const har = [harFile([config, { ...config, url: config.url.replace('config', 'healthcheck') }, there])];
  await learnCommand({ har, base: 'http://127.0.0.1:2', output: file });
  expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).operations)).toEqual(['general.version']);
});

const newFile = () => join(scratchFolder(), 'profile.json');

test('writes a new file, and leaves one that says the same alone', () => {
  const file = newFile();
  expect(save('{}\n', file, false)).toBe('written');
  expect(save('{}\n', file, false)).toBe('unchanged');
});

test('replaces a file that says something else only when forced to', () => {
  const file = newFile();
  writeFileSync(file, 'mine');
  expect(() => save('{}\n', file, false)).toThrow(/is there already .*--force/);
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect(save('{}\n', file, true)).toBe('written');
  expect(readFileSync(file, 'utf8')).toBe('{}\n');
});

test('a target that answers, and serves nothing, is not said to be silent', () => {
  expect(nothingLearnt({})).toMatch(/^BASE_URL: no operation was seen to be served, so nothing was learnt; /);
});

test('a folder, or a path that leads nowhere, is reported in one line', () => {
  expect(() => save('{}', tmpdir(), false)).toThrow(
    /^--output: ".*" cannot be (read|written) \(EISDIR\)[^\n]*$/,
  );
  expect(() => save('{}', '/dev/null/x', false)).toThrow(
    /^--output: ".*" cannot be (read|written) \(ENOTDIR\)[^\n]*$/,
  );
});

/** The line of that name, of a capture of one call, with what a run would add. */
async function lineNamed(name: string, path: string, added: Partial<Learnt> = {}) {
  const har = harFile([{ url: `http://127.0.0.1:1${path}`, answers: {} }]);
  const learnt = { ...(await learnFromCaptures([har])).learnt, ...added };
  return summaryLines(learnt, profileText(learnt)).find((line) => line.startsWith(`${name}:`));
}

const version = '/api/v1/version';
const kept = (words: Json, wordsAt: Json = {}) => ({ kept: { words, wordsAt } });

test('what the profile leaves out is not counted, and reported', async () => {
  const found = await lineNamed('base', version, { omitted: new Map([['party.create', 'no parties']]) });
  expect(found).toMatch(/, 1 of 132 operations answered 2xx \(1 left out by the profile\)$/);
  expect(await lineNamed('base', version)).toMatch(/, 1 of 133 operations answered 2xx$/);
});

test('parameters that the profile gave as numbers are reported, and so is what is left out', async () => {
  const numbers = { kept: { parameters: { limit: 20 } } };
  expect(await lineNamed('parameters', version, numbers)).toBe('parameters: limit=20');
  const omissions = ['ranks.*', 'store.items'].map((operation) => ({ operation, reason: 'not served' }));
  expect(await lineNamed('left out as not served', version, { omissions })).toBe(
    'left out as not served: ranks.*, store.items',
  );
});

test('what --omit-missing could not decide is listed with why, as entries to paste', async () => {
  const har = harFile([{ url: `http://127.0.0.1:1${version}`, answers: {} }]);
  const undecided = [
    { operation: 'party.get', reason: 'unknown-resource' },
    { operation: 'game.*', reason: 'word-unknown' },
  ];
  const learnt = { ...(await learnFromCaptures([har])).learnt, undecided };
  expect(summaryLines(learnt, profileText(learnt)).slice(-6)).toEqual([
    'not decided, and not left out:',
    '  unknown-resource: it names a resource, and no existing one is known',
    '  word-unknown: no call with this neutral word is served while others are',
    'what of this your server does not mean to serve goes into "omit" of the profile:',
    '  { "operation": "party.get", "reason": "unknown-resource" },',
    '  { "operation": "game.*", "reason": "word-unknown" }',
  ]);
});

test('where no word was seen, they are those of the document', async () => {
  expect(await lineNamed('words', version)).toBe('words: those of the document');
  expect(await lineNamed('words', version, kept({ game: 'game' }))).toBe('words: those of the document');
});

test('words that the profile gave and no call shows are reported as kept', async () => {
  expect(
    await lineNamed(
      'words',
      version,
      kept({ storefront: 'vendor', game: 'acme' }, { 'logs.logsBatch': { game: 'Acme' } }),
    ),
  ).toBe(
    'words: game is acme (kept from the profile), storefront is vendor (kept from the profile); Acme at logs.logsBatch (kept from the profile)',
  );
});

test('a word that a call shows is learnt, whatever the profile gave', async () => {
  const seen = '/api/v1/acme-challenges';
  expect(await lineNamed('words', seen)).toBe('words: game is acme');
  expect(await lineNamed('words', seen, kept({ game: 'acme', storefront: 'vendor' }))).toBe(
    'words: game is acme, storefront is vendor (kept from the profile)',
  );
});

test('a run without a signed-in player says why; a capture only that no session was seen', async () => {
  expect(await lineNamed('session', version)).toBe(
    'session: not seen to travel; a capture that was exported without credentials does not show it',
  );
  const whyNoSession = 'sign-in: the login answers 401 to a test JWT; set LOGIN_TOKEN';
  expect(await lineNamed('session', version, { whyNoSession })).toBe(`session: none; ${whyNoSession}`);
  const stated = { transport: { kind: 'header', source: '/session/key', name: 'x-session' } };
  expect(await lineNamed('session', version, { whyNoSession, kept: { session: stated } })).toBe(
    'session: the token at /session/key of the login answer, sent back as x-session (kept from the profile)',
  );
});
