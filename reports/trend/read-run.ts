// One stored result into the history: from its text, from the digest that was kept with it, or member by member.
import type { RunResult } from '../../fixtures/check/result.ts';
import { shapeProblem } from '../../fixtures/check/stored-result-shape.ts';
import { factsOf } from './facts.ts';
import { Column, type History } from './history.ts';
import { type KnownHeads, readLaidOut } from './result-text.ts';
import { standingNumber } from './standing.ts';

/** Why a file is left out, in words that follow its name. */
export class Unfit extends Error {}

/** How the checks of a run stood, by id, with all the rest of its result. */
export interface RunSource {
  readonly rest: unknown;
  readonly checks: Iterable<readonly [id: string, standing: number]>;
}

/**
 * A result's text into the history.
 * @param bytes UTF-8 JSON
 * @throws Unfit where it is no result; TooMany where the history would grow past its bounds
 */
export function addResult(history: History, known: KnownHeads, file: string, bytes: Buffer): void {
  const standings = standingColumn(history);
  const laidOut = readLaidOut(bytes, known, standings.set);
  if (laidOut !== undefined) addRun(history, file, laidOut, standings.done());
  else addMemberByMember(history, file, parsed(bytes));
}

function addMemberByMember(history: History, file: string, value: unknown): void {
  const problem = shapeProblem(value);
  if (problem !== undefined) throw new Unfit(`is no result of this version of Assay: ${problem}`);
  const run = value as RunResult;
  const again = standingColumn(history);
  for (const check of run.checks) again.set(check.id, standingNumber(check) ?? 0);
  addRun(history, file, { ...run, checks: [] }, again.done());
}

/** A digest's checks into the history, with all the rest of the result that it was made of. */
export function addSource(history: History, file: string, { rest, checks }: RunSource): void {
  const standings = standingColumn(history);
  for (const [id, standing] of checks) standings.set(id, standing);
  addRun(history, file, rest, standings.done());
}

function standingColumn({ checks }: History) {
  const column = new Column((length) => new Uint16Array(length), checks.list.length);
  return {
    set: (id: string, standing: number) => column.set(checks.numberOf(id), standing),
    done: () => column.done(),
  };
}

function addRun(history: History, file: string, rest: unknown, standings: Uint16Array): void {
  const problem = shapeProblem(rest);
  if (problem !== undefined) throw new Unfit(`is no result of this version of Assay: ${problem}`);
  const result = rest as RunResult;
  const behaviours = new Column((length) => new Uint32Array(length), history.points.list.length);
  for (const [point, behaviour] of ledgerEntries(result.ledger))
    behaviours.set(history.points.numberOf(point), history.behaviours.numberOf(behaviour) + 1);
  history.runs.push({ file, facts: factsOf(result), standings, behaviours: behaviours.done() });
}

/** The oldest results have no ledger. */
function ledgerEntries(ledger: unknown): (readonly [string, string])[] {
  if (ledger === undefined) return [];
  if (typeof ledger !== 'object' || ledger === null || Array.isArray(ledger))
    throw new Unfit('is no result of this version of Assay: ledger is no object');
  return Object.entries(ledger).map(([point, behaviour]) => {
    if (typeof behaviour !== 'string')
      throw new Unfit('is no result of this version of Assay: ledger holds something that is no string');
    return [point, behaviour];
  });
}

export function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw new Unfit('is not JSON; it may have been cut off');
  }
}
