// Writes the body of a batch with a given number of records, in a form that the profile states or that was guessed.
import {
  type Form,
  formOf,
  type TemplateValues,
  type Writing,
  write,
} from '../../engine/players/body-template.ts';
import { record as guessedRecord } from '../../engine/players/candidate-bodies.ts';
import type { LogRecord } from '../../engine/players/log-batch.ts';
import type { Json } from '../../engine/target/profile-validation.ts';
import { isNested, isObject } from '../../engine/values/json-walk.ts';

/** Forms with exactly one list of records; a guess with several lists would send each record more than once. */
export const batchForms = (forms: readonly Form[]): readonly Form[] =>
  forms.filter(
    ({ template, from }) => listsIn(template) === 1 || (from === 'profile' && listsIn(template) > 0),
  );

/**
 * The body of a form with one record for each of `records`.
 * @param records realistic records, in place of those of a guess; a record that the profile states is repeated as it is
 * @param valuesOf the values of the placeholders in the record of that index
 */
export function bodyWithRecords(
  form: Form,
  records: readonly Json[],
  valuesOf: (index: number) => TemplateValues,
): Writing {
  const { template, from, contentType, unwanted = [], fixed = [] } = form;
  let missing: readonly string[] = [];
  const copies = (record: Json): Json[] =>
    records.map((realistic, index) => {
      // A plain string among the records stays as it is.
      if (from === 'guess' && typeof realistic === 'string') return realistic;
      const taken: LogRecord = Object.fromEntries(
        Object.entries(realistic as LogRecord).filter(([name]) => !unwanted.includes(name)),
      );
      const demanded = from === 'guess' ? demandedFields(record, fixed) : record;
      const writing = write(formOf(demanded, from), valuesOf(index));
      if (writing.ok) {
        const written = JSON.parse(writing.written.body ?? 'null') as Json;
        if (from !== 'guess' || !isObject(written)) return written;
        const kept = Object.entries(written).filter(([name, value]) =>
          isDemandedValue(value as Json, (demanded as LogRecord)[name], taken[name]),
        );
        return { ...(written as object), ...taken, ...Object.fromEntries(kept) } as Json;
      }
      missing = writing.missing;
      return null;
    });
  const body = replaceFirst(template, copies);
  if (missing.length > 0) return { ok: false, missing };
  return write(formOf(body, from, contentType), valuesOf(0));
}

/** The fields of a guessed record that refusals asked for: added ones, and those with another value than at first. */
const demandedFields = (made: Json, fixed: readonly string[]): Json =>
  Object.fromEntries(
    Object.entries((made ?? {}) as LogRecord).filter(([name, value]: readonly [string, Json]) => {
      const guess = (guessedRecord as LogRecord)[name];
      const differsFromGuess =
        typeof value !== typeof guess ||
        (value !== guess && (!hasPlaceholder(guess) || isNumberPlaceholder(value)));
      return fixed.includes(name) || differsFromGuess;
    }),
  );

/** Whether a refusal asks for this very value; where it asks for any value of its type, the realistic one is sent. */
const isDemandedValue = (value: Json, template: Json | undefined, realistic: Json | undefined): boolean =>
  typeof value !== typeof realistic || (typeof value === 'string' && !hasPlaceholder(template));

const isNumberPlaceholder = (template: Json): boolean => /:number\}\}$/.test(String(template));

const hasPlaceholder = (template: Json | undefined): boolean =>
  typeof template === 'string' && template.includes('{{');

const isRecords = (value: Json): value is readonly Json[] =>
  Array.isArray(value) && value.length > 0 && value.every((each) => isObject(each));

function listsIn(template: Json): number {
  if (isRecords(template)) return 1;
  if (!isNested(template)) return 0;
  return Object.values(template).reduce((sum: number, member: Json) => sum + listsIn(member), 0);
}

function replaceFirst(template: Json, copies: (record: Json) => Json[]): Json {
  let replaced = false;
  const visit = (value: Json): Json => {
    if (replaced || !isNested(value)) return value;
    if (isRecords(value)) {
      replaced = true;
      return copies(value[0] ?? null);
    }
    if (Array.isArray(value)) return value.map(visit);
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, visit(member)]));
  };
  return visit(template);
}
