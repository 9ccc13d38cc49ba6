// The reader is not ours: markdown-it-py from PyPI, with the Python named by ASSAY_PYTHON or python3.
import { spawnSync } from 'node:child_process';
import { env } from 'node:process';
import { expect, test } from 'vitest';
import { sampleResult, sampleRun } from '../../fixtures/kit/sample-run.ts';
import { renderMarkdown } from './markdown.ts';

// What is printed: the elements that come of it, the raw HTML that is let pass, the links, and the text of code.
const program = `
import json, sys
from markdown_it import MarkdownIt
md = MarkdownIt('commonmark', {'linkify': False}).enable('table')
flat = []
def walk(tokens):
    for t in tokens:
        flat.append(t)
        walk(t.children or [])
walk(md.parse(sys.stdin.buffer.read().decode()))
print(json.dumps({
    'tags': sorted({t.tag for t in flat if t.tag}),
    'html': [t.content for t in flat if t.type in ('html_block', 'html_inline')],
    'code': [t.content for t in flat if t.type in ('code_inline', 'fence')],
    'text': [t.content for t in flat if t.type == 'text'],
    'cells': sum(t.type == 'td_open' for t in flat),
}))
`;

interface Read {
  readonly tags: readonly string[];
  readonly html: readonly string[];
  readonly code: readonly string[];
  readonly text: readonly string[];
  readonly cells: number;
}

function python(code: string, input = '') {
  const limits = { timeout: 20_000, maxBuffer: 64 * 1024 * 1024 };
  return spawnSync(env.ASSAY_PYTHON ?? 'python3', ['-c', code], { input, encoding: 'utf8', ...limits });
}

function readBack(markdown: string): Read {
  const { status, stdout, stderr, error } = python(program, markdown);
  if (status !== 0) throw new Error(`markdown-it did not read it: ${stderr || error?.message}`);
  return JSON.parse(stdout);
}

const there = python('import markdown_it').status === 0;
const skipped = !there && !env.CI;
if (skipped) {
  console.warn(
    'SKIPPED: report.md is not read back; pip install markdown-it-py, and name that python in ASSAY_PYTHON',
  );
}

test.skipIf(skipped)('whatever a target says is text or code, never markup of its own', () => {
  const hostileText =
    '</details><script>alert(1)</script> [a](javascript:b) ![c](d) **e** `f` | g \n\n# h\n<!-- i';
  const failed = sampleResult({
    outcome: 'fail',
    title: hostileText,
    clause: hostileText,
    expected: hostileText,
    actual: hostileText,
    curl: `curl '${hostileText}'`,
  });
  const read = readBack(
    renderMarkdown(
      sampleRun([failed, sampleResult({ outcome: 'warn', title: hostileText, actual: hostileText })], {
        headline: { operations: 1, served: 1, answered2xx: 1, verdict: hostileText },
        leftBehind: [hostileText],
        baseline: {
          startedAt: '2026-01-01T00:00:00Z',
          runId: 'x',
          worse: [],
          knownFailures: 0,
          repaired: 0,
          behaviours: [{ points: [hostileText], before: hostileText, after: hostileText }],
        },
      }),
    ),
  );
  const ours = [
    'br',
    'code',
    'h1',
    'h2',
    'hr',
    'li',
    'p',
    'strong',
    'table',
    'tbody',
    'td',
    'th',
    'thead',
    'tr',
    'ul',
  ];
  expect(read.tags.filter((tag) => !ours.includes(tag))).toEqual([]);
  expect(read.html.join('')).not.toMatch(/<(?!\/?(details|summary|code)>)/);
  // The row of what changed since the baseline.
  expect(read.cells).toBe(3);
  expect(read.text.join('')).toContain(
    '</details><script>alert(1)</script> [a](javascript:b) ![c](d) **e** `f`',
  );
  expect(read.code.some((code) => code.includes("curl '</details><script>"))).toBe(true);
});
