// The page as a person meets it, in a real browser.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { catalog } from '../../catalog/catalog.ts';
import { inBrowser, skipped } from '../../fixtures/kit/browser.ts';
import {
  badRun,
  hostileRun,
  sampleResult,
  sampleRun,
  talkative,
  wholeRun,
} from '../../fixtures/kit/sample-run.ts';
import { renderHtml } from './html.ts';
import { loadPage } from './load-page.ts';

const open = inBrowser();
const good = renderHtml(wholeRun());
const bad = renderHtml(badRun());
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

const idsOf = '[...document.querySelectorAll("#list .id")].map((id) => id.textContent)';

describe.skipIf(skipped)('the page', () => {
  test.each([
    ['a good run', good],
    ['a bad run that has much to say', renderHtml(badRun({ headline: talkative }))],
  ])('shows verdict, figures, map, causes and flows of %s without scrolling', async (_, html) => {
    const { page, trouble } = await open(html);
    for (const selector of ['h1', '.figures', '.map', '.causes', '.flows']) {
      const box = await page.locator(selector).boundingBox();
      expect([selector, (box?.y ?? 801) + (box?.height ?? 0) <= 800]).toEqual([selector, true]);
    }
    expect(await page.locator('.map .cell:not(.legend .cell)').count()).toBe(catalog.length);
    expect(await page.locator('.flow .step').count()).toBe(304);
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  test('leads by one click from a cell to its checks, from there to all that is known of one, and back', async () => {
    const { page } = await open(bad);
    await page.locator('.map a', { hasText: 'party.leave: failed' }).click();
    const ids = (await page.evaluate(idsOf)) as string[];
    expect(ids).toContain('party.leave#routed');
    expect(ids.every((id) => id.startsWith('party.leave#'))).toBe(true);
    await page.locator('#list a', { hasText: 'party.leave#routed' }).click();
    const detail = page.locator('.detail');
    const text = await detail.innerText();
    for (const word of [
      'clause',
      'source',
      'why',
      'expected',
      'status 204 or 200',
      'DELETE http://127',
      '{"error":true}',
    ])
      expect(text).toContain(word);
    expect(await detail.locator('mark').allInnerTexts()).toEqual(['204 or 200', '500']);
    expect(await detail.locator('.command').allInnerTexts()).toEqual([
      expect.stringContaining('curl -sS'),
      "npm start -- --only 'party.leave#routed'",
    ]);
    await page.goBack();
    await expect.poll(() => detail.count()).toBe(0);
    expect(await page.evaluate(idsOf)).toEqual(ids);
    await page.goBack();
    expect(await page.evaluate('location.hash')).toBe('');
    await page.context().close();
  });

  test('copies a command', async () => {
    const { page } = await open(bad, '#check=party.leave%23routed', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.locator('.detail button').nth(1).click();
    await page.locator('.detail button', { hasText: 'copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      "npm start -- --only 'party.leave#routed'",
    );
    await page.context().close();
  });

  test('keeps its filters in the address, where a link finds them again', async () => {
    const { page } = await open(bad);
    await page.selectOption('select[name=area]', 'party');
    await page.selectOption('select[name=outcome]', 'fail');
    await page.selectOption('select[name=level]', 'documented');
    await page.fill('input[name=text]', 'RULE-1');
    const filtered = (await page.evaluate(idsOf)) as string[];
    expect(filtered).toHaveLength(11);
    const fragment = (await page.evaluate('location.hash')) as string;
    expect(fragment).toBe('#area=party&level=documented&outcome=fail&text=RULE-1');
    const again = await open(bad, fragment);
    expect(await again.page.evaluate(idsOf)).toEqual(filtered);
    expect(await again.page.inputValue('input[name=text]')).toBe('RULE-1');
    await again.page.context().close();
    await page.goBack();
    expect(await page.inputValue('select[name=level]')).toBe('');
    await page.locator('#clear').click();
    expect(await page.locator('#shown').innerText()).toContain('4,536 of 4,536 checks');
    await page.context().close();
  });

  test.each(['#check=party/step-7', '#check=me.location#answers'])(
    'opens the check of the link %s',
    async (link) => {
      const { page } = await open(bad, link);
      const opened = page.locator('.check[aria-expanded=true]');
      expect(await opened.locator('.id').innerText()).toBe(link.slice('#check='.length));
      const { y = -1 } = (await opened.boundingBox()) ?? {};
      expect(y > 0 && y < 400).toBe(true);
      await page.context().close();
    },
  );

  test('says so where the check of a link is not in the run', async () => {
    const { page } = await open(bad, '#check=no.such#check');
    expect(await page.locator('#shown').innerText()).toContain('There is no check no.such#check');
    await page.context().close();
  });

  test('goes by keyboard alone, the map being one stop', async () => {
    const { page } = await open(bad);
    const focused = () => page.evaluate('document.activeElement.textContent.trim()');
    await page.locator('nav a').last().focus();
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('archives');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toContain('archives.journal');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toContain('game.');
    await page.keyboard.press('ArrowUp');
    expect(await focused()).toContain('archives.journal');
    await page.keyboard.press('Tab');
    expect(await focused()).toContain('more causes');
    await page.keyboard.press('Shift+Tab');
    // What Enter does goes by the address, which changes a little later.
    await page.keyboard.press('Enter');
    await expect.poll(focused).toContain('23 of 4,536 checks of archives.journal');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.detail').count()).toBe(1);
    await expect.poll(focused).toContain('archives.journal#routed');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.detail').count()).toBe(0);
    await page.context().close();
  });

  test('names a step and an operation beside its cell, under the pointer and the focus', async () => {
    const { page } = await open(bad);
    const name = page.locator('.naming');
    const step = page.locator('.flows .step').nth(3);
    for (const [cell, words] of [
      [step, 'content goes on to step 3: passed'],
      [page.locator('.map a', { hasText: 'party.leave: failed' }), 'party.leave: failed, 23 of 23 checks'],
    ] as const) {
      await cell.hover();
      expect(await name.innerText()).toBe(words);
      const [named, at] = [await name.boundingBox(), await cell.boundingBox()];
      expect(Math.abs((named?.y ?? 0) - (at?.y ?? 0))).toBeLessThan(40);
      await page.locator('h1').hover();
      expect(await name.isVisible()).toBe(false);
    }
    await step.focus();
    expect(await name.innerText()).toBe('content goes on to step 3: passed');
    await page.keyboard.press('ArrowRight');
    expect(await name.innerText()).toBe('content goes on to step 4: passed');
    await page.keyboard.press('Escape');
    expect(await name.isVisible()).toBe(false);
    await page.context().close();
  });

  test('runs nothing that a target says, and asks for nothing', async () => {
    const { page, trouble } = await open(renderHtml(hostileRun()), '#outcome=fail');
    await page.locator('#list a').first().click();
    await page.fill('input[name=text]', '<svg onload');
    expect(await page.evaluate('window.pwned')).toBeUndefined();
    const strange = await page.evaluate(
      `[...document.querySelectorAll('img,iframe,object,embed,base,form form,[onload],[onerror],[onfocus],[onmouseover],[style],a[href^="javascript" i]')].length`,
    );
    expect(strange).toBe(0);
    expect(
      await page.evaluate('document.scripts.length - document.querySelectorAll("script.data").length'),
    ).toBe(1);
    expect(await page.evaluate('document.querySelectorAll("style").length')).toBe(1);
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  test.each([
    ['light', '{}'],
    ['dark', '{ runOnly: ["color-contrast"] }'],
  ] as const)('has nothing that axe holds against it, %s', async (colorScheme, options) => {
    const { page } = await open(bad, '#check=party.leave%23routed', { colorScheme, bypassCSP: true });
    await page.evaluate(readFileSync(axe, 'utf8'));
    const violations = await page.evaluate(
      `axe.run(${options}).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
    );
    expect(violations).toEqual([]);
    const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(background).toBe(colorScheme === 'light' ? 'rgb(247, 247, 245)' : 'rgb(19, 21, 23)');
    await page.context().close();
  });

  test('shows all links at its top on a phone, and the whole command that runs a check again', async () => {
    const settings = `BASE_URL=https://${'a'.repeat(300)}.example `;
    const check = sampleResult({ id: 'party/left-view', outcome: 'fail' });
    const html = renderHtml(sampleRun([{ ...check, rerun: settings + check.rerun }]));
    const { page } = await open(html, '#check=party%2Fleft-view', { viewport: { width: 360, height: 740 } });
    const nav = page.locator('nav');
    expect(await nav.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true);
    expect(await page.locator('.detail').innerText()).toContain(settings + check.rerun);
    await page.context().close();
  });

  test('stacks what attacks show on a phone, so that nothing stands to the side', async () => {
    const seen =
      'what the owner reads stayed as it was, asked without a session and as another player '.repeat(3);
    const attacks = [
      sampleResult({ attack: true, id: 'isolation/unblock', detail: seen }),
      sampleResult({
        attack: true,
        id: 'races/grid',
        outcome: 'not-applicable',
        reason: 'not-exercised',
        detail: seen,
      }),
    ];
    const { page } = await open(renderHtml(sampleRun(attacks)), '', {
      viewport: { width: 390, height: 844 },
    });
    await page.locator('#attacks summary').click();
    const widths = await page
      .locator('#attacks .scroll')
      .evaluateAll((boxes) => boxes.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
    expect(widths).toEqual([0, 0]);
    const tops = await page
      .locator('#attacks td')
      .evaluateAll((cells) => cells.slice(0, 3).map((cell) => cell.getBoundingClientRect().top));
    expect(tops).toEqual([...new Set(tops)].sort((a, b) => a - b));
    await page.context().close();
  });

  test('leaves no hole under the map on a desktop', async () => {
    const { page } = await open(good);
    const bottoms = await page
      .locator('.map, .beside')
      .evaluateAll((panels) => panels.map((panel) => Math.round(panel.getBoundingClientRect().bottom)));
    expect(new Set(bottoms).size).toBe(1);
    await page.context().close();
  });

  test('fits 360 pixels', async () => {
    const { page } = await open(bad, '#check=party.leave%23routed', {
      viewport: { width: 360, height: 740 },
    });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await page.context().close();
  });

  test('prints without what only a screen needs', async () => {
    const { page } = await open(bad, '', { colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print' });
    for (const selector of ['nav', '#filters', '#more'])
      expect(await page.locator(selector).isVisible()).toBe(false);
    expect(await page.locator('.map').isVisible()).toBe(true);
    expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(28, 30, 33)');
    expect((await page.pdf()).length).toBeGreaterThan(10_000);
    await page.context().close();
  });

  test('stands without a script, but for the list of checks', async () => {
    const { page } = await open(bad, '', { javaScriptEnabled: false });
    expect(await page.locator('.cause').first().innerText()).toContain('status 204 or 200');
    expect(await page.locator('noscript').innerText()).toContain('needs JavaScript');
    expect(await page.locator('#filters').isVisible()).toBe(false);
    await page.context().close();
  });
});

test.skipIf(skipped)('the page of a load fits a phone, and axe holds nothing against it', async () => {
  const html = loadPage({
    schema: 'assay.load/1',
    verdict: 'FAIL',
    journey: 'queue',
    reasons: ['p95 is 90 ms, more than 80 ms'],
    target: { base: `http://${'a'.repeat(90)}.test` },
    rate: 20,
    slo: 'p95=80ms',
    operations: { 'queue.enter': { count: 40, p50: 4, p95: 90, p99: 95, p999: 99, max: 120, errors: {} } },
    errors: { byOperation: [{ operation: 'queue.enter', answer: '500', count: 3 }] },
    seconds: [1, 2, 3].map((at) => ({ at, offered: 20, achieved: 19, p50: 4, p95: 90, errors: 1, lagMs: 1 })),
  });
  const { page, trouble } = await open(html ?? '', '', {
    colorScheme: 'dark',
    viewport: { width: 360, height: 740 },
    bypassCSP: true,
  });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  await page.evaluate(readFileSync(axe, 'utf8'));
  const violations = await page.evaluate(
    'axe.run().then(({ violations }) => violations.map(({ id }) => id))',
  );
  expect([violations, trouble]).toEqual([[], []]);
  await page.context().close();
});
