// Turns the data of a search into its outcome (verdict, number, sentence, exit code), and into lines and capacity.json.

import { threeDigits } from '../../engine/values/text.ts';
import { brokenIn, brokenLines } from '../conserved/rule.ts';
import type { Connections } from '../k6/plan.ts';
import type { CheckedCapacityOptions } from '../options.ts';
import { wrongText } from '../run/figures.ts';
import { type Slo, sloText } from '../slo.ts';
import type { Away } from '../step/plan.ts';
import { awayLine } from '../verdict.ts';
import { estimate, evidence, passes } from './estimate.ts';
import { rounded, type Search, type SearchOutcome, type Taken, type Verdict, type Wanted } from './model.ts';
import { errorsIn, type Limit } from './step-judgement.ts';

/** How a search may end: the verdict, where nothing else decides it, and the reason in words. */
const endings = {
  found: ['FOUND', ''],
  'below-start': ['BELOW_START', 'the first rate was already too much; give a lower --start'],
  'above-max': ['ABOVE_MAX', '--max-rate was taken; give a higher one to see more'],
  generator: ['GENERATOR_LIMITED', 'beyond it this machine is slow by itself; use a quieter one, or several'],
  unstable: [
    'UNSTABLE',
    'the same rate was taken and not taken: the target stalls, leaks, or answers before its work is done',
  ],
  'not-recovered': [
    'TARGET_DID_NOT_RECOVER',
    'after too much load the target did not come back at half of a good rate',
  ],
  interrupted: ['ABORTED', 'it was interrupted; what was known by then'],
  budget: ['ABORTED', 'the time ran out before the answer was narrow; give a longer --budget'],
  broken: ['ABORTED', 'two steps in a row left no figures; see what the generator says'],
} as const satisfies Readonly<Record<string, readonly [Verdict, string]>>;

type Ending = keyof typeof endings;

/** Half the width of the interval, as a share of the capacity, above which it is no answer. */
const tooWide = 0.25;

export function outcomeOf(search: Search, ending: Ending): SearchOutcome {
  const wrong = firstWrong(search);
  if (wrong !== undefined) return wrongUnderLoad(search, ending, wrong);
  const limit = limitOf(search);
  const away = endsAway.includes(ending) ? awayIn(search) : undefined;
  const isGone = away?.how === 'silent' && ending === 'below-start';
  const verdict = isGone ? 'ABORTED' : verdictOf(search, ending, limit);
  const reason =
    verdict === 'FOUND' || verdict === 'ERRORS'
      ? foundBecause(limit, ending)
      : away
        ? awayLine(away)
        : endings[verdict === 'GENERATOR_LIMITED' ? 'generator' : ending][1];
  const first = verdict === 'GENERATOR_LIMITED' ? 'generator' : limit;
  return { verdict, reason, ...figures(search, ending), limit: first };
}

/** Endings that may be due to a target that is away. */
const endsAway: readonly Ending[] = ['below-start', 'not-recovered', 'budget', 'broken'];

/** How the target was away in the last steps, and since when, in s from the beginning of the search. */
function awayIn({ taken }: Search): Away | undefined {
  const steps = taken.filter(({ purpose }) => purpose !== 'ceiling').map(({ step }) => step);
  const first = steps[steps.findLastIndex(({ away }) => away === undefined) + 1];
  if (first?.away === undefined) return undefined;
  const [begun = 0, there = 0] = [taken[0]?.step, first].map((step) => Date.parse(step?.startedAt ?? ''));
  return { how: first.away.how, since: Math.round((there - begun) / 100 + 10 * first.away.since) / 10 };
}

/** The step of the lowest rate at which effects were lost, doubled or mixed up. */
function firstWrong({ taken }: Search): Taken | undefined {
  const wrong = taken.filter(({ step }) => brokenIn(step.conserved) > 0);
  return wrong.sort((a, b) => a.plan.rate - b.plan.rate)[0];
}

/** The capacity is the highest rate that is fast and right: never one at which something was wrong. */
function wrongUnderLoad(search: Search, ending: Ending, { plan, step }: Taken): SearchOutcome {
  const { rate } = plan;
  const [line = ''] = brokenLines(step.conserved);
  const known = {
    verdict: 'WRONG_UNDER_LOAD',
    reason: `at ${threeDigits(rate)}/s effects went wrong: ${line}`,
    firstWrong: rate,
  } as const;
  if (ending === 'found' || (ending === 'budget' && isNarrow(search))) {
    const { capacity, interval } = figures(search, ending);
    // Where effects went wrong below the interval, the interval describes another limit.
    if (capacity !== null && rate >= (interval[0] ?? 0))
      return { ...known, capacity: Math.min(capacity, rate), interval, limit: limitOf(search) };
  }
  const right = passes(search)
    .map((each) => each.plan.rate)
    .filter((each) => each < rate);
  const highest = right.length === 0 ? null : Math.max(...right);
  return { ...known, capacity: highest, interval: [highest, rate], limit: 'effects' };
}

