// Reports a capacity search: lines for the console, and capacity.json.
import { wrongText } from '../run/wrong-answers.ts';
import { estimate } from './belief.ts';
import type { Outcome, Search, Taken, Wanted } from './model.ts';
import type { CheckedCapacityOptions } from './options.ts';
import { isMet } from './outcome.ts';
import { type Slo, sloText } from './slo.ts';

const words = { grow: 'more', refine: 'narrowing', probe: 'recovered?', ceiling: 'generator alone' } as const;

const figure = (value: number) =>
  value >= 1_000 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)));

/** What comes now. */
export function nextLine({ purpose, plan, restMs }: Wanted): string {
  const rest = restMs > 0 ? `${restMs / 1_000} s of rest, then ` : '';
  return `${rest}${figure(plan.rate)}/s for ${Math.round(plan.durationMs / 1_000)} s (${words[purpose]})`;
}

/** What became of the latest step, and what is known since. */
export function stepLine(search: Search): string {
  const latest = search.taken.at(-1);
  if (!latest) return '';
  const { plan, purpose } = latest;
  const rate = `${figure(plan.rate)}/s`.padStart(9);
  return `${plan.label.slice(0, 2)} ${rate}  ${words[purpose].padEnd(15)} ${stepFigures(latest, search.options.slo)}${estimateText(search)}`;
}

function stepFigures({ step, judgement, purpose }: Taken, slo: Slo): string {
  if (step.ended !== 'complete') return `no figures (${step.ended})`;
  const measured = {
    p50: step.latency.p50,
    p95: step.latency.p95,
    p99: step.latency.p99,
    p999: step.latency.p999,
  };
  const latency = slo.bounds.map(({ name }) => `${name} ${figure(measured[name])} ms`).join('  ');
  const errors = step.errors.wrong + step.errors.transport;
  const more = [
    ...(errors > 0 ? [`${errors} wrong: ${wrongText(step.errors.byOperation)}`] : []),
    ...(step.dropped > 0 ? [`${step.dropped} not begun`] : []),
    ...(step.missing > 0 ? [`${step.missing} never sent`] : []),
    ...(judgement.suspect ? ['generator late'] : []),
  ];
  const verdict = purpose === 'ceiling' ? '' : judgement.passed ? '  ok' : '  too much';
  return [`${latency}${verdict}`, ...more].join(', ');
}

function estimateText({ belief }: Search): string {
  if (belief === undefined) return '';
  const { low, high } = estimate(belief);
  return `  → ${figure(low)} to ${figure(high)}`;
}

/** The answer, in two or three lines. */
export function outcomeLines(outcome: Outcome, unit: string, atLeast: number | undefined): string[] {
  const { verdict, reason, capacity } = outcome;
  const [confirmed, failed] = outcome.interval;
  const bounds = `${confirmed === null ? 'nothing' : figure(confirmed)} is taken, ${failed === null ? 'nothing seen' : figure(failed)} is too much`;
  const answer = capacity === null ? verdict : `${verdict}: ${figure(capacity)} ${unit} (${bounds})`;
  const bound =
    atLeast === undefined
      ? []
      : [`at least ${figure(atLeast)}: ${isMet(outcome, atLeast) ? 'met' : 'not met for sure'}`];
  return [answer, reason, ...bound];
}

// capacity.json: the answer and its evidence.

/** What a search was about. */
interface Subject {
  readonly journey: string;
  readonly requestsPerJourney: number;
  readonly target: Readonly<Record<string, string | undefined>>;
  /** No certificate was checked. */
  readonly insecure: boolean;
  readonly seed: string;
  readonly startedAt: string;
  readonly durationMs: number;
}

/** Schema `assay.capacity/1`. Times in ms, rates in `unit`; a side of `interval` that is not known is null. */
export function capacityJson(
  subject: Subject,
  { slo, arrivals, atLeast }: CheckedCapacityOptions,
  search: Search,
  outcome: Outcome,
) {
  const { target, insecure, seed, startedAt, durationMs, journey, requestsPerJourney } = subject;
  return {
    schema: 'assay.capacity/1',
    ...outcome,
    unit: requestsPerJourney === 1 ? 'requests/s' : 'journeys/s',
    ...(atLeast !== undefined && { atLeast, met: isMet(outcome, atLeast) }),
    journey,
    requestsPerJourney,
    arrivals,
    slo: sloText(slo),
    target,
    ...(insecure && { insecure }),
    seed,
    startedAt,
    durationMs,
    generator: generatorOf(search),
    steps: search.taken.map(stepOf),
  };
}

/** `ceiling`: the highest rate at which the generator alone was seen fast enough; null where nothing made it necessary. */
function generatorOf({ ceiling, taken }: Search) {
  return {
    ceiling: ceiling.proven > 0 ? ceiling.proven : null,
    cpu: Math.max(0, ...taken.map(({ step }) => step.cpu)),
    lag: Math.max(0, ...taken.map(({ step }) => step.lagMs.p95)),
  };
}

function stepOf({ purpose, step, judgement }: Taken) {
  const { label, rate, durationMs, warmupMs, startedAt, ended, sent, achieved, dropped, capped, latency } =
    step;
  return {
    ...{ label, purpose, against: purpose === 'ceiling' ? 'null' : 'target', passed: judgement.passed },
    ...{ limit: judgement.passed ? null : judgement.limit, rate, durationMs, warmupMs, startedAt, ended },
    ...{ sent, achieved, dropped, capped, latency, errors: step.errors, lagMs: step.lagMs, cpu: step.cpu },
  };
}
