// Decides when each request goes out: a queue by priority, a limit of requests in flight, a rate, and the waits that a
// 429 or a 503 asks for. After a 429, client.ts holds all requests, and halves the limit in flight (`narrow`).
type Sleep = (ms: number) => Promise<void>;

/** Controls how many requests are in flight together. */
export interface Places {
  /** Sets the most requests in flight from now on, those of `beside` included. */
  atMost(inFlight: number): void;
  /** Runs work that sends this many requests past the queue, as soon as that many places are free. */
  beside<Value>(requests: number, work: () => Promise<Value>): Promise<Value>;
}

interface QueueOptions<T> {
  /** Most items started and not released at any time. */
  readonly limit: number;
  /** Milliseconds until the next item may start; 0 takes the turn. */
  readonly turn: () => number;
  readonly start: (item: T) => void;
  readonly sleep: Sleep;
}

/** A queue by priority in front of a limit of items in flight. Items start synchronously where they can. */
export function createQueue<T>({ limit, turn, start, sleep }: QueueOptions<T>) {
  const fifos: Fifo<T>[] = [];
  let width = limit;
  let most = limit;
  let running = 0;
  /** Places that work past the queue has taken, and the work that waits for places. */
  let taken = 0;
  const claims: { readonly places: number; readonly go: () => void }[] = [];
  let asleep = false;

  /** Whether an item may start; the places that the first claim waits for are left free. */
  const hasPlace = () => running < Math.floor(width) && running + taken + (claims[0]?.places ?? 0) < most;

  function grant(): void {
    for (let [first] = claims; first && running + taken + first.places <= most; [first] = claims) {
      claims.shift();
      taken += first.places;
      first.go();
    }
  }

  function pump(): void {
    while (!asleep && hasPlace()) {
      const fifo = fifos.find((each) => each.size > 0);
      if (!fifo) return;
      const wait = turn();
      if (wait > 0) {
        rest(wait);
        return;
      }
      running += 1;
      start(fifo.shift());
    }
  }

  function rest(ms: number): void {
    asleep = true;
    void sleep(ms).then(() => {
      asleep = false;
      pump();
    });
  }

  return {
    /** Lower priorities go first; within one, items go in order, but one with `front` goes before the others. */
    push(item: T, priority: number, front = false) {
      while (fifos.length <= priority) fifos.push(new Fifo());
      const fifo = fifos[priority] as Fifo<T>;
      if (front) fifo.unshift(item);
      else fifo.push(item);
      pump();
    },
    /** One started item has ended. */
    release() {
      running -= 1;
      width = Math.min(limit, width + 1 / width);
      grant();
      pump();
    },
    /** Sets the most items in flight from now on, those of `beside` included; never above `limit`. */
    atMost(places: number) {
      most = Math.min(limit, places);
    },
    /** Runs work that takes this many places at once; the work must start nothing through the queue. */
    async beside<Value>(places: number, work: () => Promise<Value>): Promise<Value> {
      const own = Math.min(places, most);
      await new Promise<void>((go) => {
        claims.push({ places: own, go });
        grant();
      });
      try {
        return await work();
      } finally {
        taken -= own;
        grant();
        pump();
      }
    },
    /** Halves the limit in flight, after a 429. Each release raises it a little. */
    narrow() {
      width = Math.max(1, Math.floor(width / 2));
    },
    /** Removes and returns all items that have not started. */
    clear: () => fifos.flatMap((fifo) => fifo.drain()),
  };
}

/** First in, first out without moving the other items: Array.shift on thousands of waiting items is not cheap. */
class Fifo<T> {
  #items: T[] = [];
  #head = 0;

  get size(): number {
    return this.#items.length - this.#head;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  unshift(item: T): void {
    if (this.#head > 0) this.#items[--this.#head] = item;
    else this.#items.unshift(item);
  }

  shift(): T {
    const item = this.#items[this.#head] as T;
    this.#head += 1;
    if (this.#head === this.#items.length || this.#head > 1024) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  drain(): T[] {
    const rest = this.#items.slice(this.#head);
    this.#items = [];
    this.#head = 0;
    return rest;
  }
}

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
