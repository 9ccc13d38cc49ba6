// Fills body templates, where `{{other.id}}` stands for a value known only at the call, and writes the bytes to send.

import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../target/profile-validation.ts';
import { isNested, withTexts } from '../values/json-walk.ts';
import { ownMember } from '../values/members.ts';

/** Values of placeholders, by name; undefined where the value is unknown. */
export type TemplateValues = Readonly<Record<string, Json | undefined>>;

type Filled =
  | { readonly ok: true; readonly body: Json }
  | { readonly ok: false; readonly missing: readonly string[] };

/**
 * The placeholders in a text. `{{other.id:number}}` is an identifier in digits that is sent as a number,
 * `{{now:number}}` the time in seconds since 1970.
 */
export const placeholder = /\{\{([A-Za-z][\w.]*)(:number)?\}\}/g;
/** A text that is one placeholder and nothing else. */
export const placeholderAlone = /^\{\{([A-Za-z][\w.]*)(:number)?\}\}$/;
/** Whole numbers as JSON writes them, and as a double holds them. */
const digits = /^(0|[1-9]\d{0,14})$/;
/** Whether an identifier is a whole number, as a number or in digits. */
export const isDigits = (value: unknown): boolean => digits.test(String(value));

/** The names of a template's placeholders, each once, in order; those in members' names included. */
export function placeholdersIn(template: Json): string[] {
  const names = new Set<string>();
  visit(template, (text) => {
    for (const [, name = ''] of text.matchAll(placeholder)) names.add(name);
  });
  return [...names];
}

/**
 * Fills a template. A string that is one placeholder alone becomes the value with its own type; within a longer string,
 * and in the name of a member, the value is inserted as text, or as JSON where it is not a string.
 * @returns the filled body; or the names of all unknown values, where there is one
 */
export function fill(template: Json, values: TemplateValues): Filled {
  const missing = new Set<string>();
  const body = put(template, values, missing);
  return missing.size > 0 ? { ok: false, missing: [...missing] } : { ok: true, body };
}

/** The template with these placeholders marked as numbers, where a string is one placeholder alone. */
export const asNumbers = (template: Json, names: readonly string[]): Json =>
  withTexts(template, (text) => {
    const [, name, asNumber] = placeholderAlone.exec(text) ?? [];
    return name !== undefined && !asNumber && names.includes(name) ? `{{${name}:number}}` : text;
  });

/** @param missing gets the names of unknown values, and of identifiers that are no numbers where a number is wanted */
function put(template: Json, values: TemplateValues, missing: Set<string>): Json {
  const resolved = (name: string): Json => {
    const value = ownMember(values, name);
    if (value === undefined) missing.add(name);
    return value ?? null;
  };
  const inText = (text: string) =>
    !text.includes('{{')
      ? text
      : text.replace(placeholder, (_, name: string) => {
          const value = resolved(name);
          return typeof value === 'string' ? value : JSON.stringify(value);
        });
  const filled = (text: string): Json => {
    // Checked first to save time: of the texts of a thousand records, few hold a placeholder.
    const [, name, asNumber] = text.startsWith('{{') ? (placeholderAlone.exec(text) ?? []) : [];
    if (name === undefined) return inText(text);
    const value = resolved(name);
    if (!asNumber) return value;
    const seconds = name === 'now' ? Math.floor(Date.parse(String(value)) / 1_000) : value;
    if (!isDigits(seconds)) missing.add(name);
    return Number(seconds);
  };
  return withTexts(template, filled, inText);
}

function visit(template: Json, see: (text: string) => void): void {
  if (typeof template === 'string') {
    if (template.includes('{{')) see(template);
  } else if (isNested(template)) {
    for (const [key, each] of Object.entries(template)) {
      if (!Array.isArray(template) && key.includes('{{')) see(key);
      visit(each, see);
    }
  }
}

/**
 * Where the members of a body come from. `profile`: the profile states them. `guess`: `candidate-bodies.ts` lists them.
 * `refusal`: the target's refusal of another body names them. `description`: its API description does. `read`: the read
 * that is to show the effect shows them. A version of what the body replaces comes from a refusal, whatever the rest.
 */
type Origin = 'profile' | 'guess' | 'refusal' | 'description' | 'read';

/** Puts the origin of a body into words, to follow the body. */
export const originInWords: Readonly<Record<Origin, string>> = {
  profile: 'from the profile',
  guess: 'guessed',
  refusal: 'made from what a refusal asks for',
  description: 'made from the API description',
  read: 'made from what a read shows',
};

/** Whether the profile does not state the body, so that its refusal or a missing effect need not be a fault. */
export const isGuess = ({ from }: Pick<Form, 'from'>): boolean => from !== 'profile';

/** Whether the target itself asked for the members: in the refusal of another body, or in its API description. */
export const isAskedFor = ({ from }: Pick<Form, 'from'>): boolean =>
  from === 'refusal' || from === 'description';

