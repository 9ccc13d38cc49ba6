import { expect, test } from 'vitest';
import { ConfigurationError } from '../../../engine/values/configuration-error.ts';
import { checkedExportOptions, ownAddresses, type RawExportOptions, refuseStray } from './export-options.ts';

function mistakesOf(raw: RawExportOptions): readonly string[] {
  try {
    checkedExportOptions(raw);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.lines;
    throw error;
  }
  return [];
}

test('every mistake is reported at once, each with what was expected', () => {
  expect(mistakesOf({ export: 'k9s', collect: 'prometheus:9090' })).toEqual([
    expect.stringMatching(/^--export: "k9s"; expected k8s/),
    expect.stringMatching(/^--collect: "prometheus:9090"; expected the URL of a Prometheus/),
  ]);
});

test('a password in the URL is refused and not repeated', () => {
  const [line = ''] = mistakesOf({ export: 'k8s', collect: 'http://me:hunter22@prometheus:9090' });
  expect(line).toContain('PROMETHEUS_PASSWORD');
  expect(line).not.toContain('hunter22');
});

test('an option that would say nothing is refused, and the right one is named', () => {
  expect(() => refuseStray({ parallelism: 3 }, 1)).toThrow('--segments N');
  expect(() => refuseStray({ export: 'k8s' }, 2)).toThrow('--parallelism N');
  expect(() => refuseStray({ export: 'k8s', parallelism: 3, ceiling: 9 }, 1)).not.toThrow();
});

test('addresses of this machine are named with the variable that holds them', () => {
  expect(
    ownAddresses({ base: 'http://127.0.0.1:8080', cdn: 'https://cdn.test', gamelogs: undefined }),
  ).toEqual(['BASE_URL http://127.0.0.1:8080']);
  expect(() => refuseStray({ allowLoopback: true }, 1)).toThrow('--allow-loopback');
});
