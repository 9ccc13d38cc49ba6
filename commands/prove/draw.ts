// Makes mutants of rule mutations, on operations that the seed draws, so that no rule is tuned to one path.
import { createHash } from 'node:crypto';
import type { Operation } from '../../catalog/operation.ts';
import type { Check } from '../../engine/probe/check.ts';
import { isStep } from '../../engine/run/result.ts';
import type { Mutant } from '../../fixtures/mutants/mutant.ts';
import type { RuleMutation } from '../../fixtures/mutants/rules/rule-mutant.ts';
import type { CheckOutcome } from './prover.ts';

/** Operations that each mutation is tried on, to show that its rule is not tuned to one of them. */
const drawn = 3;

/** The outcomes of the unchanged embedded server, by check id: only a check that passes there can turn. */
type Conforming = ReadonlyMap<string, CheckOutcome>;

export interface Draw {
  readonly checks: readonly Check[];
  /** Outcomes without the profile, and with it. */
  readonly conforming: { readonly plain: Conforming; readonly profile: Conforming };
  readonly seed: string;
  /** How many operations for each mutation. Default: three. */
  readonly most?: number;
}

/** Outcomes as if every check passed, to name mutants without asking a server. */
export function allPass(checks: readonly Check[]): Draw['conforming'] {
  const passes: Conforming = new Map(checks.map(({ id }) => [id, { id, outcome: 'pass', why: '' }]));
  return { plain: passes, profile: passes };
}

/** A mutant for each mutation and each operation drawn; fewer where the rule judges fewer. */
export function drawMutants(mutations: readonly RuleMutation[], draw: Draw): Mutant[] {
  const byRule = Map.groupBy(
    draw.checks.filter(({ id }) => !isStep(id)),
    ({ rule }) => rule,
  );
  return mutations.flatMap((mutation) => mutantsOf(mutation, byRule.get(mutation.rule) ?? [], draw));
}

function mutantsOf(
  ruleMutation: RuleMutation,
  checks: readonly Check[],
  { checks: allChecks, conforming, seed, most = drawn }: Draw,
): Mutant[] {
  const {
    rule,
    kind,
    wrong,
    mutation,
    clause,
    also = [],
    says = {},
    on = () => true,
    profile,
    eachClause,
    inFlows,
  } = ruleMutation;
  const passes = (id: string) => conforming[profile ? 'profile' : 'plain'].get(id)?.outcome === 'pass';
  const ordered = shuffled(
    checks.filter(({ id, operations }) => passes(id) && on(operations[0])),
    ({ id }) => `${seed} ${rule} ${kind ?? ''} ${id}`,
  );
  const firsts = new Set(
    Map.groupBy(ordered, (each) => each.clause)
      .values()
      .map(([first]) => first),
  );
  const chosen = ordered.filter((each, nth) => nth < most || (eachClause && firsts.has(each)));
  return chosen.map((check) => {
    const [operation] = check.operations;
    const idOf = (name: string) => (/[#/]/.test(name) ? name : `${operation.id}#${name}`);
    const further = typeof also === 'function' ? also(operation) : also;
    const turning = [...(rule in says ? [] : [rule]), ...further].map(idOf);
    return {
      name: `${rule}${kind === undefined ? '' : ` (${kind})`} on ${operation.id}`,
      wrong,
      clause: clause ?? check.clause.id,
      operations: [operation],
      mutation: mutation(operation),
      turns: [...new Set(turning)].filter(passes),
      ...(inFlows !== undefined && { mayTurn: stepsOf(operation, allChecks, inFlows) }),
      says: Object.fromEntries(Object.entries(says).map(([name, outcome]) => [idOf(name), outcome])),
      ...(profile && { profile }),
      ...(ruleMutation.timeoutMs !== undefined && { timeoutMs: ruleMutation.timeoutMs }),
    };
  });
}

/** The steps of flows that call the operation, each with the reason. */
const stepsOf = (operation: Operation, checks: readonly Check[], why: string): Record<string, string> =>
  Object.fromEntries(
    checks
      .filter(({ id, operations }) => isStep(id) && operations.some((each) => each.id === operation.id))
      .map(({ id }) => [id, why]),
  );

/** Sorts items by the hash of their texts: another seed in the texts gives another order. */
export function shuffled<T>(items: readonly T[], textOf: (item: T) => string): T[] {
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  return items
    .map((item) => ({ item, order: hash(textOf(item)) }))
    .sort((a, b) => (a.order < b.order ? -1 : 1))
    .map(({ item }) => item);
}
