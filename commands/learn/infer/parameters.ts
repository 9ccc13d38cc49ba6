// Values of the document's parameters that calls were answered with.
import { isPlainPath, isPlainWord, isVersion, looksLikeIdentifier } from '../privacy.ts';
import { Tally } from '../tally.ts';
import { shareableParameters } from './bodies.ts';

export interface ParameterValues {
  /** By parameter, then by value: how many calls. */
  readonly all: Map<string, Tally>;
  /** By `operation parameter`. */
  readonly ofRow: Map<string, Tally>;
}

export const newParameterValues = (): ParameterValues => ({ all: new Map(), ofRow: new Map() });

const segments = ['CDN_ROOT_FOLDER_PATH', 'gameVersion', 'versionPattern'];

/** Adds one call that was answered as asked. */
export function addParameters(
  values: ParameterValues,
  operation: string,
  params: Readonly<Record<string, string>>,
): void {
  for (const [name, value] of Object.entries(params)) {
    if (segments.includes(name) || !isShareable(name, value)) continue;
    for (const [map, key] of [
      [values.all, name],
      [values.ofRow, `${operation} ${name}`],
    ] as const) {
      const tally = map.get(key) ?? new Tally();
      map.set(key, tally);
      tally.add(value);
    }
  }
}

/** The most frequent value of each parameter, with the number of its calls. */
export function parametersFound(
  { all }: ParameterValues,
  isPersonal: (text: string) => boolean,
): Map<string, { readonly value: string; readonly calls: number }> {
  const found = [...all].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(
    found.flatMap(([name, tally]) => {
      const best = tally.ranked().find(([value]) => !isPersonal(value));
      return best ? [[name, { value: best[0], calls: best[1] }]] : [];
    }),
  );
}

/** An operation's own value, where it was never answered with the one that serves the others. */
export function ownParameters(
  { ofRow }: ParameterValues,
  operation: string,
  common: ReadonlyMap<string, { readonly value: string }>,
  isPersonal: (text: string) => boolean,
): Map<string, { readonly value: string; readonly calls: number }> {
  return new Map(
    [...common].flatMap(([name, { value: usual }]) => {
      const tally = ofRow.get(`${operation} ${name}`);
      if (!tally || tally.of(usual) > 0) return [];
      const best = tally.ranked().find(([value]) => !isPersonal(value));
      return best ? [[name, { value: best[0], calls: best[1] }]] : [];
    }),
  );
}

function isShareable(name: string, value: string): boolean {
  if (!(shareableParameters as readonly string[]).includes(name)) return false;
  return isVersion(value) || (name === 'newsUrl' ? isPlainPath(value) : isPlainWord(value));
}

/** A segment of public files may be spelled as its owners like, but for what looks like an address or a random key. */
export const isShareableSegment = (value: string) =>
  value.length <= 64 &&
  value.split('/').every((part) => /^[\w.~+-]{1,24}$/.test(part) && !looksLikeIdentifier(part));
