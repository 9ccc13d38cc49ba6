// `npm run prove`: every liar is found out, or it says which was not.
import { join } from 'node:path';
import { writableFolder, writeTogether } from '../../engine/files.ts';
import { variants } from '../../fixtures/conforming-variants/all.ts';
import type { HonestRow } from './conforming/judge.ts';
import { type Honest, proveHonest } from './conforming/prove.ts';
import { honestLines, honestMarkdown, honestSummary, wrongedLines } from './conforming/report.ts';
import { guards } from './guards/guards.ts';
import { guardLines, proveGuards } from './guards/prove-guards.ts';
import { holds, matrixLines, proofMarkdown } from './matrix.ts';
import { chosen, liarsFor, openProving, proveAll } from './prove.ts';

export interface ProveOptions {
  readonly seed: string;
  readonly out: string;
  /** Names of liars to ask, or parts of them; all of them where there is none. */
  readonly only?: readonly string[];
  /** Prints the liars and what is wrong with each, and asks none. */
  readonly list?: boolean;
  /** Judges the honest variants too, alone and in pairs. */
  readonly honest?: boolean;
  /** Judges them, and asks no liar. */
  readonly honestOnly?: boolean;
}

/**
 * Asks all liars, prints the matrix, writes `proof.json` and `proof.md` (`honest.md` too, where
 * the honest ones were asked for), and leaves the exit code.
 * @throws ConfigurationError where a name is part of no liar's, or nothing can be written
 */
export async function proveCommand({
  seed,
  out,
  only = [],
  list = false,
  honest = false,
  honestOnly = false,
}: ProveOptions): Promise<void> {
  if (list) {
    const proving = await openProving(seed);
    const liars = liarsFor({ checks: proving.checks, honest: await proving.honest(), seed });
    for (const { name, wrong } of chosen(liars, only)) console.log(`${name}: ${wrong}`);
    process.exit(0);
  }
  const folder = writableFolder(out, '--out', ['proof.json', 'proof.md', 'honest.md']);
  const lied = honestOnly ? undefined : await proveAll({ seed, only, onProgress: progress('liars') });
  for (const line of lied ? matrixLines(lied) : []) console.log(line);
  const right = honest || honestOnly ? await proveHonest(seed, tellHonest) : undefined;
  const guarded = right ? await proveGuards(guards) : [];
  for (const line of right
    ? ['', ...wrongedLines(right.rows), honestSummary(right), ...guardLines(guarded)]
    : [])
    console.log(line);
  const proof = lied && { ...lied, ...(right && countsOf(right)) };
  const files = {
    ...(proof && { 'proof.json': `${JSON.stringify(proof, null, 1)}\n`, 'proof.md': proofMarkdown(proof) }),
    ...(right && { 'honest.md': honestMarkdown(right, variants, guarded) }),
  };
  writeTogether(folder, files, '--out');
  console.log(
    `\n${Object.keys(files)
      .map((file) => join(out, file))
      .join(' · ')}`,
  );
  const isProved = (proof === undefined || holds(proof)) && (right === undefined || right.accused === 0);
  process.exit(isProved && guarded.every(({ accused }) => accused.length > 0) ? 0 : 1);
}

/** As they come: it takes minutes, and whoever stops it keeps what was found. */
function tellHonest(row: HonestRow, done: number, all: number): void {
  for (const line of honestLines(row)) console.log(line);
  progress('honest servers')(done, all);
}

const countsOf = ({ variants, pairs, accused }: Honest) => ({ variants, pairs, accused });

function progress(of: string): (done: number, all: number) => void {
  if (!process.stderr.isTTY) return () => {};
  return (done, all) => process.stderr.write(done === all ? '\r\x1b[K' : `\r${done} of ${all} ${of}`);
}
