// Gives each name a number, so that the runs of a trend share one copy of every check id and every behaviour.

/** The files hold more names, or longer ones, than a trend keeps in memory. The message follows the path of the file. */
export class TooManyNames extends Error {}

interface Bounds {
  /** How many names at most. */
  readonly count: number;
  /** UTF-16 units of one name at most. */
  readonly length: number;
  /** UTF-16 units of all names together at most. */
  readonly total: number;
}

/** A list of different names, each with its place in the list as its number. */
export class NumberedNames {
  readonly list: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #bounds: Bounds;
  readonly #what: string;
  #total = 0;
  /** The number of the name that probably comes next: files hold the same names in the same order. */
  #next = 0;

  /** @param what the kind of the names, in the plural, for the message of an error */
  constructor(what: string, bounds: Bounds) {
    this.#what = what;
    this.#bounds = bounds;
  }

  /**
   * The number of a name, from 0; a new one where the name is new.
   * @throws TooManyNames where a bound is passed
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
      throw new TooManyNames(`one of its ${this.#what} has more than ${length} characters`);
    if (this.list.length >= count || this.#total + name.length > total)
      throw new TooManyNames(`together with the files before it holds too many different ${this.#what}`);
    // A substring keeps the whole text of its file in memory, so the name is copied.
    const copy = Buffer.from(name).toString();
    this.#total += copy.length;
    this.#numbers.set(copy, this.list.length);
    return this.list.push(copy) - 1;
  }
}
