import { expect, test } from 'vitest';
import { ConfigurationError } from '../engine/values/configuration-error.ts';
import { parseSlo, sloText } from './slo.ts';

test('bounds are read in ms and s, with the errors that are allowed', () => {
  expect(parseSlo('p99=0.2s, p95=80ms,errors=1%')).toEqual({
    bounds: [
      { name: 'p95', quantile: 0.95, ms: 80 },
      { name: 'p99', quantile: 0.99, ms: 200 },
    ],
    errors: 0.01,
  });
});

test('one error in a thousand is allowed where nothing is said', () => {
  expect(sloText(parseSlo('p95=80ms'))).toBe('p95=80ms,errors=0.1%');
});

test('errors alone are an SLO too', () => {
  expect(parseSlo('errors=1%')).toEqual({ bounds: [], errors: 0.01 });
});

test.each([
  ['p95=80', '"p95=80"; expected bounds such as'],
  ['p97=80ms', '"p97=80ms"; expected bounds such as'],
  ['p95=80ms,p95=90ms', '"p95" is given twice'],
  ['p95=0ms', '"p95=0ms"; expected'],
  ['p95=8.0.0ms', '"p95=8.0.0ms"; expected'],
  ['', '""; expected'],
  ['constructor=1ms', '"constructor=1ms"; expected'],
])('%j is refused in one line', (text, message) => {
  expect(() => parseSlo(text)).toThrow(ConfigurationError);
  expect(() => parseSlo(text)).toThrow(message);
});
