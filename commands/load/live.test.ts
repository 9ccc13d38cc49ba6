import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { Second } from '../../load/run/script-output.ts';
import { serveLive } from './live.ts';

const second = (at: number): Second => ({
  at,
  offered: 50,
  achieved: 49,
  p50: 1,
  p95: 2,
  requests: 49,
  errors: 0,
  inFlight: 3,
  lagMs: 0,
});

async function started() {
  const live = await serveLive({ journey: 'queue <b>', slo: 'p95=80ms' });
  onTestFinished(() => live.close());
  return live;
}

test('the page shows the seconds that have come, and is asked for again until the end', async () => {
  const live = await started();
  expect(live.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  for (const at of [1, 2]) live.second(second(at));
  const page = await fetch(live.url);
  expect(page.headers.get('refresh')).toBe('2');
  const html = await page.text();
  expect(html).toContain('<h1>running: queue &lt;b&gt;</h1>');
  expect(html).toContain('<svg');
  expect(html).not.toContain('<script');
  const ending = live.end({ schema: 'assay.load/1', journey: 'queue', verdict: 'PASS', seconds: [] });
  const last = await fetch(live.url);
  expect(last.headers.get('refresh')).toBeNull();
  expect(await last.text()).toContain('<h1>PASS: queue</h1>');
  await ending;
});

test('the end waits for nobody where no page is open', async () => {
  const live = await started();
  const begun = performance.now();
  await live.end({});
  expect(performance.now() - begun).toBeLessThan(500);
});

test('another host name is refused: a page elsewhere cannot read along', async () => {
  const { url } = await started();
  const status = await new Promise((settle) => {
    request(url, { headers: { host: 'evil.example' } }, (response) => {
      response.resume();
      settle(response.statusCode);
    }).end();
  });
  expect([status, (await fetch(`${url}other`)).status]).toEqual([404, 404]);
});
