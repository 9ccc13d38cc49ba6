import { expect, test } from 'vitest';
import { createClient } from '../../engine/http/client.ts';
import { putter } from '../../engine/preflight/ask-target.ts';
import { readTarget } from '../../engine/target/target.ts';
import { serve } from '../../fixtures/kit/loopback.ts';
import { patternsOf, withVersionPattern } from './version-pattern.ts';

test('a version names its patterns, the longest first', () => {
  expect(patternsOf('7.2.0_1')).toEqual(['7.2.0_1', '7.2.0', '7.2', '7']);
  expect(patternsOf('live')).toEqual(['live']);
});

/** @param isServed whether the call is answered with success */
async function found(isServed: (url: string) => boolean, env: Readonly<Record<string, string>> = {}) {
  const url = await serve(({ url = '' }, response) => {
    response.statusCode = isServed(url) ? 200 : 404;
    response.setHeader('Content-Type', 'application/json');
    response.end(isServed(url) ? '{"version":"7.2.0_1"}' : '{}');
  });
  const given = { BASE_URL: url, CDN_URL: url, GAME_VERSION: '7.2.0_1', ...env };
  const target = readTarget(given, { cwd: '/' });
  const client = createClient({});
  try {
    const { ambient } = await withVersionPattern(target, putter(client, target, undefined), () => true);
    return ambient.versionPattern;
  } finally {
    client.close();
  }
}

const query = (url: string) => url.includes('versionPattern=7.2');

test('the pattern is the one that every call which holds it is answered for', async () => {
  const isOf = (url: string) => url.endsWith('versionPattern=7.2') || url.includes('/content/7.2/news');
  expect(await found(isOf)).toBe('7.2');
});

test('nothing is taken that one of the calls is refused for, or that stands for any pattern, or in place of what is given', async () => {
  const assumed = readTarget({}, { cwd: '/' }).ambient.versionPattern;
  expect(await found(query)).toBe(assumed);
  expect(await found(() => true)).toBe(assumed);
  expect(await found(() => false)).toBe(assumed);
  expect(await found(() => true, { VERSION_PATTERN: '6' })).toBe('6');
});
