import { expect, test } from 'vitest';
import { catalog } from '../../../catalog/catalog.ts';
import type { Operation } from '../../../catalog/operation.ts';
import { Tally } from '../tally.ts';
import { documentedWord, matchCall } from './match-call.ts';
import { createSurvey, electWords } from './survey.ts';

/** What was seen at the word of each operation, and how often. */
function elected(
  ...seen: readonly (readonly [operation: Operation, counts: Readonly<Record<string, number>>])[]
) {
  const tallies = seen.map(([{ id }, counts]) => {
    const tally = new Tally();
    for (const [word, times] of Object.entries(counts)) tally.add(word, times);
    return [id, tally] as const;
  });
  return electWords(new Map(tallies));
}

const places = catalog.filter(
  ({ words: [mark], host }) => mark?.word === 'game' && !mark.open && host === 'base',
);
const [one, two, three, four] = places as [Operation, Operation, Operation, Operation];
const openLog = catalog.find(({ host, words: [mark] }) => host === 'gamelogs' && mark?.open) as Operation;
const openFile = catalog.find(
  ({ host, words: [mark] }) => host === 'cdn' && mark?.open && mark.word === 'game',
) as Operation;

test('the word of most operations is the target, not that of most calls', () => {
  expect(elected([one, { chatty: 500 }], [two, { title: 1 }], [three, { title: 1 }]).words).toEqual({
    game: 'title',
  });
});

test('of two that as many operations say, the one of more calls is it; then the first by name', () => {
  expect(elected([one, { b: 3 }], [two, { a: 2 }]).words).toEqual({ game: 'b' });
  expect(elected([one, { b: 2 }], [two, { a: 2 }]).words).toEqual({ game: 'a' });
});

test('with three operations behind a word, another one at its place is another call', () => {
  const pairs = [one, two, three].map((operation) => [operation, { title: 1 }] as const);
  const { spokenAt } = elected(...pairs, [four, { stray: 9 }]);
  expect(spokenAt.get(one.id)).toBe('title');
  expect(spokenAt.has(four.id)).toBe(false);
});

test('with fewer, the other word is reported for its own place', () => {
  const { wordsAt } = elected([one, { title: 2 }], [two, { stray: 1 }]);
  expect(wordsAt).toEqual({ [two.id]: { game: 'stray' } });
});

test('an operation that is not in the interface has no say', () => {
  expect(elected([{ ...one, id: 'no.such' }, { title: 9 }])).toMatchObject({ words: {}, wordsAt: {} });
});

test('where the document leaves a word open, its own spelling goes first, then that of the target', () => {
  const own = documentedWord(openFile) ?? '';
  expect(elected([openFile, { [own]: 1, Title: 5 }]).spokenAt.get(openFile.id)).toBe(own);
  const result = elected([one, { title: 1 }], [openFile, { Title: 1 }]);
  expect(result.wordsAt).toEqual({ [openFile.id]: { game: 'Title' } });
});

test('a file of another name may be one that the document does not have; a log of another name is none', () => {
  expect(elected([openFile, { other: 5 }]).spokenAt.size).toBe(0);
  expect(elected([openLog, { other: 5 }]).spokenAt.get(openLog.id)).toBe('other');
});

const api = 'http://api';

function surveyOf(calls: readonly (readonly [method: string, url: string])[], given = {}) {
  const survey = createSurvey(given);
  for (const [method, url] of calls) {
    const match = matchCall(method, new URL(url));
    if (match) survey.note(match);
  }
  return survey.end();
}
const gets = (...paths: readonly string[]) => paths.map((path) => ['GET', api + path] as const);
const isTheirs = (findings: ReturnType<typeof surveyOf>, method: string, url: string) => {
  const match = matchCall(method, new URL(url));
  return match !== undefined && findings.isTheirs(match);
};

test('a host is where most of its operations were answered, not most of the calls', () => {
  const chatty = Array(50).fill(['GET', 'http://elsewhere/api/v1/config'] as const);
  const findings = surveyOf([...chatty, ...gets('/api/v1/config', '/api/v1/version')]);
  expect(findings.hosts.base).toEqual({ url: api, operations: 2, calls: 2 });
});

test('a host that the user names is the one, however few its calls', () => {
  const calls = [
    ...gets('/api/v1/config', '/api/v1/version'),
    ['GET', 'http://mine/x/api/v1/config'] as const,
  ];
  expect(surveyOf(calls, { base: 'http://mine/x' }).hosts.base?.url).toBe('http://mine/x');
});

test('a word is that of most operations; another one at its place is then another call', () => {
  const findings = surveyOf(
    gets(
      '/api/v1/acme-challenges',
      '/api/v1/acme-match-bonus',
      '/api/v1/acme-shrine/get-available',
      '/api/v1/daily-voice-over/get',
    ),
  );
  expect(findings.words).toEqual({ game: 'acme' });
  expect(findings.wordsAt).toEqual({});
  expect(isTheirs(findings, 'GET', `${api}/api/v1/acme-challenges`)).toBe(true);
  expect(isTheirs(findings, 'GET', `${api}/api/v1/daily-voice-over/get`)).toBe(false);
});

test('where few places show a word, each may have its own', () => {
  const findings = surveyOf([
    ['POST', `${api}/api/v1/auth/provider/shop/login?token=t`],
    ['POST', `${api}/api/v1/auth/provider/shop/login?token=t`],
    ['POST', `${api}/api/v1/playername/store/Rowan`],
  ]);
  expect(findings.words).toEqual({ storefront: 'shop' });
  expect(findings.wordsAt).toEqual({ 'playerName.set': { storefront: 'store' } });
});

test('at a place that the document leaves open the word is taken in whichever case, an unknown word is not', () => {
  const files = ['AcmeConfigs.json', 'otherplayTunables.json'].map(
    (file) => `/clientData/r/content/1/${file}`,
  );
  const findings = surveyOf(gets('/api/v1/acme-challenges', ...files));
  expect(findings.wordsAt).toEqual({ 'clientData.gameConfigs': { game: 'Acme' } });
  expect(isTheirs(findings, 'GET', `${api}${files[1]}`)).toBe(false);
});

test('segments are those of most files', () => {
  const file = (root: string, version: string, name: string) =>
    `/clientData/${root}/content/${version}/${name}`;
  const findings = surveyOf(
    gets(
      file('live', '7.1', 'catalog.json'),
      ...Array<string>(9).fill(file('live', '7.1', 'catalog.json')),
      file('live', '7.2', 'catalog.json'),
      file('live', '7.2', 'dlcList.json'),
      file('live', '7', 'news/versionedNews_en.json'),
    ),
  );
  expect(findings.segments).toEqual({
    CDN_ROOT_FOLDER_PATH: 'live',
    gameVersion: '7.2',
    versionPattern: '7',
  });
});
