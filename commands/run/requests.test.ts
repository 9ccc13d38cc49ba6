// How many requests a run and the doctor send where bodies alone could tell what is served.
import { createHash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { execPath } from 'node:process';
import { expect, test } from 'vitest';
import { root } from '../../engine/files.ts';
import { serve } from '../../fixtures/kit/loopback.ts';
import { run, startWords } from '../../fixtures/kit/programs.ts';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';

const limitMs = 100_000;

const assay = (args: readonly string[], settings = {}) =>
  run(execPath, [...startWords, ...args], { cwd: root, settings });

/** Another body for each path and query, the same each time. */
const ofUrl = (url = '') => createHash('sha256').update(url).digest('hex');

const catchAll: RequestListener = ({ url }, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ ok: true, value: ofUrl(url), at: Date.now() }));
};
const wall: RequestListener = ({ url }, response) => {
  response.writeHead(401, { 'content-type': 'application/json', 'www-authenticate': 'Bearer' });
  response.end(JSON.stringify({ error: 'unauthorized', trace: ofUrl(url) }));
};

/** What the server counted while the command ran with all hosts at it. */
async function sentTo(listener: RequestListener, ...args: readonly string[]): Promise<number> {
  let requests = 0;
  const url = await serve((request, response) => {
    requests += 1;
    listener(request, response);
  });
  await assay(args, { BASE_URL: url, CDN_URL: url, GAMELOGS_URL: url });
  return requests;
}

test(
  'a run sends at most 3,100 requests to a server that answers 200 with another body for each URL',
  async () => {
    const requests = await sentTo(catchAll, 'run', '--out', scratchFolder());
    expect(requests).toBeGreaterThan(100);
    expect(requests).toBeLessThanOrEqual(3_100);
  },
  limitMs,
);

test(
  'a run sends at most 2,000 requests to a wall of 401, and the doctor 350',
  async () => {
    const requests = await sentTo(wall, 'run', '--out', scratchFolder());
    expect(requests).toBeGreaterThan(100);
    expect(requests).toBeLessThanOrEqual(2_000);
    const examined = await sentTo(wall, 'doctor');
    expect(examined).toBeGreaterThan(50);
    expect(examined).toBeLessThanOrEqual(350);
  },
  limitMs,
);
