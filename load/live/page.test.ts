import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { serveLive } from './serve-live.ts';

const executablePath = process.env.ASSAY_CHROMIUM ?? '/usr/bin/chromium';
const skipped = !existsSync(executablePath) && !process.env.CI;
if (skipped) console.warn('SKIPPED: the live page is not opened; install chromium, or set ASSAY_CHROMIUM');

test.skipIf(skipped)(
  'the page draws what it gets, and loads nothing from elsewhere',
  async () => {
    const live = await serveLive('queue <i>');
    onTestFinished(() => live.close());
    const second = {
      offered: 50,
      achieved: 49,
      p50: 1,
      p95: 2.5,
      requests: 49,
      errors: 0,
      inFlight: 3,
      lagMs: 0,
    };
    live.second({ at: 1, ...second });
    const args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'];
    const browser = await chromium.launch({ executablePath, args, timeout: 20_000 });
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const trouble: string[] = [];
    page.on('console', (message) => trouble.push(message.text()));
    page.on('pageerror', ({ message }) => trouble.push(message));
    page.on('request', (request) => {
      if (!request.url().startsWith(live.url)) trouble.push(request.url());
    });
    await page.goto(live.url);
    await page
      .getByText('1 s: 50/s offered, 49/s achieved, p95 2.5 ms, 0 errors, 3 in flight')
      .waitFor({ timeout: 8_000 });
    const wrong = [{ operation: 'queue.cancel', answer: '404', count: 80 }];
    live.second({ at: 2, ...second, errors: 80, wrong });
    await page
      .getByText(
        '2 s: 50/s offered, 49/s achieved, p95 2.5 ms, 80 errors (queue.cancel 404 x 80), 3 in flight',
      )
      .waitFor({ timeout: 8_000 });
    expect(await page.locator('h1').textContent()).toBe('queue <i>');
    expect(await page.locator('.chart svg').count()).toBe(3);
    live.end('PASS: fine');
    await page.getByText('PASS: fine').waitFor({ timeout: 8_000 });
    expect(trouble.filter((text) => !text.includes('favicon'))).toEqual([]);
  },
  40_000,
);