// Forms: one way to write a call's body, and the bytes that are sent for it.
export interface Form {
  /** A JSON value whose strings may hold `{{placeholders}}`; null sends no body. */
  readonly template: Json;
  /** Its placeholders: a call that must send `other.id` needs a form that holds it. */
  readonly carries: readonly string[];
  readonly from: Origin;
  /** Default: application/json. */
  readonly contentType?: string;
  /** Sends identifiers in digits as numbers. Where no identifier is in digits, the form is not written. */
  readonly idsAsNumbers?: true;
  /** Members of a record that keep the template's values: a realistic record would hold others, or lack them. */
  readonly fixed?: readonly string[];
  /** Names of members that refusals said the target does not take. */
  readonly unwanted?: readonly string[];
  /** The values of the members that refusals asked for, except where a refusal listed values to choose from. */
  readonly answers?: readonly Json[];
  /** The same body with the other values that a refusal listed, where nothing says which of them is meant. */
  readonly others?: readonly Form[];
}

/** A body as it is sent; null sends none. */
export interface Written {
  readonly body: string | null;
  readonly contentType?: string;
}

export type Writing =
  /** `form` as written with these values: its template marks the identifiers that are numbers. */
  | { readonly ok: true; readonly form: Form; readonly written: Written }
  | { readonly ok: false; readonly missing: readonly string[] };

export function formOf(template: Json, from: Form['from'], contentType?: string): Form {
  const carries = placeholdersIn(template);
  return { template, carries, from, ...(contentType !== undefined && { contentType }) };
}

/** The body of a form with its values. A text under a content type that is not JSON is sent as it stands. */
export function write(form: Form, values: TemplateValues): Writing {
  const suitedForm = form.idsAsNumbers ? withNumbers(form, values) : form;
  if (suitedForm === undefined) return { ok: false, missing: [] };
  const { template, contentType } = suitedForm;
  const filled = fill(template, values);
  if (!filled.ok) return filled;
  const { body } = filled;
  const asItStands = typeof body === 'string' && contentType !== undefined && !/\bjson\b/i.test(contentType);
  return {
    ok: true,
    form: suitedForm,
    written: {
      body: template === null ? null : asItStands ? body : JSON.stringify(body),
      ...(contentType !== undefined && { contentType }),
    },
  };
}

/** Returns whether a placeholder stands for an identifier, such as `other.id` or `partyId`. */
export const isId = (placeholder: string) => /id$/i.test(placeholder);

function withNumbers({ idsAsNumbers: _, ...form }: Form, values: TemplateValues): Form | undefined {
  const isNumber = (name: string) => {
    const value = values[name];
    return isId(name) && typeof value === 'string' && digits.test(value);
  };
  const numbers = form.carries.filter(isNumber);
  return numbers.length > 0 ? { ...form, template: asNumbers(form.template, numbers) } : undefined;
}

/** The placeholder for the second player or thing of the same kind in one body: `second.other.id` for `other.id`. */
export const secondOf = (placeholder: string): string => `${secondly}${placeholder}`;
/** Undoes `secondOf`; any other name stays as it is. */
export const firstOf = (placeholder: string): string =>
  placeholder.startsWith(secondly) ? placeholder.slice(secondly.length) : placeholder;
const secondly = 'second.';
/** Whether a form names two: `forTwo` made it from a form that names one. */
export const namesTwo = ({ carries }: Form): boolean => carries.some((name) => firstOf(name) !== name);

/**
 * The form with a second element in each list whose only element holds the placeholder, or that holds both already. A
 * guess loses other members that hold it. Undefined without such a list, or where the profile's form has such other
 * members.
 */
export function forTwo(form: Form, name: string): Form | undefined {
  let lists = 0;
  let single = false;
  const says = (value: Json) => placeholdersIn(value).includes(name);
  const doubled = (value: Json): Json | undefined => {
    if (typeof value === 'string' && says(value)) {
      single = true;
      return undefined;
    }
    if (!isNested(value) || !says(value as Json)) return value;
    if (Array.isArray(value)) {
      const [element, ...more] = value as Json[];
      if (element === undefined) return undefined;
      const second = withTexts(element, (text) => text.replaceAll(`{{${name}`, `{{${secondOf(name)}`));
      if (more.length > 0 && !isDeepStrictEqual(more, [second])) return undefined;
      lists += 1;
      return [element, second];
    }
    const members = Object.entries(value).map(([key, each]) => [key, doubled(each as Json)] as const);
    return Object.fromEntries(members.filter(([, each]) => each !== undefined)) as Json;
  };
  const template = doubled(form.template);
  if (template === undefined || lists === 0 || (single && !isGuess(form))) return undefined;
  return { ...form, template, carries: placeholdersIn(template) };
}
