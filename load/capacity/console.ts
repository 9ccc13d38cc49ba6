// The search as a person reads it: a line a step, then the answer.
import { wrongText } from '../run/wrong-answers.ts';
import { estimate } from './belief.ts';
import { isMet } from './exit-code.ts';
import type { Outcome, Search, Taken, Wanted } from './search-types.ts';
import type { Slo } from './slo.ts';

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
  return `${plan.label.slice(0, 2)} ${rate}  ${words[purpose].padEnd(15)} ${said(latest, search.options.slo)}${known(search)}`;
}

function said({ step, judgement, purpose }: Taken, slo: Slo): string {
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

function known({ belief }: Search): string {
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
