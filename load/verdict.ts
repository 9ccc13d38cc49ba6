// Decides whether a load run is PASS, FAIL, INVALID or WRONG_UNDER_LOAD, and why: SLOs, wrong answers, broken rules,
// ended sessions, trends over time and limits of the generator. Pure.
import { median } from '../engine/values/quantile.ts';
import { threeDigits } from '../engine/values/text.ts';
import type { Shape } from './arrivals/shapes.ts';
import { brokenLines } from './conserved/rule.ts';
import { wrongText } from './run/figures.ts';
import type { Second } from './run/script-output.ts';
import { type Bound, type Slo, sloText } from './slo.ts';
import type { Away, OperationFigures, Step } from './step/plan.ts';

/** Share of the errors that counts as nearly all. */
const nearlyAll = 0.9;

type Errors = { readonly errors: Pick<Step['errors'], 'wrong' | 'transport' | 'kinds'> };

/** Returns whether the errors mean that players are no longer signed in. */
export function isUnauthorised({ errors: { wrong, transport, kinds } }: Errors): boolean {
  const refused = kinds['status 401'] ?? 0;
  return refused > 0 && refused >= nearlyAll * (wrong + transport);
}

/** @returns seconds into the run of the first such error; undefined where players are still signed in */
export function unauthorisedSince(
  step: Errors,
  seconds: readonly Pick<Second, 'at' | 'errors'>[],
): number | undefined {
  return isUnauthorised(step) ? (seconds.find(({ errors }) => errors > 0)?.at ?? 0) : undefined;
}

// The time line: whether latency recovers after a spike, and whether it gets worse over time.

/** The median of the p95 of each second, in ms. */
const p95Of = (seconds: readonly Second[]) => median(seconds.map(({ p95 }) => p95)) || 0;
const errorShare = (seconds: readonly Second[]) => {
  const requests = seconds.reduce((sum, second) => sum + second.requests, 0);
  return requests === 0 ? 0 : seconds.reduce((sum, { errors }) => sum + errors, 0) / requests;
};

/** Whether latency grew by more than chance: that of a quiet target varies by a few ms, and by half. */
const grown = (before: number, after: number) => after > before * 1.5 + 5;

/** Compares the time before the peak of the rate with the last half of the time after it. */
export function recoveryIn(seconds: readonly Second[]) {
  const most = Math.max(...seconds.map(({ offered }) => offered));
  const first = seconds.findIndex(({ offered }) => offered === most);
  const last = seconds.findLastIndex(({ offered }) => offered === most);
  const before = seconds.slice(0, Math.max(1, first));
  const rest = seconds.slice(last + 1).filter(({ offered }) => offered > 0);
  const after = rest.slice(Math.floor(rest.length / 2));
  const beforeMs = p95Of(before);
  const afterMs = p95Of(after);
  const failing = errorShare(after) > errorShare(before) + 0.01;
  const recovered = after.length > 0 && !grown(beforeMs, afterMs) && !failing;
  return { recovered, beforeMs, afterMs };
}

/** Compares the first quarter of the run with the last. */
export function trendIn(seconds: readonly Second[]) {
  const quarter = Math.max(1, Math.floor(seconds.length / 4));
  const [first, last] = [seconds.slice(0, quarter), seconds.slice(-quarter)];
  const [firstMs, lastMs] = [p95Of(first), p95Of(last)];
  const [firstErrors, lastErrors] = [errorShare(first), errorShare(last)];
  const worse = grown(firstMs, lastMs) || lastErrors > firstErrors + 0.01;
  return { worse, firstMs, lastMs, firstErrors, lastErrors };
}

export interface Verdict {
  readonly verdict: 'PASS' | 'FAIL' | 'INVALID' | 'WRONG_UNDER_LOAD';
  /** A sentence each. */
  readonly reasons: readonly string[];
}

export interface Judged {
  readonly step: Step;
  readonly slo: Slo;
  readonly perOperation: Readonly<Record<string, Slo>>;
  /** What the shape asks of the time line. */
  readonly asks?: Shape['asks'] | undefined;
  readonly seconds: readonly Second[];
  /** p95 in ms of the same script at the same rate against a target that does nothing; undefined where not measured. */
  readonly nullP95?: number | undefined;
  /** How the target differs at the end from before the run, in words; undefined where it does not. */
  readonly changed?: string | undefined;
  /** Seconds into the run at which the players' sessions ended, where they did. */
  readonly sessionsEndedAt?: number | undefined;
}

