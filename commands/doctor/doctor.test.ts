import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { serveConnections } from '../../fixtures/kit/loopback.ts';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';
import { given } from '../../fixtures/kit/third-party.ts';
import * as harbour from '../../fixtures/third-party/harbour.ts';
import * as islands from '../../fixtures/third-party/islands.ts';
import * as outpost from '../../fixtures/third-party/outpost.ts';
import { type DoctorOptions, doctorCommand } from './doctor.ts';
import { type ExamineLimits, usualLimits } from './examine.ts';
import type { Share } from './share.ts';

/** What is found must not depend on how busy this machine is. */
const unhurried: ExamineLimits = {
  examineMs: 40_000,
  preflightMs: 20_000,
  lastBeginMs: 30_000,
  callMs: 15_000,
  waitBudgetMs: 300,
  mostCalls: 1_000,
};

async function doctor(env: Record<string, string>, options: DoctorOptions = {}, limits = unhurried) {
  let text = '';
  const exit = await doctorCommand(options, {
    env,
    cwd: '/',
    limits,
    print: (more) => {
      text += more;
    },
  });
  return { exit, text };
}

async function settingsOf(start: typeof outpost.start | typeof islands.start | typeof harbour.start) {
  const { baseUrl, cdnUrl, gamelogsUrl, close } = await start();
  onTestFinished(async () => {
    await close();
  });
  return { BASE_URL: baseUrl, CDN_URL: cdnUrl, GAMELOGS_URL: gamelogsUrl };
}
const thirdParty = () => settingsOf(outpost.start);

/** Path of a profile that lives no longer than the test. */
function saved(profile: object): string {
  const folder = scratchFolder();
  const path = join(folder, 'profile.json');
  writeFileSync(path, JSON.stringify(profile));
  return path;
}

test('without a URL it looks at the embedded server, which lacks nothing', async () => {
  const { exit, text } = await doctor({});
  expect(exit).toBe(0);
  expect(text).toContain('words: game ✓ · storefront ✓ · console ✓ · creatorSupport ✓');
  expect(text).toContain(
    '133 of 133 operations are served · a run could judge 100 % of its documented checks',
  );
  // The flow of the store needs a code and a price, which no look can find.
  expect(text).toContain('No share counts the steps of flows');
  expect(text).not.toContain('→');
});

test('a closed port is exit 2, with what to check', async () => {
  const { exit, text } = await doctor({ BASE_URL: 'http://127.0.0.1:1' });
  expect(exit).toBe(2);
  expect(text).toContain(
    '- base: not reached at http://127.0.0.1:1 (refused)\n  → nothing accepts connections',
  );
});

test('a look that was interrupted judges nothing', async () => {
  let text = '';
  const print = (more: string) => {
    text += more;
  };
  const interrupted = AbortSignal.abort();
  expect(await doctorCommand({}, { env: {}, cwd: '/', limits: unhurried, print, interrupted })).toBe(130);
  expect(text).toBe('');
});

test('what never answers holds nobody up for five seconds', async () => {
  const BASE_URL = await serveConnections(() => {});
  const begun = performance.now();
  expect((await doctor({ BASE_URL }, {}, { ...usualLimits, callMs: 60_000 })).exit).toBe(2);
  // Its own deadline is shorter; a call alone would take a minute.
  expect(performance.now() - begun).toBeLessThan(15_000);
});

test('a third-party server that names its words itself wants the segments first', async () => {
  const { exit, text } = await doctor(await thirdParty());
  expect(exit).toBe(2);
  expect(text).toContain('words: storefront is "shop" here');
  expect(text).toContain('words: game is called "rally" here');
  expect(text).toMatch(/mend first:\n- client data: no files/);
});

test('a third-party server whose word for the login is not the one given: the words are what is to be mended', async () => {
  const profile = saved({ words: { storefront: 'stall' } });
  const { exit, text } = await doctor(await thirdParty(), { json: true, profile });
  const { ready, findings, schema } = JSON.parse(text);
  expect([exit, ready, schema]).toEqual([2, false, 'assay.doctor/1']);
  const codes = findings.map(({ code, weight }: { code: string; weight: string }) => `${weight} ${code}`);
  expect(codes.slice(0, 3)).toEqual([
    'stops sign-in-unrouted',
    'stops segments-unknown',
    'stops too-little-judged',
  ]);
  expect(findings[0].what).toContain('/provider/stall/login');
  expect(findings[0].remedy).toContain('leave it out of words');
});

/** What runs of the same targets say, with the profile that was learnt there just as with this one: base, cdn, gamelogs. */
const outsiders = [
  { name: 'islands', start: islands.start, known: given.islands, judged: [99, 98, 100], exit: 0 },
  { name: 'harbour', start: harbour.start, known: given.harbour, judged: [97, 100, 100], exit: 0 },
  { name: 'outpost', start: outpost.start, known: given.outpost, judged: [62, 33, 100], exit: 2 },
];

test.each(outsiders)(
  'with words and segments of $name, it says what a run could judge: $judged %',
  async (each) => {
    const { exit, text } = await doctor(await settingsOf(each.start), {
      json: true,
      profile: saved(each.known),
    });
    const { hosts, findings } = JSON.parse(text) as {
      hosts: { share: Share }[];
      findings: { code: string; weight: string }[];
    };
    expect(exit).toBe(each.exit);
    for (const [nth, { share }] of hosts.entries())
      expect(Math.abs(share.judged * 100 - (each.judged[nth] ?? 0))).toBeLessThan(3.5);
    const stops = findings.filter(({ weight }) => weight === 'stops').map(({ code }) => code);
    expect([...new Set(stops)]).toEqual(exit === 0 ? [] : ['too-little-judged']);
  },
);

test('a token is not shown, even where it stands in a URL', async () => {
  const LOGIN_TOKEN = 'token-of-a-player';
  const { text } = await doctor({ BASE_URL: `http://127.0.0.1:1/${LOGIN_TOKEN}`, LOGIN_TOKEN });
  expect(text).toContain('not reached at http://127.0.0.1:1/[redacted]');
  expect(text).not.toContain(LOGIN_TOKEN);
});

test('mistakes in the settings are reported before anything is sent', async () => {
  await expect(doctor({ BASE_URL: 'localhost:8080' })).rejects.toThrow(/expected http:\/\//);
});
