import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { harFile, scratchFolder } from '../../fixtures/kit/scratch.ts';
import { learnCommand } from './command.ts';

const output = () => join(scratchFolder(), 'profile.json');
const config = { url: 'http://127.0.0.1:1/x/api/v1/config', answers: {} };

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
  ['a profile with a capture', { har: ['a.har'], profile: 'p.json' }, /--profile belongs to a run/],
  ['--read-only with a capture', { har: ['a.har'], readOnly: true }, /--read-only belongs to a run/],
  ['a rate with a capture', { har: ['a.har'], rate: 5 }, /--rate belongs to a run/],
])('%s is a mistake in the settings', async (_, options, mistake) => {
  await expect(learnCommand({ ...options, output: output() })).rejects.toThrow(mistake);
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
