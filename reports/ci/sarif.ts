// Writes results.sarif (SARIF 2.1.0, OASIS) for code scanning: failed checks, warnings, and what else fails the run.

import { createHash } from 'node:crypto';
import type { Invocation, Log, Notification, ReportingDescriptor, Result as SarifResult } from 'sarif';
import type { Clause, Level } from '../../catalog/clauses/clause.ts';
import { knownClause } from '../../catalog/clauses/clauses.ts';
import { operationsOf, type Result, type RunResult } from '../../engine/run/result.ts';
import { cut } from '../../engine/values/text.ts';
import { typedWith } from '../../engine/values/typed-command.ts';
import { assayVersion } from '../../engine/version.ts';
import { adviceOf } from '../explain/explain.ts';
import { changeText, clauseText, foundText, type PlaceOf, unexcused } from '../summary/causes.ts';
import { runTrouble, staleWaivers } from '../summary/headline.ts';

/** The name that code-scanning views know for the root of a checkout. */
const base = '%SRCROOT%';
/** Code-scanning views cut messages after about 1,000 characters. */
const longestMessage = 1_000;

const fingerprintsOf = (id: string) => ({
  'assayCheckId/v1': id,
  // Code scanning distinguishes alerts by this fingerprint: without it, all checks of a line are one alert.
  primaryLocationLineHash: `${createHash('sha256').update(id).digest('hex').slice(0, 16)}:1`,
});

// Broken clauses as SARIF rules.

/** A rule for each clause that these results break, in order of appearance. */
function rulesOf(results: readonly Result[]): ReportingDescriptor[] {
  const levels = new Map<string, Level>();
  for (const { clause, level } of results) if (!levels.has(clause)) levels.set(clause, level);
  return Array.from(levels, ([id, level]) => rule(id, level, knownClause(id)));
}

function rule(id: string, level: Level, clause: Clause | undefined): ReportingDescriptor {
  const { says, why } = clauseText(id);
  const help = [`${says} (${level})`, why, adviceOf[level], `More: ${typedWith('explain')} ${id}`];
  return {
    id,
    shortDescription: { text: says },
    fullDescription: { text: why },
    help: { text: help.join('\n\n') },
    ...(clause?.rfc && { helpUri: clause.rfc.link }),
    defaultConfiguration: { level: level === 'inferred' || level === 'open' ? 'warning' : 'error' },
    properties: { level, tags: [level, ...(clause?.heading ? [clause.heading] : [])] },
  };
}

// Failures that belong to no check, as SARIF results: a reader of results alone would otherwise take the run for green.
const rules: Readonly<Record<string, string>> = {
  'assay.run': 'The run judged enough, and to its end.',
  'assay.waiver': 'Waivers in the profile are not out of date.',
};

/** Results for waivers out of date, and for problems of the run that its failed checks do not show. */
function ownResults(run: RunResult): SarifResult[] {
  const stale = staleWaivers(run);
  const failed = unexcused(run.checks).some(({ outcome }) => outcome === 'fail');
  const trouble = runTrouble(run, failed || stale.length > 0);
  return [
    ...stale.map(({ check, problem = '' }) => ownResult('assay.waiver', check, problem)),
    ...(trouble ? [ownResult('assay.run', 'run', `${trouble.name}: ${trouble.verdict}`)] : []),
  ];
}

/** Code-scanning views require a location, so it is the interface document. */
const ownResult = (ruleId: string, name: string, text: string): SarifResult => ({
  ruleId,
  level: 'error',
  kind: 'fail',
  message: { text: text.slice(0, longestMessage) },
  locations: [{ physicalLocation: physical('catalog/interface.md', 1) }],
  partialFingerprints: fingerprintsOf(`${ruleId}/${name}`),
});

const physical = (uri: string, startLine: number) => ({
  artifactLocation: { uri, uriBaseId: base },
  region: { startLine },
});

