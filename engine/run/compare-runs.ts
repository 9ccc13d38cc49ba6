// Compares two runs: finds checks and behaviours that changed, and the places in which shapes of answers differ.

import { behaviourValue } from '../../catalog/behaviours.ts';
import type { Host } from '../../catalog/operation.ts';
import { judged, type Outcome } from '../judgement.ts';
import type { Skeleton } from '../values/json-shape.ts';
import { isObject, pointerTo } from '../values/json-walk.ts';
import { byName, ownMember } from '../values/members.ts';
import { cut } from '../values/text.ts';
import {
  judgedShares,
  type Result,
  type RunResult,
  ruleOf,
  type TargetSummary,
  tooLittleJudged,
} from './result.ts';

/** The behaviour of the `shape` rule: a status and a form; the form is a skeleton where it is JSON. */
interface Sample {
  readonly status: string;
  readonly form: string;
  readonly skeleton: Skeleton | undefined;
  /** The media type of JSON that is labelled as something else. */
  readonly label?: string;
}

/** One place, by a JSON Pointer with `*` for any element and `{}` for any key; empty for the whole answer. */
interface ShapeChange {
  readonly at: string;
  readonly before: string;
  readonly after: string;
}

/** The depth that is compared. No skeleton is deeper, except in a file that Assay did not write. */
const deepest = 20;

const absent = 'absent';

/**
 * The places in which two observations of `OPERATION#shape` differ, in order.
 * Null, an empty list and an empty map match anything, and a field that only some objects had may be missing.
 */
export function shapeChanges(before: string, after: string): ShapeChange[] {
  const [a, b] = [sampleOf(before), sampleOf(after)];
  const changes: ShapeChange[] = [];
  if (a.status !== b.status) changes.push({ at: '', before: a.status, after: b.status });
  if (a.skeleton !== undefined && b.skeleton !== undefined) {
    if (a.label !== b.label) changes.push({ at: '', before: labelOf(a), after: labelOf(b) });
    compare('', a.skeleton, b.skeleton, changes);
  } else if (a.form !== b.form)
    changes.push({ at: '', before: cut(a.form, longest), after: cut(b.form, longest) });
  return changes;
}

const labelOf = ({ label = 'JSON' }: Sample) => `labelled ${label}`;

function sampleOf(text: string): Sample {
  const [status = ''] = text.split(' ', 1);
  const form = text.slice(status.length + 1);
  const at = form.lastIndexOf(' as ');
  return (
    withSkeleton(status, form) ??
    (at < 0 ? undefined : withSkeleton(status, form.slice(0, at), form.slice(at + ' as '.length))) ?? {
      status,
      form,
      skeleton: undefined,
    }
  );
}

/** Undefined where the form is no JSON. */
function withSkeleton(status: string, form: string, label?: string): Sample | undefined {
  try {
    return { status, form, skeleton: JSON.parse(form) as Skeleton, ...(label !== undefined && { label }) };
  } catch {
    return undefined;
  }
}

type Members = ReadonlyMap<string, { readonly shape: Skeleton; readonly isOptional: boolean }>;

/** The parts of a skeleton by kind; null is left out. */
interface Kinds {
  readonly scalars: readonly string[];
  readonly list?: readonly Skeleton[];
  readonly members?: Members;
  /** A part of the shape was cut off, so it cannot be compared. */
  readonly isCut: boolean;
}

function kindsOf(skeleton: Skeleton): Kinds {
  const parts = isUnion(skeleton) ? skeleton['|'] : [skeleton];
  const names = parts.flatMap((part) => (typeof part === 'string' ? part.split('|') : []));
  const list = parts.find((part): part is readonly Skeleton[] => Array.isArray(part));
  const object = parts.find((part): part is Readonly<Record<string, Skeleton>> => isObject(part));
  return {
    scalars: names.filter((name) => name !== 'null' && name !== '…'),
    isCut: names.includes('…'),
    ...(list && { list }),
    ...(object && { members: membersOf(object) }),
  };
}

const isUnion = (skeleton: Skeleton): skeleton is { readonly '|': readonly Skeleton[] } =>
  isObject(skeleton) &&
  Object.keys(skeleton).join() === '|' &&
  Array.isArray((skeleton as { '|'?: unknown })['|']);

