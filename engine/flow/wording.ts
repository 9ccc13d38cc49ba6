// Puts into words what an answer shows (where a value was looked for, what changed between two snapshots), and which
// bodies were sent.
import { answerLeaves, type Exchange, statusOf } from '../http/exchange.ts';
import { isCredentialParameter } from '../http/redact.ts';
import { type Form, originInWords } from '../players/body-template.ts';
import { isObject, type Leaf, shownPointer } from '../values/json-walk.ts';
import { printable, quoted } from '../values/text.ts';
import { pathOf } from './places.ts';
import { valuesIn } from './snapshot.ts';
import type { View } from './views.ts';

/** What a view looks for, with its value: `the name that was set, "Nila 4"`. A secret is not named. */
export function soughtIn({ what, value, anywhere }: View): string {
  const isNamed = value === undefined || anywhere || what.includes(value);
  return isNamed ? what : `${what}, ${inText(value)}`;
}

/** Where a value may be expected in an answer. */
export interface Expected {
  /** Paths at which answers of this operation showed such values before. */
  readonly paths: ReadonlySet<string>;
  /** Names of the members in which a call sent the value. */
  readonly names: ReadonlySet<string>;
}

const mostNamed = 2;
const mostMembersNamed = 4;
/** An answer with at most this many values is quoted where nothing shows which of them matters. */
const fewValues = 3;

/** What an answer shows instead of a value: `200 with "n1" at /data/nodeId`. */
export function shownInstead(exchange: Exchange, value: string, { paths, names }: Expected): string {
  const leaves = namedLeaves(exchange);
  const own = leaves.filter((leaf) => String(leaf.value) === value);
  if (own.length > 0) return `${statusOf(exchange)} with it only at ${listed(own, placeOf)}`;
  const [found] = [
    leaves.filter(({ pointer }) => paths.has(pathOf(pointer))),
    leaves.filter(({ name }) => names.has(name)),
    leaves.length <= fewValues ? leaves : [],
  ].filter((each) => each.length > 0);
  return found === undefined
    ? `${statusOf(exchange)} without it anywhere`
    : `${statusOf(exchange)} with ${listed(found, (leaf) => `${inText(leaf.value)} at ${placeOf(leaf)}`)}`;
}

/** Where an answer shows a value that ought to be gone: `200 with it at /members/1/id`. */
export function shownStill(exchange: Exchange, value: string | undefined): string {
  const found = namedLeaves(exchange).filter((leaf) => String(leaf.value) === value);
  return found.length === 0
    ? `${statusOf(exchange)}: it still does`
    : `${statusOf(exchange)} with it at ${listed(found, placeOf)}`;
}

/** What two answers hold at the places where they differ: `was` in the earlier one, `is` in the later one. */
export function changeInWords(
  before: Exchange,
  after: Exchange,
  places: readonly string[],
): { readonly was: string; readonly is: string } {
  const [one, other] = [valuesIn(before), valuesIn(after)];
  const seen = places.filter((place) => (one.has(place) || other.has(place)) && !isSecret(place));
  const only = (values: readonly string[] = [], others: readonly string[] = []) =>
    values.filter((value) => !others.includes(value));
  const text = (found: readonly string[], place: string) => {
    const shown = found.slice(0, mostNamed).map((value) => inText(JSON.parse(value)));
    return `${shown.length === 0 ? 'nothing more' : shown.join(', ')} at ${shownPointer(place, 'the root')}`;
  };
  const [was, is] = [
    seen.map((place) => text(only(one.get(place), other.get(place)), place)),
    seen.map((place) => text(only(other.get(place), one.get(place)), place)),
  ];
  return seen.length === 0
    ? { was: `status ${statusOf(before)}`, is: `status ${statusOf(after)}, and another content` }
    : { was: cut(was), is: cut(is) };
}

/** Bodies of a call with their origins, one of each: `{"mode":"a"} (made from what a refusal asks for), {} (guessed)`. */
export function bodiesInWords(forms: readonly Form[]): string {
  const ofOrigin = Map.groupBy(new Set(forms), ({ from }) => from);
  return [...ofOrigin]
    .map(([from, same]) => {
      const oneOf = same.length > 1 ? `, one of ${same.length}` : '';
      return `${bodyInWords(same[0]?.template ?? null)} (${originInWords[from]}${oneOf})`;
    })
    .join(', ');
}

function bodyInWords(template: Form['template']): string {
  if (template === null) return 'no body';
  const body = JSON.stringify(template, (name, value) => (isSecret(name) && isText(value) ? '…' : value));
  if (body.length <= longest) return printable(body);
  const [holder] = Array.isArray(template) ? template : [template];
  const names = isObject(holder) ? Object.keys(holder).filter((name) => name.length <= longest) : [];
  return names.length === 0
    ? `a body of ${body.length} characters`
    : `a body with ${cut(names.map(printable), mostMembersNamed)}`;
}

/** Whether the value is a text other than a placeholder. */
const isText = (value: unknown) => typeof value === 'string' && !value.includes('{{');

const isSecret = (place: string) => isCredentialParameter(`${place.split('/').at(-1)}=`);

/** The values of an answer that may be named in a message. */
const namedLeaves = (answer: Exchange): readonly Leaf[] =>
  answerLeaves(answer).filter(({ name }) => !isCredentialParameter(`${name}=`));

const placeOf = ({ pointer }: Leaf) => shownPointer(pointer, 'the root');

/** Longer texts are not quoted, not even in part, since a part of a secret would not be recognised as a secret. */
const longest = 80;
const inText = (value: unknown) => {
  if (typeof value !== 'string') return String(value);
  return value.length <= longest ? quoted(value) : `a text of ${value.length} characters`;
};

const listed = (leaves: readonly Leaf[], text: (leaf: Leaf) => string) => cut(leaves.map(text));

const cut = (texts: readonly string[], most = mostNamed): string => {
  const more = texts.length - most;
  return `${texts.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};
