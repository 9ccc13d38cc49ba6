import { expect, test } from 'vitest';
import { journeyIn } from './open.ts';

test('a journey, or an operation in its place', () => {
  expect(journeyIn('load', ['queue'], {}, {})).toBe('queue');
  expect(journeyIn('load', [], { operation: 'party.get' }, {})).toBe('');
});

test.each([
  ['neither', [], {}, 'capacity: no journey; give one, or --operation ID'],
  ['two', ['queue', 'cdn'], {}, 'capacity: "cdn" beside "queue"; give one journey'],
  [
    'an option that npm swallowed, and its value',
    ['queue', 'p95=80ms'],
    { npm_lifecycle_event: 'capacity', npm_config_slo: 'true' },
    '--slo: npm took it for its own; put options behind a "--": npm run capacity -- --slo …',
  ],
])('%s is told in one line', (_, args, env, told) => {
  expect(() => journeyIn('capacity', args, {}, env)).toThrow(told);
});
