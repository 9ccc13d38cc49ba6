import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../engine/files.ts';
import type { RunResult } from '../engine/run/result.ts';
import { listen } from '../fixtures/kit/loopback.ts';

interface Ended {
  readonly code: number;
  readonly text: string;
}

function assay(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--import', './runtime.js', 'cli.ts', ...args],
      { cwd: root, env: { PATH: process.env.PATH, ...env }, timeout: 120_000 },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), text: stdout + stderr }),
    );
  });
}

/** One served call, which answers with this, and breaks on a body that is not JSON where asked to. */
const serverOf =
  (answer: object, status = 200): RequestListener =>
  (request, response) => {
    request.resume();
    const isServed = request.url === '/api/v1/config';
    response.writeHead(isServed && request.method === 'GET' ? status : isServed ? 405 : 404, {
      'content-type': 'application/json',
      ...(isServed && { allow: 'GET' }),
    });
    response.end(JSON.stringify(isServed ? answer : { error: 'no such path' }));
  };

const folder = mkdtempSync(join(tmpdir(), 'assay nights '));
const at = (name: string) => join(folder, name);
const resultOf = (name: string): RunResult => JSON.parse(readFileSync(join(at(name), 'result.json'), 'utf8'));

/** A night's run against a server that answers so. */
async function night(name: string, server: RequestListener, ...args: readonly string[]): Promise<Ended> {
  const { url: BASE_URL, close } = await listen(createServer(server));
  try {
    return await assay(['run', '--only', 'general.config', '--min-judged', '0', '--out', at(name), ...args], {
      BASE_URL,
    });
  } finally {
    await close();
  }
}

const good = serverOf({ config: { version: 1 } });
const broken = serverOf({ error: 'down' }, 500);
const result = (name: string) => join(at(name), 'result.json');

beforeAll(async () => {
  await night('good', good);
  await night('reshaped', serverOf({ config: { version: '1' }, more: [] }));
  await night('broken', broken);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('diff', () => {
  test('reports a changed shape, and is red, as a run with that baseline; green where --fail-on leaves it out', async () => {
    const { code, text } = await assay(['diff', result('good'), result('reshaped')]);
    expect(text).toMatch(/^Not the same: /);
    expect(text).toContain('/config/version: number → string');
    expect(text).toContain('/more: absent → list');
    expect(code).toBe(1);
    const args = [result('good'), result('reshaped'), '--fail-on', 'worse,unjudged'];
    expect(await assay(['diff', ...args])).toMatchObject({
      code: 0,
      text: expect.stringMatching(/^Not worse: /),
    });
  });

  test('shows what broke, and exits with 1', async () => {
    const { code, text } = await assay(['diff', result('good'), result('broken')]);
    expect(text).toMatch(/^Worse: 1 regression /);
    expect(text).toMatch(/rerun {5}BASE_URL=\S+ npm start -- --out '[^']+' --only 'general\.config#answers'/);
    expect(code).toBe(1);
  });

  test('a file that cannot be read is a mistake of one line', async () => {
    const { code, text } = await assay(['diff', result('good'), at('none.json')]);
    expect(text).toMatch(/^assay: diff: ".*none\.json" does not exist; .*\n$/);
    expect(code).toBe(2);
  });
});

describe('--baseline', () => {
  test('with the same failures as before is green, and says so', async () => {
    const { code, text } = await night('again', broken, '--baseline', result('broken'));
    expect(text).toMatch(/^Nothing got worse than the run of .* UTC: \d+ known failures?\.$/m);
    expect(code).toBe(0);
    expect(resultOf('again').checks.filter(({ outcome }) => outcome === 'fail')).toMatchObject([
      { known: true },
    ]);
  });
});

describe('--rerun', () => {
  test('asks only what failed, warned or was inconclusive', async () => {
    await night('rerun', good, '--rerun', result('broken'));
    const asked = resultOf('broken').checks.filter(({ outcome }) =>
      ['fail', 'warn', 'inconclusive'].includes(outcome),
    );
    expect(resultOf('rerun').checks.map(({ id }) => id)).toEqual(asked.map(({ id }) => id));
    expect(resultOf('rerun').options.rerun).toBe(true);
  });

  test('asks what --only selects of it', async () => {
    const { text } = await assay(['run', '--list', '--rerun', result('broken'), '--only', '#answers']);
    expect(text).toBe('general.config#answers\n');
  });
});

describe('a waiver in the profile', () => {
  const profile = (check: string, expires: string): string => {
    const waiver = { check, reason: 'being mended', link: 'https://tracker.example/1', expires };
    const path = at('profile.json');
    writeFileSync(path, JSON.stringify({ waivers: [waiver] }));
    return path;
  };

  test('takes the failure from the exit code, not from the result', async () => {
    const { code, text } = await night(
      'waived',
      broken,
      '--profile',
      profile('general.config#*', '2999-12-31'),
    );
    expect(text).toContain('Conforms, but for 1 waived failure.');
    expect(text).toContain('1 failure waived: general.config#* until 2999-12-31');
    expect(code).toBe(0);
    expect(resultOf('waived').checks.filter(({ outcome }) => outcome === 'fail')).toMatchObject([
      { waived: { reason: 'being mended' } },
    ]);
  });

  test('fails the run when it is no longer right', async () => {
    const { code, text } = await night(
      'stale',
      good,
      '--profile',
      profile('general.config#answers', '2999-12-31'),
    );
    expect(text).toContain(
      'waiver "general.config#answers" is no longer needed, its check does not fail any more; delete it',
    );
    expect(text).toContain('1 waiver in the profile is out of date.');
    expect(code).toBe(1);
  });
});
