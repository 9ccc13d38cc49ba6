import { expect, test } from 'vitest';
import { inBrowser, skipped } from '../../fixtures/kit/browser.ts';
import { sampleResult, sampleRun } from '../../fixtures/kit/sample-run.ts';
import { renderHtml } from './html.ts';

const open = inBrowser();

test.skipIf(skipped)('words that differ are marked, where enough of them do not', async () => {
  const pairs = [
    ['200', '403'],
    ['status 204 or 200', 'status 500'],
    ['exactly one JSON text', 'Expected property name or } in JSON at position 16'],
    ['one word', 'nothing of the kind at all'],
  ];
  const checks = pairs.map(([expected = '', actual = ''], at) =>
    sampleResult({ id: `party.create#${at}`, outcome: 'fail', cause: expected, expected, actual }),
  );
  const { page } = await open(renderHtml(sampleRun(checks)));
  const marks = await page.evaluate(
    `[...document.querySelectorAll('.cause')].map((cause) => [...cause.querySelectorAll('mark')].map((mark) => mark.textContent))`,
  );
  expect(marks).toEqual([['200', '403'], ['204 or 200', '500'], [], []]);
  await page.context().close();
});