const membersOf = (object: Readonly<Record<string, Skeleton>>): Members =>
  new Map(
    Object.entries(object).map(([name, shape]) => [
      name.replace(/\?$/, ''),
      { shape, isOptional: name.endsWith('?') || name === '{}' },
    ]),
  );

function compare(at: string, before: Skeleton, after: Skeleton, changes: ShapeChange[]): void {
  if (at.split('/').length > deepest) return;
  const [a, b] = [kindsOf(before), kindsOf(after)];
  const [was, is] = [kindNames(a), kindNames(b)];
  const isOpen = a.isCut || b.isCut || was.length === 0 || is.length === 0;
  if (!isOpen && was.join() !== is.join())
    changes.push({ at, before: was.join(' or '), after: is.join(' or ') });
  if (a.list?.[0] !== undefined && b.list?.[0] !== undefined)
    compare(`${at}/*`, a.list[0], b.list[0], changes);
  if (a.members && b.members && a.members.size > 0 && b.members.size > 0)
    compareMembers(at, a.members, b.members, changes);
}

const kindNames = ({ scalars, list, members }: Kinds): string[] => [
  ...scalars,
  ...(list ? ['list'] : []),
  ...(members ? ['object'] : []),
];

function compareMembers(at: string, before: Members, after: Members, changes: ShapeChange[]): void {
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(name), after.get(name)];
    const here = pointerTo(at, name);
    if (was && is) compare(here, was.shape, is.shape, changes);
    else if (was && !was.isOptional) changes.push({ at: here, before: nameOf(was.shape), after: absent });
    else if (is && !is.isOptional) changes.push({ at: here, before: absent, after: nameOf(is.shape) });
  }
}

/** A whole shape in a few words. */
const nameOf = (shape: Skeleton) =>
  kindNames(kindsOf(shape)).join(' or ') || cut(JSON.stringify(shape), longest);

const longest = 120;

// A behaviour that the target changed: one entry per change, however many operations show it.
export interface BehaviourChange {
  /** Ids of the open points, sorted. */
  readonly points: readonly string[];
  readonly before: string;
  readonly after: string;
  /** Place by place, where the behaviour is the shape of an answer. */
  readonly places?: readonly ShapeChange[];
}

const isShape = (point: string) => ruleOf(point) === 'shape';

/** The changes of points that both runs observed: the change that most points share first, then by point. */
export function behaviourChanges(before: Behaviours, after: Behaviours): BehaviourChange[] {
  const changed = Object.keys(before).flatMap((point): BehaviourChange[] => {
    const [was, is] = [before[point], ownMember(after, point)];
    if (was === undefined || is === undefined || was === is) return [];
    if (!isShape(point))
      return behaviourValue(point, was) === behaviourValue(point, is)
        ? []
        : [{ points: [point], before: was, after: is }];
    const places = shapeChanges(was, is);
    return places.length === 0 ? [] : [{ points: [point], before: was, after: is, places }];
  });
  const groups = Map.groupBy(changed, ({ points, before, after, places }) =>
    JSON.stringify([ruleOf(points[0] ?? ''), ...(places ?? [before, after])]),
  );
  return Array.from(
    groups.values(),
    ([first, ...others]): BehaviourChange | undefined =>
      first && {
        ...first,
        points: [first, ...others].flatMap(({ points }) => points),
      },
  )
    .filter((change) => change !== undefined)
    .sort((a, b) => b.points.length - a.points.length);
}

/** The part of a result that the comparison reads. */
interface Stood extends Pick<Result, 'outcome' | 'level'> {
  readonly reason?: string;
  readonly waived?: unknown;
}

/**
 * worse: it fails, and did not before; or it passed, and its operation no longer answers.
 * unjudged-before: it fails, and the earlier run was cut off before it judged it, so it may have failed then too.
 * lost: it was judged before, and could not be judged this time.
 * alike: its outcome is the same. otherwise: its outcome is another one, neither better nor worse.
 */
