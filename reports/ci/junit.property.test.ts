import fc from 'fast-check';
import { expect, test } from 'vitest';
import { outcomes } from '../../engine/judgement.ts';
import { sampleResult, sampleRun } from '../../fixtures/kit/sample-run.ts';
import { junit } from './junit.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    ']]>',
    '<!--',
    '&amp;',
    '"\'<>&',
    '\x00\x1b[31m',
    '\ud800',
    '\ufffe',
    '<?xml?>',
    '\u2028\r\n\t',
  ),
);
const result = fc
  .record({
    id: text,
    title: text,
    detail: text,
    expected: text,
    actual: text,
    curl: text,
    behaviour: text,
    outcome: fc.constantFrom(...outcomes),
  })
  .map((over) => sampleResult(over));

/** A scanner that knows only what well-formed means: tags that nest, quoted attributes, no stray markup. */
function elementsIn(xml: string): string[] {
  expect(xml.isWellFormed()).toBe(true);
  expect(xml).not.toMatch(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
  const token =
    /<\?xml version="1\.0" encoding="UTF-8"\?>|<(\/?)([a-z-]+)((?: [a-z]+="(?:[^"<&]|&(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);)*")*)(\/?)>|(?:[^<&]|&(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);)+/gy;
  const open: string[] = [];
  const seen: string[] = [];
  let end = 0;
  for (const [whole, closing, name, , empty] of xml.matchAll(token)) {
    end += whole.length;
    if (name === undefined) continue;
    if (closing) expect(open.pop()).toBe(name);
    else seen.push(name);
    if (!closing && !empty) open.push(name);
  }
  expect(xml.slice(end)).toBe('');
  expect(open).toEqual([]);
  return seen;
}

test('whatever a target said, the file is well-formed and has a case for every check', () => {
  fc.assert(
    fc.property(fc.array(result, { maxLength: 6 }), text, (checks, verdict) => {
      const run = sampleRun(checks);
      const xml = junit({ ...run, headline: { ...run.headline, verdict } });
      const cases = elementsIn(xml).filter((name) => name === 'testcase');
      expect(cases).toHaveLength(checks.length);
    }),
    { numRuns: 300 },
  );
});
