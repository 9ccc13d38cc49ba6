// The package as its user has it: packed, installed into an empty folder whose path has a space, and run there.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../engine/files.ts';
import { fencesIn } from '../../fixtures/kit/markdown.ts';
import { differingLine } from '../../fixtures/kit/shown-output.ts';

const home = mkdtempSync(join(tmpdir(), 'assay package '));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const { BASE_URL: _, CDN_URL: __, GAMELOGS_URL: ___, CI: ____, ...ambient } = process.env;
/** Neither a target nor a registry: what is installed is all there is. */
const env = {
  ...ambient,
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  NO_COLOR: '1',
  npm_config_offline: 'true',
  npm_config_update_notifier: 'false',
  npm_config_loglevel: 'error',
};

function run(program: string, args: readonly string[], how: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
  const { cwd = home, env: more } = how;
  const limits = { timeout: 120_000, maxBuffer: 64 << 20 } as const;
  const ended = spawnSync(program, args, { ...limits, cwd, env: { ...env, ...more }, encoding: 'utf8' });
  return { code: ended.status, stdout: ended.stdout, stderr: ended.stderr };
}

interface Packed {
  readonly name: string;
  readonly filename: string;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}
let packed: Packed;
let bin: string;

/** The command itself, without npx. */
const assay = (args: readonly string[], how?: Parameters<typeof run>[2]) =>
  run(process.execPath, [bin, ...args], how);

/** What is packed: while npm packs, the README is not the clone's, and other tests read that. */
const clone = join(home, 'clone');
const notCopied = new Set(['node_modules', '.git', 'dist', 'reports/out']);

beforeAll(() => {
  cpSync(root, clone, { recursive: true, filter: (path) => !notCopied.has(relative(root, path)) });
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
  const { stdout, stderr } = run('npm', ['pack', '--json', '--silent', '--pack-destination', home], {
    cwd: clone,
  });
  const answer = stdout.slice(stdout.search(/^[[{]/m));
  if (answer === '') throw new Error(`npm pack printed nothing: ${stderr}`);
  packed = [Object.values(JSON.parse(answer) as Readonly<Record<string, Packed>>)].flat()[0] as Packed;
  run('npm', ['init', '-y']);
  const installed = run('npm', ['install', '-D', '--no-audit', '--no-fund', join(home, packed.filename)]);
  if (installed.code !== 0) throw new Error(installed.stderr);
  bin = join(home, 'node_modules', '.bin', 'assay');
}, 180_000);

test('the tarball has a scoped name, is small, and holds no tests and no server to try Assay on', () => {
  expect(packed.name).toMatch(/^@[a-z-]+\/assay$/);
  expect(packed.unpackedSize).toBeLessThan(10 << 20);
  const paths = packed.files.map(({ path }) => path);
  const ofClone =
    /\.test\.|\.(child|probe)\.|blind|mutant|hostile|conforming|third-party|prove|tsconfig|(^|\/)cli\./;
  expect(paths.filter((path) => ofClone.test(path))).toEqual([]);
  expect(paths).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'CHANGELOG.md', 'dist/LICENCES.txt']),
  );
  expect(
    paths.filter((path) => path.endsWith('.ts') && !/^dist\/(load|catalog|engine\/values)\//.test(path)),
  ).toEqual([]);
});

describe('its README', () => {
  const page = '.ci/package/README.md';

  test('is its own, leads to files that are packed, and speaks of no npm script', () => {
    const readme = readFileSync(join(dirname(dirname(bin)), packed.name, 'README.md'), 'utf8');
    expect(readme).toBe(readFileSync(join(root, page), 'utf8'));
    const links = Array.from(readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g), ([, path]) => path);
    const paths = new Set(packed.files.map(({ path }) => path));
    expect(links.filter((path = '') => !paths.has(path))).toEqual([]);
    expect(readme.replace(/^These pages .*/m, '')).not.toMatch(/npm (start|run|test)/);
  });

  test('leaves that of the clone in its place', () => {
    const [before, after] = [root, clone].map((folder) => readFileSync(join(folder, 'README.md'), 'utf8'));
    expect(after).toBe(before);
  });

  test('shows commands that do what it shows', async () => {
    const folder = join(home, 'as its README says');
    mkdirSync(folder);
    copyFileSync(join(home, packed.filename), join(folder, packed.filename));
    const fences = fencesIn(page);
    const served = await serving();
    try {
      for (const [at, { language, lines }] of fences.entries()) {
        if (language !== 'sh') continue;
        const shown = fences[at + 1]?.language === '' ? fences[at + 1]?.lines : undefined;
        for (const [nth, line] of lines.entries()) {
          const typed = line.replace('http://127.0.0.1:8080', served.url);
          const { code, stdout, stderr } = run('sh', ['-c', typed], { cwd: folder });
          expect([line, code, stderr]).toEqual([line, 0, '']);
          if (shown !== undefined && nth === lines.length - 1)
            expect(differingLine(shown, stdout.trimEnd().split('\n'))).toBeUndefined();
        }
      }
    } finally {
      served.stop();
    }
  }, 120_000);
});

