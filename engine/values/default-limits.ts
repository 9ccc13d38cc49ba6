// The limits of a run where no option sets others. Calls per second have no limit, unless `--rate` sets one.
export const defaultLimits = {
  /** `--timeout`: one call, from connecting to the decoded body. engine/http/attempt.ts enforces it. */
  timeoutMs: 10_000,
  /** `--budget`: the whole run. */
  budgetMs: 300_000,
  /** `--concurrency`: calls in flight, where all hosts are on this machine and elsewhere. */
  loopbackConcurrency: 32,
  remoteConcurrency: 8,
  /** Time that the whole run may wait because of 429 and 503. engine/http/rate-limits.ts decides on each wait. */
  waitBudgetMs: 30_000,
  /** `--min-judged`: percent. */
  minJudged: 80,
} as const;
