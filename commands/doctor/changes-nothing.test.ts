import { expect, test } from 'vitest';
import { createRedactor } from '../../engine/http/redact.ts';
import { stoppedClock } from '../../fixtures/kit/examined.ts';
import { loginPath, standIn } from '../../fixtures/kit/sign-in-server.ts';
import { matchCall } from '../learn/match/match-call.ts';
import { examine } from './examine.ts';

const token = 'c2Vzc2lvbi10b2tlbg';

test('an operation that changes something is called without its method, or anonymously with half a body', async () => {
  const { target, client, calls } = await standIn(({ path, headers }) => {
    if (path === loginPath) return { body: { session: { token } } };
    if (!path.startsWith('/api/v1/')) return { status: 404, body: {} };
    // Without one that shows, the others would not be looked at.
    if (path === '/api/v1/healthcheck') return { body: { status: 'up' } };
    return headers.authorization === `Bearer ${token}` ? { body: { path } } : { status: 401, body: {} };
  });
  const limits = { concurrency: 32, withinMs: 15_000, mostCalls: 5_000 };
  const documented = Promise.resolve([]);
  await examine({
    target,
    client,
    redactor: createRedactor(),
    ...limits,
    planned: documented,
    now: stoppedClock(),
  });

  const changing = calls.flatMap(({ method, path, headers, body }) => {
    const operation = matchCall(method, new URL(path, 'http://x'))?.operation;
    return operation && operation.effect !== 'read' && path !== loginPath
      ? [{ operation, headers, body }]
      : [];
  });
  expect(changing.length).toBeGreaterThan(20);
  expect(changing.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
  expect([...new Set(changing.map(({ body }) => body))]).toEqual(['{"a":']);
  expect(
    calls.filter(({ path }) => path.startsWith(`${loginPath}?`) || path === loginPath).length,
  ).toBeLessThan(8);
});
