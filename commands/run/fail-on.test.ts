// `--baseline` on the command line: what changed is asked again, and fails the run where it stays changed.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../engine/files.ts';
import type { RunResult } from '../../engine/run/result.ts';
import { serve } from '../../fixtures/kit/loopback.ts';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';

const limitMs = 120_000;

/** What `npm start` makes of one operation of this host. */
function run(url: string, options: readonly string[]) {
  const out = scratchFolder();
  const args = ['--import', './runtime.js', 'cli.ts', 'run', '--only', 'features.archives', '--out', out];
  const env = {
    PATH: process.env.PATH,
    NO_COLOR: '1',
    SEED: '1',
    BASE_URL: url,
    CDN_URL: url,
    GAMELOGS_URL: url,
  };
  return new Promise<{ code: unknown; text: string; out: string; result: () => RunResult }>((resolve) => {
    execFile(
      process.execPath,
      [...args, '--min-judged', '0', ...options],
      { cwd: root, timeout: limitMs, env },
      (error, stdout, stderr) =>
        resolve({
          code: error === null ? 0 : error.code,
          text: stdout + stderr,
          out,
          result: () => JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')) as RunResult,
        }),
    );
  });
}

/** A host whose one feature is served, with a body that the test changes. */
async function feature() {
  const state = { body: () => '{"enabled":true}' };
  const url = await serve((request, response) => {
    request.resume();
    const isThere = request.url?.startsWith('/api/v1/feature/status/archives') ?? false;
    response.writeHead(isThere ? 200 : 404, { 'content-type': 'application/json' });
    response.end(isThere ? state.body() : '{"error":"no such path"}');
  });
  return { url, state };
}

const shape = 'features.archives#shape';

test(
  'what changed for good fails the run, and is named first; --fail-on worse lets it pass',
  async () => {
    const { url, state } = await feature();
    const before = await run(url, []);
    expect(before.result().ledger).toHaveProperty([shape]);
    const baseline = ['--baseline', join(before.out, 'result.json')];
    expect(await run(url, baseline)).toMatchObject({ code: 0 });
    state.body = () => '{"enabled":"yes"}';
    const after = await run(url, baseline);
    expect(after.code).toBe(1);
    expect(after.text).toMatch(
      /CHANGED {2}features\.archives#shape\n.*\/enabled was boolean in the baseline, now string/,
    );
    expect(after.result().checks.find(({ id }) => id === shape)?.since).toMatchObject({ gate: 'changed' });
    const excused = await run(url, [...baseline, '--fail-on', 'worse,unjudged']);
    expect(excused.code).toBe(0);
  },
  limitMs,
);

test(
  'what wanders by itself does not fail the run, and is named',
  async () => {
    const { url, state } = await feature();
    const before = await run(url, []);
    let answers = 0;
    let changed = Number.POSITIVE_INFINITY;
    state.body = () => (answers++ < changed ? '{"enabled":"yes"}' : '{"enabled":true}');
    expect((await run(url, [])).code).toBe(0);
    // As many answers as a run takes are changed: whoever asks again gets what was there before.
    [changed, answers] = [answers, 0];
    const after = await run(url, ['--baseline', join(before.out, 'result.json')]);
    expect(after.result().baseline?.unsteady).toContain(shape);
    expect(after.text).toContain(
      'differed from the baseline, and not each time asked: features.archives#shape',
    );
    expect(after.result().checks.filter(({ since }) => since)).toEqual([]);
    expect(after.code).toBe(0);
  },
  limitMs,
);

test('--fail-on is refused without a baseline, and for a word that it does not know', async () => {
  const alone = await run('http://127.0.0.1:9', ['--fail-on', 'changed']);
  expect(alone.code).toBe(2);
  expect(alone.text).toContain('--fail-on: says what fails a run that has a --baseline');
  const wrong = await run('http://127.0.0.1:9', ['--baseline', 'x', '--fail-on', 'changes']);
  expect(wrong.code).toBe(2);
  expect(wrong.text).toContain('"changes" is none of worse, changed, unjudged');
});

test(
  'a pin that names no check is reported before the first check',
  async () => {
    const { url } = await feature();
    const profile = join(scratchFolder(), 'profile.json');
    writeFileSync(profile, JSON.stringify({ expects: { 'features.archives#shap': 'other' } }));
    const { text } = await run(url, ['--profile', profile]);
    expect(text).toMatch(
      /^expects: "features\.archives#shap" matches no check .+\n[\s\S]*The profile does not fit/m,
    );
  },
  limitMs,
);
