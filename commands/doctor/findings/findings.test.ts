import { expect, test } from 'vitest';
import { catalog } from '../../../catalog/catalog.ts';
import { type Profile, silentProfile } from '../../../engine/target/profile.ts';
import { readTarget, type Target } from '../../../engine/target/target.ts';
import { at, examined, healthy, pressing, unrouted } from '../../../fixtures/kit/examined.ts';
import { type HostSample, lackingIn } from '../examine.ts';
import { linesOf } from '../report.ts';
import { findingsOf } from './findings.ts';

test('a healthy host has nothing to mend', () => {
  expect(pressing(examined({}))).toEqual([]);
});

test('a certificate that is not trusted is named beside the host that was not reached', () => {
  const reach = { host: 'base', reachable: false, error: 'tls', message: '' } as const;
  const certificate = { distrusted: 'ERR_TLS_CERT_ALTNAME_INVALID', names: 'DNS:other.example' };
  expect(pressing(examined({ reach, certificate, sample: [] }))).toEqual([
    {
      code: 'unreachable',
      weight: 'stops',
      host: 'base',
      what: 'base: not reached at https://api.example (tls: ERR_TLS_CERT_ALTNAME_INVALID, issued for DNS:other.example)',
      remedy: 'no trust in its TLS; check its certificate, and http against https',
    },
  ]);
});

test('of a host that does not answer nothing is advised but to reach it', () => {
  const reach = { host: 'base', reachable: false, error: 'refused', message: '' } as const;
  const codes = (look: Partial<HostSample>) => findingsOf(examined(look)).map(({ code }) => code);
  expect(codes({})).toEqual(expect.arrayContaining(['version-pattern-unnamed', 'resources-unnamed']));
  expect(new Set(codes({ reach, sample: [] }))).toEqual(new Set(['unreachable', 'host-not-given']));
});

test('a host that does not answer within the time of doctor may answer a run, which waits longer', () => {
  const reach = { host: 'base', reachable: false, error: 'timeout', message: '' } as const;
  expect(pressing(examined({ reach, sample: [] }))[0]?.remedy).toBe(
    'it accepts and does not answer in time, or swallows the connection; doctor waits 2 s, npm start longer (--timeout)',
  );
});

test('a certificate that ends within two weeks is reported', () => {
  const found = pressing(examined({ certificate: { protocol: 'TLSv1.3', endsAt: at + 86_400_000 } }));
  expect(found.map(({ what }) => what)).toEqual(['base: its certificate ends on 2026-01-02']);
});

test('a host so slow that a run would not end is reported with the settings that make it end', () => {
  const reach = { host: 'base', reachable: true, latencyMs: 1_200, unrouted } as const;
  expect(pressing(examined({ reach }))).toEqual([
    {
      code: 'slow',
      weight: 'hides',
      what: 'an answer takes 1.2 s: 3000 calls, 8 at a time, take 8 minutes of the 5 that a run has',
      remedy: 'npm start -- --budget 900 --timeout 30',
    },
  ]);
});

test('a host that fell silent is reported by how slow it was before', () => {
  const sample = [{ id: 'general.config', host: 'base', seen: 'silent', status: 0 }] as const;
  const slow = { host: 'base', reachable: true, latencyMs: 1_500, unrouted } as const;
  expect(pressing(examined({ sample }))[0]?.remedy).toContain('look at its log');
  expect(pressing(examined({ sample, reach: slow }))[0]?.remedy).toMatch(/^an answer takes 1\.5 s, too long/);
});

test('a share says how many operations were tried, what the rest takes, and where all names stand', () => {
  const share = {
    judged: 0.62,
    operations: 133,
    told: 75,
    served: 40,
    ifOmitted: 0.9,
    ifWorded: 0.62,
    missing: ['a.a', 'a.b', 'a.c', 'a.d', 'a.e'],
  };
  const [found] = pressing(examined({ share }));
  expect(found?.what).toMatch(
    /40 of the 75 operations that doctor could try are served; it looks for a few seconds and changes nothing, so of 58 more only a run can tell$/,
  );
  expect(found?.remedy).toBe(
    'leave out in the profile (omit) what it does not mean to serve (then up to 90 %): a.a, a.b, a.c and 2 more, which stand under hosts, share.missing of npm run -s doctor -- --json',
  );
});

