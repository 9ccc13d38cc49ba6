// Finds a mutant by its name and serves it, for `serve --mutant`.
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { didYouMean, perhapsOneOf } from '../../engine/values/text.ts';
import { attackMutants } from '../../fixtures/mutants/attacks/all.ts';
import { flowMutants } from '../../fixtures/mutants/flows/all.ts';
import type { Mutant } from '../../fixtures/mutants/mutant.ts';
import { ruleMutations } from '../../fixtures/mutants/rules/all.ts';
import { startMutatedServer } from '../../fixtures/mutants/serve.ts';
import { makeHosts, type RunningServer, type ServerOptions } from '../../fixtures/reference/server.ts';
import { suites } from '../run/suites.ts';
import { allPass, drawMutants } from './draw.ts';

/**
 * Returns the mutant of that name, on whichever operation: all are known here, while a proof draws a few by seed.
 * @throws ConfigurationError with the nearest names where there is none
 */
export async function mutantNamed(name: string): Promise<Mutant> {
  const mutants = [...(await everyMutant()), ...attackMutants];
  const found = mutants.find((mutant) => mutant.name === name);
  if (found) return found;
  const names = mutants.map((mutant) => mutant.name);
  throw new ConfigurationError([
    `--mutant: there is no "${name.slice(0, 80)}"${nearestTo(name, names) || '.'} Give a whole name, such as 'who leaves stays' (npm run prove -- --list --only leaves lists those with a word in their name)`,
  ]);
}

/** Suggests names by spelling, else by common words: `member leaves` finds `a member who leaves stays listed`. */
function nearestTo(name: string, names: readonly string[]): string {
  const near = didYouMean(name, names, 3);
  if (near !== '') return near;
  const wanted = stemsOf(name);
  const shared = names
    .map((each) => ({ each, stems: stemsOf(each) }))
    .map(({ each, stems }) => ({ each, count: wanted.intersection(stems).size, of: stems.size }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || a.of - b.of)
    .slice(0, 3);
  return perhapsOneOf(shared.map(({ each }) => each));
}

/** The first letters of each word, so that `leaves`, `leave` and `leaving` are one. */
const stemsOf = (text: string) =>
  new Set(
    text
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .flatMap((word) => (word.length > 3 ? [word.slice(0, 4)] : [])),
  );

/** Returns all mutants but those of attacks, each on every operation that it is possible on. */
export async function everyMutant(): Promise<Mutant[]> {
  const checks = suites.flatMap((suite) => suite.checks);
  const conforming = allPass(checks);
  return [
    ...drawMutants(ruleMutations, { checks, conforming, seed: '1', most: Number.POSITIVE_INFINITY }),
    ...flowMutants,
  ];
}

/** Starts the embedded server with the mutant in front. Rejects where a port is taken. */
export async function startMutant(
  { mutation }: Mutant,
  { port = 0, ...options }: ServerOptions,
): Promise<RunningServer> {
  const { hosts, close } = await startMutatedServer(makeHosts(options), mutation, { port });
  return { baseUrl: hosts.base, cdnUrl: hosts.cdn, gamelogsUrl: hosts.gamelogs, close: async () => close() };
}
