// Clauses and the checks that cite them.
import type { Clause } from '../../fixtures/catalog/clauses/clause.ts';
import { register } from '../../fixtures/catalog/clauses/register.ts';
import type { Check } from '../../fixtures/check/check.ts';
import { shortened } from '../console/cause-block.ts';
import { counted } from '../headline.ts';
import { adviceOf, consequenceOf } from './advice.ts';
import { type Explanation, type Field, type Glossary, glossary } from './explanation.ts';

/** Names of so many columns are still read. */
const longestList = 240;

/** Clauses by id, with the checks that cite each. */
export function clauseWords(checks: readonly Check[]): Glossary {
  const citing = Map.groupBy(checks, ({ clause }) => clause.id);
  return glossary(
    register.map((clause) => [clause.id, clause]),
    (word, clause) => {
      const ids = (citing.get(word) ?? []).map(({ id }) => id);
      const told =
        ids.length === 0
          ? 'none in every run'
          : `${counted(ids.length, 'check')}: ${shortened(ids, longestList)}`;
      return { word, kind: 'clause', fields: [['asks', clause.says], ...groundsOf(clause), ['see', told]] };
    },
  );
}

/** Checks and steps of flows by id. */
export function checkWords(checks: readonly Check[]): Glossary {
  return glossary(
    checks.map((check) => [check.id, check]),
    (word, { id, title, clause, operations }) => ({
      word,
      kind: id.includes('#') ? 'check' : 'step of a flow',
      fields: [
        ['asks', title],
        ['holds', `${clause.says} (${clause.id})`],
        ...groundsOf(clause),
        ['at', operations.map((operation) => operation.id).join(', ')],
        ['run', `npm start -- --only '${id}'`],
      ],
    }),
  );
}

/** Rules that are asked of many operations, by name, with and without the `#`. */
export function ruleWords(checks: readonly Check[]): Glossary {
  const rules = Map.groupBy(
    checks.filter(({ id }) => id.includes('#')),
    ({ rule }) => rule,
  );
  const explain = (word: string, asked: readonly Check[]): Explanation => {
    const [example] = asked as readonly [Check, ...Check[]];
    const name = `#${example.rule}`;
    const clauses = [...new Set(asked.map(({ clause }) => clause))];
    const operations = [...new Set(asked.map(({ operations: [first] }) => first.id))];
    return {
      word,
      kind: 'rule',
      fields: [
        ['asks', example.title],
        ...holdsOf(clauses),
        ...(clauses.length === 1 ? groundsOf(example.clause) : [['why', example.clause.why] as const]),
        ['at', `${counted(operations.length, 'operation')}: ${shortened(operations, longestList)}`],
        ['run', `npm start -- --only '${name}'`],
      ],
    };
  };
  return glossary(
    [...rules].flatMap(([rule, asked]) => [[`#${rule}`, asked] as const, [rule, asked] as const]),
    explain,
  );
}

const mostClauses = 3;

/** A rule may hold some operations to one clause and some to another; beyond a few, their ids tell enough. */
function holdsOf(clauses: readonly Clause[]): Field[] {
  const ids = clauses.map(({ id }) => id);
  if (clauses.length > mostClauses) return [['holds', shortened(ids, longestList)]];
  return clauses.map(({ says, id, level }): Field => ['holds', `${says} (${id}, ${level})`]);
}

function groundsOf(clause: Clause): Field[] {
  return [
    ['why', clause.why],
    ['level', `${clause.level}: ${consequenceOf(clause.level)}`],
    ['source', sourceOf(clause)],
    ['to do', adviceOf(clause.level)],
  ];
}

function sourceOf({ heading, rfc, level }: Clause): string {
  if (rfc) return `${rfc.section} ${rfc.link}`;
  if (heading) return `"${heading}" in fixtures/catalog/interface.md`;
  return level === 'profile' ? "the target's profile" : 'good sense';
}
