import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { Second } from '../run/progress.ts';
import { serveLive } from './serve-live.ts';

const second: Second = {
  at: 1,
  offered: 50,
  achieved: 49,
  p50: 1,
  p95: 2,
  requests: 49,
  errors: 0,
  inFlight: 3,
  lagMs: 0,
};

async function started() {
  const live = await serveLive('queue <b>');
  onTestFinished(() => live.close());
  return live;
}

/** Reads events until so many have come. */
async function events(url: string, count: number): Promise<string[]> {
  const { body } = await fetch(`${url}seconds`);
  let text = '';
  for await (const chunk of body ?? []) {
    text += new TextDecoder().decode(chunk as Uint8Array);
    if (text.split('\n\n').length > count) break;
  }
  return text.split('\n\n').slice(0, count);
}

test('the page comes with its scripts from this machine alone, and may load no others', async () => {
  const { url } = await started();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  const page = await fetch(url);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  const sources = [...(await page.text()).matchAll(/src="([^"]+)"/g)].map(([, source]) => source);
  expect(sources).toEqual(['/echarts.js', '/page.js']);
  for (const source of sources) expect((await fetch(new URL(source ?? '', url))).status).toBe(200);
});

test('a page that is opened later gets what came before, then what comes, then the verdict', async () => {
  const live = await started();
  live.second(second);
  const reading = events(live.url, 3);
  setTimeout(() => {
    live.second({ ...second, at: 2 });
    live.end('PASS');
  }, 100);
  expect(await reading).toEqual([
    `event: begin\ndata: ${JSON.stringify({ title: 'queue <b>', seconds: [second] })}`,
    `event: second\ndata: ${JSON.stringify({ ...second, at: 2 })}`,
    'event: end\ndata: "PASS"',
  ]);
});

test('another host name is refused: a page elsewhere cannot read along', async () => {
  const { url } = await started();
  const status = await new Promise((settle) => {
    request(`${url}seconds`, { headers: { host: 'evil.example' } }, (response) => {
      response.resume();
      settle(response.statusCode);
    }).end();
  });
  expect(status).toBe(421);
});
