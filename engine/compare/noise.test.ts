import { describe, expect, test } from 'vitest';
import { brokenExchange, type ExchangeFields, exchangeOf } from '../../fixtures/kit/exchanges.ts';
import type { Exchange } from '../http/exchange.ts';
import { createNoise, type KnownNoise, noRepeats, pausesFor, samplesApart } from './noise.ts';

/** The model of a host that gave these answers to one question, so many ms after the first. */
function learnt(answers: readonly (readonly [at: number, fields: ExchangeFields])[]): KnownNoise {
  const noise = createNoise();
  for (const [at, fields] of answers)
    noise.note('base', 'read', 'config', { ...exchangeOf(fields), startedAt: at });
  return noise.of('base');
}
const body = (value: object): ExchangeFields => ({ status: 200, body: value });

describe('the model', () => {
  test('reports nothing about a host that got no call twice', () => {
    const noise = createNoise();
    expect(noise.of('base')).toEqual(noRepeats);
    noise.note('base', 'read', 'config', exchangeOf());
    noise.note('base', 'read', 'version', exchangeOf({ status: 500 }));
    expect(noise.figures()).toEqual({});
  });

  test('tells a host that repeats itself', () => {
    expect(
      learnt([
        [0, body({ a: 1 })],
        [10, body({ a: 1 })],
        [700, body({ a: 1 })],
      ]),
    ).toEqual({
      ...noRepeats,
      repeats: 2,
      reads: 2,
    });
  });

  test('names the member that changes each time, whichever item of a list holds it', () => {
    const { wanders, machines, copiesLiveMs } = learnt([
      [0, body({ at: 1, items: [{ n: 1 }, { n: 2 }] })],
      [10, body({ at: 2, items: [{ n: 3 }, { n: 4 }] })],
      [20, body({ at: 3, items: [{ n: 5 }, { n: 6 }] })],
    ]);
    expect({ wanders, machines, copiesLiveMs }).toEqual({
      wanders: ['/at', '/items/-/n'],
      machines: 1,
      copiesLiveMs: 0,
    });
  });

  test('counts the machines by what comes back, in a header too', () => {
    const by = (node: string): ExchangeFields => ({ status: 200, headers: { 'x-served-by': node } });
    const { machines, wanders } = learnt(['a', 'b', 'a', 'c', 'b'].map((node, at) => [at, by(node)]));
    expect({ machines, wanders }).toEqual({ machines: 3, wanders: ['header x-served-by'] });
  });

  test('takes a clock for no machine, whichever of two calls that meet shows the earlier moment', () => {
    const at = (ms: number) => ({
      ...body({ time: new Date(ms).toISOString() }),
      headers: { date: new Date(ms).toUTCString(), 'content-type': 'application/json' },
    });
    const now = Date.UTC(2026, 0, 2, 3, 4, 5);
    const samples = [3, 4, 3, 5, 4].map((ms, nth) => [now + nth, at(now + ms)] as const);
    expect(learnt(samples)).toMatchObject({ machines: 1, wanders: ['/time'] });
    // When two machines began stands still, and comes back.
    const since = [1, 2, 1, 2].map((hour, nth) => [now + nth, at(now - hour * 3_600_000)] as const);
    expect(learnt(since.map(([ms, fields]) => [ms, { ...fields, headers: {} }]))).toMatchObject({
      machines: 2,
    });
  });

  test('measures for how long a changing value stands still', () => {
    const at = (value: number) => body({ at: value });
    const samples = [0, 300, 1_900, 2_100, 2_500].map((ms) => [ms, at(Math.floor(ms / 2_000))] as const);
    expect(learnt(samples)).toMatchObject({ machines: 1, copiesLiveMs: 1_900, wanders: ['/at'] });
  });

  test('leaves out what is no answer', () => {
    const noise = createNoise();
    for (const answer of [exchangeOf(), exchangeOf({ status: 429 }), brokenExchange('timeout'), exchangeOf()])
      noise.note('base', 'root', 'GET /*', answer);
    expect(noise.of('base')).toMatchObject({ repeats: 1, wanders: [] });
  });

  test('counts unrouted answers as stable after 25 equal ones, and never after one that differs', () => {
    const noise = createNoise();
    const ask = (times: number, answer: Exchange) => {
      for (let nth = 0; nth < times; nth += 1) noise.note('cdn', 'root', 'GET /*', answer);
    };
    ask(24, exchangeOf());
    expect(noise.unrouted('cdn').isStill()).toBe(false);
    ask(1, exchangeOf());
    expect(noise.unrouted('cdn').isStill()).toBe(true);
    ask(1, exchangeOf({ body: { error: 'none' } }));
    expect(noise.unrouted('cdn').isStill()).toBe(false);
    expect([...noise.unrouted('cdn').wanders()]).toEqual(['body/error']);
    expect(noise.unrouted('base').isStill()).toBe(false);
  });
});

describe('readTimeout with a read', () => {
  const full = 2_000;

  test('shrinks to the lag of other reads once waits of twice the full time failed', () => {
    const { readTimeout, noteLag } = createNoise();
    const waits = (kind: string) => readTimeout.forRead('base', kind, full);
    readTimeout.noteInVain('base', 'friends there', full);
    expect(waits('friends there')).toBe(full);
    readTimeout.noteInVain('base', 'friends there', full);
    expect(waits('friends there')).toBe(400);
    expect(waits('friends gone')).toBe(full);
    noteLag('base', 300);
    expect(waits('friends there')).toBe(1_200);
    noteLag('base', 900);
    expect(waits('friends there')).toBe(full);
  });

  test('never exceeds the full time, and holds for one host only', () => {
    const { readTimeout } = createNoise();
    readTimeout.noteInVain('base', 'friends there', 2 * full);
    expect(readTimeout.forRead('base', 'friends there', 100)).toBe(100);
    expect(readTimeout.forRead('cdn', 'friends there', full)).toBe(full);
  });
});

describe('samples', () => {
  const known: KnownNoise = { ...noRepeats, repeats: 100, reads: 8 };

  test('are ten, most of them apart, at a host that little is known of', async () => {
    const pauses: number[] = [];
    const names: string[] = [];
    for await (const nth of samplesApart('rule', async (ms) => pauses.push(ms))) names.push(nth);
    expect(pauses).toEqual([0, 0, ...Array(8).fill(600)]);
    expect(names).toEqual(pauses.map((_, at) => `rule ${at}`));
  });

  test('are six at a host that was seen to answer as one machine, and once apart', () => {
    expect(pausesFor(known)).toEqual([0, 0, 0, 1_100, 0, 0]);
    expect(pausesFor({ ...known, wanders: ['/at'] })).toHaveLength(6);
  });

  test('are ten at a host of which controls alone are known: those are no copies', () => {
    expect(pausesFor({ ...known, reads: 7 })).toHaveLength(10);
  });

  test('are as far apart as copies live and reads lag, up to two seconds', () => {
    expect(pausesFor({ ...known, machines: 2 }).slice(2)).toEqual(Array(8).fill(600));
    expect(pausesFor({ ...known, copiesLiveMs: 1_500 }).at(-1)).toBe(1_500);
    expect(pausesFor({ ...known, lagMs: 900 }).at(-1)).toBe(900);
    expect(pausesFor({ ...known, copiesLiveMs: 60_000 }).at(-1)).toBe(2_000);
  });
});
