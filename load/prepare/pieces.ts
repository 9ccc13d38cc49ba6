// A body's form as k6 takes it: pieces that stand fast, and between them values that each iteration has its own of.
import { type Form, isId, write } from '../../fixtures/players/bodies/form.ts';
import type { TemplateValues } from '../../fixtures/players/bodies/template.ts';
import type { Json } from '../../fixtures/target/profile-reading.ts';
import type { Body, Piece } from '../k6/plan.ts';

/** Stands for a value whose text is not known yet; no such character is in any body. */
const mark = '\uE0F5';
const marked = new RegExp(`"${mark}([\\w.]+)(:number)?${mark}"|${mark}([\\w.]+)${mark}`, 'g');
/** In JSON: a placeholder of a number that is all that a string says, or the name of a member, which is text. */
const numberAlone = /"\{\{([A-Za-z][\w.]*):number\}\}"(:?)/g;

/**
 * @param known values that are the same for all iterations
 * @param each names of those that are not
 * @returns undefined where the form says something that is neither
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

/** No mark is a number: one that stands for it is put in beforehand. */
function withNumbersMarked(template: Json, each: ReadonlySet<string>): Json {
  const text = JSON.stringify(template);
  if (!text.includes(':number}}')) return template;
  const told = text.replace(numberAlone, (all, name: string, colon: string) => {
    if (!each.has(name)) return all;
    return colon ? `"{{${name}}}":` : `"${mark}${name}:number${mark}"`;
  });
  return JSON.parse(told) as Json;
}

/** Identifiers that go out as numbers stand without quotes. */
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
