// Names told apart by number, so that a thousand runs share one copy of each.

export class TooMany extends Error {}

export interface Bounds {
  /** Names at most. */
  readonly count: number;
  /** UTF-16 units of one name, and of all of them. */
  readonly length: number;
  readonly total: number;
}

export class Names {
  readonly list: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #bounds: Bounds;
  readonly #what: string;
  #total = 0;
  /** Files tell the same names in the same order: this one is looked at first. */
  #next = 0;

  /** @param what in the plural, for the message */
  constructor(what: string, bounds: Bounds) {
    this.#what = what;
    this.#bounds = bounds;
  }

  /**
   * The number of a name, from 0; a new one where the name is new.
   * @throws TooMany where a bound is passed
   */
  numberOf(name: string): number {
    if (this.list[this.#next] === name) return this.#next++;
    const number = this.#numbers.get(name) ?? this.#add(name);
    this.#next = number + 1;
    return number;
  }

  #add(name: string): number {
    const { count, length, total } = this.#bounds;
    if (name.length > length)
      throw new TooMany(`one of its ${this.#what} has more than ${length} characters`);
    if (this.list.length >= count || this.#total + name.length > total)
      throw new TooMany(`together with the files before it holds too many different ${this.#what}`);
    // A part of a large text would keep all of it in memory.
    const own = Buffer.from(name).toString();
    this.#total += own.length;
    this.#numbers.set(own, this.list.length);
    return this.list.push(own) - 1;
  }
}
