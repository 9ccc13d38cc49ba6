// The whole proof, once, as a user runs it.

import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root } from '../../engine/files.ts';
import { proveWords, startWords } from '../../fixtures/kit/programs.ts';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';
import type { Proof } from './matrix.ts';

test('every mutant is found out, nobody else is accused, and every rule and step is proved', async () => {
  const out = scratchFolder();
  // What it says is read from its files, whatever its exit code is.
  await promisify(execFile)(process.execPath, [...proveWords, 'prove', '--seed', '1', '--out', out], {
    cwd: root,
    // A proof takes a third longer while what it runs is counted for coverage, and covers nothing new.
    env: { ...process.env, NODE_V8_COVERAGE: undefined },
    timeout: 700_000,
    maxBuffer: 2 ** 26,
  }).catch(() => undefined);
  const { rows, ...counts } = JSON.parse(readFileSync(join(out, 'proof.json'), 'utf8')) as Proof;
  const troubled = rows.filter(({ outcome, collateral }) => outcome === 'survived' || collateral.length > 0);
  expect(troubled.map(({ mutant, missed, collateral }) => ({ mutant, missed, collateral }))).toEqual([]);
  expect(counts).toMatchObject({
    schema: 'assay.proof/1',
    killed: counts.mutants,
    collateral: 0,
    unproven: [],
  });
  expect(counts.mutants).toBeGreaterThanOrEqual(120);
  expect(readFileSync(join(out, 'proof.md'), 'utf8')).toContain('| media (empty) on ');
  const { mutants, killed, rules } = counts;
  const readme = readFileSync(join(root, 'README.md'), 'utf8').split('\n');
  expect(readme.find((line) => line.includes(' servers with one thing wrong '))).toContain(
    `| ${mutants} servers with one thing wrong (seed 1) | ${killed} found, and no check failed beside those meant; each of ${rules} rules and steps fails for one of them |`,
  );
}, 720_000);

test.each([
  ['prove', '--only', 'nobody lies like this', '. A word is a part of a name, such as stays'],
  ['prove', '--only', 'who leaves stayz', 'did you mean "who leaves stays"? A word is'],
  ['prove', '--blind-only --only', 'alder/no-such-bug', 'docs/proof.md lists them'],
  ['serve', '--mutant', 'framing on party.get', '? Give a whole name'],
])(
  '%s %s with a name that no mutant has (%s) reports what is near, and exits 2',
  (command, option, name, hint) => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [...startWords, command, ...option.split(' '), name],
      {
        cwd: root,
        timeout: 60_000,
        encoding: 'utf8',
      },
    );
    expect(status).toBe(2);
    expect(stderr).toContain(name);
    expect(stderr).toContain(hint);
  },
  70_000,
);
