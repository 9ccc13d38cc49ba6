// Servers to measure against, each in a process of its own.
import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Served {
  /** BASE_URL, CDN_URL and GAMELOGS_URL. */
  readonly urls: Readonly<Record<string, string>>;
  readonly close: () => void;
}

/** The embedded server in a process of its own. */
export async function serve(): Promise<Served> {
  const child = spawn(process.execPath, ['--import', './runtime.js', 'cli.ts', 'serve'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const { base_url, cdn_url, gamelogs_url } = JSON.parse(line);
  const urls = {
    BASE_URL: base_url,
    CDN_URL: cdn_url,
    GAMELOGS_URL: gamelogs_url,
    CDN_ROOT_FOLDER_PATH: 'live',
    GAME_VERSION: '7.2.0_1',
    VERSION_PATTERN: '7.2',
  };
  return { urls, close: () => child.kill() };
}

/** The same target behind proxies that hold every byte of every answer back for `ms`. */
export async function slowed(urls: Served['urls'], ms: number): Promise<Served> {
  const proxies = await Promise.all(
    Object.entries(urls)
      .filter(([name]) => name.endsWith('_URL'))
      .map(async ([name, url]) => ({ name, ...(await slowProxy(new URL(url), ms)) })),
  );
  return {
    urls: { ...urls, ...Object.fromEntries(proxies.map(({ name, url }) => [name, url])) },
    close: () => {
      for (const proxy of proxies) proxy.close();
    },
  };
}

async function slowProxy({ hostname, port }: URL, ms: number): Promise<{ url: string; close: () => void }> {
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: hostname, port: Number(port), noDelay: true });
    near
      .on('data', (chunk) => far.write(chunk))
      .on('error', () => far.destroy())
      .on('close', () => far.destroy());
    far
      .on('data', (chunk) => setTimeout(() => near.write(chunk), ms))
      .on('error', () => near.destroy())
      .on('close', () => setTimeout(() => near.end(), ms));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${own}`, close: () => server.close() };
}