export type ChangeKind =
  | 'worse'
  | 'unjudged-before'
  | 'still-failing'
  | 'waived'
  | 'lost'
  | 'newly-warned'
  | 'no-longer-warned'
  | 'repaired'
  | 'newly-judged'
  | 'otherwise'
  | 'alike';

/** Reasons by which a check that passed before got worse: the target no longer serves or answers it. */
const gone: ReadonlySet<string> = new Set(['not-served', 'timeout', 'reset', 'unreachable', 'target-lost']);

/** Reasons of checks that a run did not reach because it was cut off. */
const cutOff: ReadonlySet<string> = new Set(['interrupted', 'budget']);

interface KindOptions {
  /** Only one of the runs was strict: failures of level inferred count as warnings in both. */
  readonly strictnessDiffers: boolean;
}

/** @param before undefined where the check was not among those of the earlier run */
export function kindOf(before: Stood | undefined, after: Stood, options: KindOptions): ChangeKind {
  const [was, is] = [before && outcomeIn(before, options), outcomeIn(after, options)];
  const wasJudged = was !== undefined && judged.has(was);
  if (is === 'fail') {
    if (after.waived) return 'waived';
    if (was === 'fail') return 'still-failing';
    return was === 'inconclusive' && cutOff.has(before?.reason ?? '') ? 'unjudged-before' : 'worse';
  }
  if (was === is) return 'alike';
  if (!judged.has(is)) {
    if (!wasJudged) return 'otherwise';
    return was === 'pass' && gone.has(after.reason ?? '') ? 'worse' : 'lost';
  }
  if (was === 'fail') return 'repaired';
  if (is === 'warn') return 'newly-warned';
  if (was === 'warn') return 'no-longer-warned';
  return wasJudged ? 'otherwise' : 'newly-judged';
}

function outcomeIn({ outcome, level }: Stood, { strictnessDiffers }: KindOptions): Outcome {
  return strictnessDiffers && outcome === 'fail' && level === 'inferred' ? 'warn' : outcome;
}

/** One check in both runs; `before` is absent where only the later run has it. */
export interface CheckChange {
  readonly before?: Result;
  readonly after: Result;
}

/** A host of which too little was judged, and less than in the earlier run. */
export interface Shortfall {
  readonly host: Host;
  /** Shares, 0 to 1; `before` is absent where the host was not given. */
  readonly before?: number;
  readonly after: number;
}

export interface Changes {
  /** The change of each check of the later run, in its order. */
  readonly kinds: Readonly<Record<ChangeKind, readonly CheckChange[]>>;
  readonly shortfalls: readonly Shortfall[];
  readonly behaviours: readonly BehaviourChange[];
  /** Checks of the earlier run that no longer exist, and checks that are new. */
  readonly gone: readonly Result[];
  readonly added: readonly Result[];
  /** Checks that the options of one of the runs left out. */
  readonly notAsked: number;
  /** Only one of the runs was strict: failures of level inferred were compared as warnings. */
  readonly strictnessDiffers: boolean;
}

export type Comparable = Pick<RunResult, 'checks' | 'options' | 'judgedShare' | 'target' | 'runId' | 'ended'>;

/** What changed from an earlier run to a later one. */
export function compareRuns(before: Comparable, after: Comparable): Changes {
  const earlier = new Map(before.checks.map((check) => [check.id, check]));
  const later = new Map(after.checks.map((check) => [check.id, check]));
  const strictnessDiffers = before.options.strict !== after.options.strict;
  const changes = Array.from(later.values(), (check): CheckChange => {
    const was = earlier.get(check.id);
    return was ? { before: was, after: check } : { after: check };
  });
  const kinds = Map.groupBy(changes, (change) => kindOf(change.before, change.after, { strictnessDiffers }));
  const of = (kind: ChangeKind): readonly CheckChange[] => kinds.get(kind) ?? [];
  const gone = before.checks.filter(({ id }) => !later.has(id));
  const added = after.checks.filter(({ id }) => !earlier.has(id));
  const [missed, unasked] = [isPart(after) ? gone : [], isPart(before) ? added : []];
  return {
    kinds: {
      worse: of('worse'),
      'unjudged-before': of('unjudged-before'),
      lost: of('lost'),
      'newly-warned': of('newly-warned'),
      'no-longer-warned': of('no-longer-warned'),
      repaired: of('repaired'),
      'still-failing': of('still-failing'),
      waived: of('waived'),
      'newly-judged': of('newly-judged'),
      otherwise: of('otherwise'),
      alike: of('alike'),
    },
    shortfalls: shortfalls(before, after),
    behaviours: behaviourChanges(behavioursOf(before.checks, before), behavioursOf(after.checks, after)),
    gone: missed.length > 0 ? [] : gone,
    added: unasked.length > 0 ? [] : added,
    notAsked: missed.length + unasked.length,
    strictnessDiffers,
  };
}

