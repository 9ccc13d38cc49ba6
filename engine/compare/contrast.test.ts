import { describe, expect, test } from 'vitest';
import { type ExchangeFields, exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { areOfOneKind, besideControl, createContrast } from './contrast.ts';

type Samples = readonly (readonly [one: object, other: object])[];
const partsLeft = (samples: Samples) => {
  const tell = createContrast();
  return samples.map(([one, other]) =>
    [...tell([exchangeOf({ body: one })], [exchangeOf({ body: other })])].sort(),
  );
};

test('a value that both kinds showed does not distinguish them, even when it comes late', () => {
  const samples: Samples = [
    [
      { at: 1, a: 1 },
      { at: 2, a: 2 },
    ],
    [
      { at: 1, a: 1 },
      { at: 2, a: 2 },
    ],
    [
      { at: 2, a: 1 },
      { at: 2, a: 2 },
    ],
    [
      { at: 2, a: 1 },
      { at: 3, a: 2 },
    ],
  ];
  expect(partsLeft(samples)).toEqual([['body/a', 'body/at'], ['body/a', 'body/at'], ['body/a'], ['body/a']]);
});

test('a value that changes once or twice distinguishes the kinds, one that keeps changing does not', () => {
  const once = (n: number): [object, object] => [{ coins: Math.min(n, 2) }, { coins: 9 }];
  expect(partsLeft([0, 1, 2, 3, 4].map(once)).at(-1)).toEqual(['body/coins']);
  const clock = (n: number): [object, object] => [{ at: 2 * n }, { at: 2 * n + 1 }];
  expect(partsLeft([0, 1, 2, 3].map(clock)).at(-1)).toEqual([]);
});

test('a value that both kinds keep for a while and then change does not distinguish them', () => {
  const kept = (n: number): [object, object] => [
    { at: `one ${Math.floor(n / 4)}`, a: 1 },
    { at: `other ${Math.floor((n + 2) / 4)}`, a: 2 },
  ];
  const samples = [0, 1, 2, 3, 4, 5].map(kept);
  expect(partsLeft(samples)).toEqual([...Array(4).fill(['body/a', 'body/at']), ['body/a'], ['body/a']]);
});

test('a member of only one kind distinguishes the kinds, another spelling of the same JSON does not', () => {
  expect(partsLeft([[{ a: 1 }, { a: 1, b: 1 }]])).toEqual([['body/b']]);
  expect(
    partsLeft([
      [
        { a: 1, b: 1 },
        { b: 1.0, a: 1 },
      ],
    ]),
  ).toEqual([[]]);
});

describe('against a control that was put twice', () => {
  const against = (first: ExchangeFields, second: ExchangeFields, answer: ExchangeFields) => {
    const [one, two] = [exchangeOf(first), exchangeOf(second)];
    return areOfOneKind(one, two) ? [...besideControl()([exchangeOf(answer)], [one, two])] : undefined;
  };

  test('a leaf that changes by itself does not count, its neighbour does', () => {
    const body = (id: number, error: string) => ({ body: { id, error } });
    expect(against(body(1, 'none'), body(2, 'none'), body(3, 'none'))).toEqual([]);
    expect(against(body(1, 'none'), body(2, 'none'), body(3, 'no party'))).toEqual(['body/error']);
  });

  test('a list that grows does not distinguish the kinds', () => {
    const body = (...trace: number[]) => ({ body: { trace, error: 'none' } });
    expect(against(body(1), body(1, 2), body(1, 2, 3))).toEqual([]);
    expect(against(body(1), body(2), body(1, 2))).toEqual(['body/trace/1']);
  });

  test('a text whose length changes does not distinguish the kinds', () => {
    expect(against({ body: 'at one' }, { body: 'at one two' }, { body: 'at one two three four' })).toEqual(
      [],
    );
  });

  test('compares a header only when both answers of the control carry it', () => {
    const x = { headers: { 'x-node': '1' } };
    expect(against({}, {}, x)).toEqual([]);
    expect(against(x, {}, {})).toEqual([]);
    expect(against(x, x, {})).toEqual(['header x-node']);
  });

  test.each<readonly [string, ExchangeFields]>([
    ['status', { status: 500 }],
    ['media type', { headers: { 'content-type': 'text/plain' } }],
    ['kind of body', { body: [] }],
  ])('whose answers differ in %s, nothing can be compared', (_, second) => {
    expect(against({}, second, {})).toBeUndefined();
  });
});
