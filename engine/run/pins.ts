// Compares behaviours with the pins of a profile (`expects`): a behaviour that differs from its pin fails. Pure.
import { behaviourValue, noticeOfChange } from '../../catalog/behaviours.ts';
import type { PlannedCheck } from '../judgement.ts';
import { ownMember } from '../values/members.ts';
import { globMatches, nearest, quoted } from '../values/text.ts';
import { type Behaviours, behavioursOf, isOtherBehaviour } from './compare-runs.ts';
import { type Result, type RunResult, ruleOf } from './result.ts';

type About = Pick<RunResult, 'target' | 'runId'>;

/** The behaviours of a run by check id, including those that fail because of a pin. */
export const chosenIn = (checks: readonly Result[], about: About): Behaviours =>
  behavioursOf(
    checks.map((check) =>
      check.behaviour === undefined ? check : { ...check, outcome: 'observed' as const },
    ),
    about,
  );

/** The behaviour that a profile expects of an open point; an exact id goes before a glob. */
export const pinOf = (expects: Readonly<Record<string, string>>, id: string): string | undefined =>
  ownMember(expects, id) ?? expects[Object.keys(expects).find((glob) => globMatches(glob, id)) ?? ''];

/** The beginning of the `cause` of a behaviour that differs from its pin. */
export const pinnedCause = 'expects | ';

/**
 * Fails the open points whose behaviour differs from the one that the profile expects.
 * @param expects behaviours by check id, or by a glob of ids
 * @param known ids of all the checks there are
 * @param held `today`: the day the run began, YYYY-MM-DD; `until`: the last day of the pins that have one
 * @returns also the ids of open points that are as pinned, and a line for each pin that matches no check, or none that
 *   records a behaviour, or has expired
 */
export function applyPins(
  checks: readonly Result[],
  expects: Readonly<Record<string, string>>,
  known: readonly string[],
  about: About,
  held: { readonly today: string; readonly until?: Readonly<Record<string, string>> | undefined },
): {
  readonly checks: readonly Result[];
  readonly asPinned: ReadonlySet<string>;
  readonly problems: readonly string[];
} {
  const globs = Object.keys(expects);
  const asPinned = new Set<string>();
  if (globs.length === 0) return { checks, asPinned, problems: [] };
  const chosen = chosenIn(checks, about);
  return {
    checks: checks.map((check): Result => {
      const [pinned, behaviour] = [pinOf(expects, check.id), chosen[check.id]];
      const isOpen = check.outcome === 'observed' && behaviour !== undefined;
      if (pinned === undefined || !isOpen) return check;
      if (!isOtherBehaviour(check.id, pinned, behaviour)) {
        asPinned.add(check.id);
        return check;
      }
      return {
        ...check,
        outcome: 'fail',
        level: 'profile',
        expected: `${pinned} (expected by the profile)`,
        actual: behaviourValue(check.id, behaviour) ?? behaviour,
        detail: noticeOfChange(check.id, check.title, pinned, behaviour),
        cause: `${pinnedCause}${ruleOf(check.id)} | ${pinned} | ${behaviour}`,
      };
    }),
    asPinned,
    problems: [
      ...unmatchedPins(expects, known),
      ...pinsOfNoPoint(globs, checks, isOfRule),
      ...expiredPins(expects, held),
    ],
  };
}

/**
 * The problems of pins before a run, a line each: pins that match no check, or only documented ones. A check of another
 * level may still record a behaviour, where it finds nothing to judge.
 */
export const pinProblems = (
  expects: Readonly<Record<string, string>>,
  planned: readonly Pick<PlannedCheck, 'id' | 'level'>[],
): readonly string[] => [
  ...unmatchedPins(
    expects,
    planned.map(({ id }) => id),
  ),
  ...pinsOfNoPoint(Object.keys(expects), planned, ({ level }) => level === 'documented'),
];

/** A line for each pin that matches no check, with the nearest id. */
export const unmatchedPins = (
  expects: Readonly<Record<string, string>>,
  known: readonly string[],
): readonly string[] =>
  Object.keys(expects)
    .filter((glob) => !known.some((id) => globMatches(glob, id)))
    .map((glob) => {
      const [near] = nearest(glob, known, 1);
      return `expects: ${quoted(glob)} matches no check${near === undefined ? '' : ` (nearest: ${near})`}`;
    });

/** A line for each pin whose checks were all judged by a rule: such a check passes or fails, and records nothing. */
function pinsOfNoPoint<Check extends { readonly id: string }>(
  globs: readonly string[],
  checks: readonly Check[],
  isOfRule: (check: Check) => boolean,
): readonly string[] {
  return globs.flatMap((glob) => {
    const pinned = checks.filter(({ id }) => globMatches(glob, id));
    return pinned.length > 0 && pinned.every(isOfRule)
      ? [
          `expects: ${quoted(glob)} is no open point: a rule judges it, and no behaviour is recorded; delete it`,
        ]
      : [];
  });
}

const isOfRule = ({ level, outcome, behaviour }: Result) =>
  level !== 'open' &&
  behaviour === undefined &&
  (outcome === 'pass' || outcome === 'fail' || outcome === 'warn');

/** A line for each pin whose last day is over, whatever the target does. */
const expiredPins = (
  expects: Readonly<Record<string, string>>,
  {
    today,
    until = {},
  }: { readonly today: string; readonly until?: Readonly<Record<string, string>> | undefined },
): readonly string[] =>
  Object.keys(expects).flatMap((glob) => {
    const last = until[glob];
    return last !== undefined && today > last
      ? [`expects: ${quoted(glob)} expired on ${last}; accept what the server does now, or give a later day`]
      : [];
  });