/** The exit code of a load that ran to its end. */
export const exitCodeOf = ({ verdict }: Pick<Verdict, 'verdict'>): 0 | 1 => (verdict === 'PASS' ? 0 : 1);

/** A generator that begins journeys later than this had no processor, so the run measured the generator. */
const mostLagMs = 40;
/** Largest share of the SLO that the generator's own latency may take. */
const mostNullShare = 0.05;
/** Least share of the due journeys that a valid run begins. */
const leastBegun = 0.98;

const ms = (value: number) => `${threeDigits(value)} ms`;
const percent = (share: number) => `${+(share * 100).toPrecision(2)} %`;

/** Wrong answers fail whatever the generator's state; latency needs a healthy generator. */
export function verdictOf(judged: Judged): Verdict {
  const { step } = judged;
  const nothing = unusable(step);
  if (nothing !== undefined) return { verdict: 'INVALID', reasons: [nothing] };
  const wrong = wrongAnswers(judged);
  const broken = brokenLines(step.conserved);
  // A target that was replaced during the run may have lost its data.
  if (broken.length > 0 && judged.changed === undefined)
    return { verdict: 'WRONG_UNDER_LOAD', reasons: [...atRate(step, broken), ...wrong] };
  if (wrong.length > 0 && mayBeOwnDoing(judged.step))
    return { verdict: 'INVALID', reasons: [shared, ...wrong] };
  if (wrong.length > 0) return withSessions(judged, wrong);
  const slow = slowness(judged);
  const invalid = generatorLimits(judged, slow.length > 0);
  if (invalid.length > 0) return { verdict: 'INVALID', reasons: [...invalid, ...slow] };
  const reasons = [...slow, ...overTime(judged)];
  if (reasons.length > 0) return { verdict: 'FAIL', reasons };
  if (judged.step.meeting?.met === 0) return { verdict: 'INVALID', reasons: [nobodyMet(judged)] };
  return { verdict: 'PASS', reasons: [`${sloText(judged.slo)} holds, and the answers are right`] };
}

const nobodyMet = ({ step: { meeting }, slo }: Judged) =>
  `nobody was matched, of ${meeting?.sought} players who entered: ${sloText(slo)} holds, and says nothing of a match; see that two players can meet here, or take a higher --rate`;

const atRate = ({ rate }: Step, [first, ...others]: readonly string[]) => [
  `at ${rate} journeys/s effects went wrong: ${first}`,
  ...others,
];

/** Makes the run INVALID where sessions ended: a client would have signed in again. */
function withSessions({ sessionsEndedAt: at }: Judged, wrong: readonly string[]): Verdict {
  if (at === undefined) return { verdict: 'FAIL', reasons: wrong };
  const why = `sessions ended after ${at} s: who signed in before the run gets 401 since, and load signs nobody in again; take a shorter --duration, or sessions that live longer`;
  return { verdict: 'INVALID', reasons: [why, ...wrong] };
}

const shared =
  'journeys that were under way at once had to share their players, so that one may have been refused for what another did; give more players (LOGIN_TOKEN), or take a lower --rate';
/** Answers that the player's state may explain, such as 404 for a party that another journey has left. */
const refusals: readonly string[] = ['403', '404', '409', '410', 'wrong body'];

/** Returns whether nearly all errors are refusals of players that several journeys shared. */
function mayBeOwnDoing({ peopleShared, errors }: Step): boolean {
  const many = (rows: Step['errors']['byOperation']) => rows.reduce((sum, { count }) => sum + count, 0);
  const refused = errors.byOperation.filter(({ answer }) => refusals.includes(answer));
  return peopleShared === true && many(refused) >= nearlyAll * many(errors.byOperation);
}

function unusable({ ended, sent }: Step): string | undefined {
  const why = {
    complete: undefined,
    interrupted: 'it was interrupted',
    'no-summary': 'k6 died before its end; what it had said until then is shown',
    threw: 'the script threw an exception',
    killed: 'k6 did not end in time and was killed; the rate may be far beyond this machine',
  }[ended];
  return why ?? (sent === 0 && ended !== 'complete' ? 'nothing was sent' : undefined);
}

