// Decides how long requests wait: by a rate, and as a 429 or a 503 asks. After a 429, client.ts holds all requests, and
// halves the limit in flight (`narrow` of request-queue.ts).

const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Retry-After in milliseconds (RFC 9110 10.2.3): seconds, or a date measured against the answer's own
 * Date where it has one, so that two clocks that disagree do no harm. Undefined for anything else.
 */
export function retryAfter(value: string, date: string | undefined, now: number): number | undefined {
  const trimmed = value.trim();
  if (/^\d+$/.test(trimmed)) return Number(trimmed) * 1000;
  const then = parseDate(trimmed);
  if (then === undefined) return undefined;
  return Math.max(0, then - (parseDate(date?.trim() ?? '') ?? now));
}

function parseDate(value: string): number | undefined {
  const ms = httpDate.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

const longestWaitMs = 10_000;
const firstBackoffMs = 250;
const mostTries = 3;

/** What an answer asks for before a retry. */
interface Limited {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly date: string | undefined;
  /** How often this request has waited already. */
  readonly tries: number;
}

interface PaceOptions {
  /** Requests per second; without it only `hold` slows anything. */
  readonly rate?: number;
  /** Wall clock the whole run may spend waiting because a target asked for it, in ms. */
  readonly waitBudgetMs: number;
  /** Milliseconds on any clock that agrees with the HTTP dates of answers. */
  readonly now: () => number;
}

/**
 * Decides when the next request may go, by rate and by what the target asked for. Waits that overlap are charged
 * to the budget once: thirty requests with a Retry-After of one second cost the run one second, not thirty.
 */
export function createPace({ rate, waitBudgetMs, now }: PaceOptions) {
  const gap = rate ? 1000 / rate : 0;
  // Requests delayed by a late timer may be caught up, by at most this much.
  const credit = Math.max(gap, 20);
  let nextAt = 0;
  let heldUntil = 0;
  let chargedUntil = 0;
  let budget = waitBudgetMs;

  return {
    /** Milliseconds until the next request may go; 0 takes the turn. */
    turn() {
      const at = now();
      if (heldUntil > at) return heldUntil - at;
      if (gap === 0) return 0;
      nextAt = nextAt === 0 ? at : Math.max(nextAt, at - credit);
      if (nextAt > at) return nextAt - at;
      nextAt += gap;
      return 0;
    },
    /** Holds all requests for the next `ms`; returns true when none were held before. */
    hold(ms: number) {
      const at = now();
      const first = heldUntil <= at;
      heldUntil = Math.max(heldUntil, at + ms);
      return first;
    },
    /** Charges the wait before a retry to the budget; returns it in ms, or undefined where there is no retry. */
    chargeWait(limited: Limited) {
      const at = now();
      const ms = requestedWait(limited, at);
      if (ms === undefined || ms > longestWaitMs) return undefined;
      const charge = Math.max(0, at + ms - Math.max(at, chargedUntil));
      if (charge > budget) return undefined;
      budget -= charge;
      chargedUntil = Math.max(chargedUntil, at + ms);
      return ms;
    },
  };
}

function requestedWait({ status, retryAfter: value, date, tries }: Limited, at: number): number | undefined {
  if (tries >= mostTries || (status !== 429 && status !== 503)) return undefined;
  const statedMs = value === undefined ? undefined : retryAfter(value, date, at);
  // After a first Retry-After of 0 that did not help, back off: three tries at once would be over in a moment.
  if (statedMs !== undefined)
    return tries === 0 ? statedMs : Math.max(statedMs, firstBackoffMs * 2 ** (tries - 1));
  // A 503 without Retry-After is an answer to judge; a 429 always asks for a retry.
  return status === 429 ? firstBackoffMs * 2 ** tries : undefined;
}
