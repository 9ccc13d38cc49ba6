// Writes the headline of a run in words, which all reports for people share.
import { type Outcome, outcomes } from '../../engine/judgement.ts';
import type { RunResult } from '../../engine/run/result.ts';

const words: Readonly<Record<Outcome, string>> = {
  fail: 'failed',
  warn: 'warned',
  pass: 'passed',
  observed: 'observed',
  inconclusive: 'inconclusive',
  'not-applicable': 'not applicable',
  'harness-error': "stumbled (Assay's own error)",
};

export interface Headline {
  /** The verdict sentence. */
  readonly verdict: string;
  /** Operations served, operations that answered 2xx, number of checks, time. */
  readonly scope: string;
  /** Checks by outcome, without the outcomes that no check had. */
  readonly outcomes: string;
  /** How much of what the document states was judged, per host; empty where nothing applied. */
  readonly judged: string;
}

/** The headline of a run. */
export function headline(result: RunResult): Headline {
  const { operations, served, answered2xx, verdict } = result.headline;
  // A rule that the run did not ask is left out: a zero would read as a verdict.
  const hasRule = (rule: string) => result.checks.some(({ id }) => id.endsWith(`#${rule}`));
  const leftOutCount = leftOut(result);
  const besides = leftOutCount > 0 ? ` (${whole(leftOutCount)} left out by the profile)` : '';
  const scope = [
    ...(hasRule('routed') ? [`${whole(served)} of ${whole(operations)} operations served${besides}`] : []),
    ...(hasRule('answers') ? [`${whole(answered2xx)} answered 2xx`] : []),
    `${counted(result.checks.length, 'check')} in ${seconds(result.durationMs)}`,
  ];
  const seen = outcomes.filter((outcome) => result.summary[outcome] > 0);
  const countOf = (outcome: Outcome) =>
    `${whole(result.summary[outcome])} ${words[outcome]}${outcome === 'fail' ? excused(result) : ''}`;
  const shares = Object.entries(result.judgedShare).map(([host, share]) => `${host} ${percent(share)}`);
  return {
    verdict,
    scope: scope.join(' · '),
    outcomes: seen.map(countOf).join(' · '),
    judged: shares.join(' · '),
  };
}

/** Operations that the profile leaves out: they are not among those that are counted. */
export const leftOut = ({ checks }: Pick<RunResult, 'checks'>): number =>
  checks.filter(({ id, reason }) => id.endsWith('#routed') && reason === 'left-out').length;

/** ` (2 waived, 1 known)`: failures that do not count. */
function excused({ checks }: RunResult): string {
  const waived = checks.filter((check) => check.waived !== undefined).length;
  const known = checks.filter((check) => check.known !== undefined).length;
  const parts = [
    ...(waived > 0 ? [`${whole(waived)} waived`] : []),
    ...(known > 0 ? [`${whole(known)} known`] : []),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

/** `1 check`, `2,143 checks`. */
export function counted(count: number, thing: string): string {
  return `${whole(count)} ${thing}${count === 1 ? '' : 's'}`;
}

/** A whole number with its thousands set apart. */
export function whole(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 9950 ? 1 : 0)} s`;
}

/** Rounded down: 100 % means all of it. */
function percent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}
