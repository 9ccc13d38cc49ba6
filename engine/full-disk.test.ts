// What every command does that writes to a place of the user's choice, and finds no room there. A limit to the size of files
// stands in for a full disk: it cuts a write off in its middle too, and holds for whoever runs the tests.
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { badRun } from '../fixtures/kit/sample-run.ts';
import { fileOf, scratchFolder } from '../fixtures/kit/scratch.ts';
import { root } from './files.ts';

const limitMs = 60_000;
const capture = 'fixtures/captures/chromium.har';

/**
 * A command of the CLI that can write no file beyond so many blocks of 512 bytes or of a KiB, as the shell counts them.
 * @param to where its standard output goes, if not to the test
 */
function cramped(folder: string, command: readonly string[], { blocks = 1, to = '' } = {}) {
  const redirection = to === '' ? '' : ' >"$OUT"';
  const script = `trap '' XFSZ; ulimit -f ${blocks}; exec "$0" --import ./runtime.js cli.ts "$@"${redirection}`;
  // What Node writes of its own, compiled code and counts of coverage, would not fit either.
  const env = {
    PATH: process.env.PATH,
    TMPDIR: folder,
    NODE_DISABLE_COMPILE_CACHE: '1',
    NODE_V8_COVERAGE: '',
    OUT: to,
  };
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const args = ['-c', script, process.execPath, ...command];
    execFile('sh', args, { cwd: root, timeout: limitMs, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}

const storedIn = (folder: string) => fileOf('stored.json', JSON.stringify(badRun()), folder);

test.each([
  ['trend', ['trend', 'RESULT', '--out', 'OUT'], '--out: '],
  ['report', ['report', 'RESULT', '--format', 'har', '--out', 'OUT'], '--out: '],
  ['learn', ['learn', '--har', capture, '--output', 'OUT/profile.json'], '--output: '],
  ['load --export', ['load', 'cdn', '--export', 'k8s', '--out', 'OUT'], '--out: '],
])(
  '%s: exit 2, one line, and no file',
  async (name, command, option) => {
    const folder = scratchFolder();
    const out = join(folder, name);
    mkdirSync(out);
    const result = storedIn(folder);
    const { code, stderr } = await cramped(
      folder,
      command.map((word) => word.replace('OUT', out).replace('RESULT', result)),
    );
    expect(stderr).toMatch(/^assay: [^\n]* was not written, no space is left \(EFBIG\)[^\n]*\n$/);
    expect(stderr).toContain(`assay: ${option}"${out}`);
    expect([code, readdirSync(out)]).toEqual([2, []]);
  },
  limitMs,
);

test(
  'a run: exit 2, one line, and of its results whole lines alone',
  async () => {
    const out = scratchFolder();
    const { code, stderr } = await cramped(out, ['run', '--only', 'general.config', '--out', out], {
      blocks: 8,
    });
    expect(stderr).toMatch(/^assay: --out: [^\n]* was not written, no space is left \(EFBIG\)[^\n]*\n$/);
    expect([code, readdirSync(out)]).toEqual([2, ['results.jsonl']]);
    const lines = readFileSync(join(out, 'results.jsonl'), 'utf8').split('\n');
    expect(lines.pop()).toBe('');
    expect(() => lines.map((line) => JSON.parse(line))).not.toThrow();
  },
  limitMs,
);

test(
  'what was there before stays: a profile, a trend, an export, and the runs that were to be pruned',
  async () => {
    const folder = scratchFolder();
    const there = {
      'profile.json': '{}',
      'trend.html': 'old',
      'run.json': '{"schema":"assay.distributed/1"}',
      'configmap.yaml': 'old',
    };
    for (const [name, text] of Object.entries(there)) writeFileSync(join(folder, name), text);
    const stored = storedIn(folder);
    const below = join(folder, 'run.json', 'below');
    const codes = [
      await cramped(folder, ['learn', '--har', capture, '--force', '--output', join(folder, 'profile.json')]),
      await cramped(folder, ['trend', stored, '--out', folder]),
      await cramped(folder, ['trend', stored, '--prune-older-than', '1d', '--out', below]),
      await cramped(folder, ['load', 'cdn', '--export', 'k8s', '--out', folder]),
    ].map(({ code }) => code);
    expect(codes).toEqual([2, 2, 2, 2]);
    expect(readdirSync(folder).sort()).toEqual([...Object.keys(there), 'stored.json'].sort());
    for (const [name, text] of Object.entries(there))
      expect(readFileSync(join(folder, name), 'utf8')).toBe(text);
  },
  limitMs,
);

test(
  'standard output that goes to a file: exit 2 and one line, also where part of it fits',
  async () => {
    const folder = scratchFolder();
    const to = join(folder, 'catalog.json');
    const { code, stderr } = await cramped(folder, ['catalog'], { to });
    expect(stderr).toBe(
      'assay: standard output cannot be written (EFBIG); make room, or send it elsewhere\n',
    );
    expect(code).toBe(2);
  },
  limitMs,
);
