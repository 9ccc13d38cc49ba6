// What a refusal says of one member of the body that was sent, and how it names the member's place.
import type { Json } from '../target/profile-validation.ts';
import type { Type } from './worded-types.ts';

/** The complaint of a refusal about one member. */
export interface Complaint {
  /** Names from the root of the body; of an element of a list, its index. */
  readonly path: readonly string[];
  readonly type?: Type;
  /** Of the elements of a list. */
  readonly of?: Type;
  /** The values that it takes. */
  readonly allowed?: readonly Json[];
  /** The target takes no such member. */
  readonly isUnwanted?: true;
  /** The target found no value there. */
  readonly isMissing?: true;
}

/** Of complaints about one member, the first of those that say most of its value. */
export const mostDetailed = (alike: readonly Complaint[]): Complaint =>
  alike.toSorted((a, b) => detailsOf(b) - detailsOf(a))[0] as Complaint;

const detailsOf = ({ type, of, allowed, isUnwanted }: Complaint): number =>
  [type, of, allowed, isUnwanted].filter((each) => each !== undefined).length;

/** A complaint as it is worded, before it is compared with the body that was sent. */
export interface Finding extends Complaint {
  /** A value that the refusal quotes: where the path is empty, the member that was sent with it is meant. */
  readonly quoted?: string;
  /** A word that may name a member: it does where a member of that name was sent; else the path counts. */
  readonly word?: string;
}

/** What a wording says of a member, whichever member it is about. */
export type Description = Omit<Complaint, 'path'>;

/** Whether a part of a path is a place in a list. */
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
