// Values of parameters that nobody gave: a run of conformance knows which call's answer tells them.
import type { Operation } from '../../fixtures/catalog/operation.ts';
import { createEvidence } from '../../fixtures/check/evidence/evidence.ts';
import type { Client } from '../../fixtures/client/client.ts';
import type { Redactor } from '../../fixtures/client/redact.ts';
import { createBodies } from '../../fixtures/players/bodies/bodies.ts';
import type { Found } from '../../fixtures/players/discover.ts';
import { createGate } from '../../fixtures/players/gate.ts';
import { createPlayers } from '../../fixtures/players/pool.ts';
import type { Target } from '../../fixtures/target/target.ts';

interface FinderOptions {
  readonly client: Client;
  readonly target: Target;
  readonly redactor: Redactor;
  readonly discovery: Found | undefined;
}

/** @returns what finds a parameter's value in the target's answers to the main player; undefined where none tells it */
export function finder({ client, target, redactor, discovery }: FinderOptions) {
  let evidence: ReturnType<typeof createEvidence> | undefined;
  return async (operation: Operation, name: string): Promise<string | undefined> => {
    evidence ??= createEvidence({
      client,
      target,
      players: discovery && createPlayers({ client, target, redactor, discovery }),
      breakers: new Map(),
      bodies: createBodies(target),
      matchmaking: createGate(),
    });
    const { params, unknown } = await evidence.values(operation);
    const value = params[name];
    return unknown.includes(name) || typeof value !== 'string' ? undefined : value;
  };
}
