// Sessions leave for the cluster by a pipe into a Secret alone; nothing else that is written holds one.
import { ConfigurationError } from '../../../fixtures/target/configuration-error.ts';
import type { Data, Visit } from '../../k6/plan.ts';
import { referenceTo } from '../../k6/references.ts';
import type { Ready } from '../../prepare/ready.ts';
import { mostBytes } from './manifests.ts';

/** Shorter ones are found in anything. */
const fewest = 6;
const spare = 16_384;

/** @throws ConfigurationError where a secret of the target or a player's session is in what will be written */
export function refuseSecrets({ target, data }: Ready, texts: readonly string[]): void {
  const sessions = data.casts.flatMap((cast) =>
    cast.flatMap(({ headers, query, values }) => [...Object.values(headers), query, values.token ?? '']),
  );
  const secrets = new Set([...target.secrets, ...sessions].filter(({ length }) => length >= fewest));
  const all = texts.join('\n');
  if (![...secrets].some((secret) => all.includes(secret))) return;
  throw new ConfigurationError([
    '--export: a secret stands in a body, a path or part of a header, and the export would hold it in plain text; say it as a header of the profile from a variable, or load from here with --segments',
  ]);
}

/** The same calls, their headers naming the variable of the profile that holds a secret; and which variables those are. */
export function referring(
  visits: readonly Visit[],
  variables: Readonly<Record<string, string>>,
): { readonly visits: readonly Visit[]; readonly named: readonly string[] } {
  const named = new Set<string>();
  const without = (value: string) => {
    const [variable] = Object.entries(variables).find(([, secret]) => secret === value) ?? [];
    if (variable === undefined) return value;
    named.add(variable);
    return referenceTo(variable);
  };
  const told = visits.map((visit) => ({
    ...visit,
    calls: visit.calls.map((call) => ({
      ...call,
      headers: Object.fromEntries(
        Object.entries(call.headers).map(([name, value]) => [name, without(value)]),
      ),
    })),
  }));
  return { visits: told, named: [...named].sort() };
}

/** As many players as a Secret holds. */
export function withinSecret({ casts }: Data, say: (line: string) => void): Data {
  let bytes = 0;
  const kept = casts.filter((cast) => {
    bytes += Buffer.byteLength(JSON.stringify(cast)) + 1;
    return bytes < mostBytes - spare;
  });
  if (kept.length < casts.length)
    say(
      `players: ${kept.length} groups of ${casts.length} fit into the 1 MiB of a Secret; the others are left out`,
    );
  return { casts: kept, batches: {} };
}
