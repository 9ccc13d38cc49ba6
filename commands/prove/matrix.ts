// Makes `proof.json` (`assay.proof/1`) from the results of all mutants, and renders it for people. Pure.
//
// Two words: a check *turns* where it passes on the unmutated server and fails or warns on a mutant; a mutant is *found*
// where every check that it was made for turns. In the file, and where people read, a found mutant is also `killed` or
// "found out" (else `survived`), and checks that turn without a reason are `collateral` or "wrongly accused".
import type { Check } from '../../engine/probe/check.ts';
import { isStep } from '../../engine/run/result.ts';
import type { Mutant } from '../../fixtures/mutants/mutant.ts';
import type { Draw } from './draw.ts';
import type { ProofRow } from './prover.ts';

export interface Proof {
  readonly schema: 'assay.proof/1';
  readonly seed: string;
  /** How many mutants were judged. */
  readonly mutants: number;
  /** As `mutants`: the name that readers of earlier proofs know. */
  readonly liars: number;
  /** Mutants that were found. */
  readonly killed: number;
  /** Checks that turned without a reason. */
  readonly collateral: number;
  /** How many mutants turned checks beside those that they were made for, each with a reason. */
  readonly alsoTurning: number;
  /** How many mutants were judged by flows alone, each with a reason. */
  readonly flowsAlone: number;
  /** Rules and asserting flow steps that at least one mutant turned. */
  readonly rules: number;
  /** Conforming variants that were judged, their pairs, and servers that were accused; 0 where none was asked for. */
  readonly variants: number;
  readonly pairs: number;
  readonly accused: number;
  /** Rules and steps that assert something, and that no mutant turns; empty where a part of the mutants was tried. */
  readonly unproven: readonly string[];
  readonly rows: readonly ProofRow[];
}

/** The rule of a check, or the id of a flow's step: what has to be proved. */
const provable = ({ id, rule }: Pick<Check, 'id' | 'rule'>): string => (isStep(id) ? id : rule);

export interface ProofParts {
  readonly seed: string;
  readonly checks: readonly Check[];
  readonly conforming: Draw['conforming'];
  readonly mutants: readonly Mutant[];
  readonly rows: readonly ProofRow[];
  /** Whether every mutant was tried: some of them prove only some of the rules. */
  readonly isWhole: boolean;
  readonly variants?: { readonly variants: number; readonly pairs: number; readonly accused: number };
}

export function proofOf({ seed, checks, conforming, mutants, rows, isWhole, variants }: ProofParts): Proof {
  const byId = new Map(checks.map((check) => [check.id, check]));
  const turned = new Set(rows.flatMap(({ turned }) => turned).flatMap((id) => provableOf(byId.get(id))));
  const asserting = new Set(
    checks
      .filter(
        ({ id, level }) =>
          level !== 'open' &&
          Object.values(conforming).some((outcomes) => outcomes.get(id)?.outcome === 'pass'),
      )
      .map(provable),
  );
  return {
    schema: 'assay.proof/1',
    seed,
    mutants: mutants.length,
    liars: mutants.length,
    killed: rows.filter(({ outcome }) => outcome === 'killed').length,
    collateral: rows.reduce((sum, { collateral }) => sum + collateral.length, 0),
    alsoTurning: rows.filter(({ alsoTurned }) => Object.keys(alsoTurned).length > 0).length,
    flowsAlone: rows.filter(({ flowsAlone }) => flowsAlone !== undefined).length,
    rules: turned.size,
    ...(variants ?? { variants: 0, pairs: 0, accused: 0 }),
    unproven: isWhole ? [...asserting].filter((name) => !turned.has(name)).sort() : [],
    rows,
  };
}

/** What a turned check proves. An open one proves nothing, since it turns only where a mutant fails with a 5xx. */
const provableOf = (check: Check | undefined) =>
  check === undefined || check.level === 'open' ? [] : [provable(check)];

/** Every mutant was found, no other check turned, and every rule was proved. */
export const holds = ({ mutants, killed, collateral, unproven, accused }: Proof): boolean =>
  killed === mutants && collateral === 0 && unproven.length === 0 && accused === 0;

// Rendering: a line for each mutant, then the totals.
const mostTroubles = 8;

/** For a terminal: mutants that were found are one line each, the others say what went wrong. */
export function matrixLines(proof: Proof): string[] {
  const width = Math.max(0, ...proof.rows.map(({ mutant }) => mutant.length));
  return [
    ...proof.rows.flatMap((row) => [
      `${row.mutant.padEnd(width)}  ${row.outcome.padEnd(8)} ${row.turned.length} of ${row.asked} turned`,
      ...troubles(row).map((trouble) => `    ${trouble}`),
    ]),
    '',
    ...proof.unproven.map((name) => `no mutant turns ${name}, and no reason is given`),
    ...askedAgainLines(proof.rows),
    summary(proof),
  ];
}

/** How many rows were missed beside others; nothing where none was. */
export function askedAgainLines(rows: readonly Pick<ProofRow, 'askedAgain'>[]): string[] {
  const again = rows.filter(({ askedAgain }) => askedAgain).length;
  return again > 0 ? [`missed beside others, and asked again alone: ${again}`] : [];
}

const summary = ({ mutants, killed, collateral, rules, seed }: Proof) =>
  `${killed} of ${mutants} mutants found out, ${collateral} wrongly accused checks, ${rules} rules and steps proved, SEED=${seed}`;

function troubles({ missed, collateral }: ProofRow): string[] {
  const lines = [
    ...missed.map(({ id, outcome, why }) => `did not turn: ${id} is ${outcome}${why ? `, ${why}` : ''}`),
    ...collateral.map(({ id, outcome, why }) => `turned though it should not: ${id} is ${outcome}, ${why}`),
  ];
  const rest = lines.length - mostTroubles;
  return rest > 0 ? [...lines.slice(0, mostTroubles), `… and ${rest} more`] : lines;
}

/** Checks that turned beside the mutant's own, by reason; and why flows alone were asked. */
function alsoText({ alsoTurned, flowsAlone }: ProofRow): string {
  const byReason = Map.groupBy(Object.entries(alsoTurned), ([, why]) => why);
  const also = [...byReason].map(([why, entries]) => `${entries.map(([id]) => id).join(', ')}: ${why}`);
  return [...also, ...(flowsAlone === undefined ? [] : [`asked flows alone: ${flowsAlone}`])].join(' ');
}

/** The same as a Markdown table. */
export function proofMarkdown(proof: Proof): string {
  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const rows = proof.rows.map((row) => {
    const { mutant, wrong, clause, outcome, turned, alsoTurned, collateral } = row;
    const own = turned.filter((id) => !(id in alsoTurned));
    const cells = [mutant, wrong, clause, outcome, own.join(', '), alsoText(row), String(collateral.length)];
    return `| ${cells.map(cell).join(' | ')} |`;
  });
  return [
    '# Proof',
    '',
    summary(proof),
    '',
    `${proof.alsoTurning} of them turned checks beside those that they were made for, and ${proof.flowsAlone} were judged by flows alone: the table says why.`,
    '',
    '| mutant | what is wrong | clause | outcome | checks that turned | others that rightly turned | wrongly accused |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
