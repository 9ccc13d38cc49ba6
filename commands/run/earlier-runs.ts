// Reads the results of earlier runs: of `--baseline`, to compare with, and of `--rerun`, whose checks are asked again.
import type { Outcome } from '../../engine/judgement.ts';
import { askedDifferently, surroundingOptions } from '../../engine/run/asked.ts';
import type { AttackMode } from '../../engine/run/attacks.ts';
import type { OpenedTarget } from '../../engine/run/open-target.ts';
import type { Plan } from '../../engine/run/plan.ts';
import type { Result, RunResult, TargetSummary } from '../../engine/run/result.ts';
import { readStoredResult } from '../../engine/run/stored-result.ts';
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { quoted } from '../../engine/values/text.ts';
import type { RunCommandOptions } from './run.ts';

/** The earlier run whose checks are asked again. */
export interface Before {
  readonly path: string;
  readonly startedAt: string;
  /** Outcomes of the checks that are asked again, by id. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  readonly target: TargetSummary;
  readonly options: RunResult['options'];
}

interface EarlierRuns {
  /** Undefined where the run is no rerun. */
  readonly before?: Before;
  readonly baseline: RunResult | undefined;
  /** Ids of the only checks that are asked; undefined where the run is no rerun. */
  readonly again: readonly string[] | undefined;
  /** Whether `--strict` is given, or was in the earlier run: without it, failures of that run may be warnings. */
  readonly strict: boolean;
  /** Whether `--read-only` is given, or was in the earlier run. */
  readonly readOnly: boolean;
}

/** Outcomes that a rerun asks again, besides what failed for a baseline: findings, and what could not be judged. */
const unsettled: ReadonlySet<Outcome> = new Set(['fail', 'warn', 'inconclusive', 'harness-error']);

/**
 * Reads the files that `--baseline` and `--rerun` name.
 * @throws ConfigurationError where one cannot be used, or leaves nothing to ask again
 */
export function readEarlierRuns({
  baseline,
  failOn,
  rerun,
  strict = false,
  readOnly = false,
}: Pick<RunCommandOptions, 'baseline' | 'failOn' | 'rerun' | 'strict' | 'readOnly'>): EarlierRuns {
  if (failOn !== undefined && baseline === undefined)
    throw new ConfigurationError(['--fail-on: says what fails a run that has a --baseline; name one']);
  return {
    baseline: baseline === undefined ? undefined : readStoredResult(baseline, '--baseline'),
    ...(rerun === undefined ? { again: undefined, strict, readOnly } : idsToAsk(rerun, { strict, readOnly })),
  };
}

function idsToAsk(
  path: string,
  { strict, readOnly }: Pick<EarlierRuns, 'strict' | 'readOnly'>,
): Pick<EarlierRuns, 'strict' | 'readOnly' | 'before'> & { readonly again: string[] } {
  const { checks, options, startedAt, target } = readStoredResult(path, '--rerun');
  const unsettledOnes = checks.filter(({ outcome, since }) => unsettled.has(outcome) || since !== undefined);
  const ids = unsettledOnes.map(({ id }) => id);
  const outcomes = new Map(unsettledOnes.map(({ id, outcome }) => [id, outcome]));
  if (ids.length > 0)
    return {
      again: ids,
      strict: strict || options.strict,
      readOnly: readOnly || options.readOnly,
      before: { path, startedAt, outcomes, target, options },
    };
  throw new ConfigurationError([
    `--rerun: in ${quoted(path)} nothing failed, warned or was inconclusive; run without --rerun`,
  ]);
}

/** What a rerun asks: which run's checks, how many of which outcome, and by which rules. */
export function rerunLines(
  before: Before | undefined,
  checks: Plan['checks'],
  { strict, readOnly }: Pick<EarlierRuns, 'strict' | 'readOnly'>,
): string[] {
  if (before === undefined) return [];
  const { path, startedAt, outcomes } = before;
  const kept = [strict && '--strict', readOnly && '--read-only'].filter(Boolean).join(' ');
  const how = kept === '' ? '' : `, with ${kept}`;
  const counts = countsOf(checks.map(({ id }) => outcomes.get(id) ?? 'inconclusive'));
  const one = checks.length === 1 ? 'check' : 'checks';
  return [
    `--rerun: asks again ${checks.length} ${one} of ${quoted(path)} (run of ${startedAt}): ${counts}${how}`,
  ];
}

