// The commands of README and docs do what the pages show.
//
// - A command in a ```sh block is run by a shell, as a user types it, in a folder of its own in which the files that a
//   page names as the user's own stand. It must not end with 2 or 3. `npm` is a stand-in that runs the same script.
// - An `npm run accept …` in a sentence is run too, and must pin something.
// - What takes minutes or leaves this machine is checked instead (`checkedOnly`), and so is every `npm …` in a sentence:
//   the npm script exists, its --help knows each option, and the files that it names exist. An option that stands alone
//   in a sentence is one of some command.
// - A block without a language shows what the last command before it prints. A line `…` stands for any lines, `…` in a
//   line for any text. Times, dates and ports vary from run to run and match any other; of a load, all
//   numbers and the verdict do, since they are those of the machine.
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../engine/files.ts';
import { quotedWord } from '../engine/values/shell.ts';
import { fencesIn, inlineCodeIn, pages } from '../fixtures/kit/markdown.ts';
import { differingLine } from '../fixtures/kit/shown-output.ts';
import { findK6 } from '../load/k6-install/build.ts';

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

interface Command {
  readonly page: string;
  readonly line: string;
  /** Of package.json; undefined for what is no npm script. */
  readonly script: string | undefined;
  /** Behind the script's `--`. */
  readonly args: readonly string[];
  readonly shown: readonly string[] | undefined;
}

function commandOf(page: string, line: string, shown?: readonly string[]): Command {
  const [, start, run, rest = ''] =
    /\bnpm (?:(start|test)|run (?:-s )?([\w:]+))(?: -- ([^)]*))?/.exec(line) ?? [];
  const args = Array.from(rest.split(' > ')[0]?.matchAll(/'[^']*'|\S+/g) ?? [], ([word]) =>
    word.replaceAll("'", ''),
  );
  return { page, line, script: start ?? run, args, shown };
}

const isCommented = (line: string) => line.trim() === '' || line.startsWith('#');