/** Whether a run has only a part of the checks, and so shows nothing about the others. */
const isPart = ({ options }: Comparable) => options.only.length > 0 || options.rerun;

/**
 * Hosts of which the later run judged less than its `--min-judged`, and less than the earlier run. An earlier run that
 * was cut off or partial is no measure; for a partial later run, only its own checks count in the earlier one.
 */
function shortfalls(before: Comparable, after: Comparable): Shortfall[] {
  const isMeasure = before.ended === 'complete' && (!isPart(before) || isPart(after));
  const asked = new Set(after.checks.map(({ id }) => id));
  const sharesBefore = isPart(after)
    ? judgedShares(before.checks.filter(({ id }) => asked.has(id)))
    : before.judgedShare;
  return tooLittleJudged(after).flatMap(([host, share]) => {
    const was = isMeasure ? sharesBefore[host] : undefined;
    if (was !== undefined && share >= was) return [];
    return [{ host, after: share, ...(was !== undefined && { before: was }) }];
  });
}

/** Check id → chosen behaviour; sorted by id. */
export type Behaviours = Readonly<Record<string, string>>;

const uuid = /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;
const isoTime = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?/g;
const httpDate = /\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\b/g;
/** Matches milliseconds since the epoch and ids made of digits; a limit in bytes is shorter. */
const longNumber = /\b\d{12,}\b/g;

/** The behaviours of a run. Equal for two runs against a target that did not change between them. */
export function behavioursOf(
  checks: readonly Pick<Result, 'id' | 'outcome' | 'behaviour'>[],
  about: Pick<RunResult, 'target' | 'runId'>,
): Behaviours {
  const settled = settler(about);
  const entries = checks.flatMap(({ id, outcome, behaviour }) =>
    outcome === 'observed' && behaviour !== undefined ? [[id, settled(behaviour)] as const] : [],
  );
  return Object.fromEntries(entries.sort(byName));
}

/** Replaces the parts of a behaviour that belong to one run or moment: run id, addresses, times, ids. */
function settler({ target, runId }: Pick<RunResult, 'target' | 'runId'>): (text: string) => string {
  const own = [...addresses(target), [runId, '‹run›'] as const].filter(([value]) => value !== '');
  return (text) =>
    own
      .reduce((replaced, [value, name]) => replaced.replaceAll(value, name), text)
      .replace(uuid, '‹id›')
      .replace(isoTime, '‹time›')
      .replace(httpDate, '‹time›')
      .replace(longNumber, '‹n›');
}

/** `http://127.0.0.1:40123` → `‹base›`; the longest first, since one may begin another. */
function addresses({ base, cdn, gamelogs }: TargetSummary): (readonly [value: string, name: string])[] {
  const urls = Object.entries({ base, cdn, gamelogs }).flatMap(([host, url]) =>
    url === undefined ? [] : [[url.replace(/\/+$/, ''), `‹${host}›`] as const],
  );
  return urls
    .flatMap(([url, name]) => [[url, name] as const, [url.replace(/^https?:\/\//, ''), name] as const])
    .sort(([a], [b]) => b.length - a.length);
}

/**
 * Whether a target answers an open point differently: with another value, or in another shape. A shape that only has
 * more fields is still the same.
 * @param before a behaviour in words, or its value: a pin may hold either
 */
export function isOtherBehaviour(point: string, before: string, after: string): boolean {
  if (before === after) return false;
  if (!isShape(point)) return behaviourValue(point, before) !== behaviourValue(point, after);
  return shapeChanges(before, after).some((change) => change.at === '' || change.before !== absent);
}
