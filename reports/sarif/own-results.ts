// What fails a run and is of no check, as SARIF's results: who counts results alone would take it for green.
import type { ReportingDescriptor, Result as SarifResult } from 'sarif';
import type { RunResult } from '../../fixtures/check/result.ts';
import { counting } from '../console/standing.ts';
import { runTrouble, staleWaivers } from '../run-trouble.ts';
import { base, fingerprintsOf } from './identity.ts';

const rules: Readonly<Record<string, string>> = {
  'assay.run': 'The run judged enough, and to its end.',
  'assay.waiver': 'Waivers in the profile are not out of date.',
};

/** Waivers out of date, and the run's own trouble where its failed checks do not say all. */
export function ownResults(run: RunResult): SarifResult[] {
  const stale = staleWaivers(run);
  const failed = counting(run.checks).some(({ outcome }) => outcome === 'fail');
  const trouble = runTrouble(run, failed || stale.length > 0);
  return [
    ...stale.map(({ check, problem = '' }) => result('assay.waiver', check, problem)),
    ...(trouble === undefined ? [] : [result('assay.run', 'run', `${trouble.name}: ${trouble.says}`)]),
  ];
}

/** A rule for each kind of them that there is. */
export const ownRules = (results: readonly SarifResult[]): ReportingDescriptor[] =>
  [...new Set(results.flatMap(({ ruleId }) => ruleId ?? []))].map((id) => ({
    id,
    shortDescription: { text: rules[id] ?? id },
    defaultConfiguration: { level: 'error' },
  }));

const longest = 1_000;

/** Views ask for a place; what was not judged is the interface. */
const place = {
  physicalLocation: {
    artifactLocation: { uri: 'fixtures/catalog/interface.md', uriBaseId: base },
    region: { startLine: 1 },
  },
};

const result = (ruleId: string, name: string, text: string): SarifResult => ({
  ruleId,
  level: 'error',
  kind: 'fail',
  message: { text: text.slice(0, longest) },
  locations: [place],
  partialFingerprints: fingerprintsOf(`${ruleId}/${name}`),
});
