// What `proof.json` holds (`assay.proof/1`), made from what each liar was told. Pure.
import type { Check } from '../../engine/probe/check.ts';
import type { Liar } from '../../fixtures/mutants/mutant.ts';
import type { Draw } from './draw.ts';
import type { ProofRow } from './prove.ts';

export interface Proof {
  readonly schema: 'assay.proof/1';
  readonly seed: string;
  /** How many there are, were found out, and turned a check that they should not. */
  readonly liars: number;
  readonly killed: number;
  readonly collateral: number;
  /** Rules and asserting flow steps that at least one liar turned. */
  readonly rules: number;
  /** Honest variants that were judged, pairs of them, and variants that were accused; 0 where they were not asked for. */
  readonly variants: number;
  readonly pairs: number;
  readonly accused: number;
  /** Rules and steps that assert something, that no liar turns, and that have no reason for it. */
  readonly unproven: readonly string[];
  readonly rows: readonly ProofRow[];
}

/** The rule of a check, or the id of a flow's step: what has to be proved. */
const provable = ({ id, rule }: Pick<Check, 'id' | 'rule'>): string => (id.includes('#') ? rule : id);

export interface ProofParts {
  readonly seed: string;
  readonly checks: readonly Check[];
  readonly honest: Draw['honest'];
  readonly liars: readonly Liar[];
  readonly rows: readonly ProofRow[];
  /** Why some are turned by no liar, by rule or step. */
  readonly reasons: Readonly<Record<string, string>>;
  readonly variants?: { readonly variants: number; readonly pairs: number; readonly accused: number };
}

export function proofOf({ seed, checks, honest, liars, rows, reasons, variants }: ProofParts): Proof {
  const byId = new Map(checks.map((check) => [check.id, check]));
  const turned = new Set(rows.flatMap(({ turned }) => turned).flatMap((id) => provableOf(byId.get(id))));
  const asserting = new Set(
    checks
      .filter(
        ({ id, level }) =>
          level !== 'open' && Object.values(honest).some((told) => told.get(id)?.outcome === 'pass'),
      )
      .map(provable),
  );
  return {
    schema: 'assay.proof/1',
    seed,
    liars: liars.length,
    killed: rows.filter(({ outcome }) => outcome === 'killed').length,
    collateral: rows.reduce((sum, { collateral }) => sum + collateral.length, 0),
    rules: turned.size,
    ...(variants ?? { variants: 0, pairs: 0, accused: 0 }),
    unproven: [...asserting].filter((name) => !turned.has(name) && !(name in reasons)).sort(),
    rows,
  };
}

const provableOf = (check: Check | undefined) => (check === undefined ? [] : [provable(check)]);

/** Every liar was found out, nobody else was accused, and every rule was proved or has its reason. */
export const holds = ({ liars, killed, collateral, unproven, accused }: Proof): boolean =>
  killed === liars && collateral === 0 && unproven.length === 0 && accused === 0;

// The proof as people read it: a line for each liar, then what it adds up to.
const mostTold = 8;

/** For a terminal: liars that were found out are one line each, the others say what went wrong. */
export function matrixLines(proof: Proof): string[] {
  const width = Math.max(0, ...proof.rows.map(({ liar }) => liar.length));
  return [
    ...proof.rows.flatMap((row) => [
      `${row.liar.padEnd(width)}  ${row.outcome.padEnd(8)} ${row.turned.length} of ${row.asked} turned`,
      ...troubles(row).map((trouble) => `    ${trouble}`),
    ]),
    '',
    ...proof.unproven.map((name) => `no liar turns ${name}, and no reason is given`),
    summary(proof),
  ];
}

const summary = ({ liars, killed, collateral, rules, seed }: Proof) =>
  `${killed} of ${liars} liars found out, ${collateral} wrongly accused checks, ${rules} rules and steps proved, SEED=${seed}`;

function troubles({ missed, collateral }: ProofRow): string[] {
  const told = [
    ...missed.map(({ id, outcome, why }) => `did not turn: ${id} is ${outcome}${why ? `, ${why}` : ''}`),
    ...collateral.map(({ id, outcome, why }) => `turned though it should not: ${id} is ${outcome}, ${why}`),
  ];
  const rest = told.length - mostTold;
  return rest > 0 ? [...told.slice(0, mostTold), `… and ${rest} more`] : told;
}

/** The same as a Markdown table. */
export function proofMarkdown(proof: Proof): string {
  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const rows = proof.rows.map(
    ({ liar, wrong, clause, outcome, turned, collateral }) =>
      `| ${[liar, wrong, clause, outcome, turned.join(', '), String(collateral.length)].map(cell).join(' | ')} |`,
  );
  return [
    '# Proof',
    '',
    summary(proof),
    '',
    '| liar | what is wrong | clause | outcome | checks that turned | wrongly accused |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
