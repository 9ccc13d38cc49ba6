// Waits for hosts (`--wait-for`) until a server that is starting answers, and prints what it waits for.
import { areas } from '../../catalog/catalog.ts';
import type { Host } from '../../catalog/operation.ts';
import { onHost } from '../../catalog/request-path.ts';
import { plainHeaders } from '../http/ask.ts';
import type { Client } from '../http/client.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Target } from '../target/target.ts';
import { ConfigurationError } from '../values/configuration-error.ts';
import { inSeconds } from '../values/text.ts';
import { trouble } from './lines.ts';

interface WaitOptions {
  readonly client: Pick<Client, 'send'>;
  readonly target: Pick<Target, 'hosts' | 'headers'>;
  /** How long in all, in ms. */
  readonly withinMs: number;
  /** Gets a line about each wait. */
  readonly print: (line: string) => void;
  /** In ms; only differences count. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
}

const everyMs = 500;
const printEveryMs = 10_000;
const deadlineMs = 3_000;

/** Statuses of a gateway whose server is not there yet. */
const notYet = new Set([502, 503, 504]);

/**
 * Asks every given host until each has answered once.
 * @returns how long that took, in ms
 * @throws ConfigurationError that names the hosts that never answered
 */
export async function waitForHosts(options: WaitOptions): Promise<number> {
  const { target, withinMs, print, now, sleep } = options;
  const begun = now();
  const endsAt = begun + withinMs;
  let away = Object.keys(target.hosts) as Host[];
  let announcedAt: number | undefined;
  for (;;) {
    const answers = await Promise.all(away.map(async (host) => [host, await ask(options, host)] as const));
    const silent = answers.filter(([, exchange]) => isSilent(exchange));
    const passed = now() - begun;
    const came = away.filter((host) => !silent.some(([each]) => each === host));
    if (announcedAt !== undefined && came.length > 0)
      print(`${came.join(', ')}: there after ${inSeconds(passed)}`);
    if (silent.length === 0) return passed;
    if (now() >= endsAt)
      throw new ConfigurationError(
        silent.map(([host, exchange]) => neverLine(host, target.hosts[host] ?? '', exchange, withinMs)),
      );
    if (announcedAt === undefined || now() - announcedAt >= printEveryMs) {
      announcedAt = now();
      const names = silent.map(([host, exchange]) => `${host} (${inShort(exchange)})`).join(', ');
      print(`waiting for ${names}: ${inSeconds(passed)} of ${inSeconds(withinMs)}`);
    }
    away = silent.map(([host]) => host);
    await sleep(Math.min(everyMs, Math.max(0, endsAt - now())));
  }
}

function ask({ client, target }: WaitOptions, host: Host): Promise<Exchange> {
  const path = host === 'base' ? areas.general.healthcheck.path : '/';
  const url = onHost(target.hosts[host] ?? '', path);
  const headers = [...plainHeaders, ...target.headers];
  return client.send({ method: 'GET', url, headers }, { priority: 0, noWait: true, deadlineMs });
}

const isSilent = ({ response }: Exchange) => response === undefined || notYet.has(response.status);

const inShort = ({ response, error }: Exchange) =>
  response ? `${response.status}` : (error?.kind ?? 'reset');

function neverLine(host: Host, url: string, exchange: Exchange, withinMs: number): string {
  const { kind = 'reset', message = '' } = exchange.error ?? {};
  const why = exchange.response
    ? 'whatever stands before it says that it is not there; look at its log'
    : message.includes('the proxy ')
      ? message
      : trouble[kind];
  return `${host}: no answer at ${url} within ${inSeconds(withinMs)} (${inShort(exchange)}): ${why}`;
}
