import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import type { Exchange } from '../http/exchange.ts';
import { createContents } from './content-rollback.ts';

const { clientData, general, utils } = areas;

interface Answer {
  readonly body: string;
  readonly at: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly method?: 'GET' | 'POST';
  readonly asked?: readonly (readonly [string, string])[];
}

function answer({ body, at, headers = {}, status = 200, method = 'GET', asked = [] }: Answer): Exchange {
  const made = exchangeOf({ status, headers, body });
  return { ...made, request: { ...made.request, method, headers: asked }, startedAt: at, durationMs: 5 };
}

/** What came back in these answers to one operation, by the times of the three that show it. */
function timesOf(
  answers: readonly Answer[],
  operation: Operation = clientData.catalog,
  restoredWithinMs = 100,
) {
  const contents = createContents('2.0');
  for (const each of answers) contents.note(operation, answer(each));
  return contents
    .cameBack(operation.host, restoredWithinMs)
    .map(({ place, latest, replacedAfterMs, backAfterMs }) => [
      place,
      replacedAfterMs,
      backAfterMs,
      latest.startedAt,
    ]);
}

test('content that was replaced and comes back is found, whatever the order of arrival', () => {
  const answers = [
    { body: 'a', at: 0 },
    { body: 'a', at: 10 },
    { body: 'b', at: 150 },
    { body: 'a', at: 300 },
  ];
  expect(timesOf(answers)).toEqual([[undefined, 150, 300, 300]]);
  const late = [...answers.slice(0, 3), { body: 'a', at: 400 }, { body: 'a', at: 300 }];
  expect(timesOf(late)).toEqual([[undefined, 150, 400, 400]]);
});

test('of two machines with different copies, each answers in turn', () => {
  const turns = Array.from({ length: 200 }, (_, nth) => ({ body: nth % 2 === 0 ? 'a' : 'b', at: nth * 10 }));
  expect(timesOf(turns)).toEqual([[undefined, expect.any(Number), 1_980, 1_990]]);
});

test.each<[string, readonly Answer[]]>([
  [
    'one change, which is a deploy',
    [
      { body: 'a', at: 0 },
      { body: 'b', at: 150 },
      { body: 'b', at: 300 },
    ],
  ],
  [
    'while machines are replaced',
    [
      { body: 'a', at: 0 },
      { body: 'b', at: 50 },
      { body: 'a', at: 60 },
      { body: 'b', at: 90 },
      { body: 'a', at: 300 },
    ],
  ],
  [
    'what was replaced again a moment ago',
    [
      { body: 'a', at: 0 },
      { body: 'b', at: 250 },
      { body: 'a', at: 300 },
    ],
  ],
  [
    'of answers that overlap',
    [
      { body: 'a', at: 0 },
      { body: 'b', at: 3 },
      { body: 'a', at: 4 },
    ],
  ],
  [
    'of a copy that says how old it is',
    [
      { body: 'a', at: 0 },
      { body: 'b', at: 150 },
      { body: 'a', at: 300, headers: { age: '7' } },
    ],
  ],
  [
    'of an answer that is no success, or to another method',
    [
      { body: 'a', at: 0 },
      { body: 'b', at: 150, status: 503 },
      { body: 'b', at: 60, method: 'POST' },
      { body: 'a', at: 300 },
    ],
  ],
  [
    'of another question',
    [
      { body: 'a', at: 0 },
      { body: 'b', at: 150, asked: [['accept-language', 'de']] },
      { body: 'a', at: 300 },
    ],
  ],
  [
    'of what changes all the time',
    [...'abcdefgh'].map((body, at) => ({ body, at: at * 10 })).concat({ body: 'a', at: 900 }),
  ],
])('nothing came back: %s', (_, answers) => {
  expect(timesOf(answers)).toEqual([]);
});

test('the order of members and lists is no content, nor is white space', () => {
  const again = (body: string) => [
    { body: '{"a":1,"b":[2,3]}', at: 0 },
    { body, at: 150 },
    { body: '{"a":1,"b":[2,3]}', at: 300 },
  ];
  expect(timesOf(again('{"b": [3, 2],\n "a": 1}'))).toEqual([]);
  expect(timesOf(again('{"a":1,"b":[2,4]}'))).not.toEqual([]);
  const large = 'x'.repeat(2 ** 20);
  const turns = (body: string) => [
    { body: `${large} y`, at: 0 },
    { body, at: 150 },
    { body: `${large} y`, at: 300 },
  ];
  expect(timesOf(turns(`y ${large}`))).not.toEqual([]);
});

test('a version counts where the place held the one in force', () => {
  const told = (version: string, at: number, time = String(at)) => ({
    body: JSON.stringify({ version, time, nth: at }),
    at,
  });
  const turns = [told('2.0', 0), told('1.9', 150), told('2.0', 300)];
  for (const operation of [general.version, utils.contentVersion])
    expect(timesOf(turns, operation)).toEqual([['/version', 150, 300, 300]]);
  expect(timesOf([told('7', 0, 'x'), told('8', 150, 'y'), told('7', 300, 'x')], general.version)).toEqual([]);
  expect(timesOf([told('2.0', 0), { body: 'no JSON', at: 150 }, told('2.0', 300)], general.version)).toEqual(
    [],
  );
  const listed = (...versions: readonly string[]) => JSON.stringify({ versions });
  const shuffled = [
    { body: listed('2.0', '1.9'), at: 0 },
    { body: listed('1.9', '2.0'), at: 150 },
    { body: listed('2.0', '1.9'), at: 300 },
  ];
  expect(timesOf(shuffled, general.version)).toEqual([]);
  // Of no other operation of the main API.
  expect(timesOf(turns, general.config)).toEqual([]);
});
