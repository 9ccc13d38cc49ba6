import { describe, expect, test } from 'vitest';
import { catalog } from '../../catalog/catalog.ts';
import type { LatencyFigures } from '../../engine/probe/latency.ts';
import { inBrowser, skipped } from '../../fixtures/kit/browser.ts';
import { wholeRun } from '../../fixtures/kit/sample-run.ts';
import { renderHtml } from './html.ts';
import { latencyBoxes, latencySection } from './latency.ts';

const drawn = (...figures: LatencyFigures[]) => latencyBoxes(figures).html;
const boxesIn = (html: string) => Array.from(html.matchAll(/<path d="([^"]*)" fill="var\(--chart-tint\)"/g));
const ticksIn = (html: string) => Array.from(html.matchAll(/>([^<]*)<\/text>/g), ([, label]) => label);
/** x of each corner of a box and each end of its whiskers. */
const placesIn = (path = '') => Array.from(path.matchAll(/[ML]([\d.]+) /g), ([, x]) => Number(x));

test('every operation has a box, and the axis has round ticks', () => {
  const html = drawn([10, 20, 40, 80, 100, 9], [20, 30, 40, 50, 60, 3]);
  expect(boxesIn(html)).toHaveLength(2);
  expect(ticksIn(html)).toEqual(['10 ms', '20 ms', '50 ms', '100 ms']);
});

test('equal factors are equal distances, and whiskers reach from the least to the most', () => {
  const [[, path] = []] = boxesIn(drawn([1, 10, 100, 1_000, 10_000, 9]));
  const [least = 0, q1 = 0, median = 0, q3 = 0, most = 0] = [...new Set(placesIn(path))].sort(
    (a, b) => a - b,
  );
  for (const distance of [q1 - least, median - q1, q3 - median, most - q3])
    expect(distance).toBeCloseTo((most - least) / 4, 0);
  expect(most - least).toBeGreaterThan(400);
});

test('a long axis shows powers of ten alone', () => {
  expect(ticksIn(drawn([1, 10, 100, 1_000, 10_000, 9]))).toEqual(['1 ms', '10 ms', '100 ms', '1 s', '10 s']);
});

test.each([0, 5])('calls that all took %i ms lie on the axis', (ms) => {
  const [[, path] = []] = boxesIn(drawn([ms, ms, ms, ms, ms, 1]));
  expect(placesIn(path).every((x) => x >= 0 && x <= 460)).toBe(true);
});

const html = (operations: number) =>
  latencySection(
    Object.fromEntries(catalog.slice(0, operations).map(({ id }, at) => [id, [1, 2, 3 + at, 200, 300, 9]])),
  ).html;

test('the slowest by median come first, and the others are behind a click', () => {
  const ids = Array.from(html(30).matchAll(/#operation=[^"]*">([^<]*)</g), ([, id]) => id);
  expect(ids).toEqual(
    catalog
      .slice(0, 30)
      .map(({ id }) => id)
      .toReversed(),
  );
  expect(html(30)).toContain('<summary>10 more operations</summary>');
  expect(html(20)).not.toContain('<summary>');
});

test('an operation or two are shown in numbers alone', () => {
  expect(html(3)).toContain('<svg');
  expect(html(2)).not.toContain('<svg');
  expect(html(2)).toContain('<td>200</td>');
});

test('no call that was answered 2xx, no section', () => {
  expect(html(0)).toBe('');
});

describe.skipIf(skipped)('in a browser', () => {
  const open = inBrowser();

  test.each([
    ['on a screen', 'screen', 1280],
    ['on paper', 'print', 700],
  ] as const)('each box lies in the middle of the row of its figures, %s', async (_, media, width) => {
    const { page, trouble } = await open(renderHtml(wholeRun()), '', { viewport: { width, height: 800 } });
    await page.emulateMedia({ media });
    const middles = (selector: string) =>
      page.evaluate(
        `[...document.querySelectorAll('${selector}')].map((part) => part.getBoundingClientRect()).map(({ top, bottom }) => (top + bottom) / 2)`,
      ) as Promise<number[]>;
    const [rows, boxes] = [await middles('.boxes tr + tr'), await middles('.boxes [fill*=tint]')];
    expect(boxes).toHaveLength(20);
    expect(Math.max(...boxes.map((middle, at) => Math.abs(middle - (rows[at] ?? 0))))).toBeLessThan(1.5);
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  test('on a telephone the figures stand without the chart, which has no room', async () => {
    const { page } = await open(renderHtml(wholeRun()), '', { viewport: { width: 360, height: 800 } });
    expect(await page.locator('.boxes svg').isVisible()).toBe(false);
    const median = await page.locator('.boxes th', { hasText: 'median' }).boundingBox();
    expect((median?.x ?? 361) + (median?.width ?? 0)).toBeLessThan(360);
    await page.context().close();
  });
});
