import { type Exchange, json } from '../../fixtures/client/exchange.ts';
import { valueAt } from '../../fixtures/target/json-pointer.ts';
import type { Target } from '../../fixtures/target/target.ts';
import type { Stop } from '../journeys/journey.ts';
import { findPointer } from '../k6/find-pointer.ts';

export interface Ids {
  /** JSON Pointers by the identifier's name. */
  readonly pointers: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, string>>;
}

/** What may be given and stands for none. */
const isNone = (value: string | number) => value === '' || value === 0;

/** Where an answer holds what a call gives, or may give: as the profile says, else under its usual names. */
export function idsIn({ operation, gives, mayGive }: Stop, { response }: Exchange, { profile }: Target): Ids {
  const parsed = response && json(response);
  if (!parsed?.ok) return { pointers: {}, values: {} };
  const found = Object.entries({ ...gives, ...mayGive }).flatMap(([name, names]) => {
    const pointer = profile?.operations[operation.id]?.ids?.[name] ?? findPointer(parsed.value, names);
    const value = pointer === undefined ? undefined : valueAt(parsed.value, pointer);
    return pointer !== undefined &&
      (typeof value === 'string' || typeof value === 'number') &&
      !(mayGive?.[name] && isNone(value))
      ? [{ name, pointer, value: String(value) }]
      : [];
  });
  return {
    pointers: Object.fromEntries(found.map(({ name, pointer }) => [name, pointer])),
    values: Object.fromEntries(found.map(({ name, value }) => [name, value])),
  };
}