test('where no step of the remedy reaches the share that is needed, one that does is named, or that none is known', () => {
  const share = {
    judged: 0.3,
    operations: 133,
    told: 75,
    served: 9,
    ifOmitted: 0.4,
    ifWorded: 0.35,
    missing: ['a.a'],
  };
  const remedy = (shareOfServed: number, over = {}) =>
    pressing(examined({ share: { ...share, ...over }, shareOfServed }))[0]?.remedy;
  expect(remedy(0.97)).toMatch(
    /: a\.a; 80 % takes leaving out all that is not served, also of what only a run can tell \(then up to 97 %\): npm run learn -- --omit-missing leaves out what is missing for certain, and lists what you decide$/,
  );
  expect(remedy(0.7)).toMatch(/: a\.a; no step is known that reaches 80 %$/);
  expect(remedy(0.97, { ifOmitted: 0.9 })).toMatch(/: a\.a$/);
});

test('words that are open are reported with the operations that may hold them', () => {
  const [found] = pressing(examined({}, { words: { fits: [], open: ['clientData.gameConfigs'] } }));
  expect(found).toMatchObject({ code: 'word-open', weight: 'hides' });
  expect(found?.remedy).toContain('{"wordsAt": {"clientData.gameConfigs": {"game": "…"}}}');
});

test('server errors that do not come again hide what a run could judge', () => {
  const hosts = [{ ...healthy, passingErrors: { calls: 70, errors: 11 } }];
  expect(pressing(examined({}, { hosts }))).toContainEqual(
    expect.objectContaining({
      code: 'passing-errors',
      weight: 'hides',
      what: `${healthy.host}: 11 of 70 calls met a server error, and another answer when they were put again`,
    }),
  );
});

test('of many findings the most pressing ten are shown', () => {
  const hosts = Array.from({ length: 12 }, () => ({ ...healthy, seen: { calls: 9, limited: 9 } }));
  const examination = examined({}, { hosts });
  const lines = linesOf(examination, findingsOf(examination));
  expect(lines.filter((line) => line.startsWith('- '))).toHaveLength(10);
  expect(lines).toContainEqual(expect.stringMatching(/^… and \d+ more \(--json\)$/));
});

test('a pointer of the profile that matched nothing is reported with what to correct', () => {
  const line = 'ids: /playerId of auth.login matched nothing in 1 answer';
  const target = { ...examined({}).target, profileFile: 'p.json' };
  expect(findingsOf(examined({}, { target, unmatched: [line] }))).toContainEqual({
    code: 'pointer-unmatched',
    weight: 'more',
    what: `p.json: ${line}`,
    remedy: "correct the pointer in the operation's ids",
  });
});

test('a word that is not served names what is worth trying', () => {
  const words = { fits: [{ word: 'game', fit: 'unknown' } as const], open: [] };
  const clues = [{ word: 'rally', because: 'the Server header names it' }];
  const ownWords = { missing: true, clues, wordsAt: {}, doubted: [] };
  const [finding] = pressing(examined({}, { words, ownWords }));
  expect(finding).toMatchObject({
    code: 'word-unknown',
    remedy: expect.stringMatching(/; worth trying: rally$/),
  });
});

test('a host that leaves no time to look at its operations is reported', () => {
  expect(pressing(examined({ sample: [] }))).toMatchObject([{ code: 'unseen', weight: 'hides' }]);
});

test.each([
  [
    'files are there under the version that the API names',
    {
      found: true,
      segments: { CDN_ROOT_FOLDER_PATH: 'live', gameVersion: '12.0.3' },
      reportedBy: 'general.version',
    },
    'your API reports 12.0.3 (general.version), and files are there under /clientData/live/content/12.0.3/',
    'set GAME_VERSION=12.0.3',
  ],
  [
    'the folder is another one too',
    {
      found: true,
      segments: { CDN_ROOT_FOLDER_PATH: 'reef', gameVersion: '12.0.3' },
      reportedBy: 'general.version',
    },
    'under /clientData/reef/content/12.0.3/',
    'set GAME_VERSION=12.0.3 and CDN_ROOT_FOLDER_PATH=reef',
  ],
  [
    'none are there either',
    { found: false, reported: ['12.0.3'] },
    'your API reports 12.0.3, and there are none in this folder under that either',
    'check CDN_URL and CDN_ROOT_FOLDER_PATH, then GAME_VERSION',
  ],
] as const)(
  'a version without files is reported beside the one that the API names: %s',
  (_, elsewhere, what, remedy) => {
    const env = { BASE_URL: 'https://api.example', CDN_URL: 'https://cdn.example', GAME_VERSION: '9' };
    const target = readTarget(env, { cwd: '/' });
    const reach = { host: 'cdn', reachable: true, latencyMs: 4, unrouted } as const;
    const files = ['catalog', 'contentMetadata', 'coreRituals', 'prestige', 'gameConfigs'];
    const seenAs = (seen: 'unrouted' | 'served', status: number) =>
      files.map((name) => ({ id: `clientData.${name}`, host: 'cdn' as const, seen, status }));
    // A route may say that it knows no such version: that is no file either.
    for (const sample of [seenAs('unrouted', 404), seenAs('served', 404)]) {
      const found = pressing(examined({ host: 'cdn', reach, sample }, { target, elsewhere }));
      expect(found).toMatchObject([{ code: 'version-wrong', weight: 'stops', remedy }]);
      expect(found[0]?.what).toContain(what);
    }
    const there = seenAs('served', 200);
    expect(pressing(examined({ host: 'cdn', reach, sample: there }, { target, elsewhere }))).toEqual([]);
  },
);

