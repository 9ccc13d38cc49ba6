// Renders the list of checks of report.html: its filters, and the checks as compressed data, column by column, which
// `page/unpack.js` reads and `page/list.js` draws.

import { Buffer } from 'node:buffer';
import { deflateRawSync } from 'node:zlib';
import { areas } from '../../catalog/catalog.ts';
import { levels } from '../../catalog/clauses/clause.ts';
import type { RecordedExchange } from '../../engine/http/exchange.ts';
import { operationsOf, type Result, type RunResult } from '../../engine/run/result.ts';
import { counted, cut } from '../../engine/values/text.ts';
import { type Cause, clauseText } from '../summary/causes.ts';
import { lookOf, looks, signs, words } from '../summary/outcomes.ts';
import { clauseSource } from './cause-blocks.ts';
import { type Markup, markup, visible } from './markup.ts';

/** @param leftOut checks that the page has no room for */
export function checkSection(checks: readonly Result[], leftOut: number): Markup {
  const seen = new Set(checks.map(lookOf));
  const outcomes = looks.filter((look) => seen.has(look)).map((look) => [look, words[look]] as const);
  const named = (names: readonly string[]) => names.map((name) => [name, name] as const);
  return markup`<section id="checks" class="section"><h2>Checks</h2>
<noscript><p>The list of checks needs JavaScript. Everything else on this page does without.</p></noscript>
<form id="filters" hidden role="search">
${choice('area', named(Object.keys(areas)))}
${choice('level', named(levels))}
${choice('outcome', outcomes)}
<label>text <input type="search" name="text" autocomplete="off" spellcheck="false" maxlength="200"></label>
<button type="button" id="clear">clear</button>
</form>
<p id="shown" role="status" tabindex="-1"></p>
<ul id="list"></ul>
<p id="more" hidden><button type="button">show more</button></p>
${leftOut > 0 && markup`<p class="weak">${counted(leftOut, 'check')} found no room in this page; result.json has them all.</p>`}
</section>`;
}

function choice(name: string, options: readonly (readonly [value: string, word: string])[]): Markup {
  return markup`<label>${name} <select name="${name}"><option value="">any</option>${options.map(
    ([value, word]) => markup`<option value="${value}">${word}</option>`,
  )}</select></label>`;
}

// Exchanges as text, as on the wire, shortened to what a page can show.
const mostFields = 40;
const longestField = 400;
const longestBody = 4_096;