function verdictOf(search: Search, ending: Ending, limit: Limit | null): Verdict {
  const found: Verdict = limit === 'errors' ? 'ERRORS' : 'FOUND';
  if (ending === 'found') return found;
  if (ending === 'below-start' && limit === 'errors') return 'ERRORS';
  if (ending === 'budget') {
    if (search.belief === undefined && search.ceiling.failed < Number.POSITIVE_INFINITY)
      return 'GENERATOR_LIMITED';
    if (isNarrow(search)) return found;
  }
  return endings[ending][0];
}

function isNarrow({ belief, ...search }: Search): boolean {
  if (belief === undefined || passes(search).length === 0) return false;
  const { low, high } = estimate(belief);
  return Math.log(high / low) / 2 <= tooWide;
}

function figures(
  { belief, ...search }: Search,
  ending: Ending,
): Pick<SearchOutcome, 'capacity' | 'interval'> {
  const good = passes(search).map(({ plan }) => plan.rate);
  const bad = evidence(search)
    .filter(({ judgement }) => !judgement.passed)
    .map(({ plan }) => plan.rate);
  const highest = good.length === 0 ? null : Math.max(...good);
  const isOpen = belief === undefined || ending === 'generator' || ending === 'above-max';
  if (isOpen) return { capacity: highest, interval: [highest, null] };
  if (highest === null) return { capacity: null, interval: [null, Math.min(...bad)] };
  const { median, low, high } = estimate(belief);
  return { capacity: rounded(median), interval: [rounded(low), rounded(high)] };
}

/** The most frequent limit of the three failures nearest to the estimate. */
function limitOf({ belief, ...search }: Search): Limit | null {
  if (belief === undefined) return null;
  const { median } = estimate(belief);
  const failed = evidence(search).filter(({ judgement }) => !judgement.passed);
  const near = failed.sort(
    (a, b) => Math.abs(Math.log(a.plan.rate / median)) - Math.abs(Math.log(b.plan.rate / median)),
  );
  const limits = near.slice(0, 3).map(({ judgement }) => judgement.limit);
  const count = (limit: Limit) => limits.filter((each) => each === limit).length;
  return limits.sort((a, b) => count(b) - count(a))[0] ?? null;
}

function foundBecause(limit: Limit | null, ending: Ending): string {
  const until = ending === 'budget' ? '; the time ran out while narrowing' : '';
  if (limit === 'errors') return `answers go wrong before they go slow${until}`;
  return `beyond it, ${limit === 'refusals' ? 'the target refuses (429)' : 'the bound on latency breaks'}${until}`;
}

// The meaning of an outcome for scripts.

/** Whether the target surely takes the rate: the lower end of the interval reaches it, and the target was stable. */
function isMet({ verdict, interval: [low] }: SearchOutcome, atLeast: number): boolean {
  const isUnsure = verdict === 'UNSTABLE' || verdict === 'TARGET_DID_NOT_RECOVER';
  return !isUnsure && low !== null && low >= atLeast;
}

/**
 * Returns 130 where the user interrupted the search, and 0 where the bound is surely met or, without a bound, where a
 * capacity is known.
 */
export function exitCodeOf(
  outcome: SearchOutcome,
  atLeast: number | undefined,
  isInterrupted: boolean,
): 0 | 1 | 130 {
  if (isInterrupted) return 130;
  if (atLeast !== undefined) return isMet(outcome, atLeast) ? 0 : 1;
  const isFigure = ['FOUND', 'ERRORS', 'ABOVE_MAX'].includes(outcome.verdict) && outcome.capacity !== null;
  return isFigure ? 0 : 1;
}

// Lines for the console.

const words = { grow: 'more', refine: 'narrowing', probe: 'recovered?', ceiling: 'generator alone' } as const;

/** Describes the next step. */
export function nextLine({ purpose, plan, restMs }: Wanted): string {
  const rest = restMs > 0 ? `${restMs / 1_000} s of rest, then ` : '';
  return `${rest}${threeDigits(plan.rate)}/s for ${Math.round(plan.durationMs / 1_000)} s (${words[purpose]})`;
}

/** Describes the result of the latest step, and the estimate after it. */
export function stepLine(search: Search): string {
  const latest = search.taken.at(-1);
  if (!latest) return '';
  const { plan, purpose } = latest;
  const rate = `${threeDigits(plan.rate)}/s`.padStart(9);
  return `${plan.label.slice(0, 2)} ${rate}  ${words[purpose].padEnd(15)} ${stepFigures(latest, search.options.slo)}${estimateText(search)}`;
}

