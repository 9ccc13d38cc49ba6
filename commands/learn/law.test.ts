// The law of `learn`, on correct servers (the test of the third-party servers holds it for those): with the profile that it writes, nothing fails that did not fail before, and more is judged.
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { blindServers } from '../../fixtures/blind/servers.ts';
import { assay, type CheckResult, type Hosts, learnt, withFile } from '../../fixtures/kit/third-party.ts';
import { startServer } from '../../fixtures/reference/server.ts';

interface Server {
  readonly name: string;
  readonly start: (seed: number) => Promise<Hosts & { readonly close: () => unknown }>;
  /** What a user knows of it before the first run. */
  readonly known: object;
}

const reference = { CDN_ROOT_FOLDER_PATH: 'live', gameVersion: '7.2.0_1', versionPattern: '7.2' };
const knownOf = (file: string) => {
  const { words, wordsAt, parameters, session } = JSON.parse(readFileSync(file, 'utf8')) as Record<
    string,
    unknown
  >;
  return { words, wordsAt, parameters, session };
};

const embedded: Server = {
  name: 'embedded',
  start: (seed) => startServer({ seed }),
  known: { parameters: reference },
};
const blind = blindServers
  .filter(({ isInstalled }) => isInstalled())
  .map(
    ({ name, profile, start }): Server => ({
      name,
      known: knownOf(profile),
      async start() {
        const { hosts, close } = await start();
        const { BASE_URL = '', CDN_URL = '', GAMELOGS_URL = '' } = hosts;
        return { baseUrl: BASE_URL, cdnUrl: CDN_URL, gamelogsUrl: GAMELOGS_URL, close };
      },
    }),
  );

const limitMs = 300_000;

async function startedAs({ start }: Server, seed: number): Promise<Hosts> {
  const hosts = await start(seed);
  onTestFinished(() => void hosts.close());
  return hosts;
}

const selected = (...names: readonly string[]) => names.flatMap((name) => ['--only', name]);
const accused = (checks: readonly CheckResult[]) =>
  checks.filter(({ outcome }) => ['fail', 'warn', 'harness-error'].includes(outcome)).map(({ id }) => id);
const judged = (checks: readonly CheckResult[]) =>
  checks.filter(({ outcome }) => ['pass', 'fail', 'warn'].includes(outcome)).length;

// A server as a user would, with the flows that bodies matter to; with other content in the second run.
test.each([embedded])(
  'with what was learnt on $name, another run with another seed accuses of nothing more, and judges more',
  async (server) => {
    const { known } = server;
    const hosts = await startedAs(server, 1);
    const sample = selected('#answers', '#schema', 'party', 'friends', 'state');
    const plain = await withFile(known, (file) => assay(hosts, {}, '--profile', file, ...sample));
    const profile = await learnt(known, hosts);
    const other = await startedAs(server, 99);
    const again = await withFile(profile, (file) =>
      assay(other, {}, '--profile', file, '--seed', '99', ...sample),
    );
    expect(accused(again).filter((id) => !accused(plain).includes(id))).toEqual([]);
    expect(judged(again)).toBeGreaterThan(judged(plain));
  },
  limitMs,
);

// The blind ones by their reads alone, which cost a third; a correct server is accused of none of them, and no schema is judged
// without a profile.
test.each(blind)(
  'with what the reads of $name teach, another run accuses of nothing, and judges their form',
  async (server) => {
    const hosts = await startedAs(server, 1);
    const profile = await learnt(server.known, hosts, '--read-only');
    const checks = await withFile(profile, (file) =>
      assay(hosts, {}, '--profile', file, '--seed', '99', '--read-only', ...selected('#answers', '#schema')),
    );
    expect(accused(checks)).toEqual([]);
    expect(judged(checks.filter(({ id }) => id.endsWith('#schema')))).toBeGreaterThan(20);
  },
  limitMs,
);
