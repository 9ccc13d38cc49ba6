// Defines a check, and the suite of checks that a file exports.
import type { Clause, Level } from '../../catalog/clauses/clause.ts';
import type { Host, Operation } from '../../catalog/operation.ts';
import { type Judgement, judgementOf, type PlannedCheck } from '../judgement.ts';
import type { Context } from './context.ts';

export interface Check {
  /** `OPERATION#RULE` or `FLOW/STEP`; never changes its meaning. */
  readonly id: string;
  readonly title: string;
  /** The operations that it judges; reports list the check under the first. */
  readonly operations: Operations;
  /** Operations that the check can do without, where the profile leaves them out. */
  readonly dispensable?: readonly Operation[];
  readonly rule: string;
  readonly clause: Clause;
  readonly level: Level;
  /** It may change the target, whatever the operation's own effect; --read-only leaves it out. */
  readonly changes: boolean;
  /** An attack runs after all other checks, and only where `--attack` allows it. */
  readonly attack?: true;
  readonly run: (context: Context) => Promise<Judgement>;
  /** Called instead of the check where the run skips it, so that no other step waits for it. */
  readonly passOver?: (context: Context) => void;
}

export type Operations = readonly [Operation, ...Operation[]];

/** An operation that a check cannot do without and that is left out, with the reason; undefined where there is none. */
export function leftOutOf(
  { operations, dispensable = [] }: { operations: readonly Operation[]; dispensable?: readonly Operation[] },
  reasonOf: (id: string) => string | undefined,
): { readonly id: string; readonly reason: string } | undefined {
  for (const operation of operations) {
    const reason = dispensable.includes(operation) ? undefined : reasonOf(operation.id);
    if (reason !== undefined) return { id: operation.id, reason };
  }
  return undefined;
}

/** A check in general form, which `suites/rules/rules.ts` asks of many operations. */
export interface Rule {
  readonly name: string;
  /** The id of its clause, or a function that returns the clause of an operation. */
  readonly clause: string | ((operation: Operation) => Clause);
  readonly title: string;
  readonly changes?: boolean;
  /** May throw a Stop. */
  readonly judge: (operation: Operation, context: Context) => Promise<Judgement>;
}

export interface Suite {
  readonly name: string;
  readonly checks: readonly Check[];
}

/** One check of one operation. `rule` is the part of its id after the `#`; `run` may throw a Stop. */
export function check(
  operation: Operation,
  rule: string,
  clause: Clause,
  title: string,
  run: (context: Context) => Promise<Judgement>,
  options: { readonly changes?: boolean } = {},
): Check {
  return {
    id: `${operation.id}#${rule}`,
    title,
    operations: [operation],
    rule,
    clause,
    level: clause.level,
    changes: (options.changes ?? false) || operation.effect !== 'read',
    run: (context) => judgementOf(run(context)),
  };
}

/** A file's checks, which it exports by default. */
export const suite = (name: string, checks: readonly Check[]): Suite => ({ name, checks });

/** A check as a plan lists it. */
export function planned(check: Check): PlannedCheck {
  const { id, title, operations, clause, level, attack } = check;
  const [first] = operations;
  const operation = operations.length === 1 ? first.id : operations.map((each) => each.id);
  return {
    id,
    title,
    operation,
    host: first.host as Host,
    clause: clause.id,
    level,
    ...(attack && { attack }),
  };
}