/** The commands of a page's ```sh blocks, block by block. */
function blocksOf(page: string): Command[][] {
  const fences = fencesIn(page);
  return fences.flatMap(({ language, lines }, at) => {
    if (language !== 'sh') return [];
    const next = fences[at + 1];
    const typed = lines.filter((line) => !isCommented(line)).map((line) => line.replace(/ +# .*$/, ''));
    const commands = typed.map((line, nth) =>
      commandOf(page, line, nth === typed.length - 1 && next?.language === '' ? next.lines : undefined),
    );
    return [commands];
  });
}

const blocks = pages.flatMap(blocksOf);
const typed = blocks.flat();
const mentioned = pages.flatMap((page) =>
  inlineCodeIn(page)
    .filter((code) => /^npm (start|test|run)\b/.test(code))
    .map((code) => commandOf(page, code)),
);

const k6 = await findK6(process.env);
/** Takes minutes, installs, or is what this test would start once more. */
const long = new Set(['test', 'prove', 'hostile', 'bench', 'capacity', 'k6:install', 'serve']);
const ofSomeChecks = ['--only', '--rerun'];

function checkedOnly({ script, args }: Command): boolean {
  if (script === undefined || long.has(script)) return true;
  if (script === 'start') return !args.some((arg) => ofSomeChecks.includes(arg));
  if (script === 'learn') return !args.includes('--har');
  if (script === 'load') return k6 === undefined || args.some((arg) => /^--(export|collect)$/.test(arg));
  return false;
}

/** What is run, block by block: a command may need what the one before it has written. */
const quick = blocks
  .map((block) => block.filter((command) => !checkedOnly(command)))
  .filter((block) => block.length > 0);
const checked = [...typed.filter(checkedOnly), ...mentioned];

/** Of the user, where a page names them; the rest of the world for the commands that are run. */
const home = mkdtempSync(join(tmpdir(), 'assay-docs-'));
const usersFiles = [
  'monday/result.json',
  'tuesday/result.json',
  'reports/out/result.json',
  'reports/out/load.json',
  'assay-profile.json',
  'client.har',
];
let server: ChildProcess | undefined;
let urls: Readonly<Record<'BASE_URL' | 'CDN_URL' | 'GAMELOGS_URL', string>>;

/** `npm start -- …` and `npm run …` in any folder: the same script, without what npm itself costs and prints. */
function writeNpm(folder: string): void {
  const cases = Object.entries(scripts).map(([name, script]) => {
    const there = script
      .replace(/^node /, `exec ${quotedWord(process.execPath)} `)
      .replace(/(?<= )(?:\.\/)?([\w./-]+\.[jt]s)\b/g, (_, file: string) => quotedWord(join(root, file)));
    return `${name}) ${there} "$@" ;;`;
  });
  const text = [
    '#!/bin/sh',
    '[ "$1" = run ] && shift',
    '[ "$1" = -s ] && shift',
    'name=$1; shift',
    '[ "$1" = -- ] && shift',
    `case $name in\n${cases.join('\n')}\nesac`,
  ];
  mkdirSync(folder);
  writeFileSync(join(folder, 'npm'), `${text.join('\n')}\n`);
  chmodSync(join(folder, 'npm'), 0o755);
}

const environment = () => ({
  PATH: `${join(home, 'bin')}:${process.env.PATH}`,
  HOME: process.env.HOME,
  XDG_CACHE_HOME: process.env.XDG_CACHE_HOME,
  K6_BIN: k6,
  NO_COLOR: '1',
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a line of a page by a shell. The ports that pages name are those of the server that this test has started. */
const run = (line: string, env: Readonly<Record<string, string>> = {}) =>
  new Promise<Ended>((settle) => {
    const here = Object.entries({ 8080: urls.BASE_URL, 8081: urls.CDN_URL, 8082: urls.GAMELOGS_URL }).reduce(
      (text, [port, url]) => text.replaceAll(`http://127.0.0.1:${port}`, url),
      line,
    );
    const options = { cwd: home, env: { ...environment(), ...env }, timeout: 50_000 };
    execFile('sh', ['-c', here], options, (error, stdout, stderr) =>
      settle({ code: error === null ? 0 : Number(error.code ?? 3), stdout, stderr }),
    );
  });

beforeAll(async () => {
  writeNpm(join(home, 'bin'));
  const line = typed.find(({ script, page }) => script === 'serve' && page === 'README.md')?.line ?? '';
  server = spawn('sh', ['-c', line.replace('8080', '0').replace('npm', 'exec npm')], {
    cwd: home,
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const first = await new Promise<string>((settle) =>
    server?.stdout?.once('data', (chunk) => settle(String(chunk))),
  );
  const { base_url, cdn_url, gamelogs_url } = JSON.parse(first.split('\n')[0] ?? '');
  urls = { BASE_URL: base_url, CDN_URL: cdn_url, GAMELOGS_URL: gamelogs_url };
  symlinkSync(join(root, 'fixtures', 'captures', 'chromium.har'), join(home, 'client.har'));
  await run('npm start -- --only party --strict --out monday');
  await run('npm start -- --only party --strict --out tuesday', { BASE_URL: base_url });
}, 60_000);

afterAll(() => {
  server?.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

/** The files of the user as pages expect them, but for what the commands are going to write. */
function layOut(commands: readonly Command[]): void {
  mkdirSync(join(home, 'reports', 'out'), { recursive: true });
  copyFileSync(join(home, 'tuesday', 'result.json'), join(home, 'reports', 'out', 'result.json'));
  writeFileSync(join(home, 'assay-profile.json'), '{}');
  for (const { args } of commands)
    if (args.includes('--output'))
      rmSync(join(home, args[args.indexOf('--output') + 1] ?? ''), { force: true });
}

const titled = quick.map(
  (commands) => [commands[0]?.page, commands.map(({ line }) => line).join('; '), commands] as const,
);

test.each(titled)('%s: %s', async (_page, _lines, commands) => {
  layOut(commands);
  for (const { line, script, shown } of commands) {
    // A run judges the embedded server where its line names no other; whatever else asks a target asks the one of above.
    const { code, stdout, stderr } = await run(line, script === 'start' ? {} : urls);
    expect([stderr, code]).toEqual([stderr, code < 2 ? code : 0]);
    if (shown) expect(differingLine(shown, stdout.trimEnd().split('\n'), script === 'load')).toBeUndefined();
  }
});

const pinning = [...typed, ...mentioned].filter(({ script, args }) => script === 'accept' && args.length > 0);

test.each(pinning)('$page: $line pins behaviours', async ({ line }) => {
  layOut([]);
  const { stdout, stderr } = await run(`${line} --yes`);
  expect([stderr, stdout]).toEqual(['', expect.stringMatching(/\d+ behaviours? written into /)]);
});

test('every output is that of a command that is run, where k6 is at hand', () => {
  const unrun = checked.filter(
    ({ shown, script }) => shown !== undefined && (k6 !== undefined || script !== 'load'),
  );
  expect(unrun.map(({ line }) => line)).toEqual([]);
  expect(quick.flat().filter(({ shown }) => shown !== undefined).length).toBeGreaterThan(3);
});

const texts = new Map<string, string>();
/** Undefined where it has none: bench takes words and says so. */
function helpOf(script: string): string | undefined {
  const [file, command] = (scripts[script] ?? '').split(' ').slice(-2);
  const words = command === undefined || !file?.endsWith('cli.ts') ? [command ?? ''] : [file, command];
  if (!words[0]?.endsWith('.ts') || words[0].startsWith('.ci/')) return undefined;
  const known = texts.get(script);
  if (known !== undefined) return known;
  const args = ['--import', './runtime.js', ...words, '--help'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', timeout: 30_000 });
  texts.set(script, stdout);
  return stdout;
}

const writes = new Set(['--out', '--output', '--keep']);
const isPath = (word: string) => /^(?!https?:)[\w./-]+\.(?:json|har|sh|ts)$|^suites\//.test(word);

test.each(checked)('$page: $line is well formed', ({ line, script, args }) => {
  if (/\bnpm (?!ci\b)/.test(line)) expect(Object.keys(scripts)).toContain(script);
  const options = args.filter((arg) => arg.startsWith('--'));
  const help = script === undefined ? undefined : helpOf(script);
  if (help !== undefined)
    for (const option of options) expect([line, help]).toEqual([line, expect.stringMatching(`${option}\\b`)]);
  const words = script === undefined ? line.split(' ') : args;
  const named = words.filter((word, at) => isPath(word) && !writes.has(words[at - 1] ?? ''));
  const missing = named.filter(
    (path) =>
      !usersFiles.includes(path) && !existsSync(join(root, path)) && !existsSync(join(root, `${path}.ts`)),
  );
  expect([line, missing]).toEqual([line, []]);
});

const alone = pages.flatMap((page) =>
  inlineCodeIn(page).flatMap((code) => {
    const [option] = /^--[\w-]+/.exec(code) ?? [];
    return option === undefined ? [] : [[page, option] as const];
  }),
);

test('an option that stands alone is one of some command', () => {
  const known = Object.keys(scripts)
    .map((script) => helpOf(script) ?? '')
    .join('\n');
  const unknown = alone.filter(([, option]) => !new RegExp(`${option}\\b`).test(known));
  expect(alone.length).toBeGreaterThan(10);
  expect(unknown).toEqual([]);
});
