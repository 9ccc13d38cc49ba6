import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../../engine/files.ts';
import { serveConnections } from '../../fixtures/kit/loopback.ts';

/** `npm run serve` as a shell starts it. */
function serve(...args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, ['--import', './runtime.js', 'cli.ts', 'serve', ...args], {
    cwd: root,
    env: { PATH: process.env.PATH },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

const ended = (child: ChildProcess) => new Promise((resolve) => child.once('exit', resolve));

/** What it printed once there are so many lines. */
const printed = (child: ChildProcess, lines: number) =>
  new Promise<string[]>((resolve) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk;
      if (text.split('\n').length > lines) resolve(text.split('\n'));
    });
  });

test('the first line is JSON with three URLs that answer, and SIGTERM ends it with 0', async () => {
  const child = serve();
  const [first = '', second = '', third = ''] = await printed(child, 3);
  expect(third).toBe('its profile: PROFILE=fixtures/profiles/reference.json');
  const urls = JSON.parse(first);
  expect(Object.keys(urls)).toEqual(['base_url', 'cdn_url', 'gamelogs_url']);
  expect(second).toMatch(/^its client data: CDN_ROOT_FOLDER_PATH=\S+ GAME_VERSION=\S+ VERSION_PATTERN=\S+$/);
  for (const url of Object.values<string>(urls))
    expect((await fetch(`${url}/no-such-path`)).status).toBe(404);
  child.kill('SIGTERM');
  expect(await ended(child)).toBe(0);
});

test.each(['--mutant', '--liar'])(
  '%s NAME serves the mutant of that name, and says what is wrong',
  async (option) => {
    const [, second = ''] = await printed(serve(option, 'who leaves stays'), 2);
    expect(second).toBe(
      'what is wrong: The server answers 200 to a player who leaves a party, and does not remove them.',
    );
  },
);

test('it ends with the npm that started it, which passes no signal on', async () => {
  const command = `'${process.execPath}' --import ./runtime.js cli.ts serve & echo $!; wait`;
  const npm = spawn('sh', ['-c', command], {
    cwd: root,
    env: { PATH: process.env.PATH, npm_lifecycle_event: 'serve' },
  });
  onTestFinished(() => void npm.kill('SIGKILL'));
  const [pid = '', first = ''] = await printed(npm, 2);
  onTestFinished(() => {
    if (existsSync(`/proc/${pid}`)) process.kill(Number(pid), 'SIGKILL');
  });
  const { base_url } = JSON.parse(first);
  npm.kill('SIGKILL');
  const answers = () => fetch(base_url).then(Boolean, () => false);
  const until = performance.now() + 5_000;
  while ((await answers()) && performance.now() < until) await new Promise((wait) => setTimeout(wait, 100));
  expect(await answers()).toBe(false);
});

test('options that are wrong, and ports that are taken, are exit 2 with one line each', async () => {
  const { port } = new URL(await serveConnections(() => {}));
  const tries: [string[], RegExp][] = [
    [['--port', 'x'], /^assay: --port: "x"; expected a whole number from 0 to 65533\n$/],
    [['--seed', '-1'], /^assay: --seed: "-1"; expected a whole number from 0 to 2147483648\n$/],
    [
      ['--session', 'smoke', '--session-hosts', 'main'],
      /^assay: --session: "smoke"; .+\nassay: --session-hosts: "main"; .+\n$/,
    ],
    [
      ['--session-hosts', 'gamelogs,main'],
      /^assay: --session-hosts: "gamelogs,main"; expected cdn, gamelogs\n$/,
    ],
    [
      ['--port', port],
      /^assay: --port: \d+ and the next two cannot all be listened on \(EADDRINUSE\); give another, or none for ports that are free\n$/,
    ],
  ];
  for (const [args, message] of tries) {
    const child = serve(...args);
    const stderr = child.stderr?.toArray();
    expect(await ended(child)).toBe(2);
    expect(Buffer.concat((await stderr) ?? []).toString()).toMatch(message);
  }
});
