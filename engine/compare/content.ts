// Compares the content of answers: whether two are the same, which parts differ between two kinds of answers, and how
// to take independent samples.
import { type Exchange, json, mediaType, statusOf } from '../http/exchange.ts';
import { switchPoint } from '../values/switch-points.ts';
import { differences } from './compare.ts';

/** The parts of the content in which two answers differ; headers do not count. */
export const contentDifferences = switchPoint(function contentDifferences(
  a: Exchange,
  b: Exchange,
): Set<string> {
  if (sameBytes(a, b)) return new Set();
  const found = differences(a, b);
  return new Set(
    [...found].filter((name) => name === 'status' || name === 'type' || name.startsWith('body')),
  );
});

/** Returns whether nothing of the content differs. Two different statuses settle it without a look at the bodies. */
export const sameContent = switchPoint(
  (a: Exchange, b: Exchange): boolean => statusOf(a) === statusOf(b) && contentDifferences(a, b).size === 0,
);

/** Same status and the same bytes, once decoded. */
export const sameBytes = switchPoint(function sameBytes(a: Exchange, b: Exchange): boolean {
  if (!a.response || !b.response || a.response.status !== b.response.status) return false;
  return Buffer.compare(a.response.body, b.response.body) === 0;
});

// The contrast of two kinds of answers: which parts differ between every answer of the first kind and every one of the second.

/** A part that changes this often within one kind changes by itself; once or twice may be a write by somebody else. */
const changesByItself = 3;

/** Removes the parts that change by themselves: they cannot tell the two kinds apart. */
export const leaveOut = switchPoint((parts: Set<string>, changed: ReadonlySet<string>) =>
  parts.difference(changed),
);

/**
 * Takes one answer of each kind at a time, and says which parts of the content still tell the kinds apart: those whose
 * values were never seen in both, and that change neither in both nor again and again in one.
 */
export const createContrast = switchPoint(function createContrast(): (
  one: Exchange,
  other: Exchange,
) => ReadonlySet<string> {
  const [ones, others] = [createSeries(), createSeries()];
  let apart: Set<string> | undefined;
  return (one, other) => {
    ones.add(one);
    others.add(other);
    for (const differing of [...others.differencesFrom(one), ...ones.differencesFrom(other)])
      apart = apart?.intersection(differing) ?? differing;
    // A value that both kinds cache for seconds, each on its own, changes seldom, but in both.
    const inBoth = ones.changed(1).intersection(others.changed(1));
    return [ones.changed(changesByItself), others.changed(changesByItself), inBoth].reduce<Set<string>>(
      (left, changed) => leaveOut(left, changed),
      apart ?? new Set(),
    );
  };
});

/** Answers of one kind, in the order in which they came. */
function createSeries() {
  const seen: Exchange[] = [];
  const changes = new Map<string, number>();
  return {
    add(exchange: Exchange): void {
      const before = seen.at(-1);
      seen.push(exchange);
      if (!before) return;
      for (const part of contentDifferences(before, exchange))
        changes.set(part, (changes.get(part) ?? 0) + 1);
    },
    /** The differences of each of these answers from an answer of the other kind. */
    differencesFrom: (other: Exchange) => seen.map((exchange) => contentDifferences(exchange, other)),
    /** The parts that changed at least so often. */
    changed: (least: number) =>
      new Set([...changes].filter(([, times]) => times >= least).map(([part]) => part)),
  };
}

// Independent samples of a response, spaced so that load balancing and caches do not repeat one.

/** Some targets serve copies up to half a second old; after this pause a sample shows the current state. */
export const lagMs = 600;

/**
 * Pauses before further looks. Most of what changes by itself does so at once. Copies show one moment for a while, so
 * looks at once count for one; what is one of two by chance stays the same for all of the later ones once in 256 times,
 * and for two players at a time once in 65 thousand.
 */
const pausesMs = [0, 0, ...Array<number>(8).fill(lagMs)];

/**
 * The keys of further samples (`Ask.nth`), each after its pause. The caller stops as soon as it has seen enough.
 * @param scope the name of the rule that samples: an equal request of another rule is a sample of its own
 */
export async function* samplesApart(
  scope: string,
  sleep: (ms: number) => Promise<unknown>,
): AsyncGenerator<string> {
  for (const [later, pause] of pausesMs.entries()) {
    await sleep(pause);
    yield `${scope} ${later}`;
  }
}

/** An object with more names is a map, and its first names identify it. */
const mostNames = 1_000;

const kindOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value);

/**
 * Status class, and for JSON the kind of the body with the names and kinds at its top; else the media type.
 * Nulls are left out: a field that is null today may be anything tomorrow.
 */
export function outline({ response, error }: Exchange): string {
  if (!response) return `no answer (${error?.kind ?? 'unknown'})`;
  const answer = `${Math.floor(response.status / 100)}xx`;
  if (response.body.length === 0) return `${answer}, empty`;
  const parsed = json(response);
  if (!parsed.ok) return `${answer}, ${mediaType(response) ?? 'no type'}`;
  const kind = kindOf(parsed.value);
  if (kind !== 'object') return `${answer}, ${kind}`;
  const body = parsed.value as Record<string, unknown>;
  const members = Object.keys(body)
    .slice(0, mostNames)
    .filter((name) => body[name] !== null);
  return `${answer}, {${members
    .map((name) => `${name}: ${kindOf(body[name])}`)
    .sort()
    .join(', ')}}`;
}

/** Whether two answers look like answers to the same call. */
export const sameOutline = switchPoint((a: Exchange, b: Exchange): boolean => outline(a) === outline(b));
