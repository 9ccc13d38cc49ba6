// Checks that two reads without a write between them have one shape.
import { waitForCopies } from '../../engine/compare/noise.ts';
import { mediaType, type Response } from '../../engine/http/exchange.ts';
import { inconclusive, pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import type { MatcherFinding } from '../../engine/probe/matchers/http-fields.ts';
import { jsonIn } from '../../engine/probe/matchers/json.ts';
import { type Answered, answered } from '../../engine/probe/prerequisites.ts';
import { entriesOf, parentOf } from '../../engine/values/json-walk.ts';
import { switchPoint } from '../../engine/values/switch-points.ts';
import { quiet, quietContent } from '../shared/quiet-reads.ts';
import { readAgain } from './modified.ts';

export const stableShape: Rule = {
  name: 'stable-shape',
  title: 'two reads without a write between them have one shape',
  clause: 'sense.stable-shape',
  async judge(operation, context) {
    const first = await quietContent(operation, context);
    const second = await readAgain(operation, context, first);
    const found = unlike(first.response, second.response);
    if (!found) return pass(second.exchange);
    // Something may have begun or ended just then: only a shape that has changed again in the third read is unstable.
    const third = answered(await context.ask(operation, quiet(operation, 3)));
    if (!unlike(second.response, third.response))
      return pass(third.exchange, `it changed once: ${found.actual}`);
    // With few accounts the reader plays in flows too. Files are the same for all players.
    if (context.crowded() && operation.host !== 'cdn')
      return inconclusive(
        'needs-players',
        `a flow may have changed this player between the reads: ${found.actual}`,
        second.exchange,
      );
    const isMissingInOne =
      found.isGone || [first, second].some(({ response }) => nothing.has(response.status));
    if (operation.host === 'base' && isMissingInOne) {
      // A lagging replica may still show a resource that has just ended, or lack one that was just made.
      await waitForCopies(context);
      const later: Answered[] = [];
      for (let nth = 4; nth < 4 + laterReads; nth += 1)
        later.push(answered(await context.ask(operation, quiet(operation, nth))));
      const [one, ...others] = later;
      if (one && others.every((other) => !unlike(one.response, other.response)))
        return pass(one.exchange, `it changed until copies had caught up: ${found.actual}`);
    }
    return violation(found.expected, found.actual, second.exchange);
  },
};

/** Statuses which say that there is nothing. */
const nothing: ReadonlySet<number> = new Set([204, 404, 410]);

/** With two replicas hit at random, six reads agree by chance once in 32. */
const laterReads = 6;

interface Unlike extends MatcherFinding {
  /** One answer lacks a field, as that of an ended match may. */
  readonly isGone?: boolean;
}

function unlike(a: Response, b: Response): Unlike | undefined {
  const expected = 'the same answer in form each time';
  if (a.status !== b.status) return { expected, actual: `${a.status} once, ${b.status} the other time` };
  const [left, right] = [jsonIn(a), jsonIn(b)];
  if ('value' in left && 'value' in right) return shapeDifference(left.value, right.value);
  const [one, other] = [a, b].map((answer) => mediaType(answer) ?? 'no media type');
  if (one !== other) return { expected, actual: `${one} once, ${other} the other time` };
  return 'value' in left !== 'value' in right
    ? { expected, actual: 'JSON once, something else the other time' }
    : undefined;
}

interface MemberTally {
  readonly types: Set<string>;
  /** The number of objects one level above that have this name; equal to `objects` there if each has it. */
  seen: number;
  /** The number of values here that are objects. */
  objects: number;
}
type Shape = ReadonlyMap<string, MemberTally>;

const mostElements = 200;
const mostValues = 50_000;
/** An object with more names counts as a map, whatever they look like. */
const mostNames = 10_000;
/** A longer name is data (an id, a title), not a field name. */
const longestName = 60;
/** Deeper paths are not compared. */
const longestPath = 1_000;

/** Numbers, UUIDs, dates, hashes and ids with a number in them: keys of a map rather than names of fields. */
const dynamicKey =
  /^(-?\d[\d.:TZ_+-]*|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=.*\d)[0-9a-f]{12,}|.*\d{4}.*)$/i;

const isData = (name: string) => name.length > longestName || dynamicKey.test(name);

/** Every place of a value with the types found there; the elements of a list are one place (`*`). Bounded. */
function shapeOf(root: unknown): Shape {
  const places = new Map<string, MemberTally>();
  const tallyAt = (path: string): MemberTally => {
    const known = places.get(path);
    if (known) return known;
    const made = { types: new Set<string>(), seen: 0, objects: 0 };
    places.set(path, made);
    return made;
  };
  const open: [string, unknown][] = [['', root]];
  for (let looked = 0; open.length > 0 && looked < mostValues; looked += 1) {
    const [path, value] = open.pop() as [string, unknown];
    const place = tallyAt(path);
    if (value === null) continue;
    place.types.add(Array.isArray(value) ? 'list' : typeof value);
    if (path.length > longestPath) continue;
    if (Array.isArray(value)) {
      for (const element of value.slice(0, mostElements)) open.push([`${path}/*`, element]);
    } else if (typeof value === 'object') {
      place.objects += 1;
      const isMap = Object.keys(value).length > mostNames;
      for (const [key, child] of entriesOf(value, mostValues)) {
        const below = `${path}/${isMap || isData(key) ? '{}' : key}`;
        tallyAt(below).seen += 1;
        open.push([below, child]);
      }
    }
  }
  return places;
}

/**
 * The first difference in shape of two values. Empty lists, null and maps by id match anything. In lists, a missing
 * name counts only where all elements of one answer have it and none of the other, since elements may differ.
 */
export const shapeDifference = switchPoint(function shapeDifference(
  a: unknown,
  b: unknown,
): Unlike | undefined {
  const [first, second] = [shapeOf(a), shapeOf(b)];
  const expected = 'the same names and types each time';
  for (const path of new Set([...first.keys(), ...second.keys()])) {
    const [one, other] = [first.get(path), second.get(path)];
    const shown = path === '' ? 'the whole body' : path;
    if (one && other && one.types.size > 0 && other.types.size > 0 && one.types.isDisjointFrom(other.types))
      return {
        expected,
        actual: `${shown} is ${[...one.types].join(' or ')} once, ${[...other.types].join(' or ')} the other time`,
      };
    const gone = !other ? missingIn(second, first, path) : !one ? missingIn(first, second, path) : false;
    if (gone) return { expected, actual: `${shown} is there once and missing the other time`, isGone: true };
  }
  return undefined;
});

function missingIn(without: Shape, having: Shape, path: string): boolean {
  const parent = parentOf(path);
  if (path === '' || path.endsWith('/{}') || path.endsWith('/*')) return false;
  const always = having.get(path)?.seen === having.get(parent)?.objects;
  return always && (without.get(parent)?.objects ?? 0) > 0;
}
