import { expect, onTestFinished, test, vi } from 'vitest';
import { refuseOptionsOfNpm, unselectedLines } from './command-line.ts';
import { createProgram } from './program.ts';

const { commands } = createProgram();

/** What an `npm run` of this script does where npm kept these options for itself. */
const typed =
  (name: string, script: string, kept: Readonly<Record<string, string>>, words: readonly string[] = []) =>
  () => {
    const command = commands.find((each) => each.name() === name);
    if (command === undefined) throw new Error(`there is no ${name}`);
    refuseOptionsOfNpm(command, { npm_lifecycle_event: script, ...kept }, words);
  };

test.each([
  ['run', 'start', { npm_config_strict: 'true' }, '--strict', 'npm start -- --strict …'],
  ['run', 'start', { npm_config_min_judged: '50' }, '--min-judged', 'npm start -- --min-judged …'],
  ['capacity', 'capacity', { npm_config_slo: 'true' }, '--slo', 'npm run capacity -- --slo …'],
  ['learn', 'learn', { npm_config_output: 'a' }, '--output', 'npm run learn -- --output …'],
  ['trend', 'trend', { npm_config_out: 'a' }, '--out', 'npm run trend -- --out …'],
  ['doctor', 'doctor', { npm_config_json: 'true' }, '--json', 'npm run doctor -- --json …'],
  ['diff', 'diff', { npm_config_all: 'true' }, '--all', 'npm run diff -- --all …'],
  ['init', 'init', { npm_config_cidr: 'github' }, '--ci', 'npm run init -- --ci …'],
  ['run', 'start', { npm_config_only: 'party' }, '--only', 'npm start -- --only …'],
])('%s refuses an option that npm took, and says how it is given', (name, script, kept, option, right) => {
  expect(typed(name, script, kept)).toThrow(
    `${option}: npm took it for its own; put options behind a "--": ${right}`,
  );
});

test.each([
  ['run', 'start', ['har,ctrf'], 'npm start -- --format …'],
  ['catalog', 'catalog', ['openapi'], 'npm run catalog -- --format …'],
  ['report', 'report', ['gitlab', 'nightly'], 'npm run report -- --format …'],
])(
  '%s refuses the value that npm leaves of --format, and says how it is given',
  (name, script, left, right) => {
    expect(typed(name, script, {}, ['node', 'cli.ts', name, ...left])).toThrow(
      `--format: npm took it for its own; put options behind a "--": ${right}`,
    );
  },
);

test.each([
  ['run', 'start', ['--only', 'har']],
  ['run', 'start', ['http://127.0.0.1:1']],
  ['report', 'report', ['reports', '--format', 'har']],
])('%s in the script %s is not taken to lack --format with %j', (name, script, words) => {
  expect(typed(name, script, {}, ['node', 'cli.ts', name, ...words])).not.toThrow();
});

test.each([
  ['run', 'test', { npm_config_strict: 'true' }],
  ['run', 'start', { npm_config_loglevel: 'error', npm_config_slo: 'true' }],
  ['accept', 'accept', { npm_config_yes: 'true' }],
  ['learn', 'learn', { npm_config_force: 'true' }],
  ['diff', 'diff', { npm_config_json: '' }],
  ['init', 'init', { npm_config_cidr: '10.0.0.0/8' }],
  ['run', 'start', { npm_config_cidr: 'github' }],
])('%s in the script %s leaves %j to npm', (name, script, kept) => {
  expect(typed(name, script, kept)).not.toThrow();
});

test('an option that npm knows too and that its environment sets is given behind a "--" all the same', () => {
  const kept = { npm_config_json: 'true' };
  expect(typed('doctor', 'doctor', kept, ['node', 'cli.ts', 'doctor', '--json'])).not.toThrow();
});

test('the value that npm leaves of an option it took is not reported as an argument too many', async () => {
  vi.stubEnv('npm_lifecycle_event', 'serve');
  vi.stubEnv('npm_config_port', 'true');
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(createProgram().parseAsync(['node', 'assay', 'serve', '9380'])).rejects.toThrow(
    '--port: npm took it for its own; put options behind a "--": npm run serve -- --port …',
  );
});

test('in a terminal, npm start without any option says that all is judged, since npm drops its --only', () => {
  const lines = (words: readonly string[], isTTY = true, script = 'start') =>
    unselectedLines({ npm_lifecycle_event: script }, ['node', 'cli.ts', 'run', ...words], { isTTY });
  expect(lines([])).toEqual([expect.stringMatching(/^all checks: no --only .* npm start -- --only party$/)]);
  expect(lines(['http://127.0.0.1:1'])).toHaveLength(1);
  expect(lines(['--strict'])).toEqual([]);
  expect(lines([], false)).toEqual([]);
  expect(lines([], true, 'other')).toEqual([]);
});
