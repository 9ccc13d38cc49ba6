// Writes JUnit XML for CI: one case per check, one failure per failed check, nothing folded; and an error of the run
// itself where it fails for a reason that no check shows.
import { operationsOf, type Result, type RunResult, type WaiverAccount } from '../../engine/run/result.ts';
import { changeText, clauseText, exchangesOf, foundText, suiteOf } from '../summary/causes.ts';
import { type RunTrouble, runTrouble, staleWaivers } from '../summary/headline.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** XML 1.0, section 2.2: these may not stand in a document, not even as a reference. */
const forbidden = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const named = (character: string) => entities[character] ?? character;
const visible = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** Text that needs no escape, which is most; the test is cheap. */
const plain = /^[ !#-%'-;=?-~]*$/;

/** Escapes element content; characters that XML forbids are shown as `\u{1b}`. */
export function xmlText(text: string): string {
  return plain.test(text) ? text : text.replace(forbidden, visible).replace(/[&<>\r]/g, named);
}

/** ` name="value"`; line ends and tabs survive the parser's attribute normalisation. */
export function attribute(name: string, value: string | number): string {
  const text = String(value);
  return ` ${name}="${plain.test(text) ? text : text.replace(forbidden, visible).replace(/[&<>"\t\n\r]/g, named)}"`;
}

/** The run as JUnit XML: a testsuite per area or flow, in plan order. */
export function junit(result: RunResult): string {
  const suites = Map.groupBy(result.checks, ({ id }) => suiteOf(id));
  const stale = staleWaivers(result);
  const red = result.checks.some((check) => ['failure', 'error'].includes(elementOf(check) ?? ''));
  const trouble = runTrouble(result, red || stale.length > 0);
  const ownTotals = { failures: stale.length, errors: trouble === undefined ? 0 : 1 };
  const attributes =
    attribute('name', 'assay') + totals(result.checks, ownTotals) + seconds(result.durationMs);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes}>`,
    ...Array.from(suites, ([name, checks]) => suite(name, checks, result)),
    ...waiverSuite(stale),
    ...(trouble === undefined ? [] : runSuite(trouble, result)),
    '</testsuites>',
    '',
  ].join('\n');
}

function suite(name: string, checks: readonly Result[], run: RunResult): string {
  const time = checks.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const attributes =
    attribute('name', name) + totals(checks) + seconds(time) + attribute('timestamp', run.startedAt);
  const { verdict } = run.headline;
  return [
    `<testsuite${attributes}>`,
    properties({ verdict, ended: run.ended, seed: run.seed, runId: run.runId }),
    ...checks.map(testcase),
    '</testsuite>',
  ].join('\n');
}

/** Waivers that are out of date fail the run, so CI has to see them fail. */
function waiverSuite(stale: readonly WaiverAccount[]): string[] {
  if (stale.length === 0) return [];
  const cases = stale.map(({ check, problem = '' }) => {
    const failure = `<failure${attribute('type', 'waiver')}${attribute('message', problem)}/>`;
    return `<testcase${attribute('classname', 'waivers')}${attribute('name', check)}>${failure}</testcase>`;
  });
  const counts = totals([], { failures: stale.length, errors: 0 });
  return [`<testsuite${attribute('name', 'waivers')}${counts}>`, ...cases, '</testsuite>'];
}

/** A suite for the run's own trouble: an error and no failure, since no check failed. */
function runSuite({ name, verdict }: RunTrouble, { exitCode }: RunResult): string[] {
  const message = attribute('message', oneLine(verdict));
  const error = `<error${attribute('type', 'run')}${message}>${xmlText(`${verdict}\nexit code: ${exitCode}`)}</error>`;
  return [
    `<testsuite${attribute('name', 'assay')}${totals([], { failures: 0, errors: 1 })}>`,
    `<testcase${attribute('classname', 'assay')}${attribute('name', name)}>${error}</testcase>`,
    '</testsuite>',
  ];
}

/** @param own failures and errors that belong to no check */
function totals(checks: readonly Result[], own = { failures: 0, errors: 0 }): string {
  const counts = { failure: own.failures, error: own.errors, skipped: 0, 'system-out': 0, none: 0 };
  for (const check of checks) counts[elementOf(check) ?? 'none'] += 1;
  return (
    attribute('tests', checks.length + own.failures + own.errors) +
    attribute('failures', counts.failure) +
    attribute('errors', counts.error) +
    attribute('skipped', counts.skipped)
  );
}

function testcase(check: Result): string {
  const { id, title, level, clause, durationMs } = check;
  const attributes =
    attribute('classname', operationsOf(check).join(' ')) +
    attribute('name', `${id} ${title}`) +
    seconds(durationMs);
  return `<testcase${attributes}>${properties({ clause, level })}${verdictOf(check)}</testcase>`;
}

function elementOf({
  outcome,
  waived,
  since,
  known,
}: Result): 'failure' | 'error' | 'skipped' | 'system-out' | undefined {
  if (waived !== undefined || known !== undefined) return 'skipped';
  if (outcome === 'fail' || since !== undefined) return 'failure';
  if (outcome === 'harness-error') return 'error';
  if (outcome === 'inconclusive' || outcome === 'not-applicable') return 'skipped';
  return outcome === 'pass' ? undefined : 'system-out';
}

function verdictOf(check: Result): string {
  const element = elementOf(check);
  const detail = check.detail ?? '';
  if (element === undefined) return '';
  if (element === 'system-out') return `<system-out>${xmlText(account(check))}</system-out>`;
  if (element === 'skipped') return `<skipped${attribute('message', oneLine(whySkipped(check)))}/>`;
  const [type, message] =
    element === 'failure' ? [check.clause, failureText(check)] : ['harness-error', detail];
  const attributes = attribute('type', type) + attribute('message', oneLine(message));
  return `<${element}${attributes}>${xmlText(account(check))}</${element}>`;
}

/** A failure that does not count is shown with its reason, and CI stays green. */
function whySkipped(check: Result): string {
  const { outcome, reason, detail, waived } = check;
  if (outcome !== 'fail') return `${reason}: ${detail ?? ''}`;
  if (waived === undefined) return `known from the baseline: ${foundText(check)}`;
  return `waived until ${waived.expires}: ${waived.reason} (${waived.link}); ${foundText(check)}`;
}

const failureText = (check: Result) => (check.since ? changeText(check.since, check) : foundText(check));

/** All that a reader needs to understand a check and repeat it. */
function account(check: Result): string {
  const { says, why } = clauseText(check.clause);
  const lines: [string, string | undefined][] = [
    ['outcome', check.outcome],
    ['level', check.level],
    ['clause', `${says} (${check.clause})`],
    ['why', why],
    ['expected', check.expected],
    ['actual', check.actual],
    ['observed', check.behaviour],
    ['in the baseline', check.since?.before],
    ...exchangesOf(check).map(([when, text]): [string, string] => [`exchange ${when}`, text]),
    ['detail', check.detail],
    ['curl', check.curl],
    ['rerun', check.rerun],
  ];
  return lines.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`])).join('\n');
}

function properties(values: Readonly<Record<string, string>>): string {
  let all = '';
  for (const name in values)
    all += `<property${attribute('name', name)}${attribute('value', values[name] ?? '')}/>`;
  return `<properties>${all}</properties>`;
}

function seconds(ms: number): string {
  return attribute('time', (ms / 1000).toFixed(3));
}

function oneLine(text: string): string {
  return /[^!-~ ]| {2}/.test(text) ? text.replace(/\s+/g, ' ').trim() : text.trim();
}
