// A real Chromium for the tests of the page: ASSAY_CHROMIUM, or Debian's. One for a file of tests, a context for each.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

const executablePath = env.ASSAY_CHROMIUM ?? '/usr/bin/chromium';
const there = existsSync(executablePath);

/** True where there is no browser and that is nobody's fault; in CI it is a failure. */
export const skipped = !there && !env.CI;
if (skipped)
  console.warn(`SKIPPED: report.html is not opened in a browser; install chromium, or set ASSAY_CHROMIUM`);

const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface Opened {
  readonly page: Page;
  /** Errors and warnings on the console, uncaught errors, and requests for anything but the file. */
  readonly trouble: readonly string[];
}

/** Called once by a file of tests: gives the way to open a page, as from a disk. */
export function inBrowser() {
  let folder = '';
  let browser: Browser | undefined;
  beforeAll(async () => {
    // Here, since where all tests are skipped nobody would remove it.
    folder = mkdtempSync(join(tmpdir(), 'assay page '));
    if (!skipped) browser = await chromium.launch({ executablePath, args, timeout: 20_000 });
  }, 30_000);
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  let count = 0;

  return async (html: string, fragment = '', options: BrowserContextOptions = {}): Promise<Opened> => {
    if (browser === undefined) throw new Error(`no browser at ${executablePath}`);
    count += 1;
    const file = join(folder, `report-${count}.html`);
    writeFileSync(file, html);
    const url = pathToFileURL(file).href;
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    context.setDefaultTimeout(8_000);
    const page = await context.newPage();
    const trouble: string[] = [];
    page.on('console', (message) => trouble.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => trouble.push(`error: ${error.message}`));
    page.on('dialog', (dialog) => trouble.push(`dialog: ${dialog.message()}`));
    page.on('request', (request) => {
      if (request.url().split('#')[0] !== url && !request.url().startsWith('data:'))
        trouble.push(`request: ${request.url()}`);
    });
    await page.goto(`${url}${fragment}`);
    if (options.javaScriptEnabled !== false && html.includes('</script>'))
      await page.waitForSelector('html[data-ready]');
    return { page, trouble };
  };
}
