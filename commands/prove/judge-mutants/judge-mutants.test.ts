// With any matcher that says yes to everything, the proof goes red.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root } from '../../../engine/files.ts';
import type { MutantResults } from './judge-mutants.child.ts';
import { mutants } from './judge-mutants.ts';

const isRed = ({ rows }: Pick<MutantResults, 'rows'>) =>
  rows.every(({ outcome, collateral }) => outcome === 'survived' || collateral.length > 0);

test('each mutant of the judge loses its mutants of the server or accuses others, and the judge as it is does not', async () => {
  const child = join(import.meta.dirname, 'judge-mutants.child.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [child], {
    cwd: root,
    env: { ...process.env, NODE_V8_COVERAGE: undefined },
    timeout: 240_000,
    maxBuffer: 2 ** 26,
  });
  const [unchanged, ...mutated] = JSON.parse(stdout) as MutantResults[];
  expect(unchanged?.rows.filter((row) => isRed({ rows: [row] }))).toEqual([]);
  expect(mutated).toHaveLength(mutants.length);
  expect(mutated.filter((each) => !isRed(each)).map(({ name }) => name)).toEqual([]);
}, 250_000);
