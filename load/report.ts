// Reports a load run: lines for the console, and load.json.
import { quoted, threeDigits } from '../engine/values/text.ts';
import { meetingLine, shownLine } from './conserved/meeting.ts';
import { heldLines } from './conserved/rule.ts';
import { k6Version } from './k6-install/build.ts';
import type { CheckedLoadOptions } from './options.ts';
import { type WrongAnswers, wrongText } from './run/figures.ts';
import type { Second } from './run/script-output.ts';
import { sloText } from './slo.ts';
import type { Load } from './step/open-load.ts';
import type { OperationFigures, Step } from './step/plan.ts';
import type { Verdict } from './verdict.ts';

const number = (value: number): string =>
  value >= 100 || value === 0 ? threeDigits(value) : value >= 10 ? value.toFixed(1) : value.toFixed(2);

/** `   3 s   offered 50.0/s   achieved 49/s   p95 1.2 ms   errors 1 (queue.enter 500 x 1)   in flight 21` */
export function secondLine({ at, offered, achieved, p95, errors, wrong = [], inFlight }: Second): string {
  const which = wrong.length > 0 ? ` (${wrongText(wrong)})` : '';
  return `${`${at}`.padStart(4)} s   offered ${number(offered)}/s   achieved ${number(achieved)}/s   p95 ${p95 > 0 ? `${number(p95)} ms` : '–'}   errors ${errors}${which}   in flight ${inFlight}`;
}

const columns = ['count', 'rate', 'p50', 'p95', 'p99', 'p99.9', 'max'] as const;

/** A table, a line per operation, and what went wrong below it. */
export function operationLines(step: Step): string[] {
  const { operations, latency, sent, durationMs, errors, journeys, achieved } = step;
  // A load that stopped early is counted over the time that it ran.
  const seconds = achieved > 0 ? journeys / achieved : durationMs / 1_000;
  const row = (name: string, figures: Omit<OperationFigures, 'errors'>) => [
    name,
    figures.count.toLocaleString('en'),
    `${number(figures.count / seconds)}/s`,
    // Without an answer there is no time.
    ...[figures.p50, figures.p95, figures.p99, figures.p999, figures.max].map((ms) =>
      ms > 0 ? number(ms) : '–',
    ),
  ];
  const rows = [
    ['ms', ...columns],
    ...Object.entries(operations).map(([id, figures]) => row(id, figures)),
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
    ...errors.byOperation.slice(0, mostFirsts).flatMap(firstLine),
  ];
}

const mostFirsts = 4;

/** `  queue.cancel 404 since 1.2 s: POST /api/v1/queue/cancel "{}" -> "{\"error\":…}"`. */
function firstLine({ operation, answer, since, sample }: Step['errors']['byOperation'][number]): string[] {
  if (since === undefined) return [];
  const exchange = sample === undefined ? '' : `: ${exchangeText(sample)}`;
  return [`  ${operation} ${answer} since ${since} s${exchange}`];
}

function exchangeText({ request, body }: NonNullable<WrongAnswers['sample']>): string {
  const { method, path, body: sent } = request;
  const texts = [sent, body].map((text) => (text === '' ? '' : ` ${quoted(text)}`));
  return `${method} ${path}${texts[0]}${texts[1] && ` ->${texts[1]}`}`;
}

export function verdictLines(
  { verdict, reasons }: Verdict,
  { achieved, journeys, lagMs, cpu, memoryMiB, conserved, meeting }: Step,
): string[] {
  return [
    `${verdict}: ${reasons[0] ?? ''}`,
    ...[
      ...reasons.slice(1),
      ...(meeting ? [meetingLine(meeting), shownLine(meeting)] : []),
      ...heldLines(conserved),
    ].map((line) => `  ${line}`),
    `${journeys.toLocaleString('en')} journeys, ${number(achieved)}/s · generator: lag p95 ${number(lagMs.p95)} ms${usageText({ cpu, memoryMiB })}`,
  ];
}

/** Empty where usage is not measured: on some machines, and on pods. */
const usageText = ({ cpu, memoryMiB }: Pick<Step, 'cpu' | 'memoryMiB'>) =>
  memoryMiB > 0 ? `, ${number(cpu)} cores, ${memoryMiB} MiB` : '';

// load.json.
export interface Ran {
  readonly step: Step;
  readonly seconds: readonly Second[];
  readonly verdict: Verdict;
  readonly nullP95?: number;
}

type About = Pick<Load, 'journey' | 'requestsPerJourney' | 'seed' | 'target' | 'segments' | 'connections'> &
  Partial<Pick<Load, 'insecure'>>;

type Asked = Pick<
  CheckedLoadOptions,
  'rate' | 'durationMs' | 'shapeName' | 'slo' | 'perOperation' | 'arrivals'
>;

/** Schema `assay.load/1`. Times in ms, rates per second. */
export function loadJson(load: About, options: Asked, { step, seconds, verdict, nullP95 }: Ran) {
  const { rate, durationMs, shapeName, slo, perOperation, arrivals } = options;
  const { lagMs, cpu, memoryMiB, inFlight, peopleShared, connections, ...others } = step;
  const { label: _, warmupMs: __, ...measured } = others;
  return {
    schema: 'assay.load/1',
    ...verdict,
    journey: load.journey,
    requestsPerJourney: load.requestsPerJourney,
    shape: shapeName,
    slo: sloText(slo),
    perOperationSlo: Object.fromEntries(Object.entries(perOperation).map(([id, own]) => [id, sloText(own)])),
    target: load.target,
    ...(load.insecure && { insecure: true }),
    ...measured,
    // The requested values, in place of the step's own.
    rate,
    durationMs,
    arrivals,
    seed: load.seed,
    connections: { kind: load.connections, opened: connections },
    ...(verdict.verdict === 'WRONG_UNDER_LOAD' && { firstWrong: rate }),
    generator: {
      k6: k6Version,
      segments: load.segments,
      lagMs,
      inFlight,
      ...(memoryMiB > 0 && { cpu, memoryMiB }),
      ...(peopleShared && { peopleShared }),
      ...(nullP95 !== undefined && { nullP95 }),
    },
    seconds,
  };
}