/** What was asked, what was answered, and how long that took; undefined where there is no exchange. */
function exchangeText(exchange: RecordedExchange | undefined) {
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

// The data: each string once, referred to by its number, in blocks that fit a budget.
/** Budgets in bytes. What does not compress takes 1.1 times its room in base64; all parts stay below 2 MB. */
const tableRoom = 700_000;
const textRoom = 400_000;
const exchangeRoom = 350_000;
/** Bytes of a block before compression: small enough not to overshoot, large enough to find what repeats. */
const blockSize = 200_000;
/** Most bytes of all blocks before compression, so that a browser unpacks them without delay. */
const mostUnpacked = 12_000_000;
const longest = 2_000;
const longestCurl = 6_000;

const columnNames = [
  'at',
  'id',
  'title',
  'operation',
  'clause',
  'level',
  'look',
  'outcome',
  'reason',
  'rerun',
  'cause',
  'ms',
] as const;

/**
 * Packs a run for the page; the heaviest checks get room first.
 * @returns blocks of JSON, compressed by raw deflate and in base64: the table of checks, then texts and exchanges of
 *   checks; and how many checks the page has no room for
 */
export function packed(result: RunResult, found: readonly Cause[]) {
  const causeOf = new Map(
    found.flatMap(({ results }, at) => results.map((check) => [check, at + 1] as const)),
  );
  const order = byWeight(result.checks, causeOf);
  const { table, kept } = tableOf(result.checks, order, causeOf);
  const about = order.filter((at) => kept.has(at));
  return {
    blocks: [
      compressed(JSON.stringify(table)),
      ...blocks(about, (at) => textsOf(result.checks[at] as Result), 'texts', textRoom),
      ...blocks(about, (at) => exchangeText(result.checks[at]?.exchange), 'exchanges', exchangeRoom),
    ],
    leftOut: result.checks.length - kept.size,
  };
}

/** Places of the checks in the order in which they get room: the worst looks first, then the heaviest causes. */
function byWeight(checks: readonly Result[], causeOf: ReadonlyMap<Result, number>): number[] {
  const rank = new Map(looks.map((look, at) => [look, at]));
  const weights = checks.map((check) => (causeOf.get(check) ?? 1e6) + (rank.get(lookOf(check)) ?? 0) * 1e7);
  return checks.map((_, at) => at).sort((a, b) => (weights[a] ?? 0) - (weights[b] ?? 0) || a - b);
}

/** Most characters of a text in the table, the command apart. */
const longestInTable = 200;

/** The columns that the list shows and filters use, for as many checks as there is room for. */
function tableOf(checks: readonly Result[], order: readonly number[], causeOf: ReadonlyMap<Result, number>) {
  const strings = new Map<string, number>([['', 0]]);
  let size = 0;
  const string = (text: string, most = longestInTable) => {
    // Most texts are known already and safe, so the cheap look-up comes first.
    const known = text.length > most ? undefined : strings.get(text);
    if (known !== undefined) return known;
    const shown = visible(cut(text, most));
    const index = strings.get(shown);
    if (index !== undefined) return index;
    size += Buffer.byteLength(shown) + 3;
    strings.set(shown, strings.size);
    return strings.size - 1;
  };
  const rowOf = (check: Result, at: number) => ({
    at,
    id: visible(cut(check.id, 300)),
    title: string(check.title),
    operation: operationsOf(check)
      .slice(0, 12)
      .map((operation) => string(operation)),
    clause: string(check.clause),
    level: string(check.level),
    look: string(lookOf(check)),
    outcome: string(check.outcome),
    reason: string(check.reason ?? ''),
    // A command that is cut runs something else.
    rerun: string(rerunOf(check), longestCurl),
    cause: causeOf.get(check) ?? 0,
    ms: Math.round(check.durationMs),
  });
  const kept = new Map<number, ReturnType<typeof rowOf>>();
  for (const at of order) {
    const check = checks[at] as Result;
    const row = rowOf(check, at);
    size += Buffer.byteLength(check.id) + 40;
    if (size > tableRoom) break;
    kept.set(at, row);
  }
  const rows = [...kept.values()].sort((a, b) => a.at - b.at);
  const cited = new Set(rows.map(({ at }) => checks[at]?.clause ?? ''));
  const clauses = Array.from(cited, (clause) => {
    const { says, why } = clauseText(clause);
    const { text = '', link = '' } = clauseSource(clause) ?? {};
    return [string(clause), says, why, text, link];
  });
  const columns = Object.fromEntries(columnNames.map((name) => [name, rows.map((row) => row[name])]));
  return { table: { signs, strings: [...strings.keys()], clauses, columns }, kept };
}

/** The command with a line end where the id stands: one string for all checks of a run. */
const rerunOf = ({ rerun, id }: Result) => rerun.replace(id, '\n');

/** The texts that only an opened check shows; undefined where it has none. */
function textsOf(check: Result): unknown {
  const { detail, expected, actual, behaviour, curl, waived, known } = check;
  if ((detail ?? expected ?? actual ?? behaviour ?? curl ?? waived ?? known) === undefined) return undefined;
  const text = (value: string | undefined) =>
    value === undefined ? undefined : visible(cut(value, longest));
  const texts = {
    detail: text(detail),
    expected: text(expected),
    actual: text(actual),
    behaviour: text(behaviour),
    curl: curl === undefined || curl.length > longestCurl ? undefined : curl,
    waived: waived && [waived.reason, waived.link, waived.expires].map((each) => visible(cut(each, 300))),
    known,
  };
  return Object.values(texts).some((value) => value !== undefined) ? texts : undefined;
}

/** `{kind, places, values}` by block until the room is used up; values that are equal stand once in a block. */
function blocks(
  order: readonly number[],
  valueAt: (at: number) => unknown,
  kind: 'texts' | 'exchanges',
  room: number,
): string[] {
  const made: string[] = [];
  let [left, unpacked] = [room, 0];
  let values = new Map<string, number>();
  let [places, size]: [number[], number] = [[], 0];
  /** Ends the block; false where it found no room, or where no further block does. */
  const close = (): boolean => {
    if (places.length === 0) return true;
    // The values are JSON already.
    const block = compressed(
      `{"kind":"${kind}","places":${JSON.stringify(places)},"values":[${[...values.keys()].join()}]}`,
    );
    unpacked += size;
    left -= block.length;
    if (left < 0) return false;
    made.push(block);
    values = new Map();
    [places, size] = [[], 0];
    return unpacked < mostUnpacked;
  };
  for (const at of order) {
    const value = valueAt(at);
    if (value === undefined) continue;
    const json = JSON.stringify(value);
    if (!values.has(json)) {
      size += Buffer.byteLength(json);
      values.set(json, values.size);
    }
    places.push(at, values.get(json) ?? 0);
    if (size > blockSize && !close()) return made;
  }
  close();
  return made;
}

const compressed = (json: string) => deflateRawSync(json, { level: 4 }).toString('base64');
