// The text form of an oracle: one value per key, with the keys of a group that share a value on one line.

/** Key → what is recorded of it. Keys are check ids, or of the same form. */
export type Recorded = ReadonlyMap<string, string>;

export interface Difference {
  readonly key: string;
  /** undefined where that side does not have the key. */
  readonly was: string | undefined;
  readonly is: string | undefined;
}

/** Stands in `differencesFrom` for a key that only the base has. */
const absent = '(absent)';
const keyForm = /^([^\s{}]*?[#/@])([^\s{}]+)$/;
const lineForm = /^([^\s{}]*?[#/@])(?:\{([^{}]*)\}|([^\s{}]+)): (.*)$/;

/**
 * Sorted lines such as `party.create#{answers media}: pass`.
 * @throws Error where a key is not GROUP#NAME, GROUP/NAME or GROUP@NAME, or a value is longer than a line
 */
export function write(recorded: Recorded): string {
  const lines = new Map<
    string,
    { readonly group: string; readonly value: string; readonly names: string[] }
  >();
  for (const [key, value] of recorded) {
    const [, group, name] = keyForm.exec(key) ?? [];
    if (group === undefined || name === undefined) throw new Error(`"${key}" is no key of a record`);
    if (value.includes('\n')) throw new Error(`the value of "${key}" is longer than a line`);
    const line = lines.get(`${group} ${value}`);
    if (line) line.names.push(name);
    else lines.set(`${group} ${value}`, { group, value, names: [name] });
  }
  const text = Array.from(lines.values(), ({ group, value, names }) => {
    const together = names.length === 1 ? names[0] : `{${names.sort().join(' ')}}`;
    return `${group}${together}: ${value}\n`;
  });
  return text.sort().join('');
}

/** @throws Error where a line is none that `write` makes */
export function read(text: string): Recorded {
  const recorded = new Map<string, string>();
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [, group, several, single = '', value = ''] = lineForm.exec(line) ?? [];
    if (group === undefined) throw new Error(`"${line.slice(0, 80)}" is no line of a record`);
    for (const name of several?.split(' ') ?? [single]) recorded.set(`${group}${name}`, value);
  }
  return recorded;
}

/** Sorted by key. */
export function differences(before: Recorded, after: Recorded): Difference[] {
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort();
  return keys
    .map((key) => ({ key, was: before.get(key), is: after.get(key) }))
    .filter(({ was, is }) => was !== is);
}

/** What has to be laid over `base` to get `recorded`. */
export function differencesFrom(base: Recorded, recorded: Recorded): Recorded {
  return new Map(differences(base, recorded).map(({ key, is }) => [key, is ?? absent]));
}

/** The inverse of `differencesFrom`. */
export function laidOver(base: Recorded, changes: Recorded): Recorded {
  return new Map([...base, ...changes].filter(([key]) => changes.get(key) !== absent));
}
