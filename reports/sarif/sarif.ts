// results.sarif (SARIF 2.1.0, OASIS): what failed or warned, for code-scanning views; and what fails the run beside it.
import type { Invocation, Log, Notification, Result as SarifResult } from 'sarif';
import type { Result, RunResult } from '../../fixtures/check/result.ts';
import type { PlaceOf } from '../catalog-places.ts';
import { operationsOf } from '../fold.ts';
import { assayVersion } from '../version.ts';
import { base, fingerprintsOf } from './identity.ts';
import { ownResults, ownRules } from './own-results.ts';
import { rulesOf } from './rules.ts';

const schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/**
 * The run as a SARIF log: one result per failed check and per warning, nothing folded; then what fails it beside them.
 * @param placeOf where the catalog documents what a check judges
 */
export function sarif(run: RunResult, placeOf: PlaceOf): Log {
  const shown = run.checks.filter(({ outcome }) => outcome === 'fail' || outcome === 'warn');
  const own = ownResults(run);
  const rules = [...rulesOf(shown), ...ownRules(own)];
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
          ...own.map((result) => ({ ...result, ruleIndex: indexes.get(result.ruleId ?? '') ?? -1 })),
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
    level: outcome === 'fail' ? 'error' : 'warning',
    kind: 'fail',
    message: { text: messageOf(check) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: file, uriBaseId: base },
          region: { startLine: line },
        },
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

/** Told where the baseline tells; of warnings it keeps no account. */
function baselineState({ id, known }: Result, { baseline }: RunResult): Pick<SarifResult, 'baselineState'> {
  if (known !== undefined) return { baselineState: 'unchanged' };
  return baseline?.worse.includes(id) ? { baselineState: 'new' } : {};
}

/** Code-scanning views cut after about 1,000 characters. */
const longestMessage = 1_000;

function messageOf({ title, expected, actual, detail, rerun }: Result): string {
  const seen = actual ?? detail ?? '';
  const parts = [`${title}: expected ${expected ?? 'otherwise'}; actual ${seen}`, `Again: ${rerun}`];
  const text = parts.join('\n');
  return text.length <= longestMessage ? text : `${text.slice(0, longestMessage - 1)}…`;
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
