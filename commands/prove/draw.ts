// Rule lies become mutants: each on operations drawn by seed among those that its rule judges, so that no rule is tuned to one path.
import { createHash } from 'node:crypto';
import type { Check } from '../../engine/probe/check.ts';
import type { Mutant } from '../../fixtures/mutants/mutant.ts';
import type { RuleMutation } from '../../fixtures/mutants/rules/rule-mutant.ts';
import type { Reported } from './prove.ts';

/** A rule that holds on so many operations holds by its own merit. */
const drawn = 3;

/** What the embedded server is told when nobody lies, by check id: only what passes there can be turned. */
type Conforming = ReadonlyMap<string, Reported>;

export interface Draw {
  readonly checks: readonly Check[];
  /** What the conforming server is told without the profile, and with it. */
  readonly conforming: { readonly plain: Conforming; readonly profile: Conforming };
  readonly seed: string;
  /** How many operations for each lie. Default: three. */
  readonly most?: number;
}

/** As if all there is to judge were judged and passed: to name mutants without asking a server. */
export function allPass(checks: readonly Check[]): Draw['conforming'] {
  const passes: Conforming = new Map(checks.map(({ id }) => [id, { id, outcome: 'pass', why: '' }]));
  return { plain: passes, profile: passes };
}

/** A mutant for each lie and each operation drawn; fewer where the rule judges fewer. */
export function drawMutants(mutations: readonly RuleMutation[], draw: Draw): Mutant[] {
  const byRule = Map.groupBy(
    draw.checks.filter(({ id }) => id.includes('#')),
    ({ rule }) => rule,
  );
  return mutations.flatMap((reported) => mutantsOf(reported, byRule.get(reported.rule) ?? [], draw));
}

function mutantsOf(
  reported: RuleMutation,
  checks: readonly Check[],
  { conforming, seed, most = drawn }: Draw,
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
  } = reported;
  const passes = (id: string) => conforming[profile ? 'profile' : 'plain'].get(id)?.outcome === 'pass';
  const ordered = checks
    .filter(({ id, operations }) => passes(id) && on(operations[0]))
    .map((check) => ({ check, order: hash(`${seed} ${rule} ${kind ?? ''} ${check.id}`) }))
    .sort((a, b) => (a.order < b.order ? -1 : 1))
    .map(({ check }) => check);
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
      says: Object.fromEntries(Object.entries(says).map(([name, reported]) => [idOf(name), reported])),
      ...(profile && { profile }),
      ...(reported.timeoutMs !== undefined && { timeoutMs: reported.timeoutMs }),
    };
  });
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex');