const awayInWords = {
  silent: ['is gone', 'no call was answered'],
  waiting: ['asks everybody to wait', 'every call was answered with 429 or Retry-After'],
  broken: ['is broken', 'every call was answered with a server error'],
} as const;

/** `the target is gone since t = 12.4 s: no call was answered`. */
export function awayLine({ how, since, stopped }: Away): string {
  const [what, why] = awayInWords[how];
  const stop = stopped ? '; the load stopped ten seconds later' : '';
  return `the target ${what} since t = ${since} s: ${why}${stop}`;
}

function wrongAnswers({ step, slo, perOperation }: Judged): string[] {
  const { sent, errors, away } = step;
  const lineOf = (bad: number, of: number, bound: number, whose: string, rows: typeof errors.byOperation) =>
    bad > bound * of ? [`${whose}${tooMany(bad, of, bound)}: ${wrongText(rows)}`] : [];
  const all = lineOf(errors.wrong + errors.transport, sent, slo.errors, '', errors.byOperation);
  for (const [id, { errors: bound }] of Object.entries(perOperation)) {
    const figures = step.operations[id];
    if (!figures) continue;
    const many = Object.values(figures.errors).reduce((sum, each) => sum + each, 0);
    const own = errors.byOperation.filter(({ operation }) => operation === id);
    all.push(...lineOf(many, figures.count, bound, `${id}: `, own));
  }
  return all.length > 0 && away ? [awayLine(away), ...all] : all;
}

const tooMany = (bad: number, sent: number, bound: number) =>
  `${bad} of ${Math.max(sent, bad)} requests were answered wrongly or not at all (${percent(bad / Math.max(sent, bad))}, at most ${percent(bound)})`;

/** Returns the lines whose condition is true. */
const where = (...lines: readonly (readonly [isSo: boolean, line: string])[]): string[] =>
  lines.flatMap(([isSo, line]) => (isSo ? [line] : []));

function slowness({ step, slo, perOperation }: Judged): string[] {
  const { latency, dropped, journeys, inFlight } = step;
  const over = (figures: Pick<OperationFigures, Bound['name']>, bounds: readonly Bound[], whose: string) =>
    bounds.flatMap(({ name, ms: most }) =>
      figures[name] > most ? [`${whose}${name} is ${ms(figures[name])}, more than ${most} ms`] : [],
    );
  return [
    ...over(latency, slo.bounds, ''),
    ...Object.entries(perOperation).flatMap(([id, { bounds }]) => {
      const figures = step.operations[id];
      return figures ? over(figures, bounds, `${id}: `) : [`${id}: not called by this journey`];
    }),
    ...where([
      journeys / Math.max(1, journeys + dropped) < leastBegun,
      `${dropped} journeys could not begin: ${inFlight} were still under way, which is the bound for this rate`,
    ]),
  ];
}

function generatorLimits({ step, slo, nullP95 = 0, changed }: Judged, isSlow: boolean): string[] {
  const { lagMs, missing, sent } = step;
  const strictest = Math.min(...slo.bounds.map((bound) => bound.ms));
  return where(
    [sent === 0, 'nothing was sent'],
    [changed !== undefined, `the target was another at the end than at the start: ${changed}`],
    [
      lagMs.p95 > mostLagMs,
      `the generator was late itself: journeys began ${ms(lagMs.p95)} after they were due (p95); take a lower --rate, a quieter machine, or several`,
    ],
    [
      missing > 0,
      `${missing} journeys were due and never came: the generator was held up; take a quieter machine, or a lower --rate`,
    ],
    [
      isSlow && nullP95 > strictest * mostNullShare,
      `the generator was the limit: the same script takes ${ms(nullP95)} (p95) against a target that does nothing`,
    ],
  );
}

function overTime({ asks, seconds }: Judged): string[] {
  if (asks === 'recovery') {
    const { recovered, beforeMs, afterMs } = recoveryIn(seconds);
    const line = `it did not come back after the spike: p95 ${ms(beforeMs)} before, ${ms(afterMs)} at the end`;
    return where([!recovered, line]);
  }
  if (asks !== 'trend') return [];
  const { worse, firstMs, lastMs, firstErrors, lastErrors } = trendIn(seconds);
  const line = `it got worse over time: p95 ${ms(firstMs)} in the first quarter, ${ms(lastMs)} in the last; errors ${percent(firstErrors)}, then ${percent(lastErrors)}`;
  return where([worse, line]);
}
