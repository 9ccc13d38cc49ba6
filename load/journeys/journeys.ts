// All journeys, by name.
import { areas, catalog, operationById } from '../../fixtures/catalog/catalog.ts';
import type { Operation } from '../../fixtures/catalog/operation.ts';
import { ConfigurationError } from '../../fixtures/target/configuration-error.ts';
import { didYouMean } from '../../fixtures/target/nearest.ts';
import { quoted } from '../../fixtures/target/quoted.ts';
import { analytics, logs } from './batches.ts';
import { cdn, friends, store } from './content.ts';
import { type Journey, type Mix, stop } from './journey.ts';
import { match, party, queue } from './play.ts';
import { login, session } from './sign-in.ts';

const journeys = [login, session, party, match, queue, logs, analytics, cdn, friends, store] as const;

/** What an evening looks like: per hundred visits. */
const mixed: Mix = {
  name: 'mixed',
  about: 'all of it, in the shares of an ordinary evening',
  shares: [
    [session, 10],
    [queue, 20],
    [match, 10],
    [party, 5],
    [friends, 10],
    [store, 10],
    [cdn, 5],
    [logs, 15],
    [analytics, 15],
  ],
};

/** What can be loaded by name. */
export const journeyNames: readonly string[] = [...journeys.map(({ name }) => name), mixed.name];

/**
 * @throws ConfigurationError that names the nearest journey
 */
export function journeyNamed(name: string): Mix {
  if (name === mixed.name) return mixed;
  const found = journeys.find((journey) => journey.name === name);
  if (found) return { ...found, shares: [[found, 1]] };
  throw new ConfigurationError([
    `${quoted(name)} is no journey${didYouMean(name, journeyNames) || '.'} There are ${journeyNames.join(', ')}, and --operation ID for a single call`,
  ]);
}

/** One operation alone, as a journey.
 * @throws ConfigurationError that names the nearest operations
 */
export function journeyOf(id: string): Mix {
  const operation = operationById(id);
  if (!operation) {
    const ids = catalog.map((each) => each.id);
    const meant = didYouMean(id, ids, 3) || '; npm run -s catalog -- --format markdown lists them';
    throw new ConfigurationError([`--operation: ${quoted(id)} is no operation${meant}`]);
  }
  if (operation.ends === 'session')
    throw new ConfigurationError([
      `--operation: ${id} ends the session that the load goes by; expected one that does not`,
    ]);
  const own: Journey = { name: id, about: operation.path, cast: 2, stops: [alone(operation)] };
  return { name: id, about: own.about, shares: [[own, 1]] };
}

function alone(operation: Operation) {
  if (operation === areas.logs.logsBatch) return stop(operation, { batch: 'log' });
  if (operation === areas.logs.analyticsBatch) return stop(operation, { batch: 'analytics' });
  return stop(operation);
}
