// Finds the members of a sent body that a refusal means: by name in any spelling, or by the value they were sent with.
import { entriesOf, isNested, isObject } from '../../values/json-walk.ts';
import { letters } from '../../values/text.ts';
import { type Finding, hasType, isIndex } from './complaint.ts';
import { isOtherPart } from './names.ts';

type Path = readonly string[];

/** The body that was refused, as far as it is known. */
export interface SentBody {
  /** Whether a member of exactly this name was sent, at any depth. */
  has(name: string): boolean;
  /** The path of the one member whose name has these letters: `Message ids` is `messageIds`. */
  called(name: string): Path | undefined;
  /** The path of the one member or element that was sent with this value. */
  holding(value: string): Path | undefined;
  /** Whether this part of the request, such as `query`, is not the part that the refusal is about. */
  isElsewhere(part: string): boolean;
  /** The path of a complaint as the body spells it, without the names of a controller's method and argument. */
  asSent(finding: Finding): Path;
}

interface Member {
  readonly path: Path;
  readonly value: unknown;
}

const mostMembers = 500;
const deepest = 8;

/**
 * @param root the body's JSON value; undefined where none was sent
 * @param isOfBody whether a refusal is about the body; else it is about the parameters
 */
export function sentBody(root: unknown, isOfBody: boolean): SentBody {
  const members = membersOf(root);
  const only = (isMeant: (member: Member) => boolean): Path | undefined => {
    const [one, another] = members.filter(isMeant);
    return another === undefined ? one?.path : undefined;
  };
  const has = (name: string) => members.some(({ path }) => path.at(-1) === name);
  return {
    has,
    called: (name) =>
      has(name)
        ? only(({ path }) => path.at(-1) === name)
        : only(({ path }) => !isIndex(path.at(-1)) && letters(path.at(-1) ?? '') === letters(name)),
    holding: (value) => only((member) => !isNested(member.value) && String(member.value) === value),
    isElsewhere: (part) => isOfBody && isOtherPart(part),
    asSent: (finding) => withoutMethod({ ...finding, path: withList(finding.path, root) }, root),
  };
}

/** The path with a list's name before it, where it begins with an index and one list of objects was sent. */
function withList(path: Path, root: unknown): Path {
  if (!isIndex(path[0]) || !isObject(root) || Object.hasOwn(root, path[0] as string)) return path;
  const lists = entriesOf(root, mostMembers).filter(
    ([, value]) => Array.isArray(value) && isObject(value[0]),
  );
  const [[name] = []] = lists;
  return name === undefined || lists.length > 1 ? path : [name, ...path];
}

function membersOf(root: unknown): readonly Member[] {
  const members: Member[] = [];
  const open: Member[] = [{ path: [], value: root }];
  for (let at = 0; at < Math.min(open.length, mostMembers); at += 1) {
    const { path, value } = open[at] as Member;
    if (path.length > 0) members.push({ path, value });
    if (!isNested(value) || path.length === deepest) continue;
    for (const [name, below] of entriesOf(value, mostMembers))
      open.push({ path: [...path, name], value: below });
  }
  return members;
}

/** Names of the argument that takes a body: `arg0` of a Java method, `markRequest`. */
const argument =
  /^(?:arg\d{1,2}|body|data|dto|input|instance|json|obj|payload|req)$|(?:request|dto|body|input|payload|command)$/i;

function withoutMethod(finding: Finding, root: unknown): Path {
  const { path } = finding;
  const [first = '', second = ''] = path;
  const whole = spelt(path, root);
  if (whole.isSent) return isAnother(finding, whole.value) ? path : whole.path;
  if (path.length < 2 || spelt([first], root).isSent) return whole.path;
  // `mark.update.status` names a method and its argument, where `status` was sent and `mark` was not.
  for (let at = 1; at < path.length && !isIndex(path[at - 1]); at += 1) {
    const below = spelt(path.slice(at), root);
    if (below.isSent && !isAnother(finding, below.value)) return below.path;
  }
  const isMethod = path.length > 2 && argument.test(second);
  // A body that is unknown may hold members `payload` or `data`.
  return path.slice(isMethod ? 2 : root !== undefined && argument.test(first) ? 1 : 0);
}

interface Spelling extends Member {
  readonly isSent: boolean;
}

/** The path with each name in the letter case in which it was sent. */
function spelt(path: Path, root: unknown): Spelling {
  let value = root;
  const names: string[] = [];
  for (const [at, part] of path.entries()) {
    const name = isNested(value) ? nameIn(value, part) : undefined;
    if (name === undefined) return { path: [...names, ...path.slice(at)], value: undefined, isSent: false };
    names.push(name);
    value = (value as Record<string, unknown>)[name];
  }
  return { path: names, value, isSent: true };
}

function nameIn(holder: object, name: string): string | undefined {
  if (Object.hasOwn(holder, name)) return name;
  if (!isObject(holder)) return undefined;
  const [one, another] = entriesOf(holder, mostMembers).filter(
    ([each]) => each.toLowerCase() === name.toLowerCase(),
  );
  return another === undefined ? one?.[0] : undefined;
}

/**
 * Whether a complaint cannot be about the sent value at its path in another letter case: it calls a value missing that
 * was sent, or asks for the type that the value has.
 */
function isAnother({ isMissing, type }: Finding, sent: unknown): boolean {
  const isEmpty =
    sent === undefined || sent === null || sent === '' || (Array.isArray(sent) && sent.length === 0);
  return isMissing ? !isEmpty : type !== undefined && hasType(sent, type);
}
