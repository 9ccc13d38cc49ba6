// The answer path, from the socket to the verdict, against servers that answer with bytes by seed.
import { afterEach, expect, test } from 'vitest';
import { suites } from '../commands/run/suites.ts';
import type { Found } from '../engine/players/session-discovery.ts';
import { openJudge } from '../engine/run/judge.ts';
import type { Result } from '../engine/run/result.ts';
import { readTarget } from '../engine/target/target.ts';
import { type Noise, startNoise } from '../fixtures/kit/noise.ts';

const transport = { kind: 'bearer', source: '/token' } as const;
/** Somebody who once signed in, so that sessions are used, refused and renewed too. */
const found: Found = {
  kind: 'found',
  ...{ token: 'a.test.jwt', from: 'test JWT', recipe: { body: 'none', transport, rotates: false } },
  session: { transport, credentials: [['authorization', 'Bearer s3ss10n']], secrets: ['s3ss10n'] },
  evidence: { operation: 'me.location', without: 401, spoiled: 401, with: 200, differs: 'status' },
};

const open: Noise[] = [];
afterEach(async () => {
  for (const noise of open.splice(0)) await noise.close();
});

/** All checks against a server of this seed. */
async function judged(seed: number): Promise<{ results: Result[]; answered: number }> {
  const checks = suites.flatMap((suite) => suite.checks);
  const noise = await startNoise(String(seed));
  open.push(noise);
  const hosts = { BASE_URL: noise.url, CDN_URL: `${noise.url}/cdn`, GAMELOGS_URL: `${noise.url}/logs` };
  const judge = openJudge({
    target: readTarget(hosts, { cwd: '/', seed: String(seed) }),
    ...{ discovery: found, unreachable: {}, journal: undefined, strict: true, readOnly: false },
    ...{ timeoutMs: 150, concurrency: 32, rate: undefined, deadline: Date.now() + 5_000 },
  });
  const results = await Promise.all(checks.map((check) => judge.perform(check)));
  judge.close();
  return { results, answered: noise.answered() };
}

test('2,000 answers of random bytes crash nothing, and are no fault of ours', async () => {
  let answered = 0;
  for (let seed = 1; answered < 2_000; seed += 1) {
    const round = await judged(seed);
    const faults = round.results.filter(({ outcome }) => outcome === 'harness-error');
    expect(faults.map(({ id, detail }) => `seed ${seed} ${id}: ${detail}`)).toEqual([]);
    expect(round.answered).toBeGreaterThan(0);
    answered += round.answered;
  }
}, 180_000);