/** A SARIF rule for each rule id that these results have. */
const ownRules = (results: readonly SarifResult[]): ReportingDescriptor[] =>
  [...new Set(results.flatMap(({ ruleId }) => ruleId ?? []))].map((id) => ({
    id,
    shortDescription: { text: rules[id] ?? id },
    defaultConfiguration: { level: 'error' },
  }));

const schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/**
 * The run as a SARIF log: one result per failed check and per warning, nothing folded; then what else fails the run.
 * @param placeOf where the catalog documents what a check judges
 */
export function sarif(run: RunResult, placeOf: PlaceOf): Log {
  const shown = run.checks.filter(({ outcome, since }) => outcome === 'fail' || outcome === 'warn' || since);
  const results = ownResults(run);
  const rules = [...rulesOf(shown), ...ownRules(results)];
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  return {
    $schema: schema,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Assay', semanticVersion: assayVersion, rules } },
        automationDetails: { id: `assay/${run.runId}` },
        originalUriBaseIds: { [base]: { description: { text: "the root of Assay's checkout" } } },
        columnKind: 'utf16CodeUnits',
        invocations: [invocation(run)],
        properties: { verdict: run.headline.verdict, seed: run.seed, target: run.target },
        results: [
          ...shown.map((check) => resultOf(check, indexes.get(check.clause) ?? -1, run, placeOf)),
          ...results.map((result) => ({ ...result, ruleIndex: indexes.get(result.ruleId ?? '') ?? -1 })),
        ],
      },
    ],
  };
}

function resultOf(check: Result, ruleIndex: number, run: RunResult, placeOf: PlaceOf): SarifResult {
  const { id, title, clause, level, outcome, rerun, curl } = check;
  const { file, line } = placeOf(check);
  return {
    ruleId: clause,
    ruleIndex,
    level: outcome === 'fail' || check.since ? 'error' : 'warning',
    kind: 'fail',
    message: { text: messageOf(check) },
    locations: [
      {
        physicalLocation: physical(file, line),
        logicalLocations: operationsOf(check).map((name) => ({ fullyQualifiedName: name, kind: 'member' })),
      },
    ],
    partialFingerprints: fingerprintsOf(id),
    ...baselineState(check, run),
    ...(check.waived && {
      suppressions: [
        {
          kind: 'external',
          status: 'accepted',
          justification: `${check.waived.reason} (${check.waived.link}), until ${check.waived.expires}`,
        },
      ],
    }),
    properties: { check: id, title, level, rerun, ...(curl !== undefined && { curl }) },
  };
}

/** The state against the baseline; absent for warnings, which a baseline does not compare. */
function baselineState(
  { id, known, since }: Result,
  { baseline }: RunResult,
): Pick<SarifResult, 'baselineState'> {
  if (known !== undefined) return { baselineState: 'unchanged' };
  if (since !== undefined) return { baselineState: since.gate === 'worse' ? 'new' : 'updated' };
  return baseline?.worse.includes(id) ? { baselineState: 'new' } : {};
}

function messageOf(check: Result): string {
  const { title, since, rerun } = check;
  const found = since ? changeText(since, check) : foundText(check);
  return cut(`${title}: ${found}\nAgain: ${rerun}`, longestMessage);
}

function invocation(run: RunResult): Invocation {
  const { startedAt, durationMs, exitCode, ended } = run;
  const stumbled = run.checks.filter(({ outcome }) => outcome === 'harness-error');
  const stale = run.waivers.flatMap(({ problem }) => problem ?? []);
  const error = (text: string): Notification => ({ level: 'error', message: { text } });
  return {
    executionSuccessful: ended === 'complete' && stumbled.length === 0,
    exitCode,
    startTimeUtc: startedAt,
    endTimeUtc: new Date(Date.parse(startedAt) + durationMs).toISOString(),
    toolExecutionNotifications: stumbled.map(({ id, detail = '' }) => error(`${id}: ${detail}`)),
    toolConfigurationNotifications: stale.map(error),
  };
}