function stepFigures({ step, judgement, purpose }: Taken, slo: Slo): string {
  if (step.ended !== 'complete') return `no figures (${step.ended})`;
  const timed = (ms: number) => (ms > 0 ? `${threeDigits(ms)} ms` : '–');
  const latency = slo.bounds.map(({ name }) => `${name} ${timed(step.latency[name])}`).join('  ');
  const errors = errorsIn(step);
  const more = [
    ...(errors > 0 ? [`${errors} wrong: ${wrongText(step.errors.byOperation)}`] : []),
    ...(step.dropped > 0 ? [`${step.dropped} not begun`] : []),
    ...(step.missing > 0 ? [`${step.missing} never sent`] : []),
    ...(judgement.suspect ? ['generator late'] : []),
    ...(brokenIn(step.conserved) > 0 ? [`effects wrong for ${brokenIn(step.conserved)}`] : []),
  ];
  const verdict = purpose === 'ceiling' ? '' : judgement.passed ? '  ok' : '  too much';
  return [`${latency}${verdict}`, ...more].join(', ');
}

function estimateText({ belief }: Search): string {
  if (belief === undefined) return '';
  const { low, high } = estimate(belief);
  return `  → ${threeDigits(low)} to ${threeDigits(high)}`;
}

/** The unit of all rates, as in the options. */
const unit = 'journeys/s';

/** The answer, in two or three lines. */
export function outcomeLines(outcome: SearchOutcome, atLeast: number | undefined): string[] {
  const { verdict, reason, capacity } = outcome;
  const answer =
    capacity === null ? verdict : `${verdict}: ${threeDigits(capacity)} ${unit} (${intervalText(outcome)})`;
  const bound =
    atLeast === undefined
      ? []
      : [`at least ${atLeast}: ${isMet(outcome, atLeast) ? 'met' : 'not met for sure'}`];
  return [answer, reason, ...bound];
}

/** `95 % interval 174 to 187`; without an estimate, the highest rate that was taken and the lowest that was not. */
function intervalText({ capacity, interval: [low, high] }: SearchOutcome): string {
  if (low !== null && high !== null && low !== capacity)
    return `95 % interval ${threeDigits(low)} to ${threeDigits(high)}`;
  const seen = high === null ? 'nothing seen' : threeDigits(high);
  return `${low === null ? 'nothing' : threeDigits(low)} is taken, ${seen} is too much`;
}

// capacity.json: the answer and its evidence.

/** What was searched, and how. */
interface Subject {
  readonly journey: string;
  readonly requestsPerJourney: number;
  readonly target: Readonly<Record<string, string | undefined>>;
  /** Certificates were not checked. */
  readonly insecure: boolean;
  readonly connections: Connections;
  readonly seed: string;
  readonly startedAt: string;
  readonly durationMs: number;
}

/** Schema `assay.capacity/1`. Times in ms, rates in `unit`; a side of `interval` that is not known is null. */
export function capacityJson(
  subject: Subject,
  { slo, arrivals, atLeast }: CheckedCapacityOptions,
  search: Search,
  outcome: SearchOutcome,
) {
  const { target, insecure, connections, seed, startedAt, durationMs, journey, requestsPerJourney } = subject;
  return {
    schema: 'assay.capacity/1',
    ...outcome,
    unit,
    ...(atLeast !== undefined && { atLeast, met: isMet(outcome, atLeast) }),
    journey,
    requestsPerJourney,
    arrivals,
    slo: sloText(slo),
    target,
    ...(insecure && { insecure }),
    connections,
    seed,
    startedAt,
    durationMs,
    generator: generatorOf(search),
    steps: search.taken.map(stepOf),
  };
}

/** `ceiling`: the highest rate at which the generator alone was seen fast enough; null where it was not measured. */
function generatorOf({ ceiling, taken }: Search) {
  return {
    ceiling: ceiling.proven > 0 ? ceiling.proven : null,
    cpu: Math.max(0, ...taken.map(({ step }) => step.cpu)),
    memoryMiB: Math.max(0, ...taken.map(({ step }) => step.memoryMiB)),
    lag: Math.max(0, ...taken.map(({ step }) => step.lagMs.p95)),
  };
}

function stepOf({ purpose, step, judgement }: Taken) {
  const { label, rate, durationMs, warmupMs, startedAt, ended, sent, achieved, dropped, latency } = step;
  return {
    label,
    purpose,
    against: purpose === 'ceiling' ? 'null' : 'target',
    passed: judgement.passed,
    limit: judgement.passed ? null : judgement.limit,
    rate,
    durationMs,
    warmupMs,
    startedAt,
    ended,
    sent,
    achieved,
    dropped,
    latency,
    errors: step.errors,
    lagMs: step.lagMs,
    cpu: step.cpu,
    ...(step.conserved && { conserved: step.conserved }),
  };
}
