import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../engine/files.ts';
import { serveVariants } from '../fixtures/conforming-variants/serve.ts';
import { sessions } from '../fixtures/conforming-variants/sessions.ts';
import { serve } from '../fixtures/kit/loopback.ts';
import { fileOf } from '../fixtures/kit/scratch.ts';
import { startServer } from '../fixtures/reference/server.ts';

interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly code?: number;
}

/** `npm run -s session` as a shell starts it. */
const session = (env: Record<string, string>): Promise<Ended> =>
  promisify(execFile)(process.execPath, ['--import', './runtime.js', 'cli.ts', 'session'], {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
    timeout: 30_000,
  }).catch((error: Ended) => error);

test('prints what curl lines need, and a shell that reads it can call as the player', async () => {
  const { baseUrl, close } = await startServer();
  onTestFinished(close);
  const { stdout, stderr } = await session({ BASE_URL: baseUrl });
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^export ASSAY_TOKEN='[\w.-]+'\nexport ASSAY_SESSION='[^'\n]+'\n$/);
  const [, credential] = /ASSAY_SESSION='([^']+)'/.exec(stdout) ?? [];
  const answer = await fetch(`${baseUrl}/api/v1/me/location`, {
    headers: { authorization: `Bearer ${credential}` },
  });
  expect(answer.status).toBe(200);
});

test('where there is nothing to sign in to it is exit 2, with one line and nothing for the shell', async () => {
  const url = await serve((request, response) => {
    request.resume();
    response.writeHead(404).end();
  });
  const profile = fileOf('profile.json', '{"words": {"storefront": "shop"}}');
  for (const [env, why] of [
    [{}, /^assay: BASE_URL: not set; .+\n$/],
    [
      { BASE_URL: 'http://127.0.0.1:1' },
      /^assay: no session: base: not reached at http:\/\/127\.0\.0\.1:1 \(refused\): nothing accepts connections there; check the port, and that it is up\n$/,
    ],
    [
      { BASE_URL: url },
      /^assay: no session: login is answered as a path that does not exist; check BASE_URL and its path prefix, or name the target's own word for "storefront" in the profile, \{"words": \{"storefront": "…"\}\} \(npm run doctor\)\n$/,
    ],
    [
      { BASE_URL: url, PROFILE: profile },
      /; check BASE_URL and its path prefix, and the profile's word for "storefront", "shop" \(npm run doctor\)\n$/,
    ],
  ] as const) {
    const { code, stdout, stderr } = await session(env);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(why);
  }
});

test('a session that travels in a second way to another host has a second variable', async () => {
  const variants = sessions.filter(({ name }) => name.startsWith('logging API wants the token'));
  const { hosts, close } = await serveVariants(variants);
  onTestFinished(close);
  const { stdout } = await session({ BASE_URL: hosts.base, GAMELOGS_URL: hosts.gamelogs });
  const [, credential] =
    /export ASSAY_SESSION='[^'\n]+'\nexport ASSAY_SESSION_2='([^'\n]+)'\n$/.exec(stdout) ?? [];
  const answer = await fetch(`${hosts.gamelogs}/api/v1/gameLogs/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${credential}` },
  });
  expect(answer.status).toBe(200);
});
