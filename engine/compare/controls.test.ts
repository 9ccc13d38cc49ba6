import { describe, expect, test } from 'vitest';
import { areas, catalog } from '../../catalog/catalog.ts';
import { type Operation, parametersOf, placeholders } from '../../catalog/operation.ts';
import { requestPath } from '../../catalog/request-path.ts';
import { brokenExchange, exchangeOf } from '../../fixtures/kit/exchanges.ts';
import type { Exchange } from '../http/exchange.ts';
import { randomFrom } from '../values/random.ts';
import { type Comparison, compareWithControl, controlPath } from './controls.ts';

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
    const [one, other] = [general.consent, general.inventories].map(
      (operation) => controlOf('sibling', operation).key,
    );
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
  const hits = catalog.flatMap((operation) =>
    (['sibling', 'tail', 'root'] as const).flatMap((kind) => {
      const sent = controlOf(kind, operation).path.split('/');
      const hit = catalog.find(({ host, method, path }) => {
        const template = path.split('/');
        const same =
          host === operation.host && method === operation.method && template.length === sent.length;
        return same && template.every((part, at) => part === sent[at] || placeholders(part).length > 0);
      });
      return hit ? [`${kind} of ${operation.id} is ${hit.id}`] : [];
    }),
  );
  expect(hits).toEqual([]);
});

const same: Comparison = { differs: false, unstable: false };
const different: Comparison = { differs: true, unstable: false };

/** What is said to one question, one after the other; the last of it from then on. */
function saying(...said: readonly [Exchange, ...Exchange[]]) {
  const asked: number[] = [];
  return {
    asked,
    answers: async (nth: number) => {
      asked.push(nth);
      return said[nth - 1] ?? (said.at(-1) as Exchange);
    },
  };
}
type Said = ReturnType<typeof saying>;
const compared = (row: Said, control: Said) => compareWithControl(row.answers, control.answers);

describe('an answer and a control', () => {
  test('differ by their status: a second control is not needed', async () => {
    const [row, control] = [saying(exchangeOf({ status: 200 })), saying(exchangeOf({ status: 404 }))];
    expect(await compared(row, control)).toEqual(different);
    expect([row.asked, control.asked]).toEqual([[1], [1]]);
  });

  test('that are alike are asked once and twice', async () => {
    const [row, control] = [saying(exchangeOf()), saying(exchangeOf())];
    expect(await compared(row, control)).toEqual(same);
    expect([row.asked, control.asked]).toEqual([[1], [1, 2]]);
  });

  test('of one status are compared by what stays between two controls', async () => {
    const body = (id: number, error: string) => exchangeOf({ body: { id, error } });
    const control = () => saying(body(1, 'none'), body(2, 'none'), body(3, 'none'));
    expect(await compared(saying(body(4, 'none')), control())).toEqual(same);
    expect(await compared(saying(body(4, 'no config')), control())).toEqual(different);
  });

  test('that is answered with another status each time is unstable', async () => {
    const control = saying(exchangeOf(), exchangeOf({ status: 500 }));
    expect(await compared(saying(exchangeOf()), control)).toEqual({ differs: false, unstable: true });
  });

  test.each<readonly [string, Exchange]>([
    ['429', exchangeOf({ status: 429 })],
    ['503', exchangeOf({ status: 503 })],
    ['a timeout', brokenExchange('timeout')],
  ])('answered by %s is none, the first time or the second', async (_, none) => {
    const failed = { ...same, failed: none };
    expect(await compared(saying(exchangeOf({ status: 200 })), saying(none))).toEqual(failed);
    expect(await compared(saying(exchangeOf()), saying(exchangeOf(), none))).toEqual(failed);
  });
});

describe('where a body alone tells them apart', () => {
  const from = (node: string, error = 'none') => exchangeOf({ body: { error, servedBy: node } });

  test('a value that the control shows later is no difference', async () => {
    const control = saying(from('a'), from('a'), from('a'), from('a'), from('b'));
    expect(await compared(saying(from('b')), control)).toEqual(same);
    expect(control.asked).toEqual([1, 2, 3, 4, 5]);
  });

  test('a value that the answer shows later is no difference', async () => {
    const row = saying(from('b'), from('b'), from('b'), from('a'));
    expect(await compared(row, saying(from('a')))).toEqual(same);
    expect(row.asked).toEqual([1, 2, 3, 4]);
  });

  test('a header that one machine of two sends is none', async () => {
    const canary = exchangeOf({ headers: { 'x-canary': '1' } });
    expect(await compared(saying(exchangeOf()), saying(canary, canary, canary, exchangeOf()))).toEqual(same);
  });

  test('a text that only the answer shows is a difference after eight controls and seven answers', async () => {
    const nodes = ['a', 'a', 'b', 'a', 'b'] as const;
    const [first, ...others] = nodes.map((node) => from(node)) as [Exchange, ...Exchange[]];
    const control = saying(first, ...others);
    const row = saying(from('b', 'no such party'), from('a', 'no such party'));
    expect(await compared(row, control)).toEqual(different);
    expect([row.asked.length, control.asked.length]).toEqual([7, 8]);
  });

  test('a control that is answered with two media types is unstable', async () => {
    const page = exchangeOf({ body: '<p>none</p>' });
    const control = saying(exchangeOf(), exchangeOf(), page);
    expect(await compared(saying(from('a')), control)).toEqual({ differs: false, unstable: true });
  });

  test('samples end when the host stops answering, and the answers so far decide', async () => {
    for (const none of [exchangeOf({ status: 429 }), exchangeOf({ status: 502 }), brokenExchange('reset')]) {
      const control = saying(from('a'), from('a'), none, from('b'));
      expect(await compared(saying(from('b', 'no such party')), control)).toEqual(different);
      expect(control.asked).toEqual([1, 2, 3]);
    }
  });

  test('later failures of the call do not undo a difference', async () => {
    const unsigned = exchangeOf({ status: 401, body: { error: 'none', servedBy: 'a' } });
    const row = saying(from('a', 'no such party'), brokenExchange('timeout'), unsigned);
    expect(await compared(row, saying(from('a')))).toEqual(different);
  });

  test('a success of another type is asked no further', async () => {
    const [row, control] = [
      saying(exchangeOf({ status: 200 })),
      saying(exchangeOf({ status: 200, body: '<p>Play</p>' })),
    ];
    expect(await compared(row, control)).toEqual(different);
    expect([row.asked, control.asked]).toEqual([[1], [1, 2]]);
  });
});
