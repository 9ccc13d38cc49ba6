// One liar by its name, as a server for a person to look at.
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { didYouMean } from '../../engine/values/nearest.ts';
import { flowLiars } from '../../fixtures/mutants/flows/all.ts';
import type { Liar } from '../../fixtures/mutants/mutant.ts';
import { ruleLies } from '../../fixtures/mutants/rules/all.ts';
import { startLyingServer } from '../../fixtures/mutants/serve.ts';
import { makeHosts, type RunningServer, type ServerOptions } from '../../fixtures/reference/server.ts';
import { suites } from '../run/suites.ts';
import { allPass, drawLiars } from './draw.ts';

/**
 * The liar of that name, on whichever operation it names: not only on those that a seed draws.
 * @throws ConfigurationError with the nearest names where there is none
 */
export async function liarNamed(name: string): Promise<Liar> {
  const liars = await everyLiar();
  const found = liars.find((liar) => liar.name === name);
  if (found) return found;
  const names = liars.map((liar) => liar.name);
  throw new ConfigurationError([
    `--mutant: there is no "${name.slice(0, 80)}"${didYouMean(name, names, 3)} (npm run prove -- --list shows them)`,
  ]);
}

/** All liars, each on every operation that it could be told about. */
export async function everyLiar(): Promise<Liar[]> {
  const checks = suites.flatMap((suite) => suite.checks);
  const honest = allPass(checks);
  return [
    ...drawLiars(ruleLies, { checks, honest, seed: '1', most: Number.POSITIVE_INFINITY }),
    ...flowLiars,
  ];
}

/** As startServer, with the liar in front. Rejects where a port is taken. */
export async function startLiar(
  { lie }: Liar,
  { port = 0, ...options }: ServerOptions,
): Promise<RunningServer> {
  const { hosts, close } = await startLyingServer(makeHosts(options), lie, { port });
  return { baseUrl: hosts.base, cdnUrl: hosts.cdn, gamelogsUrl: hosts.gamelogs, close: async () => close() };
}
