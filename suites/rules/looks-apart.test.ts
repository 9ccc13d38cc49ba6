// Equal asks share one exchange: a look that bears the number of another rule's look is no draw of its own.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { looksApart } from '../../fixtures/check/evidence/looks-apart.ts';

/** What a rule asks once or twice more, it numbers up to here. */
const lowest = 5;

const begins = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .flatMap((file) => {
    const source = readFileSync(new URL(file, import.meta.url), 'utf8');
    return Array.from(source.matchAll(/looksApart\((\d*)/g), ([, from]) => ({ file, from: Number(from) }));
  })
  .toSorted((a, b) => a.from - b.from);

test('no two rules number their looks alike', async () => {
  const looks: number[] = [];
  for await (const nth of looksApart(0, async () => {})) looks.push(nth);
  expect(begins.length).toBeGreaterThan(4);
  for (const [nth, { file, from }] of begins.entries()) {
    const free = nth === 0 ? lowest : (begins[nth - 1]?.from ?? 0) + looks.length;
    expect(from, `${file} begins at ${from}`).toBeGreaterThanOrEqual(free);
  }
});
