// Sessions leave for the cluster by a pipe into a Secret alone; nothing else that is written holds one.
import { ConfigurationError } from '../../../fixtures/target/configuration-error.ts';
import type { Data } from '../../k6/plan.ts';
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
    '--export: a secret of the profile goes into every request, and the export would hold it in plain text; leave that header to a gateway in the cluster, or load from here with --segments',
  ]);
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
