import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { journeyIn } from '../commands/load/open.ts';
import { ConfigurationError } from '../engine/values/configuration-error.ts';
import { scratchFolder } from '../fixtures/kit/scratch.ts';
import { checkedLoadOptions, type RawLoadOptions } from './options.ts';

test.each([
  ['neither', [], 'capacity: no journey; give one, or --operation ID'],
  ['two', ['queue', 'cdn'], 'capacity: "cdn" beside "queue"; give one journey'],
])('%s is reported in one line', (_, args, message) => {
  expect(() => journeyIn('capacity', args, {})).toThrow(message);
});

const raw: RawLoadOptions = {
  rate: 50,
  shape: 'steady',
  out: 'out',
  maxRate: 1000,
  segments: 1,
  arrivals: 'poisson',
};

function mistakesOf(options: Partial<RawLoadOptions>, cwd = '/'): readonly string[] {
  try {
    checkedLoadOptions({ ...raw, ...options }, cwd);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.lines;
    throw error;
  }
  return [];
}

test('what is not said has its default: the shape’s duration, one wrong answer in a thousand', () => {
  expect(checkedLoadOptions(raw, '/')).toMatchObject({
    rate: 50,
    durationMs: 30_000,
    slo: { bounds: [], errors: 0.001 },
    perOperation: {},
  });
});

test('every mistake is reported at once, each with what was expected', () => {
  expect(mistakesOf({ rate: 1001, shape: 'stady', slo: 'p95=soon', arrivals: 'odd' })).toEqual([
    expect.stringMatching(/^--shape: "stady" is no shape; did you mean "steady"\?/),
    expect.stringMatching(/^--slo: "p95=soon"; expected bounds/),
    expect.stringMatching(/^--arrivals: "odd"; expected poisson or even/),
    expect.stringMatching(/^--rate: steady at 1001/),
  ]);
});

test('a peak above --max-rate is refused, that of the shape included', () => {
  expect(mistakesOf({ rate: 1001 })).toHaveLength(1);
  expect(mistakesOf({ rate: 300, shape: 'spike' })).toEqual([
    expect.stringContaining('goes up to 1500 journeys per second, above --max-rate 1000'),
  ]);
  expect(mistakesOf({ rate: 300, shape: 'spike', maxRate: 1500 })).toEqual([]);
});

function fileOf(text: string): string {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'slo.json'), text);
  return folder;
}

test('an SLO per operation is read from its file', () => {
  const cwd = fileOf('{"party.create":"p99=80ms"}');
  const { perOperation } = checkedLoadOptions({ ...raw, perOperationSlo: 'slo.json' }, cwd);
  expect(perOperation['party.create']?.bounds).toEqual([{ name: 'p99', quantile: 0.99, ms: 80 }]);
});

test.each([
  ['{', 'cannot be read (no JSON); expected JSON such as'],
  ['\u001b[2J', 'cannot be read (no JSON); expected JSON such as'],
  ['[]', 'holds no object'],
  ['{"party.creat":"p95=1ms"}', '"party.creat" is no operation; did you mean "party.create"?'],
  ['{"party.create":"fast"}', 'party.create: "fast"; expected bounds'],
])('a file that holds %s is reported as what it is', (text, message) => {
  expect(mistakesOf({ perOperationSlo: 'slo.json' }, fileOf(text))).toEqual([
    expect.stringContaining(message),
  ]);
});
