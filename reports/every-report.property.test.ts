import fc from 'fast-check';
import { expect, test } from 'vitest';
import { outcomes } from '../engine/judgement.ts';
import type { Result } from '../engine/run/result.ts';
import { everything, sampleRun } from '../fixtures/kit/sample-run.ts';
import { ctrf } from './ci/ctrf.ts';
import { githubAnnotations } from './ci/github-annotations.ts';
import { gitlabCodeQuality } from './ci/gitlab-code-quality.ts';
import { sarif } from './ci/sarif.ts';
import { har } from './har.ts';
import { renderHtml } from './html/html.ts';
import { renderMarkdown } from './markdown/markdown.ts';
import { catalogPlaces } from './summary/causes.ts';
import { portableJson } from './write.ts';

/** Text of a target, with characters that formats trip over, half surrogate pairs included. */
const targetText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '\uD800',
    '</script>',
    '`|\n',
    '::error::',
    '\x1b[2J',
    '__proto__',
    '%0A',
    '',
    '🦊'.repeat(400),
  ),
);
const ms = fc.constantFrom(0, 0.4, 1e10);
const [whole] = everything.checks;

const check: fc.Arbitrary<Result> = fc
  .record({
    id: targetText,
    title: targetText,
    operation: fc.oneof(targetText, fc.array(targetText, { minLength: 1, maxLength: 3 })),
    clause: targetText,
    outcome: fc.constantFrom(...outcomes),
    detail: targetText,
    expected: targetText,
    actual: targetText,
    behaviour: targetText,
    cause: targetText,
    curl: targetText,
    rerun: targetText,
    durationMs: ms,
    startedAt: fc.constantFrom('0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'),
    url: targetText,
    body: targetText,
    sentAt: fc.constantFrom(0, 1e13),
    headers: fc.array(fc.tuple(targetText, targetText), { maxLength: 3 }),
    isCounting: fc.boolean(),
  })
  .map(({ url, body, headers, sentAt, isCounting, ...texts }) => {
    const { waived, known, ...rest } = whole as NonNullable<typeof whole>;
    const exchange = {
      ...rest.exchange,
      startedAt: sentAt,
      request: { ...rest.exchange.request, url, headers, body },
      response: { ...rest.exchange.response, headers, body },
    };
    return { ...rest, ...(isCounting ? {} : { waived, known }), ...texts, exchange };
  });

test('whatever a sound result says, every report is made of it, and JSON is JSON for everybody', () => {
  const placeOf = catalogPlaces();
  fc.assert(
    fc.property(fc.array(check, { maxLength: 6 }), targetText, ms, (checks, text, durationMs) => {
      const run = sampleRun(checks, {
        seed: text,
        runId: text,
        target: { embedded: false, base: text },
        durationMs,
        preflight: [text],
        leftBehind: [text],
        incidents: [text],
        ledger: { [text]: text },
        startedAt: '9999-12-31T23:59:59Z',
        headline: { ...everything.headline, verdict: text },
        waivers: [
          { ...everything.waivers[0], check: text, reason: text, link: text, expires: text, waived: 1 },
        ],
      });
      expect(Buffer.byteLength(renderMarkdown(run))).toBeLessThanOrEqual(60 * 1024);
      for (const line of githubAnnotations(run, placeOf)) expect(line).toMatch(/^::(error|notice) .*$/);
      for (const value of [
        sarif(run, placeOf),
        ctrf(run, placeOf),
        har(run),
        gitlabCodeQuality(run, placeOf),
      ]) {
        const json = portableJson(value);
        expect(JSON.parse(json)).toBeTypeOf('object');
        expect(JSON.stringify(JSON.parse(json)).isWellFormed()).toBe(true);
        expect(json).not.toMatch(/(?<!\\)(\\\\)*\\ud[89a-f]/i);
      }
      expect(renderHtml(run)).toMatch(/^<!doctype html>/i);
    }),
    { numRuns: 40 },
  );
});
