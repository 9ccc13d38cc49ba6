// Limits the time that calls without an answer may take, of each host and of all together.

/** A call on its way. */
export interface Wait {
  readonly begunAt: number;
  /** How long it may take, in ms. */
  readonly deadlineMs: number;
}

/** The budget of one host. Each wait ends once: answered, timed out, or for another reason. Times in ms. */
export interface TimeoutBudget {
  readonly begin: () => Wait;
  readonly answered: (wait: Wait, durationMs: number) => void;
  readonly timedOut: (wait: Wait, durationMs: number) => void;
  readonly ended: (wait: Wait) => void;
  /** Why the budget is spent; undefined while some of it is left. */
  readonly spent: () => string | undefined;
}

interface TimeoutBudgetOptions {
  /** The timeout of a call, as the user set it. */
  readonly timeoutMs: number;
  /** Calls under way at a time. */
  readonly concurrency: number;
  /** In ms; only differences count. */
  readonly now: () => number;
}

/** The budget is computed from at least this timeout, so that a host with some slow operations is not lost too soon. */
const leastTimeoutMs = 10_000;
const shortestMs = 1_000;
const mostWhole = 8;
const mostTimes = 10;

/**
 * Makes the budgets of a run, one per host: how long calls without an answer may take.
 *
 * Over all hosts, such calls may take eight timeouts, or one timeout on three of four connections where that is less.
 * After that, the deadline of a call is twenty times the average answer time of its host, and at least a second. A host
 * is lost once its calls have taken two timeouts on every connection, or after ten such calls for each connection.
 */
export function createTimeoutBudgets({
  timeoutMs,
  concurrency,
  now,
}: TimeoutBudgetOptions): () => TimeoutBudget {
  const wholeMs = Math.max(timeoutMs, leastTimeoutMs);
  const mostMs = 2 * wholeMs * concurrency;
  const freeMs = wholeMs * Math.min(mostWhole, 0.75 * concurrency);
  const underWay = new Set<Wait>();
  let wastedByAll = 0;

  /** Whether the shared time is used up. Once a call has timed out, calls under way count too: they may follow. */
  const isOver = () => {
    if (wastedByAll === 0 || wastedByAll >= freeMs) return wastedByAll > 0;
    const at = now();
    return [...underWay].reduce((sum, { begunAt }) => sum + at - begunAt, wastedByAll) >= freeMs;
  };

  return () => {
    let wasted = 0;
    let times = 0;
    let answers = 0;
    let waited = 0;
    const deadlineMs = () => {
      if (!isOver()) return timeoutMs;
      const usual = answers === 0 ? 0 : waited / answers;
      return Math.min(timeoutMs, Math.max(shortestMs, 20 * usual));
    };
    return {
      begin() {
        const wait = { begunAt: now(), deadlineMs: deadlineMs() };
        underWay.add(wait);
        return wait;
      },
      answered(wait, durationMs) {
        underWay.delete(wait);
        answers += 1;
        waited += durationMs;
      },
      timedOut(wait, durationMs) {
        underWay.delete(wait);
        wastedByAll += durationMs;
        wasted += durationMs;
        times += 1;
      },
      ended: (wait) => {
        underWay.delete(wait);
      },
      spent: () =>
        wasted < mostMs && times < mostTimes * concurrency
          ? undefined
          : `${times} calls were not answered in time`,
    };
  };
}
