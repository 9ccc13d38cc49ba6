// Is who was signed in before the load still signed in after it?
import { operationById } from '../../fixtures/catalog/catalog.ts';
import { requestOf } from '../../fixtures/check/evidence/ask.ts';
import { createClient } from '../../fixtures/client/client.ts';
import type { SessionEvidence } from '../../fixtures/players/prove-session.ts';
import type { Target } from '../../fixtures/target/target.ts';
import type { Cast } from '../k6/plan.ts';
import { around, signedAs } from './put.ts';

/** Of so many players: one may have been signed out by a journey. */
const asked = 3;

/**
 * Asks what conformance proved the session by, as the first players.
 * @returns true where each of them gets 401
 */
export async function sessionsAreOver(
  target: Target,
  { operation: id }: Pick<SessionEvidence, 'operation'>,
  casts: readonly Cast[],
): Promise<boolean> {
  const operation = operationById(id);
  const people = casts.slice(0, asked).flatMap((cast) => cast.slice(0, 1));
  if (operation === undefined || people.length === 0) return false;
  const client = createClient({ ...target.transport, timeoutMs: 5_000 });
  try {
    const surroundings = { ...around(operation, target), params: {} };
    const answers = await Promise.all(
      people.map((person) =>
        client.send(signedAs(person, operation, target, requestOf(operation, {}, surroundings))),
      ),
    );
    return answers.every(({ response }) => response?.status === 401);
  } finally {
    client.close();
  }
}
