import { expect, test } from 'vitest';
import type { Exchange } from '../../engine/http/exchange.ts';
import { namedArchives, namedConsentFiles, namedLanguages, namedNews } from './known-content.ts';

const answered = (body: string): Exchange => ({
  request: { method: 'GET', url: 'http://127.0.0.1/', headers: [] },
  response: { status: 200, headers: [], body: Buffer.from(body), wire: { bytes: 0 } },
  startedAt: 0,
  durationMs: 0,
  attempts: 1,
  waits: 0,
});
const replyWith = (value: unknown) => answered(JSON.stringify(value));

test('a news file is named by newsUrl, in any spelling, and once', () => {
  const news = [
    { url: 'other.json' },
    { newsUrl: 'spring.json' },
    { news_url: 'a/b.html' },
    { newsUrl: 'spring.json' },
  ];
  expect(namedNews(replyWith({ news }))).toEqual(['spring.json', 'a/b.html']);
});

test.each([
  ['https://news.example/spring.json'],
  ['../spring.json'],
  ['winter/../spring.json'],
  ['/spring.json'],
  ['spring'],
])('%s is no file under News', (newsUrl) => {
  expect(namedNews(replyWith({ newsUrl }))).toEqual([]);
});

test('archives are named by archiveId', () => {
  expect(
    namedArchives(replyWith({ rewards: [{ archiveId: 'S1' }, { archive_id: 'S2' }, { id: 'S3' }] })),
  ).toEqual(['S1', 'S2']);
});

test('languages count where en shows that they are written as files are', () => {
  expect(namedLanguages(replyWith({ languages: ['en', 'de'] }))).toEqual(['en', 'de']);
  expect(namedLanguages(replyWith({ languages: ['en-US', 'de'] }))).toEqual([]);
});

const known = [
  'consents/eula/v4/en.json',
  'consents/eula/v4/definition.json',
  'consents/marketing/v2/en.json',
];

test.each([
  ['by its path', { file: 'https://cdn.example/x/consents/marketing/v2/en.json' }, [known[2]]],
  ['as a name beside a version', { consents: [{ id: 'eula', version: 'v4' }] }, known.slice(0, 2)],
  ['not by a version that is no path segment', { consents: [{ id: 'eula', version: 4 }] }, []],
  ['not by a version of something else', { id: 'eula', api: { version: 'v4' } }, []],
])('a consent file is named %s', (_, value, files) => {
  expect(namedConsentFiles(replyWith(value), known)).toEqual(files);
});
