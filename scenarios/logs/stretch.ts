// A batch of any size from a form that shows one: the first list of objects in it is what holds the records.
import { type Form, formOf, type Writing, write } from '../../fixtures/players/bodies/form.ts';
import type { TemplateValues } from '../../fixtures/players/bodies/template.ts';
import type { Json } from '../../fixtures/target/profile-reading.ts';

/** Forms that hold one list of records; a guess that says it under several names at once would send each record often. */
export const batchForms = (forms: readonly Form[]): readonly Form[] =>
  forms.filter(
    ({ template, from }) => listsIn(template) === 1 || (from === 'profile' && listsIn(template) > 0),
  );

/**
 * The body of a form with so many records.
 * @param records realistic ones, in place of those of a guess; what a profile states is repeated as it stands
 * @param valuesOf what placeholders stand for in the record of that index
 */
export function stretched(
  form: Form,
  records: readonly Json[],
  valuesOf: (index: number) => TemplateValues,
): Writing {
  const { template, from, contentType } = form;
  let missing: readonly string[] = [];
  const copies = (record: Json): Json[] =>
    records.map((realistic, index) => {
      if (from === 'guess') return realistic;
      const writing = write(formOf(record, from), valuesOf(index));
      if (writing.ok) return JSON.parse(writing.written.body ?? 'null') as Json;
      missing = writing.missing;
      return null;
    });
  const body = replaceFirst(template, copies);
  if (missing.length > 0) return { ok: false, missing };
  return write(formOf(body, from, contentType), valuesOf(0));
}

const isRecords = (value: Json): value is readonly Json[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((each) => each !== null && typeof each === 'object' && !Array.isArray(each));

function listsIn(template: Json): number {
  if (isRecords(template)) return 1;
  if (template === null || typeof template !== 'object') return 0;
  return Object.values(template).reduce((sum: number, member: Json) => sum + listsIn(member), 0);
}

function replaceFirst(template: Json, copies: (record: Json) => Json[]): Json {
  let replaced = false;
  const visit = (value: Json): Json => {
    if (replaced || value === null || typeof value !== 'object') return value;
    if (isRecords(value)) {
      replaced = true;
      return copies(value[0] ?? null);
    }
    if (Array.isArray(value)) return value.map(visit);
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, visit(member)]));
  };
  return visit(template);
}
