// The clauses that were broken, as SARIF's rules.
import type { ReportingDescriptor } from 'sarif';
import type { Clause, Level } from '../../fixtures/catalog/clauses/clause.ts';
import { register } from '../../fixtures/catalog/clauses/register.ts';
import type { Result } from '../../fixtures/check/result.ts';
import { clauseText } from '../clause-text.ts';
import { adviceOf } from '../explain/advice.ts';

const byId = new Map(register.map((clause) => [clause.id, clause]));

/** A rule for each clause that these results break, in order of appearance. */
export function rulesOf(results: readonly Result[]): ReportingDescriptor[] {
  const levels = new Map<string, Level>();
  for (const { clause, level } of results) if (!levels.has(clause)) levels.set(clause, level);
  return Array.from(levels, ([id, level]) => rule(id, level, byId.get(id)));
}

function rule(id: string, level: Level, clause: Clause | undefined): ReportingDescriptor {
  const { says, why } = clauseText(id);
  const text = [`${says} (${level})`, why, adviceOf(level), `More: npm run explain -- ${id}`].join('\n\n');
  return {
    id,
    shortDescription: { text: says },
    fullDescription: { text: why },
    help: { text },
    ...(clause?.rfc && { helpUri: clause.rfc.link }),
    defaultConfiguration: { level: level === 'inferred' || level === 'open' ? 'warning' : 'error' },
    properties: { level, tags: [level, ...(clause?.heading ? [clause.heading] : [])] },
  };
}
