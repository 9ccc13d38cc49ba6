// Runs `npm run prove`: checks that every mutant is found, and lists those that were not.
import { join } from 'node:path';
import { writableFolder, writeTogether } from '../../engine/files.ts';
import { variants } from '../../fixtures/conforming-variants/all.ts';
import { terminalOf } from '../../reports/console/layout.ts';
import { attackCounts, attackLines, attackMarkdown, attacksHold, proveAttacks } from './attacks.ts';
import { type BlindRow, blindCounts, blindLine, blindMarkdown, blindSummary, proveBlind } from './blind.ts';
import type { ConformingRow } from './conforming/judge.ts';
import {
  besideOthersLines,
  type Conforming,
  conformingLines,
  conformingMarkdown,
  conformingSummary,
  proveConforming,
  wrongedLines,
} from './conforming/prove.ts';
import { guardLines, guards, proveGuards } from './guards.ts';
import { holds, matrixLines, proofMarkdown } from './matrix.ts';
import { chosen, mutantsFor, openProver, proveAll } from './prover.ts';

export interface ProveOptions {
  readonly seed: string;
  readonly out: string;
  /** Names of mutants to ask, or parts of names. Default: all mutants. */
  readonly only?: readonly string[];
  /** Prints the mutants and what is wrong with each, or the conforming variants and why they are legal; judges none. */
  readonly list?: boolean;
  /** Judges the conforming variants too, alone and in pairs. */
  readonly honest?: boolean;
  /** Judges the conforming variants, and asks no mutant. */
  readonly honestOnly?: boolean;
  /** Asks each conforming server a share of the rules and of the flows. */
  readonly drawn?: boolean;
  /** Runs against the servers that were written blind, too. */
  readonly blind?: boolean;
  /** Runs against the blind servers, and asks no mutant. */
  readonly blindOnly?: boolean;
  /** Tries the third of the blind bugs that is held back as well. */
  readonly heldBack?: boolean;
  /** Runs attacks against servers that lack a lock or a check of ownership, too. */
  readonly attacks?: boolean;
  /** Runs these attacks, and asks no other mutant. */
  readonly attacksOnly?: boolean;
  /** How many seeds to attack with. */
  readonly seeds?: number;
}

/**
 * Asks all mutants, prints the matrix, writes `proof.json` and `proof.md` (also `honest.md`, `blind.md` and
 * `attacks.md`, where these were asked for), and sets the exit code.
 * @throws ConfigurationError where `only` holds a word that is in no mutant's name, or nothing can be written
 */
export async function proveCommand({
  seed,
  out,
  only = [],
  list = false,
  honest = false,
  honestOnly = false,
  drawn = false,
  blind = false,
  blindOnly = false,
  heldBack = false,
  attacks = false,
  attacksOnly = false,
  seeds = 1,
}: ProveOptions): Promise<void> {
  if (list && (honest || honestOnly)) return print(variants.map(({ name, reason }) => `${name}: ${reason}`));
  if (list) {
    const prover = await openProver(seed);
    const { outcomes: conforming } = await prover.conforming();
    const mutants = mutantsFor({ checks: prover.checks, conforming, seed });
    return print(chosen(mutants, only).map(({ name, wrong }) => `${name}: ${wrong}`));
  }
  const files = ['proof.json', 'proof.md', 'honest.md', 'blind.md', 'attacks.md'];
  const folder = writableFolder(out, '--out', files);
  const proved =
    honestOnly || blindOnly || attacksOnly
      ? undefined
      : await proveAll({ seed, only, onProgress: progress('mutants') });
  if (proved) print(matrixLines(proved));
  const right = honest || honestOnly ? await proveConforming({ seed, drawn }, printConforming) : undefined;
  const guarded = right ? await proveGuards(guards) : [];
  if (right) {
    print(['', ...besideOthersLines(right.rows), ...wrongedLines(right.rows)]);
    print([conformingSummary(right), ...guardLines(guarded)]);
  }
  const found =
    blind || blindOnly
      ? await proveBlind({ withHeldBack: heldBack, only: blindOnly ? only : [], onRow: printBlind })
      : undefined;
  if (found) print(['', ...blindSummary(found)]);
  const attacked =
    attacks || attacksOnly
      ? await proveAttacks({
          seed,
          seeds,
          only: attacksOnly ? only : [],
          onProgress: progress('attack mutants'),
          onSeed: console.log,
        })
      : undefined;
  if (attacked) print(['', ...attackLines(attacked)]);
  const attackKey = attacked && { attacks: attackCounts(attacked) };
  const proof = proved && {
    ...proved,
    ...(right && countsOf(right)),
    ...(found && { blind: blindCounts(found) }),
    ...attackKey,
  };
  // Readers of earlier proofs know a row's mutant by the field's former name.
  const rows = proof?.rows.map((row) => ({ ...row, liar: row.mutant }));
  const contents = {
    ...(proof && {
      'proof.json': `${JSON.stringify({ ...proof, rows }, null, 1)}\n`,
      'proof.md': proofMarkdown(proof),
    }),
    ...(attackKey && !proof && { 'proof.json': `${JSON.stringify({ seed, ...attackKey }, null, 1)}\n` }),
    ...(attacked && { 'attacks.md': attackMarkdown(attacked) }),
    ...(found && { 'blind.md': blindMarkdown(found) }),
    ...(right && { 'honest.md': conformingMarkdown(right, variants, guarded) }),
  };
  writeTogether(folder, contents);
  const written = Object.keys(contents).map((file) => join(out, file));
  if (written.length > 0) console.log(`\n${written.join(' · ')}`);
  const isProved =
    (proof === undefined || holds(proof)) &&
    (right === undefined || right.accused === 0) &&
    (attacked === undefined || attacksHold(attacked));
  process.exitCode = isProved && guarded.every(({ accused }) => accused.length > 0) ? 0 : 1;
}

function print(lines: readonly string[]): void {
  for (const line of lines) console.log(line);
}

/** Prints results as they come: a proof takes minutes, and an interrupted one keeps what was found. */
function printConforming(row: ConformingRow, done: number, all: number): void {
  print(conformingLines(row));
  progress('conforming servers')(done, all);
}

function printBlind(row: BlindRow, done: number, all: number): void {
  console.log(blindLine(row));
  progress('bugs of blind servers')(done, all);
}

const countsOf = ({ variants, pairs, accused }: Conforming) => ({ variants, pairs, accused });

function progress(of: string): (done: number, all: number) => void {
  if (!terminalOf(process.stderr, process.env).redraws) return () => {};
  return (done, all) => process.stderr.write(done === all ? '\r\x1b[K' : `\r${done} of ${all} ${of}`);
}
