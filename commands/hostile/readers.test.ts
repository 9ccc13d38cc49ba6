import { expect, test } from 'vitest';
import type { Exchange, Headers } from '../../engine/http/exchange.ts';
import { hostileForms, hostileTexts, placesInBodies } from '../../fixtures/hostile/hostile-texts.ts';
import { overgrowth } from './growth.ts';
import { type Answered, bodyReaders, fieldReaders } from './readers.ts';

/** Between linear, which is four times longer with four times as much, and quadratic, which is sixteen times. */
const mostFactor = 9;

const request: Exchange['request'] = {
  method: 'GET',
  url: 'http://127.0.0.1:1/api/v1/config',
  headers: [],
};
const exchangeOf = (body: string, headers: Headers): Exchange => {
  const bytes = Buffer.from(body);
  return {
    request,
    response: { status: 200, headers, body: bytes, wire: { bytes: bytes.length } },
    startedAt: 0,
    durationMs: 1,
    attempts: 1,
    waits: 0,
  };
};
const label: Headers = [['content-type', 'application/json']];
const answered = (body: string): Answered => [exchangeOf(body, label), exchangeOf(`${body} `, label)];

const bodies: readonly (readonly [what: string, make: (size: number) => string])[] = [
  ...Object.entries(hostileTexts).flatMap(([what, make]) =>
    Object.entries(placesInBodies).map(
      ([where, place]) => [`${what} ${where}`, (size: number) => place(make(size))] as const,
    ),
  ),
  ...Object.entries(hostileForms),
];

/** What is not linear, of all these texts. */
async function notLinear<Input>(
  texts: readonly (readonly [what: string, make: (size: number) => Input])[],
  look: (input: Input) => unknown,
): Promise<string[]> {
  const found: string[] = [];
  for (const [what, make] of texts) {
    const growth = await overgrowth(make, look, mostFactor);
    if (growth) found.push(`${what}: ${growth.factor.toFixed(1)} times as long, ${Math.round(growth.ms)} ms`);
  }
  return found;
}

test.each(Object.keys(bodyReaders))(
  '%s: a look at a body takes no longer than in proportion to its size',
  async (name) => {
    const texts = bodies.map(([what, make]) => [what, (size: number) => answered(make(size))] as const);
    expect(await notLinear(texts, (given) => bodyReaders[name]?.(given))).toEqual([]);
  },
  600_000,
);

const fieldNames = [
  'content-type',
  'content-encoding',
  'etag',
  'set-cookie',
  'cache-control',
  'vary',
  'location',
  'allow',
  'www-authenticate',
  'server',
  'x-session-token',
];

test.each(Object.keys(fieldReaders))(
  '%s: a look at header fields takes no longer than in proportion to their size',
  async (name) => {
    const texts = Object.entries(hostileTexts).map(([what, make]) => {
      const fieldsOf = (size: number) => {
        // No field holds a line end; what else counts as a blank it may hold.
        const value = make(size).replaceAll('\n', '\u000b');
        return fieldNames.map((field) => [field, value] as const);
      };
      const both = (size: number): Answered => [
        exchangeOf('{}', fieldsOf(size)),
        exchangeOf('[]', fieldsOf(size)),
      ];
      return [what, both] as const;
    });
    expect(await notLinear(texts, (given) => fieldReaders[name]?.(given))).toEqual([]);
  },
  600_000,
);

test('no look throws at a body of 16 KiB', async () => {
  const thrown: string[] = [];
  for (const [what, make] of bodies) {
    const given = answered(make(2 ** 14));
    for (const [name, look] of Object.entries(bodyReaders)) {
      try {
        await look(given);
      } catch (error) {
        thrown.push(`${name}, ${what}: ${error}`);
      }
    }
  }
  expect(thrown).toEqual([]);
}, 600_000);
