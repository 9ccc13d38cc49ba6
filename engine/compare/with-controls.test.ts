import { describe, expect, test } from 'vitest';
import type { Exchange } from '../http/exchange.ts';
import { brokenExchange, exchangeOf } from '../probe/evidence.ts';
import { type Comparison, compare, silenceOf } from './with-controls.ts';

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
const compared = (row: Said, control: Said) => compare(row.answers, control.answers);

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

  test('that is answered otherwise each time: nothing can be said', async () => {
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

  test('what the control says in time as well is no difference', async () => {
    const control = saying(from('a'), from('a'), from('a'), from('a'), from('b'));
    expect(await compared(saying(from('b')), control)).toEqual(same);
    expect(control.asked).toEqual([1, 2, 3, 4, 5]);
  });

  test('nor is what the answer says in time as well', async () => {
    const row = saying(from('b'), from('b'), from('b'), from('a'));
    expect(await compared(row, saying(from('a')))).toEqual(same);
    expect(row.asked).toEqual([1, 2, 3, 4]);
  });

  test('a header that one machine of two sends is none', async () => {
    const canary = exchangeOf({ headers: { 'x-canary': '1' } });
    expect(await compared(saying(exchangeOf()), saying(canary, canary, canary, exchangeOf()))).toEqual(same);
  });

  test('what only ever one of them says is one, in eight controls and seven answers', async () => {
    const nodes = ['a', 'a', 'b', 'a', 'b'] as const;
    const [first, ...others] = nodes.map((node) => from(node)) as [Exchange, ...Exchange[]];
    const control = saying(first, ...others);
    const row = saying(from('b', 'no such party'), from('a', 'no such party'));
    expect(await compared(row, control)).toEqual(different);
    expect([row.asked.length, control.asked.length]).toEqual([7, 8]);
  });

  test('a control that turns out to be of two types says nothing', async () => {
    const page = exchangeOf({ body: '<p>none</p>' });
    const control = saying(exchangeOf(), exchangeOf(), page);
    expect(await compared(saying(from('a')), control)).toEqual({ differs: false, unstable: true });
  });

  test('a host that wants no more of it is left alone, and what was seen counts', async () => {
    for (const none of [exchangeOf({ status: 429 }), exchangeOf({ status: 502 }), brokenExchange('reset')]) {
      const control = saying(from('a'), from('a'), none, from('b'));
      expect(await compared(saying(from('b', 'no such party')), control)).toEqual(different);
      expect(control.asked).toEqual([1, 2, 3]);
    }
  });

  test('what becomes of a call later is not held against it', async () => {
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

test.each([200, 404, 500, 503])('an answer with %i is one', (status) => {
  expect(silenceOf(exchangeOf({ status }))).toBeUndefined();
});

test.each([
  ['timeout', 'timeout'],
  ['reset', 'reset'],
  ['protocol', 'reset'],
  ['refused', 'unreachable'],
  ['too-large', 'too-large'],
] as const)('%s is silence for the reason %s', (kind, reason) => {
  expect(silenceOf(brokenExchange(kind))).toEqual({ reason, why: `GET http://a.test/: ${kind}` });
});

test('a rate limit and an announced outage are silence', () => {
  expect(silenceOf(exchangeOf({ status: 429 }))?.why).toContain('answered 429');
  const outage = exchangeOf({ status: 503, headers: { 'retry-after': '5' } });
  expect(silenceOf(outage)).toMatchObject({
    reason: 'rate-limited',
    why: expect.stringContaining('answered 503 with Retry-After'),
  });
});

test('what was never sent is silence for a reason of its own', () => {
  expect(silenceOf({ ...exchangeOf(), unsigned: true })).toMatchObject({ reason: 'no-session' });
  expect(silenceOf({ ...brokenExchange(), held: true })).toMatchObject({ reason: 'prerequisite-failed' });
});
