import { expect, test } from 'vitest';
import type { Headers } from '../../http/exchange.ts';
import { isServerError } from './server-error.ts';

const retry: Headers = [['retry-after', '1']];

test.each([
  [500, [], true],
  [502, [], true],
  [503, [], true],
  [503, retry, false],
  [500, retry, true],
  [501, [], false],
  [499, [], false],
  [200, [], false],
] as const)('%d with %j blames the server: %s', (status, headers, blamed) => {
  expect(isServerError({ status, headers, body: new Uint8Array(), wire: { bytes: 0 } })).toBe(blamed);
});
