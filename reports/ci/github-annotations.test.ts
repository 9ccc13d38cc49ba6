import { expect, test } from 'vitest';
import { sampleResult, sampleResults, sampleRun } from '../../fixtures/kit/sample-run.ts';
import { githubAnnotations, stopCommands } from './github-annotations.ts';

const placeOf = () => ({ file: 'catalog/areas/party.ts', line: 4 });

interface Annotation {
  readonly command: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

/** As the runner reads a line: `::command key=value,key=value::message`, escapes undone. */
function readBack(line: string): Annotation {
  const [, command = '', list = '', message = ''] = /^::([^ :]+) ?(.*?)::(.*)$/s.exec(line) ?? [];
  const plain = (text: string) =>
    text
      .replaceAll('%3A', ':')
      .replaceAll('%2C', ',')
      .replaceAll('%0D', '\r')
      .replaceAll('%0A', '\n')
      .replaceAll('%25', '%');
  const pairs = list.split(',').map((pair) => pair.split('='));
  return {
    command,
    properties: Object.fromEntries(pairs.map(([key = '', ...value]) => [key, plain(value.join('='))])),
    message: plain(message),
  };
}

test('a cause is an error at the line of the catalog, with the command that shows it again', () => {
  const [line = ''] = githubAnnotations(sampleRun([sampleResult({ outcome: 'fail' })]), placeOf);
  expect(readBack(line)).toEqual({
    command: 'error',
    properties: { file: 'catalog/areas/party.ts', line: '4', title: 'the call is served' },
    message:
      "1 check at party.create\nexpected an answer that differs from that of an unrouted path; actual 404, as /api/v1/qwhzk answers\nagain: npm start -- --only 'party.create#routed'",
  });
});

test('at most ten errors, the gravest first, and a notice with the number of others', () => {
  const failures = sampleResults(99, (index) => ({
    id: `a.o#r${index}`,
    outcome: 'fail',
    cause: `${index}`,
  }));
  const lines = githubAnnotations(sampleRun(failures), placeOf).map(readBack);
  expect(lines.map(({ command }) => command)).toEqual([...Array(10).fill('error'), 'notice']);
  expect(lines.at(-1)?.message).toBe('DOES NOT CONFORM: 99 checks failed 89 more causes in report.md.');
});

test('warnings, waived and known failures are no errors', () => {
  const waived = { reason: '', link: '', expires: '' };
  const checks = [
    sampleResult({ outcome: 'warn' }),
    sampleResult({ outcome: 'fail', waived }),
    sampleResult({ outcome: 'fail', known: true }),
  ];
  expect(githubAnnotations(sampleRun(checks), placeOf)).toHaveLength(1);
});

test('whatever a target says stays within its line, and arrives', () => {
  const hostileText = '100 %0A, a: b\r\n::error::forged\n::set-output name=x::y\u2028\x1b[2J';
  const lines = githubAnnotations(
    sampleRun([sampleResult({ outcome: 'fail', title: hostileText, actual: hostileText })]),
    placeOf,
  );
  for (const line of lines) expect(line).not.toMatch(/[\r\n\u2028\x1b]/);
  const { properties, message } = readBack(lines[0] ?? '');
  expect(properties.title).toContain('100 %0A, a: b\\r\n::error::forged');
  expect(message).toContain('actual 100 %0A, a: b\\r\n::error::forged');
});

test('what is printed between two lines with one token is no command', () => {
  expect(stopCommands('t0k3n')).toEqual({ before: '::stop-commands::t0k3n', after: '::t0k3n::' });
});
