// The queue of requests: by priority, with a limit of requests in flight, and room for work that sends past it.
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
