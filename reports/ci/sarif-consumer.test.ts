// The reader is not ours: sarif-tools from PyPI, with the Python named by ASSAY_PYTHON or python3.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { expect, test } from 'vitest';
import { root } from '../../engine/files.ts';
import type { RunResult } from '../../engine/run/result.ts';
import { sampleResult, sampleResults, sampleRun } from '../../fixtures/kit/sample-run.ts';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';
import { catalogPlaces } from '../summary/causes.ts';
import { portableJson } from '../write.ts';
import { sarif } from './sarif.ts';

const program = `
import json, sys
from sarif import loader
log = loader.load_sarif_file(sys.argv[1])
print(json.dumps({'tool': log.get_distinct_tool_names(), 'records': log.get_records()}))
`;

interface Read {
  readonly tool: readonly string[];
  readonly records: readonly Readonly<
    Record<'Severity' | 'Code' | 'Location' | 'Line' | 'Description', unknown>
  >[];
}

const python = (...args: readonly string[]) =>
  spawnSync(env.ASSAY_PYTHON ?? 'python3', ['-c', ...args], {
    encoding: 'utf8',
    timeout: 20_000,
    maxBuffer: 64 * 1024 * 1024,
  });

function readBack(run: RunResult): Read {
  const folder = scratchFolder();
  const path = join(folder, 'results.sarif');
  writeFileSync(path, portableJson(sarif(run, catalogPlaces())));
  const { status, stdout, stderr, error } = python(program, path);
  if (status !== 0) throw new Error(`sarif-tools did not read it: ${stderr || error?.message}`);
  return JSON.parse(stdout);
}

const there = python('import sarif').status === 0;
const skipped = !there && !env.CI;
if (skipped) {
  console.warn(
    'SKIPPED: results.sarif is not read back; pip install sarif-tools, and name that python in ASSAY_PYTHON',
  );
}

test.skipIf(skipped)('each failure is read with its clause, its place in the catalog and its message', () => {
  const { tool, records } = readBack(
    sampleRun([
      sampleResult({ outcome: 'fail' }),
      sampleResult({ id: 'me.logout#x', outcome: 'warn', clause: 'sense.answers' }),
    ]),
  );
  expect(tool).toEqual(['Assay']);
  expect(records.map(({ Severity, Code }) => [Severity, Code])).toEqual([
    ['error', 'endpoints.party'],
    ['warning', 'sense.answers'],
  ]);
  expect(records[0]?.Location).toContain('catalog/interface.md');
  const table = readFileSync(join(root, 'catalog/interface.md'), 'utf8').split('\n');
  expect(table[Number(records[0]?.Line) - 1]).toBe('| POST | /api/v1/party |');
  expect(records[0]?.Description).toContain('404, as /api/v1/qwhzk answers');
});

test.skipIf(skipped)(
  'as many failures as there are, with whatever bytes a target sends, are as many records',
  () => {
    const every = String.fromCharCode(...Array.from({ length: 0x300 }, (_, code) => code));
    const actual = `${every}\uD800\uDFFF\uDC00\uFFFE🦊`;
    const failures = sampleResults(300, (index) => ({
      id: `a.b#c${index}`,
      outcome: 'fail',
      actual,
      title: actual,
    }));
    expect(readBack(sampleRun(failures)).records).toHaveLength(300);
  },
);
