import type { Random } from '../model.ts';
import type { Queue } from '../theory.ts';

/** An M/M/c queue in virtual time: no timer's lateness adds up, since every departure follows from the arrivals. */
export class VirtualQueue {
  readonly #free: Float64Array;
  readonly #meanMs: number;
  readonly #random: Random;

  constructor({ servers, meanMs }: Queue, random: Random) {
    this.#free = new Float64Array(servers);
    this.#meanMs = meanMs;
    this.#random = random;
  }

  /**
   * @param slower factor on this request's service time
   * @returns ms from arrival to departure
   */
  take(atMs: number, slower = 1): number {
    const free = this.#free;
    let next = 0;
    for (let index = 1; index < free.length; index += 1) if (at(free, index) < at(free, next)) next = index;
    const service = -Math.log(1 - this.#random()) * this.#meanMs * slower;
    const departure = Math.max(atMs, at(free, next)) + service;
    free[next] = departure;
    return departure - atMs;
  }

  /** ms that a request arriving now would wait. */
  backlogMs(atMs: number): number {
    return Math.max(0, Math.min(...this.#free) - atMs);
  }
}

const at = (times: Float64Array, index: number) => times[index] ?? 0;
