// Runs `npm run serve`: the embedded server until it is interrupted.
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { quotedWord } from '../../engine/values/shell.ts';
import { reference } from '../../fixtures/reference/existing-values.ts';
import { otherHosts, startServer } from '../../fixtures/reference/server.ts';
import { transports } from '../../fixtures/reference/sessions.ts';

interface ServeOptions {
  readonly port: number;
  readonly session: string;
  /** Separated by commas; empty for none. */
  readonly sessionHosts: string;
  readonly seed: number;
  /** Name of a mutant: the server with exactly one thing wrong. */
  readonly mutant?: string;
  /** The former name of `mutant`, which scripts may still use. */
  readonly liar?: string;
}

/** Loads the module that serves mutants, which the package does not contain. */
export type LoadMutants = () => Promise<typeof import('../prove/serve-mutant.ts')>;

/**
 * Starts the server, prints its addresses, and runs until a signal ends it.
 * @throws ConfigurationError where an option is wrong or a port is taken
 */
export async function serveCommand(options: ServeOptions, loadMutants?: LoadMutants): Promise<void> {
  const { port, session, seed, mutant: name = options.liar } = options;
  const given = options.sessionHosts.split(/[\s,]+/).filter(Boolean);
  const sessionHosts = otherHosts.filter((host) => given.includes(host));
  const mistakes = [
    ...(Object.hasOwn(transports, session)
      ? []
      : [`--session: "${session}"; expected ${Object.keys(transports).join(', ')}`]),
    ...(sessionHosts.length === new Set(given).size
      ? []
      : [`--session-hosts: "${options.sessionHosts.slice(0, 80)}"; expected ${otherHosts.join(', ')}`]),
  ];
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  const settings = {
    port,
    session: session as keyof typeof transports,
    sessionHosts,
    seed,
  };
  const mutants = name === undefined ? undefined : await loadMutants?.();
  const mutant = await mutants?.mutantNamed(name ?? '');
  const starting = mutants && mutant ? mutants.startMutant(mutant, settings) : startServer(settings);
  const server = await starting.catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError([
      `--port: ${port} and the next two cannot all be listened on (${error.code ?? error.message}); give another, or none for ports that are free`,
    ]);
  });
  const { baseUrl, cdnUrl, gamelogsUrl, close } = server;
  process.stdout.write(
    `${JSON.stringify({ base_url: baseUrl, cdn_url: cdnUrl, gamelogs_url: gamelogsUrl })}\n`,
  );
  if (mutant) process.stdout.write(`what is wrong: ${mutant.wrong}\n`);
  const { cdnRootFolderPath, gameVersion, versionPattern } = reference;
  process.stdout.write(
    `its client data: CDN_ROOT_FOLDER_PATH=${cdnRootFolderPath} GAME_VERSION=${gameVersion} VERSION_PATTERN=${versionPattern}\n`,
  );
  process.stdout.write(`its profile: PROFILE=${quotedWord(relative(process.cwd(), ownProfile))}\n`);
  await new Promise<void>((end) => {
    process.once('SIGINT', end).once('SIGTERM', end);
    // npm does not pass on the signal that ends it, so the server looks whether its parent is gone.
    if (process.env.npm_lifecycle_event !== undefined) onceOrphaned(end);
  });
  await close();
}

const ownProfile = fileURLToPath(new URL('../../fixtures/profiles/reference.json', import.meta.url));

const lookEveryMs = 500;
/** Read at the start: the parent process may be gone by the time that the server is up. */
const parent = process.ppid;

function onceOrphaned(act: () => void): void {
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    act();
  }, lookEveryMs);
  looking.unref();
}
