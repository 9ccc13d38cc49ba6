import { expect, test } from 'vitest';
import { catalog } from '../../catalog/catalog.ts';
import { createRedactor } from '../../engine/http/redact.ts';
import { stoppedClock } from '../../fixtures/kit/examined.ts';
import { standIn } from '../../fixtures/kit/sign-in-server.ts';
import { examine } from './examine.ts';
import { findingsOf } from './findings/findings.ts';
import { linesOf } from './report.ts';

const files = catalog.filter(({ host }) => host === 'cdn');
const documented = Promise.resolve(
  files.map(({ id, host, clause }) => {
    return {
      id: `${id}#routed`,
      title: 'routed',
      operation: id,
      host,
      clause,
      level: 'documented',
    } as const;
  }),
);

/** A store that knows its routes, and says of another version that there is none; `namedVersion` is what the API names. */
async function doctor(env: Readonly<Record<string, string>>, namedVersion: string | undefined) {
  const patterns = files.map(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`));
  const { target, client } = await standIn(({ path }) => {
    if (path === '/api/v1/utils/contentVersion/version' && namedVersion)
      return { body: { version: namedVersion } };
    if (!patterns.some((pattern) => pattern.test(path))) return { status: 404, body: { error: 'no route' } };
    return path.includes('/content/7.2.0/')
      ? { body: { path } }
      : { status: 404, body: { error: { code: 'no such version' } } };
  }, env);
  const { base = '' } = target.hosts;
  const examination = await examine({
    target: { ...target, hosts: { base, cdn: base } },
    client,
    redactor: createRedactor(),
    planned: documented,
    concurrency: 32,
    withinMs: 15_000,
    mostCalls: 5_000,
    now: stoppedClock(),
  });
  const findings = findingsOf(examination).filter(({ host }) => host === 'cdn');
  const text = linesOf(examination, findings).join('\n');
  return { findings, text };
}

const both = { CDN_ROOT_FOLDER_PATH: 'live', GAME_VERSION: '0.0.1' };

test('a wrong version is no proof that files are there, though every path of it is a route', async () => {
  const { findings, text } = await doctor(both, '7.2.0');
  expect(findings).toMatchObject([{ code: 'version-wrong', remedy: 'set GAME_VERSION=7.2.0' }]);
  expect(text).toContain(`${files.length} of ${files.length} operations are served, no read with success`);
});

test('without its folder a run could say nothing of any file, and none counts as served', async () => {
  const { findings, text } = await doctor({ GAME_VERSION: '0.0.1' }, '7.2.0');
  expect(findings).toMatchObject([{ code: 'version-wrong', remedy: 'set GAME_VERSION=7.2.0' }]);
  expect(text).toContain(`  0 of ${files.length} operations are served · a run could judge 0 %`);
});

test('where the API reports no version, what was not given is asked for', async () => {
  const { findings } = await doctor({ GAME_VERSION: '0.0.1' }, undefined);
  expect(findings).toMatchObject([
    { code: 'segments-unknown', remedy: 'set CDN_ROOT_FOLDER_PATH, or check CDN_URL and GAME_VERSION' },
  ]);
});

test('a version that fits proves the folder that nobody gave', async () => {
  const { findings, text } = await doctor({ GAME_VERSION: '7.2.0' }, undefined);
  expect(findings.map(({ code }) => code)).not.toContain('segments-unknown');
  // Archives and news of any name have one content here, so that no one of them shows.
  expect(text).toContain(`${files.length - 3} of ${files.length} operations are served`);
});
