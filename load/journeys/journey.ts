// Defines a journey: calls in the order in which a client makes them, as data, each by one of a group of actors.
import type { Operation } from '../../catalog/operation.ts';
import type { LogKind } from '../../engine/players/log-batch.ts';

export interface Stop {
  readonly operation: Operation;
  /** Who of the actors calls, from 0. */
  readonly as?: number;
  /** Who is meant where the call is about another player; the next of the actors. */
  readonly other?: number;
  /** Identifiers that later calls need: the names under which an answer may hold each, the surest first. */
  readonly gives?: Readonly<Record<string, readonly string[]>>;
  /** The same for what the target may have made of the player meanwhile: the answer need not hold one. */
  readonly mayGive?: Readonly<Record<string, readonly string[]>>;
  /** The caller is in something afterwards: a queue, a match, a party, a list. */
  readonly enters?: true;
  /** The caller is out of it again. Who has entered calls it however the journey ends. */
  readonly leaves?: true;
  /** Called only where the latest answer gave this identifier. */
  readonly when?: string;
  /** Called only where it gave none. */
  readonly unless?: string;
  /** A guess at its body has to hold these, or the call would do nothing (`other.id`: who is invited). */
  readonly says?: readonly string[];
  /** Its body is a batch of records, another in every iteration. */
  readonly batch?: LogKind;
  /** As a client with a cache does: asks only for what changed. */
  readonly validators?: true;
  /** A target may lack it: the journey goes without. */
  readonly optional?: true;
}

export interface Journey {
  readonly name: string;
  /** One sentence. */
  readonly about: string;
  /** So many people play it together. */
  readonly actors: number;
  readonly stops: readonly Stop[];
}

/** Several journeys in one, each with its share of the visits. */
export interface Mix {
  readonly name: string;
  readonly about: string;
  readonly shares: readonly (readonly [journey: Journey, weight: number])[];
}

export const stop = (operation: Operation, rest: Omit<Stop, 'operation'> = {}): Stop => ({
  operation,
  ...rest,
});
