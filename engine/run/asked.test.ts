import { expect, test } from 'vitest';
import { sampleRun } from '../../fixtures/kit/sample-run.ts';
import { readTarget } from '../target/target.ts';
import { assayVersion } from '../version.ts';
import { type AskedRun, askedDifferently, isJudgedOtherwise, surroundingOptions } from './asked.ts';

const plain = sampleRun([]).options;
const run = (over: Partial<AskedRun['options']> = {}): AskedRun => ({
  options: { ...plain, version: '0.2.0', settings: {}, ...over },
  seed: '7',
});
const profile = (digest: string, file = 'p.json') => ({ profile: { file, digest } });

test('what two runs were asked differently is named as it is typed, and what was alike is not', () => {
  const before = run({ settings: { GAME_VERSION: '1', '--rate': '20' } });
  const after = run({
    ...profile('abcd1234'),
    readOnly: true,
    settings: { GAME_VERSION: '2', '--rate': '20' },
  });
  expect(askedDifferently(before, after)).toEqual([
    ['no PROFILE', 'GAME_VERSION=1'],
    ['PROFILE=p.json (abcd1234)', 'GAME_VERSION=2', '--read-only'],
  ]);
  expect(askedDifferently(after, after)).toEqual([[], []]);
});

test('a profile is another one where its text is, wherever it stands', () => {
  expect(askedDifferently(run(profile('a')), run(profile('a', 'q.json')))).toEqual([[], []]);
  expect(askedDifferently(run(profile('a')), run(profile('b')))).toEqual([
    ['PROFILE=p.json (a)'],
    ['PROFILE=p.json (b)'],
  ]);
});

test('an older result, which does not hold its profile, is not taken for one without', () => {
  const older = { options: plain };
  expect(askedDifferently(older, run(profile('a')))[0]).toEqual([]);
  expect(isJudgedOtherwise(older, run(profile('a')))).toBe(false);
});

test('another profile or version may be all that sets two runs apart', () => {
  for (const over of [profile('a'), { version: '0.3.0' }])
    expect(isJudgedOtherwise(run(), run(over))).toBe(true);
  expect(isJudgedOtherwise(run(), run({ readOnly: true, settings: { GAME_VERSION: '2' } }))).toBe(false);
});

test('secrets are counted, and never shown', () => {
  const env = { BASE_URL: 'http://127.0.0.1:1', LOGIN_TOKEN: 'secret-a secret-b', GAME_VERSION: '3' };
  const limits = { rate: 20, timeoutMs: 500 };
  const asking = { target: readTarget(env, { cwd: '/nowhere' }), preflight: { segments: undefined } };
  expect(surroundingOptions(asking, limits)).toEqual({
    version: assayVersion,
    settings: {
      GAME_VERSION: '3',
      'sign-in by': '2 LOGIN_TOKENs',
      '--rate': '20',
      '--timeout': '500ms',
    },
  });
});

test('what preflight found of the client data is no setting: another version there is a change of the server', () => {
  const target = readTarget({ BASE_URL: 'http://127.0.0.1:1', GAME_VERSION: '3' }, { cwd: '/nowhere' });
  const segments = { found: true, segments: { CDN_ROOT_FOLDER_PATH: 'live', gameVersion: '3' } } as const;
  const limits = { rate: undefined, timeoutMs: 10_000 };
  expect(surroundingOptions({ target, preflight: { segments } }, limits).settings).toEqual({
    'sign-in by': 'test JWTs',
  });
});
