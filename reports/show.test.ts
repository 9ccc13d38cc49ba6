import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../engine/files.ts';
import type { RunResult } from '../engine/run/result.ts';
import { ConfigurationError } from '../engine/values/configuration-error.ts';
import { sampleResult, sampleRun } from '../fixtures/kit/sample-run.ts';
import { scratchFolder } from '../fixtures/kit/scratch.ts';
import { filesOf, formats, reportFiles } from './files.ts';
import { createShow, type OutputProcess } from './show.ts';

const failed = sampleRun([sampleResult({ outcome: 'fail' })]);

/** What is printed of a run, and the files it leaves. */
async function shown(run: RunResult, env: OutputProcess['env'], asked: readonly ('har' | 'ctrf')[] = []) {
  const out = scratchFolder();
  let text = '';
  const write = (part: unknown, done?: unknown) => {
    text += part;
    if (typeof done === 'function') done();
    return true;
  };
  const show = createShow(asked, undefined, { stdout: { isTTY: false, columns: 100, write }, env });
  show.preflight(['base: answers\n::error::forged']);
  show.begin(1);
  show.progress({ done: 1, failed: 1, requests: 1 });
  await show.end(run, out);
  return { lines: text.split('\n'), files: readdirSync(out).sort() };
}

test('a run leaves its usual files, and those that were asked for', async () => {
  const named = (files: typeof reportFiles) =>
    [...files.map(({ name }) => name), 'results.jsonl', 'run.json'].sort();
  expect((await shown(failed, {})).files).toEqual(named(reportFiles));
  expect((await shown(failed, {}, ['har'])).files).toEqual(named(filesOf(['har'])));
});

test.each([
  ['dumb', false],
  ['xterm', true],
])('a terminal of TERM=%s gets control codes: %s', async (TERM, isSteered) => {
  let text = '';
  const write = (part: unknown, done?: unknown) => {
    text += part;
    if (typeof done === 'function') done();
    return true;
  };
  const show = createShow([], undefined, { stdout: { isTTY: true, columns: 100, write }, env: { TERM } });
  show.begin(1);
  await show.end(failed, scratchFolder());
  expect(text.includes('\x1b')).toBe(isSteered);
});

test('the lines before the first check are broken at words where the terminal is narrow', () => {
  const parts: unknown[] = [];
  const write = (part: unknown) => parts.push(part) > 0;
  const show = createShow([], undefined, { stdout: { isTTY: true, columns: 20, write }, env: {} });
  show.preflight(['base: answers in 95 ms, unrouted paths get 404']);
  expect(parts.join('')).toBe('base: answers in 95\n  ms, unrouted paths\n  get 404\n');
});

test('where no space is left for the files, the verdict is reported all the same, and then why there are none', async () => {
  let text = '';
  const write = (part: unknown, done?: unknown) => {
    text += part;
    if (typeof done === 'function') done();
    return true;
  };
  const keep = () => {
    throw new ConfigurationError(['--keep: no space is left (ENOSPC)']);
  };
  const out = scratchFolder();
  const show = createShow([], keep, { stdout: { isTTY: false, columns: 100, write }, env: {} });
  await expect(show.end(failed, out)).rejects.toThrow('no space is left (ENOSPC)');
  expect(text).toContain('DOES NOT CONFORM');
  expect(text).not.toContain('report.html');
});

test('all that it may ever write is said beforehand, so that nothing of an earlier run is left', () => {
  expect(createShow().files).toEqual(expect.arrayContaining(Object.values(formats).map(({ name }) => name)));
});

test('outside of a workflow nothing is said to a runner', async () => {
  const { lines } = await shown(failed, {});
  expect(lines.filter((line) => line.startsWith('::'))).toEqual([]);
});

const table = readFileSync(join(root, 'catalog/interface.md'), 'utf8').split('\n');
const lineOfRow = table.indexOf('| POST | /api/v1/party |') + 1;

test('in a workflow commands are stopped until the target has had its say, then annotations follow', async () => {
  const { lines } = await shown(failed, { GITHUB_ACTIONS: 'true' });
  const [, token] = /^::stop-commands::([0-9a-f-]{36})$/.exec(lines[0] ?? '') ?? [];
  const again = lines.indexOf(`::${token}::`);
  expect(lines[1]).toBe('base: answers\\n::error::forged');
  expect(lines.slice(1, again).filter((line) => line.startsWith('::'))).toEqual([]);
  expect(lines.slice(again + 1)).toEqual([
    expect.stringContaining(`::error file=catalog/interface.md,line=${lineOfRow},title=the call is served::`),
    expect.stringMatching(/^::notice title=Assay::DOES NOT CONFORM/),
    '',
  ]);
});

test('no two runs share the token', async () => {
  const first = async () => (await shown(failed, { GITHUB_ACTIONS: 'true' })).lines[0];
  expect(await first()).not.toBe(await first());
});
