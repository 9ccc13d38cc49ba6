// What a person reads of a load run.
import type { Second } from '../run/seconds.ts';
import { wrongText } from '../run/wrong-answers.ts';
import type { OperationFigures, Step } from '../step/step.ts';
import type { Verdict } from '../verdict/verdict.ts';

const number = (value: number): string =>
  value >= 100 || value === 0 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);

/** `   3 s   offered 50.0/s   achieved 49/s   p95 1.2 ms   errors 1 (queue.enter 500 x 1)   VUs 21` */
export function secondLine({ at, offered, achieved, p95, errors, wrong = [], vus }: Second): string {
  const which = wrong.length > 0 ? ` (${wrongText(wrong)})` : '';
  return `${`${at}`.padStart(4)} s   offered ${number(offered)}/s   achieved ${number(achieved)}/s   p95 ${number(p95)} ms   errors ${errors}${which}   VUs ${vus}`;
}

const columns = ['count', 'rate', 'p50', 'p95', 'p99', 'p99.9', 'max'] as const;

/** A table, a line per operation, and what went wrong below it. */
export function operationLines({ operations, latency, sent, durationMs, errors }: Step): string[] {
  const seconds = durationMs / 1_000;
  const row = (name: string, own: Omit<OperationFigures, 'errors'>) => [
    name,
    own.count.toLocaleString('en'),
    `${number(own.count / seconds)}/s`,
    ...[own.p50, own.p95, own.p99, own.p999, own.max].map(number),
  ];
  const rows = [
    ['ms', ...columns],
    ...Object.entries(operations).map(([id, own]) => row(id, own)),
    ...(Object.keys(operations).length > 1 ? [row('all', { ...latency, count: sent })] : []),
  ];
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((cells) => cells[at]?.length ?? 0))) ?? [];
  const wrong = errors.wrong + errors.transport;
  return [
    ...rows.map((cells) =>
      cells
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join('  '),
    ),
    ...(wrong > 0 ? [`${wrong} wrong: ${wrongText(errors.byOperation)}`] : []),
  ];
}

export function verdictLines(
  { verdict, reasons }: Verdict,
  { achieved, journeys, lagMs, cpu }: Step,
): string[] {
  return [
    `${verdict}: ${reasons[0] ?? ''}`,
    ...reasons.slice(1).map((reason) => `  ${reason}`),
    `${journeys.toLocaleString('en')} journeys, ${number(achieved)}/s · generator: lag p95 ${number(lagMs.p95)} ms, ${number(cpu)} cores`,
  ];
}
