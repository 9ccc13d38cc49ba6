// An exchange as text, the way it stands on the wire; what a page can show is bounded.
import type { RecordedExchange } from '../../fixtures/client/record.ts';
import { cut, visible } from './markup.ts';

const mostFields = 40;
const longestField = 400;
const longestBody = 4_096;

/** What was asked, what was answered, and how long that took. */
export interface ExchangeText {
  readonly asked: string;
  readonly answered: string;
  readonly note: string;
}

/** Undefined where there is no exchange. */
export function exchangeText(exchange: RecordedExchange | undefined): ExchangeText | undefined {
  if (exchange === undefined) return undefined;
  const { request, response, error } = exchange;
  const answered = response
    ? [`${response.status}`, ...fields(response.headers), '', bodyOf(response.body)]
    : [`no answer: ${error?.kind}`, error?.message ?? ''];
  return {
    asked: lines([`${request.method} ${request.url}`, ...fields(request.headers), '', bodyOf(request.body)]),
    answered: lines(answered),
    note: noteOf(exchange),
  };
}

const fields = (headers: readonly (readonly [string, string])[]) =>
  headers.slice(0, mostFields).map(([name, value]) => cut(`${name}: ${value}`, longestField));

const bodyOf = (body = '') => cut(body, longestBody);

/** A line end within a field must not look like the next field. */
function lines(parts: readonly string[]): string {
  const body = parts.at(-1) ?? '';
  return [...parts.slice(0, -1).map((line) => visible(line.replaceAll('\n', '\\n'))), visible(body)]
    .join('\n')
    .trimEnd();
}

function noteOf({ attempts, waits, response }: RecordedExchange): string {
  return [
    ...(response === undefined ? [] : [`${response.bytes} bytes`]),
    ...(response?.codingError === undefined ? [] : [cut(visible(response.codingError), 200)]),
    ...(attempts > 1 ? [`sent ${attempts} times`] : []),
    ...(waits > 0 ? [`waited ${Math.round(waits)} ms as the target asked`] : []),
  ].join(' · ');
}
