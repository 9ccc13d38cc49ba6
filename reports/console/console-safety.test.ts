import { describe, expect, test } from 'vitest';
import { outcomes } from '../../engine/judgement.ts';
import type { Result, RunResult } from '../../engine/run/result.ts';
import { sampleResult, sampleRun } from '../../fixtures/kit/sample-run.ts';
import { renderSummary } from './console.ts';

const render = (checks: readonly Result[], over: Partial<RunResult> = {}, width = 100) =>
  renderSummary(sampleRun(checks, over), { colour: false, width, outDir: 'reports/out' });

test('a curl is shown whole, or not at all', () => {
  const block = (curl: string) => render([sampleResult({ outcome: 'fail', curl })], {}, 60);
  const long = `curl 'http://h/${'x'.repeat(500)}'`;
  expect(block(long)).toContain(`\n  curl      ${long}\n`);
  expect(block(`curl 'http://h/${'x'.repeat(1_000)}'`)).toContain('\n  curl      see result.json\n');
  expect(block("curl -d 'a\nb'")).toContain('\n  curl      see result.json\n');
});

describe('what comes from the target', () => {
  const evil = '\x1b]0;owned\x07\x1b[2J\r\n\u202E\u2028\x9b1m';
  const checks = outcomes.map((outcome) =>
    sampleResult({
      id: `${evil}${outcome}`,
      title: evil,
      operation: evil,
      outcome,
      reason: 'timeout',
      detail: evil,
      expected: evil,
      actual: evil,
      curl: evil,
      rerun: evil,
      clause: evil,
    }),
  );
  const over = {
    target: { embedded: false, base: evil },
    seed: evil,
    headline: { ...sampleRun([]).headline, verdict: evil },
  };

  test('never steers the terminal', () => {
    expect(render(checks, over).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
  });

  test('never steers it in colour either', () => {
    const coloured = renderSummary(sampleRun(checks, over), { colour: true, width: 100, outDir: 'out' });
    expect(coloured.replace(/\x1b\[\d+m/g, '').replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });
});
