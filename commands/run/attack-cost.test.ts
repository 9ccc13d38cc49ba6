import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../engine/files.ts';
import { resultOf } from '../../fixtures/kit/third-party.ts';
import { rewarding } from '../../fixtures/mutants/attacks/rewards.ts';
import { flowMutant } from '../../fixtures/mutants/flows/flow-mutant.ts';
import { startMutatedServer } from '../../fixtures/mutants/serve.ts';
import { makeHosts } from '../../fixtures/reference/server.ts';

const profile = join(root, 'fixtures', 'profiles', 'reference.json');

test('all attacks on a server that has everything take at most 3,000 requests', {
  timeout: 240_000,
}, async () => {
  const { mutation } = flowMutant({
    name: 'each reward gives something',
    wrong: 'nothing',
    clause: '',
    turns: [],
    mutation: rewarding(),
  });
  const { hosts, close } = await startMutatedServer(makeHosts(), mutation);
  try {
    const urls = { baseUrl: hosts.base, cdnUrl: hosts.cdn, gamelogsUrl: hosts.gamelogs };
    const run = (attack: string) => resultOf(urls, {}, '--attack', attack, '--profile', profile);
    const [without, all] = [await run('off'), await run('on')];
    expect(all.requests - without.requests).toBeLessThanOrEqual(3_000);
    const held = all.checks.filter(({ id, outcome }) => id.startsWith('races/') && outcome === 'pass');
    expect(held.length).toBeGreaterThanOrEqual(20);
  } finally {
    close();
  }
});
