import { describe, expect, test } from 'vitest';
import { areas } from '../../../catalog/catalog.ts';
import type { Operation } from '../../../catalog/operation.ts';
import { brokenExchange, exchangeOf } from '../../../fixtures/kit/exchanges.ts';
import { type Ask, nobody, own } from '../../http/ask.ts';
import { type Exchange, statusOf } from '../../http/exchange.ts';
import { answersOf, compareWith, isSteady } from './samples.ts';

const operation = areas.general.config;

/** The answers of a control, one after the other. */
const controlOf =
  (...answers: readonly Exchange[]) =>
  async (_: unknown, __: unknown, nth: number) =>
    answers[nth - 1] ?? exchangeOf();

describe('what is said to a call', () => {
  const { create } = areas.party;
  const asked = async (operation: Operation, status: number) => {
    const puts: unknown[] = [];
    const ask = async (_: Operation, put?: Ask) => {
      puts.push(put);
      return exchangeOf({ status: 418 });
    };
    const answers = answersOf(ask, operation, exchangeOf({ status }), { as: 'main' });
    return { said: [statusOf(await answers(1)), statusOf(await answers(2))], puts };
  };

  test('is asked for again by the same ask, where nothing was found or it is a read', async () => {
    const again = [{ as: 'main', nth: 2 }];
    expect(await asked(create, 404)).toEqual({ said: [404, 418], puts: again });
    expect(await asked(operation, 200)).toEqual({ said: [200, 418], puts: again });
  });

  test('is not, where it may have changed something', async () => {
    for (const status of [201, 401, 500])
      expect(await asked(create, status)).toEqual({ said: [status, status], puts: [] });
  });

  test('is not, where who tries in vain may be locked out', async () => {
    for (const operation of [areas.auth.login, areas.general.redeem])
      expect((await asked(operation, 404)).puts).toEqual([]);
  });
});

describe('one of several controls is sent by the caller of the operation', () => {
  const askers = async (put?: Ask) => {
    const asked: (string | undefined)[] = [];
    const control = async (_: Operation, __: unknown, ___: number, ask?: Ask) => {
      asked.push(ask?.as);
      return exchangeOf({ body: { error: 'none' } });
    };
    const answers = async () => exchangeOf({ body: { error: 'no such thing' } });
    await compareWith(control, operation, 'root', answers, put);
    return asked;
  };

  test('since operations share the others', async () => {
    expect((await askers()).slice(0, 4)).toEqual([undefined, undefined, own, undefined]);
  });

  test('unless somebody else put it', async () => {
    expect(new Set(await askers({ as: nobody }))).toEqual(new Set([nobody]));
  });
});

describe('a host is steady', () => {
  const steady = (...answers: readonly Exchange[]) => isSteady(controlOf(...answers), operation);

  test('where all controls are answered alike, but for what changes by itself', async () => {
    expect(await steady(...[1, 2, 3, 4].map((id) => exchangeOf({ body: { id } })))).toBe(true);
  });

  test('not where one has another status or type', async () => {
    expect(await steady(exchangeOf(), exchangeOf(), exchangeOf(), exchangeOf({ status: 200 }))).toBe(false);
    expect(await steady(exchangeOf(), exchangeOf({ body: '<p>none</p>' }))).toBe(false);
  });

  test('as far as it was heard', async () => {
    expect(await steady(exchangeOf(), exchangeOf({ status: 429 }), brokenExchange('timeout'))).toBe(true);
    expect(await steady(...[1, 2, 3, 4].map(() => brokenExchange('reset')))).toBe(true);
  });
});
