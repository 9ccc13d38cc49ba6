// The search with a clock: takes its steps one after the other, and keeps to the budget whatever they do.
import type { RunStep, Step } from '../step/plan.ts';
import type { Search, SearchOptions, Wanted } from './model.ts';
import { advance, beginSearch, conclude } from './search.ts';

export interface Surroundings {
  readonly target: RunStep;
  /** The very same script against the null target. */
  readonly nowhere: RunStep;
  /** Monotonic, in ms. */
  readonly now: () => number;
  /** Resolves after so many ms, or as soon as the signal is aborted. */
  readonly rest: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Before each step. */
  readonly onNext?: (next: Wanted) => void;
  /** After each step. */
  readonly onStep?: (search: Search) => void;
}

/** What the last step may take beyond the budget before it is ended. */
const exitTimeoutMs = 5_000;

/** Never rejects for what the target does; aborting ends it with what is known. */
export async function runSearch(
  options: SearchOptions,
  around: Surroundings,
  signal: AbortSignal,
): Promise<Search> {
  const begun = around.now();
  let search = beginSearch(options);
  while (search.next !== undefined) {
    const { next } = search;
    around.onNext?.(next);
    const before = around.now();
    const remainingMs = options.budgetMs - (before - begun) + exitTimeoutMs;
    const step = await performed(next, around, signal, Math.max(0, remainingMs));
    const isOver = step.ended === 'interrupted' && !signal.aborted;
    search = isOver ? conclude(search, 'budget') : advance(search, step, around.now() - before);
    around.onStep?.(search);
  }
  return search;
}

async function performed(
  { purpose, plan, restMs }: Wanted,
  around: Surroundings,
  signal: AbortSignal,
  leftMs: number,
): Promise<Step> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), leftMs);
  const either = AbortSignal.any([signal, late.signal]);
  try {
    if (restMs > 0) await around.rest(restMs, either);
    return await (purpose === 'ceiling' ? around.nowhere : around.target)(plan, either);
  } finally {
    clearTimeout(timer);
  }
}
