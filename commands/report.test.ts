import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zstdCompressSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ConfigurationError } from '../engine/values/configuration-error.ts';
import { everything, sampleResult, sampleRun } from '../fixtures/kit/sample-run.ts';
import { fileOf, scratchFolder } from '../fixtures/kit/scratch.ts';
import { filesOf, reportFiles, resultFile } from '../reports/files.ts';
import { writeResult } from '../reports/write.ts';
import { reportCommand } from './report.ts';

const names = (files: readonly { readonly name: string }[]) => files.map(({ name }) => name).sort();

/** A result with two failures as the first version wrote it, without the members that came later. */
function olderResult(): string {
  const causes = ['general.config#answers', 'party.create#answers'];
  const { leftBehind, waivers, ledger, options, ...kept } = sampleRun(
    causes.map((id) => sampleResult({ id, outcome: 'fail', cause: id })),
  );
  const { rerun, ...asked } = options;
  return fileOf('older.json', JSON.stringify({ ...kept, options: asked }));
}

function listen(): () => string {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  return () => write.mock.calls.map(([text]) => String(text)).join('');
}

/** What is wrong with a file of this text, its name left out. */
function complaint(text: string): string {
  const path = join(scratchFolder(), 'r.json');
  writeFileSync(path, text);
  try {
    reportCommand(path, {});
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    return (error as ConfigurationError).lines[0]?.replace(`report: "${path}" `, '') ?? '';
  }
  return 'none';
}

test('what a run writes beside its result is written again, beside it', () => {
  const printed = listen();
  const out = scratchFolder();
  writeResult(everything, join(out, resultFile));
  reportCommand(join(out, resultFile), { format: ['har'] });
  expect(readdirSync(out).sort()).toEqual(names(filesOf(['har'])));
  expect(printed()).toMatch(/^Does not conform\.\n\n/);
  expect(printed()).toContain(join(out, 'failures.har'));
  const columns = printed()
    .split('\n')
    .filter((line) => line.startsWith(out))
    .map((line) => / {2}\S/.exec(line.slice(out.length))?.index);
  const longest = Math.max(...names(filesOf(['har'])).map(({ length }) => length));
  expect(new Set(columns)).toHaveLength(1);
  expect(columns[0]).toBe(longest + 1);
});

test('a result of an older version is rendered, into a folder that need not be there', () => {
  listen();
  const out = join(scratchFolder(), 'deep', 'er');
  reportCommand(olderResult(), { out });
  expect(readdirSync(out).sort()).toEqual(names(reportFiles).filter((name) => name !== resultFile));
  expect(readFileSync(join(out, 'report.md'), 'utf8')).toContain('## 2 failures, 2 causes');
});

test('a compressed result is rendered as it is', () => {
  listen();
  const out = scratchFolder();
  writeFileSync(join(out, 'kept.json.zst'), zstdCompressSync(readFileSync(olderResult())));
  reportCommand(join(out, 'kept.json.zst'), {});
  expect(readdirSync(out)).toContain('report.md');
});

test('of a load and of a search for capacity it makes the page', () => {
  const printed = listen();
  const out = scratchFolder();
  writeFileSync(join(out, 'any.json'), '{"schema":"assay.load/1","verdict":"PASS","journey":"queue"}');
  reportCommand(join(out, 'any.json'), {});
  expect(printed()).toBe(`${join(out, 'load.html')}\n`);
  expect(readFileSync(join(out, 'load.html'), 'utf8')).toContain('PASS: queue');
  writeFileSync(join(out, 'other.json'), '{"schema":"assay.capacity/1"}');
  reportCommand(join(out, 'other.json'), { out: join(out, 'deep') });
  expect(readdirSync(join(out, 'deep'))).toEqual(['capacity.html']);
});

test.each([
  [
    'a stray member',
    { weather: 'fine' },
    'the whole file has a member "weather" that no result of this version has',
  ],
  ['a missing one', { seed: undefined }, 'the whole file has no "seed"'],
  ['a later schema', { schema: 'assay.result/2' }, 'schema is "assay.result/2", expected "assay.result/1"'],
  [
    'an exchange that is none',
    { checks: [{ ...everything.checks[0], exchange: 'x' }] },
    'checks[0].exchange is "x": it must be object',
  ],
])('%s is refused', (_, over, problem) => {
  expect(complaint(JSON.stringify({ ...everything, ...over }))).toBe(
    `is no result of this version of Assay: ${problem}`,
  );
});

test.each([
  ['nesting without end', '['.repeat(3_000_000)],
  ['names that reach into prototypes', '{"__proto__":{"schema":"assay.result/1"},"constructor":1}'],
  ['another document', '{"runs":[]}'],
])('%s is refused', (_, text) => {
  expect(complaint(text)).toMatch(/^is (not JSON;|no result:) /);
});

test('a folder that cannot be written is a mistake of one line', () => {
  const out = scratchFolder();
  writeFileSync(join(out, 'file'), '');
  expect(() => reportCommand(olderResult(), { out: join(out, 'file', 'x') })).toThrow(
    /^--out: ".*" cannot be written \(ENOTDIR\); expected a folder$/,
  );
});

test('on the command line a mistake is one line and exit 2', () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', './runtime.js', 'cli.ts', 'report', 'nowhere.json'],
    { cwd: fileURLToPath(new URL('..', import.meta.url)), encoding: 'utf8', timeout: 30_000 },
  );
  expect(stderr).toBe(
    'assay: report: "nowhere.json" does not exist; a run writes result.json into its --out folder\n',
  );
  expect(status).toBe(2);
});
