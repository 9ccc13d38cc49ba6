// Opens a target: reads the environment and the profile, and runs preflight.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Effect } from '../../catalog/operation.ts';
import type { Client } from '../http/client.ts';
import { createRedactor } from '../http/redact.ts';
import type { Preflight } from '../preflight/preflight.ts';
import { readTarget, type Target, type TargetOptions } from '../target/target.ts';
import { concurrencyFor } from '../target/transport.ts';
import { ConfigurationError } from '../values/configuration-error.ts';
import { defaultLimits } from '../values/default-limits.ts';

/** Starts the embedded server where no URL is given, and returns its address and its known facts. */
type StartEmbedded = (
  read: Target,
) => Promise<{ readonly target: Target; readonly close: () => Promise<void> }>;

export interface OpenOptions extends Omit<TargetOptions, 'newRunId'> {
  /** Without it, a target without any URL is a mistake. */
  readonly embedded?: StartEmbedded | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs?: number | undefined;
  readonly concurrency?: number | undefined;
  readonly rate?: number | undefined;
  /** Nothing but reads and the sign-in is sent. */
  readonly readOnly?: boolean | undefined;
  /** How long to wait for hosts that do not answer yet, in ms; default: not at all. */
  readonly waitForMs?: number | undefined;
  /** Gets the lines of `--wait-for`. */
  readonly print?: ((line: string) => void) | undefined;
  /** Calls about to be sent, by effect; shown before they go to a host that is not loopback. */
  readonly calls?: Promise<Readonly<Record<Effect, number>>> | undefined;
}

export interface OpenedTarget {
  readonly target: Target;
  readonly preflight: Preflight;
  readonly concurrency: number;
  /** How long it took until its hosts answered, in ms. */
  readonly waitedMs: number;
  readonly close: () => Promise<void>;
}

/**
 * Reads the settings of the target, starts the embedded server where it is needed, and runs preflight.
 * @throws ConfigurationError with one line per mistake in the settings, or in the URLs where preflight finds one
 */
export async function openTarget(options: OpenOptions): Promise<OpenedTarget> {
  const { env, timeoutMs = defaultLimits.timeoutMs, rate } = options;
  const read = readTarget(env, options);
  // The server's thread starts while this thread loads the client.
  const [{ target, close }, { createClient }, { preflight }] = await Promise.all([
    located(read, options.embedded),
    import('../http/client.ts'),
    import('../preflight/preflight.ts'),
  ]);
  const { concurrency = concurrencyFor(target.hosts) } = options;
  const redactor = createRedactor(target.secrets);
  const client = createClient({
    ...target.transport,
    timeoutMs,
    concurrency,
    redactor,
    rate,
  });
  try {
    const waitedMs = await waited(options, client, target);
    const found = await preflight({
      client,
      target,
      redactor,
      calls: await options.calls,
      readOnly: options.readOnly ?? false,
    });
    if (found.mistakes.length > 0) throw new ConfigurationError(found.mistakes);
    return {
      target: found.target,
      preflight: found,
      concurrency,
      waitedMs,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  } finally {
    client.close();
  }
}

async function located(read: Target, startEmbedded: StartEmbedded | undefined) {
  if (!read.embedded) return { target: read, close: async () => {} };
  if (startEmbedded === undefined)
    throw new ConfigurationError(['BASE_URL, CDN_URL, GAMELOGS_URL: none of them is set']);
  return startEmbedded(read);
}

async function waited(
  { waitForMs, print = () => {} }: OpenOptions,
  client: Client,
  target: Target,
): Promise<number> {
  if (waitForMs === undefined || target.embedded) return 0;
  const { waitForHosts } = await import('../preflight/wait-for-hosts.ts');
  const now = () => performance.now();
  return waitForHosts({ client, target, withinMs: waitForMs, print, now, sleep });
}
