import { describe, expect, test } from 'vitest';
import { ConfigurationError } from '../engine/values/configuration-error.ts';
import { durationOption, formatOption } from './option-values.ts';
import { createProgram } from './program.ts';

/** The options of a command as typed, after commander parsed them. */
function parsed(name: string, ...args: readonly string[]): Record<string, unknown> {
  const program = createProgram();
  program.commands.find((each) => each.name() === name)?.action(() => {});
  program.parse([name, ...args], { from: 'user' });
  return program.commands.find((each) => each.name() === name)?.opts() ?? {};
}

function mistakeIn(name: string, ...args: readonly string[]): readonly string[] {
  try {
    parsed(name, ...args);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.lines;
    throw error;
  }
  return [];
}

describe('a value is kept as a number', () => {
  test('and what is not typed has its default, or none', () => {
    expect(parsed('run', '--timeout', '0.5')).toMatchObject({ minJudged: 80, budget: 300_000, timeout: 500 });
    expect(parsed('run')).not.toHaveProperty('rate');
    expect(parsed('load', 'queue')).toMatchObject({ rate: 20, maxRate: 1_000, segments: 1 });
  });

  test('all of them are taken', () => {
    const typed = ['--bail', '3', '--concurrency', '8', '--rate', '2.5', '--min-judged', '0'];
    expect(parsed('run', ...typed)).toMatchObject({ bail: 3, concurrency: 8, rate: 2.5, minJudged: 0 });
  });

  test.each([
    ['run', 'waitFor', '--wait-for', '60s', 60_000],
    ['run', 'waitFor', '--wait-for', '2m', 120_000],
    ['run', 'waitFor', '--wait-for', '1.5', 1_500],
    ['load', 'duration', '--duration', '1500ms', 1_500],
    ['load', 'duration', '--duration', '30s', 30_000],
    ['load', 'duration', '--duration', '1m30s', 90_000],
    ['load', 'duration', '--duration', '1.5h', 5_400_000],
    ['trend', 'pruneOlderThan', '--prune-older-than', '90d', 90 * 86_400_000],
  ])('%s: %s of %s %s is %d ms', (command, name, option, text, ms) => {
    const argument = command === 'run' ? [] : ['queue'];
    expect(parsed(command, ...argument, option, text)[name]).toBe(ms);
  });
});

describe('a mistake is one line that names the option, what it held and what was expected', () => {
  test.each([
    ['run', '--min-judged', '101', 'a number from 0 to 100'],
    ['run', '--min-judged', '-1', 'a number from 0 to 100'],
    ['run', '--min-judged', '', 'a number from 0 to 100'],
    ['run', '--bail', '0', 'a whole number from 1 to 100000'],
    ['run', '--bail', '1.5', 'a whole number from 1 to 100000'],
    ['run', '--budget', '', 'a time from 1s to 24h, such as 300 (seconds) or 10m'],
    ['run', '--budget', 'Infinity', 'a time from 1s to 24h, such as 300 (seconds) or 10m'],
    ['run', '--timeout', '11m', 'a time from 100ms to 10m, such as 10 (seconds) or 500ms'],
    ['run', '--concurrency', 'NaN', 'a whole number from 1 to 1000'],
    ['run', '--wait-for', '2h', 'a time up to an hour, such as 60s or 2m'],
    ['run', '--wait-for', '0', 'a time up to an hour, such as 60s or 2m'],
    ['run', '--wait-for', '61m', 'a time up to an hour, such as 60s or 2m'],
    ['run', '--rate', ' ', 'a number from 0.1 to 100000'],
    ['load', '--rate', '-1', 'a number from 0.1 to 1000000'],
    ['load', '--duration', '3x', 'a time from 1s to 24h, such as 30s, 5m or 1h'],
    ['load', '--duration', '', 'a time from 1s to 24h, such as 30s, 5m or 1h'],
    ['load', '--duration', 's', 'a time from 1s to 24h, such as 30s, 5m or 1h'],
    ['load', '--duration', '500ms', 'a time from 1s to 24h, such as 30s, 5m or 1h'],
    ['load', '--segments', '65', 'a whole number from 1 to 64'],
    ['load', '--parallelism', '0', 'how many pods, a whole number from 1 to 1000'],
    ['load', '--ceiling', 'much', 'the journeys per second of one generator, as capacity measures it'],
    ['capacity', '--start', '0', 'a number from 1 to 100000'],
    ['capacity', '--max-rate', 'all', 'a number from 1 to 100000'],
    ['capacity', '--budget', '1', 'a time from 15s to 1h, such as 420 (seconds) or 7m'],
    ['capacity', '--at-least', '', 'a number from 1 to 100000'],
    ['trend', '--prune-older-than', '3w', 'a number of days from 1d to 36500d'],
    ['trend', '--prune-older-than', '0d', 'a number of days from 1d to 36500d'],
  ])('%s %s %j is refused, with what is expected', (command, option, text, expected) => {
    expect(mistakeIn(command, option, text)).toEqual([`${option}: "${text}"; expected ${expected}`]);
  });

  test('a long one is cut', () => {
    expect(mistakeIn('run', '--rate', 'x'.repeat(500))[0]?.length).toBeLessThan(150);
  });
});

test('help names a default as it is typed', () => {
  const load = createProgram().commands.find((each) => each.name() === 'load');
  expect(load?.helpInformation()).toContain('journeys per second (default: "20")');
});

test('a duration of many parts is read in no time', () => {
  const bounds = { units: ['s'], leastMs: 1, mostMs: 1, expected: 'less' } as const;
  const option = durationOption('--for <time>', 'so long', bounds);
  const begun = performance.now();
  expect(() => option.parseArg?.(`${'1s'.repeat(100_000)}x`, undefined)).toThrow('expected less');
  expect(performance.now() - begun).toBeLessThan(1_000);
});

const formatsIn = (text: string) => formatOption().parseArg?.(text, undefined);

test('formats are a list with commas between, each taken once', () => {
  expect(formatsIn('har')).toEqual(['har']);
  expect(formatsIn('ctrf, har,gitlab,har')).toEqual(['ctrf', 'har', 'gitlab']);
});

test.each(['', 'html', 'har,', 'toString', 'har;ctrf'])('%j is refused, and what there is named', (text) => {
  expect(() => formatsIn(text)).toThrow(/" is no format; expected ctrf, har, gitlab\.$/);
});
