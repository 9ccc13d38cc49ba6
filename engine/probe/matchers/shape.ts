// The shape of JSON: which names and types stand where. Values do not count, nor how long a list is.
import { entriesOf } from '../../values/json-walk.ts';
import { switchPoint } from '../../values/switch-points.ts';
import type { Finding } from './finding.ts';

interface Place {
  readonly types: Set<string>;
  /** How often the name stood in an object here; compared with how many objects there were. */
  seen: number;
  objects: number;
}
type Shape = ReadonlyMap<string, Place>;

const mostElements = 200;
const mostValues = 50_000;
/** An object with more names is a map, whatever they look like. */
const mostNames = 10_000;
/** A longer name is data: of no field, but of somebody or something. */
const longestName = 60;
/** What stands deeper than such a path is not looked at. */
const longestPath = 1_000;

/** Numbers, UUIDs, dates, hashes and ids with a number in them: keys of a map rather than names of fields. */
const dynamicKey =
  /^(-?\d[\d.:TZ_+-]*|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=.*\d)[0-9a-f]{12,}|.*\d{4}.*)$/i;

const isData = (name: string) => name.length > longestName || dynamicKey.test(name);

/** Every place of a value, elements of a list as one (`*`), with the types found there. Bounded, without recursion. */
function shapeOf(root: unknown): Shape {
  const places = new Map<string, Place>();
  const at = (path: string): Place => {
    const known = places.get(path);
    if (known) return known;
    const made = { types: new Set<string>(), seen: 0, objects: 0 };
    places.set(path, made);
    return made;
  };
  const open: [string, unknown][] = [['', root]];
  for (let looked = 0; open.length > 0 && looked < mostValues; looked += 1) {
    const [path, value] = open.pop() as [string, unknown];
    const place = at(path);
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
        at(below).seen += 1;
        open.push([below, child]);
      }
    }
  }
  return places;
}

/**
 * Where two values differ in shape. Empty lists, null and maps by id fit anything. Within lists a name counts only
 * where every element of one answer has it and none of the other, since elements may differ among themselves.
 */
export const shapeDifference = switchPoint(function shapeDifference(
  a: unknown,
  b: unknown,
): Finding | undefined {
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
    if (gone) return { expected, actual: `${shown} is there once and missing the other time` };
  }
  return undefined;
});

function missingIn(without: Shape, having: Shape, path: string): boolean {
  const parent = path.slice(0, path.lastIndexOf('/'));
  if (path === '' || path.endsWith('/{}') || path.endsWith('/*')) return false;
  const always = having.get(path)?.seen === having.get(parent)?.objects;
  return always && (without.get(parent)?.objects ?? 0) > 0;
}
