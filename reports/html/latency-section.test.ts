import { describe, expect, test } from 'vitest';
import { catalog } from '../../fixtures/catalog/catalog.ts';
import { inBrowser, skipped } from './browser.ts';
import { renderHtml } from './html.ts';
import { latencySection } from './latency-section.ts';
import { wholeRun } from './sample-runs.ts';

const html = (operations: number) =>
  latencySection(
    Object.fromEntries(catalog.slice(0, operations).map(({ id }, at) => [id, [1, 2, 3 + at, 200, 300, 9]])),
  ).html;

test('the slowest by median come first, and the others are behind a click', () => {
  const told = Array.from(html(30).matchAll(/#operation=[^"]*">([^<]*)</g), ([, id]) => id);
  expect(told).toEqual(
    catalog
      .slice(0, 30)
      .map(({ id }) => id)
      .toReversed(),
  );
  expect(html(30)).toContain('<summary>10 more operations</summary>');
  expect(html(20)).not.toContain('<summary>');
});

test('an operation or two are told in numbers alone', () => {
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
    ['on a telephone', 'screen', 360],
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
});