test('nothing of it comes from elsewhere: it installs without a registry, as one package', () => {
  expect(readdirSync(join(home, 'node_modules')).filter((name) => !name.startsWith('.'))).toHaveLength(1);
});

test('no file of a mutant or of a proof is among the code', () => {
  const code = join(dirname(dirname(bin)), packed.name, 'dist', 'code');
  const texts = readdirSync(code).map((name) => readFileSync(join(code, name), 'utf8'));
  expect(
    texts.filter((text) =>
      /RuleMutation|flowMutant|who leaves stays/.test(text.replace(/--mutant '[^']*'/g, '')),
    ),
  ).toEqual([]);
});

describe('npx --no assay run', () => {
  test('judges the embedded server, names its files, and says how a check is run again', () => {
    const { code, stdout, stderr } = run('npx', [
      '--no',
      'assay',
      'run',
      '--attack',
      'off',
      '--format',
      'har',
    ]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Conforms');
    const result = JSON.parse(readFileSync(join(home, 'reports', 'out', 'result.json'), 'utf8'));
    expect(result.summary).toMatchObject({ fail: 0, 'harness-error': 0 });
    expect(result.summary.pass).toBeGreaterThan(2_000);
    expect(readFileSync(join(home, 'reports', 'out', 'report.html'), 'utf8')).toContain('<svg');
    expect(existsSync(join(home, 'reports', 'out', 'failures.har'))).toBe(true);
  }, 120_000);

  test('its result can be shown again, compared, followed, explained and accepted', () => {
    const result = 'reports/out/result.json';
    expect(assay(['report', result, '--out', 'again']).code).toBe(0);
    expect(assay(['diff', result, result]).code).toBe(0);
    expect(assay(['trend', result]).code).toBe(0);
    expect(assay(['explain', 'needs-body']).stdout).toContain('needs-body');
    writeFileSync(join(home, 'accepting.json'), '{}');
    expect(assay(['accept', result, 'party/*', '--profile', 'accepting.json', '--yes']).code).toBe(0);
  });

  test('the target may be named alone', () => {
    const { code, stderr } = assay(['http://127.0.0.1:1', '--only', 'general']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('http://127.0.0.1:1')]);
  });

  test('one without a scheme is told what to write', () => {
    expect(assay(['localhost:31880'])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'assay: run: "localhost:31880" has no scheme; write http://localhost:31880, or https://localhost:31880\n',
    });
  });
});