/** The outcomes of the checks that were asked again, by their earlier outcome. */
export function rerunEnd(before: Before | undefined, checks: readonly Result[]): string[] {
  if (before === undefined) return [];
  const groups = Map.groupBy(checks, ({ id }) => before.outcomes.get(id) ?? 'inconclusive');
  return Array.from(
    groups,
    ([outcome, now]) =>
      `--rerun: of ${now.length} ${outcome} before, now ${countsOf(now.map((each) => each.outcome))}`,
  );
}

/** `3 fail, 9 inconclusive`. */
const countsOf = (outcomes: readonly Outcome[]): string =>
  [...Map.groupBy(outcomes, (outcome) => outcome)]
    .map(([outcome, { length }]) => `${length} ${outcome}`)
    .join(', ');

const mostNamed = 3;

/**
 * A line that names the checks of `--rerun` that no longer exist; undefined where all do.
 * @throws ConfigurationError where nothing is left to ask
 */
export function goneLine(again: readonly string[] | undefined, plan: Plan): string | undefined {
  if (again === undefined) return undefined;
  const plannedIds = new Set(plan.known);
  const gone = again.filter((id) => !plannedIds.has(id));
  const named = gone.slice(0, mostNamed).map((id) => quoted(id).slice(1, -1));
  const more = gone.length > mostNamed ? ` and ${gone.length - mostNamed} more` : '';
  const line =
    gone.length === 0
      ? undefined
      : `--rerun: ${gone.length} of its ${again.length} checks no longer exist: ${named.join(', ')}${more}`;
  if (plan.checks.length > 0) return line;
  throw new ConfigurationError([
    line ?? '--rerun: --only leaves none of its checks to ask; run with one of the two alone',
  ]);
}

/** A line for each earlier run that had another profile, version or settings than this one. */
export function otherSettingsLines(
  earlier: Readonly<Record<string, RunResult['options'] | undefined>>,
  opened: Parameters<typeof surroundingOptions>[0],
  limits: Parameters<typeof surroundingOptions>[1],
): string[] {
  return Object.entries(earlier).flatMap(([option, before]) => {
    if (before === undefined) return [];
    const now = { ...before, profile: undefined, ...surroundingOptions(opened, limits) };
    const [was, is] = askedDifferently({ options: before }, { options: now });
    if (was.length + is.length === 0) return [];
    const [then, here] = [was, is].map((texts) => texts.join(', ') || 'none of these');
    return [`${option}: that run was asked with ${then}, and this one with ${here}`];
  });
}

/** The mode of `--attack`; `on` for a rerun where the earlier run had it on against the very same target. */
export function attackOn(
  asked: AttackMode = 'auto',
  { embedded, hosts }: Pick<OpenedTarget['target'], 'embedded' | 'hosts'>,
  before: Before | undefined,
): AttackMode {
  const isAskedAgain = before?.options.attack === 'on' && isSameTarget(before.target, { embedded, hosts });
  return asked === 'auto' && isAskedAgain ? 'on' : asked;
}

const isSameTarget = (
  before: TargetSummary,
  { embedded, hosts }: Pick<OpenedTarget['target'], 'embedded' | 'hosts'>,
): boolean => (embedded ? before.embedded : before.base === hosts.base);

/**
 * Warns where the run of `--rerun` asked another server: a check that passes here may still fail there.
 * @throws ConfigurationError where no URL is set, and that run did not ask the embedded server; or where that run had a
 * profile and this one has none, with which its failures are warnings and look mended
 */
export function otherTargetLines(
  before: Before | undefined,
  target: Pick<OpenedTarget['target'], 'embedded' | 'hosts' | 'profileFile'>,
): string[] {
  if (before === undefined) return [];
  const isSame = isSameTarget(before.target, target);
  const nameOf = ({ embedded, base = 'no main API' }: Pick<TargetSummary, 'embedded' | 'base'>) =>
    embedded ? 'the embedded server' : base;
  const asked = `--rerun: that run asked ${nameOf(before.target)}`;
  if (!isSame && target.embedded)
    throw new ConfigurationError([`${asked}, and no URL is set; set the same URLs`]);
  const { profile } = before.options;
  if (profile !== undefined && target.profileFile === undefined)
    throw new ConfigurationError([
      `--rerun: that run had the profile ${quoted(profile.file)}; give it with --profile, too`,
    ]);
  if (isSame) return [];
  const now = nameOf({ embedded: target.embedded, ...target.hosts });
  return [`${asked}, and this one asks ${now}; set the same URLs`];
}
