import { describe, expect, test } from 'vitest';
import { areas, catalog } from '../../catalog/catalog.ts';
import { type Operation, parametersOf, placeholders } from '../../catalog/operation.ts';
import { requestPath } from '../../catalog/request-path.ts';
import { randomFrom } from '../values/random.ts';
import { controlPath, scramble } from './controls.ts';

const { archives, clientData, general, party, players } = areas;
const ambient = { CDN_ROOT_FOLDER_PATH: 'live', gameVersion: '1.0.0', versionPattern: '1.0' };

const pathOf = (operation: Operation, values: Record<string, string> = {}, root = 'live') => {
  const params = Object.fromEntries(parametersOf(operation).map((name) => [name, values[name] ?? 'anId']));
  const { CDN_ROOT_FOLDER_PATH: _, gameVersion: __, versionPattern: ___, ...own } = params;
  const path = requestPath(operation, own, { ambient: { ...ambient, CDN_ROOT_FOLDER_PATH: root } });
  return path.split('?')[0] ?? '';
};
const controlOf = (
  kind: 'sibling' | 'tail' | 'root',
  operation: Operation,
  path = pathOf(operation),
  seed = '1',
) => controlPath(kind, operation, path, randomFrom(seed));
const letters = (length: number) => `[B-DF-HJ-NP-TV-Zb-df-hj-np-tv-z]{${length}}`;

describe('random letters', () => {
  test('have the length and class of what they stand for', () => {
    expect(scramble('getFriendInfo-V2_en', randomFrom('1'))).toMatch(
      /^[b-z]{3}[B-Z][b-z]{5}[B-Z][b-z]{3}-[B-Z]2_[b-z]{2}$/,
    );
  });

  test('are others than what they stand for, digits too', () => {
    expect(scramble('2026', randomFrom('1'))).not.toBe('2026');
  });

  test('are repeated by a seed, and differ with it', () => {
    expect(scramble('unrouted', randomFrom('1'))).toBe(scramble('unrouted', randomFrom('1')));
    expect(scramble('unrouted', randomFrom('1'))).not.toBe(scramble('unrouted', randomFrom('2')));
  });
});

describe('a sibling', () => {
  test.each<readonly [string, Operation, string]>([
    ['has another last segment', general.consent, `/api/v1/${letters(7)}`],
    [
      'keeps parameters and mutates before them',
      archives.story,
      `/api/v1/archives/stories/get/${letters(5)}`,
    ],
    ['mutates behind a parameter in the path', players.friends, `/api/v1/players/anId/${letters(7)}`],
    ['keeps a suffix', clientData.catalog, `/clientData/live/content/1.0.0/${letters(7)}\\.json`],
    [
      'keeps a parameter that has a suffix',
      clientData.archiveQuests,
      `/clientData/live/content/1.0.0/${letters(13)}/anId\\.json`,
    ],
    [
      'is long enough where the segment is short',
      areas.game.voiceOver,
      `/api/v1/game-voice-over/${letters(8)}`,
    ],
    [
      'goes by the last segment, whatever stands before',
      players.fullProfile,
      `/api/v1/players/me/states/FullProfile/${letters(6)}`,
    ],
  ])('%s', (_, operation, pattern) => {
    expect(controlOf('sibling', operation).path).toMatch(new RegExp(`^${pattern}$`));
  });

  test('serves all operations beside it', () => {
    const [one, other] = [general.consent, general.inventories].map((row) => controlOf('sibling', row).key);
    expect(one).toBe(other);
    expect(one).not.toBe(controlOf('sibling', archives.tier).key);
  });

  test('serves no operation with another suffix', () => {
    expect(controlOf('sibling', clientData.catalog).key).not.toBe(controlOf('sibling', clientData.news).key);
  });

  test('takes another segment where a template would match it', () => {
    expect(controlOf('sibling', party.details).path).toMatch(new RegExp(`^/api/v1/${letters(5)}/details$`));
  });

  test('knows its segments where the folder holds slashes', () => {
    const path = pathOf(clientData.catalog, {}, 'live/eu/west');
    expect(controlOf('sibling', clientData.catalog, path).path).toMatch(
      new RegExp(`^/clientData/live/eu/west/content/1.0.0/${letters(7)}\\.json$`),
    );
  });

  test('knows its segments where the news file holds slashes', () => {
    const path = pathOf(clientData.news, { newsUrl: '2026/may/n.json' });
    expect(controlOf('sibling', clientData.news, path).path).toMatch(
      new RegExp(`^/clientData/live/content/1.0.0/${letters(4)}/2026/may/n.json$`),
    );
  });
});

test('a tail goes on after the path, a root starts anew, both with its suffix', () => {
  expect(controlOf('tail', general.consent).path).toMatch(new RegExp(`^/api/v1/consent/${letters(8)}$`));
  expect(controlOf('tail', clientData.catalog).path).toMatch(/\/catalog\.json\/[a-z]{8}\.json$/);
  expect(controlOf('root', general.consent).path).toMatch(new RegExp(`^/${letters(8)}$`));
  expect(controlOf('root', clientData.catalog).path).toMatch(/^\/[a-z]{8}\.json$/);
});

test('the root is one for all operations of a host that have the same suffix', () => {
  expect(controlOf('root', general.consent).key).toBe(controlOf('root', archives.tier).key);
  expect(controlOf('root', general.consent).key).not.toBe(controlOf('root', clientData.catalog).key);
});

test('no control of any operation is a documented path', () => {
  const hits = catalog.flatMap((row) =>
    (['sibling', 'tail', 'root'] as const).flatMap((kind) => {
      const sent = controlOf(kind, row).path.split('/');
      const hit = catalog.find(({ host, method, path }) => {
        const template = path.split('/');
        const same = host === row.host && method === row.method && template.length === sent.length;
        return same && template.every((part, at) => part === sent[at] || placeholders(part).length > 0);
      });
      return hit ? [`${kind} of ${row.id} is ${hit.id}`] : [];
    }),
  );
  expect(hits).toEqual([]);
});
