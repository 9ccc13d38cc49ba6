// The page in a real browser: nothing on the console, no request, nothing that axe finds, no sideways scrolling.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { inBrowser, skipped } from '../../fixtures/kit/browser.ts';
import { sampleResult, sampleRun } from '../../fixtures/kit/sample-run.ts';
import { resultText } from '../files.ts';
import { trendHtml } from './html.ts';
import { addResult, emptyHistory, type LoadRecord } from './read.ts';
import { trendOf } from './trend.ts';

const open = inBrowser();
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const hostile = `</style><script>alert(1)</script>${'long'.repeat(60)}\u202e`;

/** Ten nights in which one check flips and another stays broken. */
function page(): string {
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
    addResult(history, `${hostile}-${night}`, Buffer.from(resultText(run)));
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

test.skipIf(skipped).each([
  ['light', 1280],
  ['dark', 360],
] as const)('in %s, %i px wide', async (colorScheme, width) => {
  const html = page();
  const plain = await open(html, '', { colorScheme, viewport: { width, height: 800 } });
  expect(await plain.page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  expect(await plain.page.locator('svg[role=img]').count()).toBe(4);
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
