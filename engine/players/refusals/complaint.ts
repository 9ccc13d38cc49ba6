// Defines a complaint: what a refusal says of one member of the sent body, and the path of that member.
import type { Member, MemberType } from '../../target/target.ts';
import { isObject } from '../../values/json-walk.ts';

/** The complaint of a refusal about one member. An element of a list has its index in the path. */
export interface Complaint extends Member {
  /** The target takes no such member. */
  readonly isUnwanted?: true;
  /** The names of the members that it takes there, where it lists them with an unwanted one. */
  readonly known?: readonly string[];
  /** The target found no value there. */
  readonly isMissing?: true;
}

/** What words demand of a member, whichever member it is about. */
export type Demands = Omit<Complaint, 'path'>;

/** A complaint as it is worded, before it is compared with the body that was sent. */
export interface Finding extends Complaint {
  /** A value that the refusal quotes: where the path is empty, the member that was sent with it is meant. */
  readonly quoted?: string;
  /** A word that may name a member: it does where a member of that name was sent; else the path counts. */
  readonly word?: string;
}

/** Of several complaints about one member, the first of those that say most about its value. */
export const mostDetailed = (alike: readonly Complaint[]): Complaint =>
  alike.toSorted((a, b) => detailsOf(b) - detailsOf(a))[0] as Complaint;

const detailsOf = ({ type, of, allowed, isUnwanted }: Complaint): number =>
  [type, of, allowed, isUnwanted].filter((each) => each !== undefined).length;

/** Whether a value has the type that a complaint asks for. No text is certain to be a date. */
export function hasType(value: unknown, type: MemberType): boolean {
  switch (type) {
    case 'list':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
    case 'number':
      return typeof value === 'number' || isNumberPlaceholder(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'string':
      return typeof value === 'string' && !isNumberPlaceholder(value);
    case 'date':
      return false;
  }
}

const isNumberPlaceholder = (value: unknown) =>
  typeof value === 'string' && /^\{\{[^}]*:number\}\}$/.test(value);

/** Whether a part of a path is the index of a list's element. */
export const isIndex = (part: string | undefined): boolean => part !== undefined && /^\d+$/.test(part);

export const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The path that `body/logs/0`, `$.logs[0]`, `#/logs/0` or `logs.0` names; empty for the body itself. */
export function segmentsOf(place: string): string[] {
  const parts = place.split(/[/.[\]'"]+/).filter((part) => part !== '' && part !== '$' && part !== '#');
  return parts
    .slice(parts[0] === 'body' ? 1 : 0)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}
