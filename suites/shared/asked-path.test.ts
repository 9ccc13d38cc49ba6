import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Exchange } from '../../engine/http/exchange.ts';
import { fakeContext } from '../../fixtures/kit/fake-context.ts';
import { askedPath, askedPathAlone, askedQuery } from './asked-path.ts';

const { catalogItems } = areas.extensions;
const context = fakeContext({ host: () => 'http://127.0.0.1:1/edge/' });
const asked = (query: string): Exchange => ({
  request: { method: 'GET', url: `http://127.0.0.1:1/edge${catalogItems.path}${query}`, headers: [] },
  startedAt: 0,
  durationMs: 0,
  attempts: 1,
  waits: 0,
});

test('a call can be made again by its path and query, without the prefix of the host', () => {
  const exchange = asked('?types%5B%5D=outfit');
  expect(askedPath(exchange, catalogItems, context)).toBe(`${catalogItems.path}?types%5B%5D=outfit`);
  expect(askedPathAlone(exchange, catalogItems, context)).toBe(catalogItems.path);
});

test("a session in the query is not asked again with: it is not everybody's, and may be over", () => {
  const exchange = asked('?types[]=outfit&sessionKey=secret');
  expect(askedPath(exchange, catalogItems, context)).toBe(`${catalogItems.path}?types[]=outfit`);
  expect(askedQuery(asked('?sessionKey=secret'), catalogItems)).toBe('');
});
