// Finds the parts that distinguish every answer of one kind from every answer of another: a call and its control, one
// player and another, a view before and after. All such comparisons are made here.
import { type Exchange, statusOf } from '../http/exchange.ts';
import { switchPoint } from '../values/switch-points.ts';
import { differences, fingerprint } from './compare.ts';
import { contentDifferences } from './content.ts';

interface ContrastOptions {
  /** Returns the parts in which two answers differ; default: the parts of their content. */
  readonly parts?: (a: Exchange, b: Exchange) => ReadonlySet<string>;
  /** Returns the parts in which two answers of different kinds differ; default: `parts`. */
  readonly across?: (one: Exchange, other: Exchange) => ReadonlySet<string>;
  /** A part that changes this often within a kind wanders; the default leaves room for two writes by other clients. */
  readonly wandersAfter?: { readonly one: number; readonly other: number };
  /** Where a list or a text grows or shrinks within a kind, neither its length nor its positions are compared. */
  readonly elastic?: boolean;
}

/** Takes further answers of both kinds, and returns the parts that still distinguish the kinds. */
type Contrast = (ones: readonly Exchange[], others: readonly Exchange[]) => ReadonlySet<string>;

/** Removes the parts that wander: they cannot distinguish the two kinds. */
export const leaveOut = switchPoint(
  (parts: Set<string>, wandering: (part: string) => boolean) =>
    new Set([...parts].filter((part) => !wandering(part))),
);

/**
 * Finds the parts that distinguish two kinds of answers: no value of such a part was seen in both kinds, and it wanders
 * in neither. A part wanders where it changes in both kinds, or again and again in one.
 */
export const createContrast = switchPoint(function createContrast({
  parts = contentDifferences,
  across = parts,
  wandersAfter = { one: 3, other: 3 },
  elastic = false,
}: ContrastOptions = {}): Contrast {
  const [one, other] = [createSeries(parts, elastic), createSeries(parts, elastic)];
  let apart: Set<string> | undefined;
  const narrow = (found: ReadonlySet<string>) => {
    apart = apart?.intersection(found) ?? new Set(found);
  };
  return (ones, others) => {
    for (const answer of ones) {
      for (const beside of other.answers) narrow(across(answer, beside));
      one.add(answer);
    }
    for (const answer of others) {
      for (const beside of one.answers) narrow(across(beside, answer));
      other.add(answer);
    }
    const wanders = (part: string) =>
      one.changes(part) >= wandersAfter.one ||
      other.changes(part) >= wandersAfter.other ||
      // A value that both kinds cache for seconds, each on its own, changes seldom, but in both.
      (one.changes(part) > 0 && other.changes(part) > 0);
    return leaveOut(apart ?? new Set(), wanders);
  };
});

/** Answers of one kind, in the order in which they came. */
function createSeries(parts: (a: Exchange, b: Exchange) => ReadonlySet<string>, elastic: boolean) {
  const answers: Exchange[] = [];
  const changes = new Map<string, number>();
  const resized = new Map<string, number>();
  const count = (of: Map<string, number>, name: string) => of.set(name, (of.get(name) ?? 0) + 1);
  const resizes = (part: string) =>
    Math.max(0, ...[...resized].filter(([list]) => part.startsWith(list)).map(([, times]) => times));
  return {
    answers: answers as readonly Exchange[],
    add(answer: Exchange): void {
      const before = answers.at(-1);
      answers.push(answer);
      if (!before) return;
      const changed = parts(before, answer);
      for (const part of changed) count(changes, part);
      if (elastic) for (const list of resizedIn(changed, before, answer)) count(resized, list);
    },
    /** How often a part changed. */
    changes: (part: string): number => Math.max(changes.get(part) ?? 0, resizes(part)),
  };
}

const textOf = 'body word ';

/** The lists, and the text, that are longer in one answer than in the other. */
function resizedIn(changed: ReadonlySet<string>, a: Exchange, b: Exchange): ReadonlySet<string> {
  const [left, right] = [fingerprint(a), fingerprint(b)];
  const holders = [...changed]
    .filter((name) => left.has(name) !== right.has(name))
    .map((name) => (name.startsWith(textOf) ? textOf : name.slice(0, Math.max(name.lastIndexOf('/'), 0))));
  return new Set(holders.filter((holder) => holder === textOf || left.get(holder) === 'list'));
}

/** Whether two answers are of one kind at all: one status, one type, JSON both or neither. */
export function areOfOneKind(a: Exchange, b: Exchange): boolean {
  if (statusOf(a) !== statusOf(b)) return false;
  const found = differences(a, b);
  return ['status', 'type', 'transport', 'body'].every((part) => !found.has(part));
}

/**
 * Contrasts a call's answers with those to a path without a route. The control's answers are all that is known of it,
 * so what changes in them once wanders. An answer to the call may change, since the call may have changed something.
 */
export const besideControl = (): Contrast =>
  createContrast({
    parts: differences,
    across: differencesFromControl,
    wandersAfter: { one: Number.POSITIVE_INFINITY, other: 1 },
    elastic: true,
  });

/**
 * The parts in which an answer differs from a control.
 * Of other headers only those count that the control carries: an answer may pass a proxy that adds one.
 */
export function differencesFromControl(answer: Exchange, control: Exchange): Set<string> {
  const carried = fingerprint(control);
  return new Set(
    [...differences(answer, control)].filter((name) => !name.startsWith('header ') || carried.has(name)),
  );
}
