// Pages without a script, in a real browser: nothing on the console, no request, nothing that axe finds, no sideways
// scrolling, and every chart whole.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { inBrowser, skipped } from '../fixtures/kit/browser.ts';
import { sampleResult, sampleRun } from '../fixtures/kit/sample-run.ts';
import { loadPage } from './html/load-page.ts';
import { trendHtml } from './trend/html.ts';
import { addRun, emptyHistory, type LoadRecord } from './trend/read.ts';
import { trendOf } from './trend/trend.ts';
import { resultText } from './write.ts';

const open = inBrowser();
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const hostile = `</style><script>alert(1)</script>${'long'.repeat(60)}\u202e`;

/** Ten nights in which one check flips and another stays broken. */
function trendPage(): string {
  const history = emptyHistory();
  for (const night of Array.from({ length: 10 }, (_, at) => at)) {
    const checks = [
      sampleResult({ id: `a.b#${hostile}`, outcome: night % 2 ? 'fail' : 'pass' }),
      sampleResult({ id: 'a.b#c', outcome: night > 4 ? 'fail' : 'pass' }),
    ];
    const run = sampleRun(checks, {
      startedAt: `2026-01-${10 + night}T03:00:00.000Z`,
      ledger: { [hostile]: `${hostile}${night}` },
      latency: { 'a.b': [1, 2, night, 20, 30, 4] },
    });
    addRun(history, `${hostile}-${night}`, JSON.parse(resultText(run)));
  }
  const capacity: LoadRecord = {
    file: hostile,
    kind: 'capacity',
    startedAt: '2026-01-12T03:00:00Z',
    journey: hostile,
    verdict: 'FOUND',
    figures: { capacity: 120, confirmed: 118, failed: 124 },
  };
  return trendHtml(trendOf({ history, loads: [capacity], unread: [{ file: hostile, problem: hostile }] }));
}

const figures = { p50: 1, p95: 20, p99: 40, p999: 90, max: 300 };
const wrong = { operation: 'queue.enter', answer: hostile, count: 3, since: 1, sample: { body: hostile } };
const rule = { rule: `queue.enter: ${hostile}`, looked: 9, acknowledged: 9, unknown: 0, broken: 2 };
const measured = {
  journey: hostile,
  slo: 'p95=80ms',
  arrivals: 'poisson',
  startedAt: '2026-01-12T03:00:00Z',
  target: { base: 'http://127.0.0.1:8080' },
  generator: { cpu: 0.3, memoryMiB: 90 },
};
const step = {
  rate: 200,
  achieved: 190,
  latency: figures,
  lagMs: { p95: 2 },
  passed: false,
  limit: 'errors',
  errors: { wrong: 3, byOperation: [wrong] },
  conserved: [{ ...rule, examples: [hostile] }],
};

const loaded = () =>
  loadPage({
    ...measured,
    ...step,
    schema: 'assay.load/1',
    verdict: 'WRONG_UNDER_LOAD',
    reasons: [hostile],
    operations: { 'queue.enter': { ...figures, count: 9, errors: { [hostile]: 3 } } },
    seconds: Array.from({ length: 40 }, (_, at) => ({ at, offered: 200, achieved: 190, p95: at, lagMs: 2 })),
  }) ?? '';

const searched = () =>
  loadPage({
    ...measured,
    schema: 'assay.capacity/1',
    verdict: 'FOUND',
    reason: hostile,
    capacity: 150,
    interval: [140, 160],
    steps: [50, 100, 200].map((rate) => ({ ...step, purpose: 'grow', rate })),
  }) ?? '';

describe.skipIf(skipped).each([
  ['the trend', trendPage, 4],
  ['a load', loaded, 2],
  ['a search', searched, 1],
])('%s', (_, pageOf, charts) => {
  test.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('in %s, %i px wide', async (colorScheme, width) => {
    const html = pageOf();
    const plain = await open(html, '', { colorScheme, viewport: { width, height: 800 } });
    expect(await plain.page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    const shown = plain.page.locator('svg[role=img]:visible');
    expect(await shown.count()).toBe(charts);
    for (const chart of await shown.all()) {
      const box = await chart.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? width)).toBeLessThanOrEqual(width);
    }
    expect(plain.trouble).toEqual([]);
    await plain.page.context().close();
    const { page: judged } = await open(html, '', {
      colorScheme,
      bypassCSP: true,
      viewport: { width, height: 800 },
    });
    await judged.addScriptTag({ content: readFileSync(axe, 'utf8') });
    const { violations } = await judged.evaluate<{ violations: { id: string }[] }>('axe.run()');
    expect(violations.map(({ id }) => id)).toEqual([]);
    await judged.context().close();
  });
});