/** A server of the package's own. */
async function serving(): Promise<{ readonly url: string; readonly stop: () => void }> {
  const server = spawn(process.execPath, [bin, 'serve'], {
    cwd: home,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [first] = await once(server.stdout, 'data');
  return { url: JSON.parse(String(first).split('\n')[0] ?? '').base_url, stop: () => server.kill('SIGKILL') };
}

test('serve, session, doctor and learn go together', async () => {
  const script = `
    set -eu
    "$NODE" "$BIN" serve > serve.txt & server=$!
    trap 'kill $server' EXIT
    for _ in $(seq 200); do grep -q 'its profile' serve.txt 2>/dev/null && break; sleep 0.05; done
    export BASE_URL=$(sed -n 's/.*"base_url":"\\([^"]*\\)".*/\\1/p' serve.txt)
    eval "$(sed -n 's/^its profile: \\(PROFILE=.*\\)/export \\1/p' serve.txt)"
    test -f "$PROFILE"
    eval "$("$NODE" "$BIN" session)"
    test -n "$ASSAY_SESSION"
    "$NODE" "$BIN" doctor
  `;
  const { code, stdout } = run('bash', ['-c', script], { env: { NODE: process.execPath, BIN: bin } });
  expect(code).toBe(0);
  expect(stdout).toContain('npx --no assay run');
});

test('init writes what a repository needs, once', () => {
  const folder = join(home, 'a repository');
  mkdirSync(folder);
  const first = assay(['init'], { cwd: folder });
  expect([first.code, first.stderr]).toEqual([0, '']);
  expect(first.stdout).toContain('npx --no assay doctor');
  const written = readFileSync(join(folder, '.env'), 'utf8');
  expect(written).not.toMatch(/npm (start|run)/);
  expect(assay(['init'], { cwd: folder }).stdout).not.toContain('written');
});

test('help shows commands as one types them, and none that a package does not have', () => {
  const { stdout } = assay(['help', 'serve']);
  expect(stdout).toContain('npx --no assay serve --port 8080');
  expect(stdout).not.toContain('--mutant');
  const all = assay(['--help']).stdout;
  expect(all).not.toMatch(/npm (start|run)|prove/);
  expect(Array.from(all.matchAll(/^ {2}([\w-]+) (?:\[|<)/gm), ([, name]) => name)).toEqual(
    expect.arrayContaining(commands),
  );
});

const commands =
  'run doctor learn accept diff trend report explain catalog load capacity serve session init'.split(' ');

describe('a mistake is one line and its exit code', () => {
  test.each(commands)('%s, with an option that there is not', (command) => {
    const wrong = assay([command, '--nosuch']);
    expect([wrong.code, wrong.stdout]).toEqual([2, '']);
    expect(wrong.stderr).toBe("assay: unknown option '--nosuch'; --help shows what there is\n");
  });

  /** No file can be made there, by root neither. */
  const unwritable = '/proc/self';

  test.each([
    ['run', ['run']],
    ['learn', ['learn', '--output', `${unwritable}/profile.json`]],
    ['report', ['report', 'RESULT', '--out', 'out']],
    ['trend', ['trend', 'RESULT']],
    ['load', ['load', 'login']],
    ['capacity', ['capacity', 'login']],
    ['init', ['init']],
  ])('%s in a folder that cannot be written', (name, args) => {
    const given = args.map((arg) => (arg === 'RESULT' ? join(home, 'reports', 'out', 'result.json') : arg));
    const { code, stdout, stderr } = assay(given, { cwd: unwritable });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr, name).toMatch(/^assay: [^\n]+\n$/);
  });

  test('a Node that is too old says so before it reads anything newer', () => {
    const older = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'18.20.0'}})`;
    expect(run(process.execPath, ['--import', older, bin, 'run'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'assay: needs Node 22.19 or later, this is 18.20.0; install a newer one.\n',
    });
  });

  test.skipIf(spawnSync('script', ['--version']).status !== 0)('NO_COLOR keeps a terminal plain', () => {
    const command = '"$NODE" "$BIN" run --only general --attack off --out terminal';
    const printed = (NO_COLOR: string) =>
      run('script', ['-qec', command, '/dev/null'], { env: { NODE: process.execPath, BIN: bin, NO_COLOR } });
    const coloured = /\x1b\[\d+m/;
    expect(printed('').stdout).toMatch(coloured);
    const plain = printed('1');
    expect([plain.code, plain.stdout]).toEqual([0, expect.not.stringMatching(coloured)]);
  });

  test('a reader that leaves early does not end it, and a full disk is one line', () => {
    const how = { env: { NODE: process.execPath, BIN: bin } };
    const early = run('bash', ['-o', 'pipefail', '-c', '"$NODE" "$BIN" run --list | head -n 1'], how);
    expect([early.code, early.stderr]).toEqual([0, '']);
    const full = run('bash', ['-c', '"$NODE" "$BIN" run --list > /dev/full'], how);
    expect([full.code, full.stderr]).toEqual([2, expect.stringMatching(/^assay: [^\n]+ENOSPC[^\n]+\n$/)]);
  });
});

describe('on every line of Node that it says it works on', () => {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const folder = join(process.env.ASSAY_NODES ?? join(cache, 'assay', 'nodes'), 'node_modules');
  const nodes = ['node22', 'node24'];
  const isSkipped = !existsSync(folder);
  if (isSkipped) {
    if (process.env.CI) throw new Error('ASSAY_NODES names no folder of other Nodes');
    console.warn('SKIPPED: the package is tried on this Node alone; ASSAY_NODES names a folder with others');
  }

  test.skipIf(isSkipped).each(nodes)('%s', (name) => {
    const node = join(folder, name, 'bin', 'node');
    const { code, stdout, stderr } = run(node, [bin, 'run', '--attack', 'off', '--only', 'general']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Conforms');
  });
});