test('where nothing of a host is served, its URL is doubted before its words and the profile', () => {
  const share = {
    judged: 0,
    operations: 2,
    told: 2,
    missing: ['logs.logsBatch', 'logs.analyticsBatch'],
    ifOmitted: 1,
    ifWorded: 1,
  };
  const remedy = (served: number) => {
    const look = examined({ host: 'gamelogs', share: { ...share, served } });
    return findingsOf(look).find(({ code }) => code === 'too-little-judged')?.remedy;
  };
  expect(remedy(0)).toMatch(/^check its URL, port and path prefix, or name the target's own words/);
  expect(remedy(1)).toMatch(/^name the target's own words/);
});

const everyBut = (...ids: readonly string[]) =>
  new Map(catalog.flatMap(({ id }) => (ids.includes(id) ? [] : [[id, 'not built'] as const])));

test('what only operations need that the profile leaves out is not asked for', () => {
  const profile = { ...silentProfile, omitted: everyBut('me.location') };
  const target = { ...examined({}).target, profile };
  expect(findingsOf(examined({}, { target })).map(({ code }) => code)).toEqual(['no-profile']);
  expect(findingsOf(examined({})).map(({ code }) => code)).toContain('host-not-given');
});

test('a version pattern that nobody names is reported with what it costs, and only where it is needed', () => {
  const found = (given: Target['given']) =>
    findingsOf(examined({}, { target: { ...examined({}).target, given } })).find(
      ({ code }) => code === 'version-pattern-unnamed',
    );
  expect(found([])?.what).toBe(
    'no version pattern is named: a guess goes to 1 operation (utils.contentVersionOf), and a refusal of it fails no check',
  );
  expect(found(['versionPattern'])).toBeUndefined();
});

const lacking = (profile: Partial<Profile>, ids: readonly string[]) => {
  const stated = { ...silentProfile, ...profile };
  const target = { ...examined({}).target, profile: stated, profileFile: 'my target.json' };
  const sample = ids.map((id) => ({ id, host: 'base' as const, seen: 'served' as const, status: 200 }));
  const look = examined({ sample }, { target, lacking: lackingIn(stated) });
  return findingsOf(look).find(({ code }) => code === 'profile-lacks');
};
const inRun = { '/operations/me.location/accepts': 'answers in a run' };
const learnt = { operations: { 'me.location': { accepts: [200], schema: {} } }, sources: inRun };

test('learning is recommended with a command that replaces the profile itself, for what is served', () => {
  const found = lacking({}, ['me.location']);
  expect(found?.what).toContain('no accepted statuses of 1 (me.location)');
  expect(found?.remedy).toMatch(
    /^npm run learn -- --profile 'my target.json' --output 'my target.json' --force /,
  );
  const captured = { '/operations/me.location/accepts': '3 answers in client.har' };
  expect(lacking({ ...learnt, sources: captured }, ['me.location', 'party.create'])?.remedy).toContain(
    'learn',
  );
});

test('what a run has learnt already is not to be learnt again', () => {
  expect(lacking(learnt, ['me.location'])).toBeUndefined();
  expect(lacking(learnt, ['me.location', 'players.fullProfile'])).toBeUndefined();
  expect(lacking(learnt, ['me.location', 'party.create'])?.remedy).toContain('npm run learn');
  const unsuccessful = { ...learnt, operations: { ...learnt.operations, 'party.create': {} } };
  expect(lacking(unsuccessful, ['party.create'])?.remedy).toContain('by hand');
});
