// What is kept of each stored run: a few facts, and a number per check and per open point.
import type { RunFacts } from './facts.ts';
import { Names } from './names.ts';

export interface StoredRun {
  readonly file: string;
  readonly facts: RunFacts;
  /** By the number of the check: how it stood (`standing.ts`); 0, or nothing, where it was not asked. */
  readonly standings: Uint16Array;
  /** By the number of the open point: the number of the behaviour and 1; 0, or nothing, where none was seen. */
  readonly behaviours: Uint32Array;
}

/** All runs that were read, in no order. */
export interface History {
  readonly runs: StoredRun[];
  readonly checks: Names;
  readonly points: Names;
  readonly behaviours: Names;
}

/** Bounds that a thousand honest runs stay far below. */
export const emptyHistory = (): History => ({
  runs: [],
  checks: new Names('check ids', { count: 100_000, length: 400, total: 10_000_000 }),
  points: new Names('ledger entries', { count: 20_000, length: 400, total: 2_000_000 }),
  behaviours: new Names('behaviours', { count: 1_000_000, length: 100_000, total: 64_000_000 }),
});

/** Growing numbers by place, made small once they are all there. */
export class Column<Numbers extends Uint16Array | Uint32Array> {
  #numbers: Numbers;
  readonly #make: (length: number) => Numbers;
  #end = 0;

  constructor(make: (length: number) => Numbers, expected: number) {
    this.#make = make;
    this.#numbers = make(Math.max(64, expected));
  }

  set(place: number, value: number): void {
    if (place >= this.#numbers.length) {
      const larger = this.#make(Math.max(place + 1, this.#numbers.length * 2));
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[place] = value;
    this.#end = Math.max(this.#end, place + 1);
  }

  done(): Numbers {
    return this.#numbers.slice(0, this.#end) as Numbers;
  }
}
