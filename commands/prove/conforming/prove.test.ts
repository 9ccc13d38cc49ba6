import { expect, test } from 'vitest';
import type { Variant } from '../../../fixtures/conforming-variants/variant.ts';
import type { ConformingRow } from './judge.ts';
import {
  besideOthersLines,
  conformingLines,
  conformingMarkdown,
  judgedAgain,
  wrongedLines,
} from './prove.ts';

const variant = (name: string): Variant => ({ name, reason: 'nothing is said of it' });
const row = (variants: readonly string[], over: Partial<ConformingRow> = {}): ConformingRow => ({
  variants,
  checks: 10,
  passed: 8,
  accusations: [],
  judgedShare: { base: 1 },
  unjudged: {},
  durationMs: 5,
  wronged: false,
  ...over,
});
const accused = {
  wronged: true,
  accusations: [{ id: 'party.get#answers', outcome: 'fail' as const, why: 'expected 200, got 404' }],
  unjudged: { 'no-session': 2, timeout: 7 },
};
const table = (rows: readonly ConformingRow[]) =>
  conformingMarkdown({ variants: 3, pairs: 3, accused: 1, rows }, ['a', 'b', 'c'].map(variant), [
    { variant: 'a', knows: 'no type decides', accused: ['x', 'y'] },
    { variant: 'b', knows: 'no type decides', accused: [] },
  ]);

test('a variant has its guard, who accuses it without that, and how it fared alone and with others', () => {
  expect(table([row(['a', 'b', 'c']), row(['a'])])).toContain(
    '| a | no type decides | 2 accuse | right | right with 2 |',
  );
});

test('the table names a guard without which no check accuses, and a variant without a guard', () => {
  const lines = table([row(['b']), row(['c'])]);
  expect(lines).toContain('| b | no type decides | NOBODY | right |');
  expect(lines).toContain('| c | – | – | right |');
});

test('the table names each wronged variant, alone or beside others', () => {
  const lines = table([row(['a', 'b'], accused), row(['a', 'c']), row(['b'], accused)]);
  expect(lines).toContain(
    '| a | no type decides | 2 accuse | – | WRONGED on 1 of 2 servers, with 2 others |',
  );
  expect(lines).toContain('| NOBODY | WRONGED | WRONGED on 1 of 1 servers, with 1 others |');
});

test('a server judged with a profile does not count as the variant alone', () => {
  expect(table([row(['a'], { profiled: true })])).toContain('| 2 accuse | – | right with 0 |');
});

test('a server that was wronged says by which checks, and why others could not be judged', () => {
  expect(conformingLines(row(['a', 'b'], accused))).toEqual([
    '2 at once: a, b  WRONGED, 8 of 10 pass, judged base 100 %, 5 ms',
    '    fail party.get#answers: expected 200, got 404',
    '    not judged: 7 timeout, 2 no-session',
  ]);
});

test('ends with the variants that were wronged, and no others', () => {
  expect(wrongedLines([row(['a']), row(['a', 'b'], accused), row(['c'])])).toEqual(
    conformingLines(row(['a', 'b'], accused)),
  );
});

test('a server that was wronged is asked once more, alone, and its row keeps how it was wronged', async () => {
  const asked: (readonly string[])[] = [];
  const rows = await judgedAgain(
    [row(['a']), row(['a', 'b'], accused), row(['c'], accused)],
    async ({ variants }) => {
      asked.push(variants);
      return row(variants, variants.includes('c') ? accused : {});
    },
  );
  expect(asked).toEqual([['a', 'b'], ['c']]);
  expect(rows.map(({ wronged }) => wronged)).toEqual([false, false, true]);
  expect(besideOthersLines(rows)).toEqual([
    'wronged beside others, and right when it was asked again alone:',
    ...conformingLines(row(['a', 'b'], accused)),
  ]);
});

test('any number of which too little was judged is asked again, until one is wronged alone as well', async () => {
  const starved = { wronged: true, judgedShare: { base: 0 }, unjudged: { unreachable: 10 } };
  const many = Array.from({ length: 9 }, (_, nth) => row([`${nth}`], starved));
  const right = await judgedAgain(many, async ({ variants }) => row(variants));
  expect(right.filter(({ wronged }) => wronged)).toEqual([]);
  const asked: (readonly string[])[] = [];
  const rows = await judgedAgain(many, async ({ variants }) => {
    asked.push(variants);
    return row(variants, variants.includes('1') ? starved : {});
  });
  expect(asked).toEqual([['0'], ['1']]);
  expect(rows.filter(({ wronged }) => wronged)).toHaveLength(8);
});

test('where many are accused, a busy machine is not why, and none is asked again', async () => {
  const many = Array.from({ length: 5 }, (_, nth) => row([`${nth}`], accused));
  expect(await judgedAgain(many, () => expect.fail('asked again'))).toEqual(many);
});
