import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Exchange } from '../http/exchange.ts';
import { differences, fingerprint, maskEchoes } from './compare.ts';
import { areOfOneKind, besideControl, differencesFromControl } from './contrast.ts';

const segment = fc.string({ unit: 'grapheme', minLength: 4, maxLength: 12 }).map(encodeURIComponent);
const url = fc
  .array(segment, { minLength: 1, maxLength: 4 })
  .map((parts) => `http://a.test/${parts.join('/')}`);
const type = fc.constantFrom('application/json', 'text/html', 'application/octet-stream', '', ';;;');
const body = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.json().map((text) => new TextEncoder().encode(text)),
  fc.string().map((text) => new TextEncoder().encode(text)),
);
const exchange: fc.Arbitrary<Exchange> = fc
  .record({ url, type, body, status: fc.integer({ min: 200, max: 599 }) })
  .map(({ url, type, body, status }) => answered(url, status, type, body));

function answered(url: string, status: number, type: string, body: Uint8Array): Exchange {
  return {
    request: { method: 'GET', url, headers: [] },
    response: { status, headers: [['content-type', type]], body, wire: { bytes: body.length } },
    startedAt: 0,
    durationMs: 1,
    attempts: 1,
    waits: 0,
  };
}

test('an answer does not differ from itself, whatever bytes it has', () => {
  fc.assert(
    fc.property(exchange, (one) => {
      const again = structuredClone(one);
      expect(differences(one, again)).toEqual(new Set());
      expect(differencesFromControl(one, again)).toEqual(new Set());
      expect(fingerprint(one).size).toBeGreaterThan(0);
    }),
  );
});

test('two answers differ in the same parts, whichever is held against the other', () => {
  fc.assert(
    fc.property(exchange, exchange, (one, other) => {
      expect(differences(one, other)).toEqual(differences(other, one));
    }),
  );
});

test('what two controls disagree about never makes either differ from the other', () => {
  const text = fc
    .dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue())
    .map((each) => JSON.stringify(each));
  const control = (body: string) =>
    answered('http://a.test/no-such-path', 404, 'application/json', new TextEncoder().encode(body));
  fc.assert(
    fc.property(text, text, (left, right) => {
      const [one, other] = [control(left), control(right)];
      if (!areOfOneKind(one, other)) return;
      expect(besideControl()([other], [one, other])).toEqual(new Set());
    }),
    { numRuns: 500 },
  );
});

test('two 404s that echo their own path are the same answer, whatever the paths are', () => {
  const echoing = (url: string) => {
    const path = new URL(url).pathname;
    const absence = { error: { code: 404, text: `cannot GET ${path}`, path, url } };
    return answered(url, 404, 'application/json', new TextEncoder().encode(JSON.stringify(absence)));
  };
  const plain = fc.stringMatching(/^[A-Za-z0-9_-]{5,12}$/).map((last) => `http://a.test/${last}`);
  fc.assert(
    fc.property(plain, plain, (left, right) => {
      expect(differences(echoing(left), echoing(right))).toEqual(new Set());
    }),
  );
});

test('masking changes nothing that was not sent', () => {
  fc.assert(
    fc.property(url, fc.string({ maxLength: 3 }), (sent, short) => {
      expect(maskEchoes(short, { method: 'DELETE', url: sent, headers: [] })).toBe(short);
    }),
  );
});
