import { expect, test } from 'vitest';
import { exchangeOf } from '../probe/evidence.ts';
import { mentions } from './mentions.ts';
import { namedBeside, placesOf } from './places.ts';

const answer = (body: unknown) => exchangeOf({ status: 200, body });
const pathsOf = (body: unknown, value: string) => [...placesOf(answer(body), value).keys()];

test.each<[string, unknown, string, string[]]>([
  ['as a value', { party: { id: 'party-77' } }, 'party-77', ['/party/id']],
  ['in a list of ids', { blocked: ['you-id', 'me-id'] }, 'me-id', ['/blocked/#']],
  ['in a list of objects', { members: [{ id: 'me-id' }] }, 'me-id', ['/members/#/id']],
  ['in a list at the root', ['me-id'], 'me-id', ['/#']],
  ['as a name', { members: { 'me-id': {} } }, 'me-id', ['/members/*']],
  ['in a map by number', { slots: { 1: 'me-id' } }, 'me-id', ['/slots/#']],
  ['within a longer text', { href: '/api/party/party-77?x' }, 'party-77', ['/href']],
  ['in JSON that is the text of a member', { sent: '{"to":["me-id"]}' }, 'me-id', ['/sent/$/to/#']],
  ['in JSON that is one text', '"[\\"me-id\\"]"', 'me-id', ['/$/#']],
  ['in a text that is no JSON', '<p>party-77</p>', 'party-77', ['']],
  ['a short one, under whatever name', { blocked: [5, 7] }, '5', ['/blocked/#']],
  ['a short one in another', { playerId: 57, name: 'x5' }, '5', []],
  ['a long one in another', { id: 'party-778', of: 'xparty-77' }, 'party-77', []],
  ['nowhere', { id: 'party-78' }, 'party-77', []],
])('a value stands %s', (_, body, value, paths) => {
  expect(pathsOf(body, value)).toEqual(paths);
  expect(mentions(answer(body), value)).toBe(paths.length > 0);
});

test('a list tells its items apart from what stands alone', () => {
  const places = placesOf(answer({ last: 'me-id', all: ['me-id', 'me-id'] }), 'me-id');
  expect(places.get('/last')).toMatchObject({ listed: false, times: 1 });
  expect(places.get('/all/#')).toMatchObject({ listed: true, times: 2 });
});

test('what is nested without end, or endless, is looked at within bounds', () => {
  const deep = Array.from({ length: 1_000 }).reduce<unknown>((inner) => [inner], 'me-id');
  expect(pathsOf(deep, 'me-id')).toEqual([]);
  const wide = { ids: Array.from({ length: 300_000 }, () => 1) };
  expect(pathsOf(wide, 'me-id')).toEqual([]);
});

test.each<[string, string, unknown, boolean]>([
  ['where a fellow stands', 'you-id', { players: ['me-id', 'you-id'] }, true],
  ['elsewhere', 'you-id', { players: ['me-id'], cancelled: ['you-id'] }, false],
  ['where no fellow is named', 'your-id', { opponent: 'your-id' }, true],
  ['by chance, where no fellow is named', '30', { waitedSeconds: 30 }, false],
])('somebody is named %s', (_, id, body, isNamed) => {
  expect(namedBeside(id, ['me-id'], [answer(body)])).toBe(isNamed);
});
