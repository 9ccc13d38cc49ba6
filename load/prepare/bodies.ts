// Makes the request bodies of a load run: log batches, bodies as pieces that k6 fills in, and values of placeholders.
import type { Operation } from '../../catalog/operation.ts';
import {
  type Form,
  fill,
  isGuess,
  isId,
  type TemplateValues,
  write,
} from '../../engine/players/body-template.ts';
import { type LogKind, type LogRecord, logBatch } from '../../engine/players/log-batch.ts';
import { choicesFor } from '../../engine/probe/parameters.ts';
import type { Json } from '../../engine/target/profile-validation.ts';
import type { Target } from '../../engine/target/target.ts';
import { seededRandom } from '../../engine/values/random.ts';
import type { Actors, Body, Piece } from '../k6/plan.ts';
import { type Roles, valueOfPlayers } from '../k6/send-call.ts';

/** How many different batches of a kind are made: few, as k6 keeps those that it has sent in memory. */
const differing = 16;
const usualRecords = 25;
/** Fixed, so that every run sends the same batches. */
const seed = 1;
const mostRecords = 200;

/**
 * Bodies of log-normally many records: half of them have at most 25, none more than 200.
 * @param run the id of the run, which marks each record where the stored records will be read
 * @returns undefined where the form holds no list of records
 */
export function batchBodies(form: Form, kind: LogKind, run?: string): string[] | undefined {
  const random = seededRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const bodies = Array.from({ length: differing }, (_, nth) => {
    const count = Math.max(1, Math.min(mostRecords, Math.round(usualRecords * Math.exp(normal()))));
    const idOf = (at: number) =>
      run === undefined ? `assay-${seed}-${nth}-${at}` : `assaylog-${run}-${nth}-${at}`;
    return withRecords(form.template, (record) => {
      const made = logBatch(kind, `${seed}-${nth}`, count);
      const known = run === undefined ? made : made.map((each, at) => ({ ...each, id: idOf(at) }));
      return isGuess(form) ? known : filledLike(record, known, idOf);
    });
  });
  return bodies.some((body) => body === undefined) ? undefined : bodies.map((body) => JSON.stringify(body));
}

/** Repeats the record that a profile states, with the time of each made record and an id of its own. */
function filledLike(record: Json, made: readonly LogRecord[], idOf: (at: number) => string): readonly Json[] {
  return made.flatMap((each, at) => {
    const filled = fill(record, { now: each.timestamp, unique: idOf(at), value: idOf(at) });
    return filled.ok ? [filled.body] : [];
  });
}

/** The template with other records in its lists of objects; undefined where there is no such list. */
function withRecords(template: Json, records: (record: Json) => readonly Json[]): Json | undefined {
  if (Array.isArray(template)) {
    const [record] = template;
    return record !== null && typeof record === 'object' ? [...records(record as Json)] : undefined;
  }
  if (template === null || typeof template !== 'object') return undefined;
  let found = false;
  const members = Object.entries(template).map(([name, value]) => {
    const list = Array.isArray(value) ? withRecords(value, records) : undefined;
    found ||= list !== undefined;
    return [name, list ?? value];
  });
  return found ? Object.fromEntries(members) : undefined;
}

// Bodies as k6 takes them: fixed pieces, and between them the values that differ per iteration.

/** Marks a value whose text is not known yet; the character occurs in no body. */
const mark = '\uE0F5';
const marked = new RegExp(`"${mark}([\\w.]+)(:number)?${mark}"|${mark}([\\w.]+)${mark}`, 'g');
/** In JSON: a number placeholder that is a whole string. With a colon after it, the string is the name of a field. */
const numberAlone = /"\{\{([A-Za-z][\w.]*):number\}\}"(:?)/g;

/**
 * @param known values that are the same for all iterations
 * @param each names of values that differ per iteration
 * @returns undefined where the form has a placeholder that is neither
 */
export function bodyFor(form: Form, known: TemplateValues, each: ReadonlySet<string>): Body | undefined {
  const values: Record<string, TemplateValues[string]> = { ...known };
  for (const name of form.carries) if (each.has(name)) values[name] = `${mark}${name}${mark}`;
  const { idsAsNumbers, ...plain } = form;
  const template = withNumbersMarked(form.template, each);
  const writing = write({ ...plain, template }, values);
  if (!writing.ok) return undefined;
  const { body } = writing.written;
  if (body === null) return { kind: 'none' };
  const pieces = piecesOf(body, idsAsNumbers === true);
  const [only] = pieces;
  if (pieces.length === 1 && typeof only === 'string') return { kind: 'text', text: only };
  return { kind: 'pieces', pieces };
}

/** Replaces number placeholders by text marks first, since a mark is no number. */
function withNumbersMarked(template: Json, each: ReadonlySet<string>): Json {
  const text = JSON.stringify(template);
  if (!text.includes(':number}}')) return template;
  const marked = text.replace(numberAlone, (all, name: string, colon: string) => {
    if (!each.has(name)) return all;
    return colon ? `"{{${name}}}":` : `"${mark}${name}:number${mark}"`;
  });
  return JSON.parse(marked) as Json;
}

/** Splits a body at its marks. Identifiers that are sent as numbers have no quotes. */
function piecesOf(body: string, idsAreNumbers: boolean): Piece[] {
  const pieces: Piece[] = [];
  let before = '';
  let from = 0;
  for (const match of body.matchAll(marked)) {
    const [all, alone, asNumber, within] = match;
    const name = alone ?? within ?? '';
    const bare = alone !== undefined && (asNumber !== undefined || (idsAreNumbers && isId(name)));
    const quote = alone !== undefined && !bare ? '"' : '';
    pieces.push(before + body.slice(from, match.index) + quote, { value: name, bare });
    before = quote;
    from = match.index + all.length;
  }
  pieces.push(before + body.slice(from));
  return pieces.filter((piece) => piece !== '');
}

// Values of parameters and placeholders.

/** Names whose values differ per iteration: those that the iteration makes, and those of its players. */
const made = ['now', 'unique', 'value', 'providerPlayerName'];
const ofPlayers = ['token', 'playerId', 'friendId', 'player.id', 'player.name', 'other.id', 'other.name'];
export const ofEachIteration: readonly string[] = [...made, ...ofPlayers];

/** Values that are the same for all players: the profile's for this operation, else for all, else free choices. */
export function sharedValues({ id }: Operation, target: Target): Readonly<Record<string, string>> {
  return {
    ...choicesFor(target.profile),
    ...target.ambient,
    ...target.parameters,
    ...target.profile?.operations[id]?.parameters,
  };
}

/** Values of the rehearsal's iteration; unknown ones are undefined. */
export const ownValues = (
  actors: Actors,
  roles: Roles,
  given: Readonly<Record<string, string>>,
  runId: string,
): Readonly<Record<string, string | undefined>> => ({
  now: new Date().toISOString(),
  unique: `assay-${runId}`,
  value: `assay-${runId}`,
  providerPlayerName: `Assay${runId}`,
  ...Object.fromEntries(ofPlayers.map((name) => [name, valueOfPlayers(name, roles, actors)])),
  ...given,
});
