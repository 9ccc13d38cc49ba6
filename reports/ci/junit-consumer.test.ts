// The reader is not ours: junitparser from PyPI, with the Python named by ASSAY_PYTHON or python3.
import { spawnSync } from 'node:child_process';
import { env } from 'node:process';
import { expect, test } from 'vitest';
import { sampleResult, sampleResults, sampleRun } from '../../fixtures/kit/sample-run.ts';
import { junit } from './junit.ts';

const program = `
import json, sys
from junitparser import JUnitXml, Properties
def case(c):
    return {
        'classname': c.classname, 'name': c.name, 'systemOut': c.system_out,
        'results': [{'is': type(r).__name__, 'type': r.type, 'message': r.message, 'text': r.text} for r in c.result],
        'properties': {p.name: p.value for all in c.iterchildren(Properties) for p in all},
    }
xml = JUnitXml.fromstring(sys.stdin.buffer.read())
print(json.dumps({
    'totals': [xml.tests, xml.failures, xml.errors, xml.skipped],
    'suites': {s.name: [case(c) for c in s] for s in xml},
}))
`;

interface ReadResult {
  readonly is: string;
  readonly type: string | null;
  readonly message: string;
  readonly text: string | null;
}

interface ReadCase {
  readonly classname: string;
  readonly name: string;
  readonly systemOut: string | null;
  readonly results: readonly ReadResult[];
  readonly properties: Readonly<Record<string, string>>;
}

interface ReadRun {
  /** Tests, failures, errors, skipped. */
  readonly totals: readonly number[];
  readonly suites: Readonly<Record<string, readonly ReadCase[]>>;
}

function python(code: string, input = '') {
  const limits = { timeout: 20_000, maxBuffer: 64 * 1024 * 1024 };
  return spawnSync(env.ASSAY_PYTHON ?? 'python3', ['-c', code], { input, encoding: 'utf8', ...limits });
}

function readBack(xml: string): ReadRun {
  const { status, stdout, stderr, error } = python(program, xml);
  if (status !== 0) throw new Error(`junitparser did not read it: ${stderr || error?.message}`);
  return JSON.parse(stdout);
}

const there = python('import junitparser').status === 0;
const skipped = !there && !env.CI;
if (skipped) {
  console.warn(
    'SKIPPED: junit.xml is not read back; pip install junitparser, and name that python in ASSAY_PYTHON',
  );
}

test.skipIf(skipped)('every outcome is read as what it is', () => {
  const { totals, suites } = readBack(
    junit(
      sampleRun([
        sampleResult(),
        sampleResult({ outcome: 'fail', clause: 'cdn.json' }),
        sampleResult({ outcome: 'warn' }),
        sampleResult({ outcome: 'observed', behaviour: '401' }),
        sampleResult({ outcome: 'inconclusive', reason: 'needs-body', detail: '422' }),
        sampleResult({ outcome: 'not-applicable', reason: 'read-only', detail: 'POST' }),
        sampleResult({ outcome: 'harness-error', detail: 'our bug' }),
      ]),
    ),
  );
  expect(totals).toEqual([7, 1, 1, 2]);
  expect(suites.party?.map(({ results }) => results.map((result) => result.is))).toEqual([
    [],
    ['Failure'],
    [],
    [],
    ['Skipped'],
    ['Skipped'],
    ['Error'],
  ]);
  expect(suites.party?.[1]).toMatchObject({
    results: [{ type: 'cdn.json', message: expect.stringContaining('404, as') }],
    properties: { clause: 'cdn.json', level: 'documented' },
  });
  expect(suites.party?.[4]?.results[0]?.message).toBe('needs-body: 422');
  expect(suites.party?.[3]?.systemOut).toContain('observed: 401');
});

test.skipIf(skipped)('2,000 failures stay 2,000', () => {
  const failures = sampleResults(2000, (index) => ({ id: `a${index % 9}.o#r${index}`, outcome: 'fail' }));
  expect(readBack(junit(sampleRun(failures))).totals).toEqual([2000, 2000, 0, 0]);
});

test.skipIf(skipped)('whatever bytes a target sends, the text arrives', () => {
  const every = String.fromCharCode(...Array.from({ length: 0x300 }, (_, code) => code));
  const actual = `${every}]]>&amp;<![CDATA[\uD800\uDFFF\uDC00\uFFFE\uFFFF🦊</failure>`;
  const xml = junit(sampleRun([sampleResult({ outcome: 'fail', actual, title: actual })]));
  const read = readBack(xml).suites.party?.[0]?.results[0];
  for (const part of ['\\u{0}\\u{1}', '\\u{1b}', '!"#$%&\'()', '<=>?', ']]>&amp;<![CDATA[', '🦊</failure>']) {
    expect(read?.text).toContain(part);
    expect(read?.message).toContain(part);
  }
});
