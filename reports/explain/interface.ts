// The interface's own words: operations, their areas, and flows.
import { areas, catalog } from '../../fixtures/catalog/catalog.ts';
import { clauseById } from '../../fixtures/catalog/clauses/register.ts';
import type { Absence, Effect } from '../../fixtures/catalog/operation.ts';
import { documentedPath } from '../../fixtures/catalog/request-path.ts';
import type { Check } from '../../fixtures/check/check.ts';
import { shortened } from '../console/cause-block.ts';
import { counted } from '../headline.ts';
import { type Glossary, glossary } from './explanation.ts';

const absences: Readonly<Record<Absence, string>> = {
  never: 'a 404 means that it is not served',
  id: 'a 404 may honestly mean that what it names does not exist',
  state: 'a 404 may honestly mean that the player is not in that state',
};

const effects: Readonly<Record<Effect, string>> = {
  read: 'it changes nothing',
  own: 'it changes its own player, and is left out by --read-only',
  shared: 'it touches what others see, and is left out by --read-only',
};

/** Operations by id, with the checks and steps that judge each. */
export function operationWords(checks: readonly Check[]): Glossary {
  return glossary(
    catalog.map((operation) => [operation.id, operation]),
    (word, operation) => {
      const { heading = '', why } = clauseById(operation.clause);
      const judging = checks.filter(({ operations }) => operations.some(({ id }) => id === word));
      const rules = judging.map(({ id, rule }) => (id.includes('#') ? `#${rule}` : id));
      return {
        word,
        kind: 'operation',
        fields: [
          ['call', `${operation.method} ${documentedPath(operation)} on the ${operation.host} host`],
          ['source', `"${heading}" in fixtures/catalog/interface.md (${operation.clause})`],
          ['why', why],
          ['means', `${absences[operation.absence]}; ${effects[operation.effect]}`],
          ['see', `${counted(judging.length, 'check')}: ${shortened(rules, 600)}`],
          ['to do', 'where its body or ids are not known, say them in the profile (operations, parameters)'],
          ['run', `npm start -- --only ${word}`],
        ],
      };
    },
  );
}

/** Areas and flows by name; one name may be both. */
export function areaWords(checks: readonly Check[]): Glossary {
  const steps = checks.filter(({ id }) => !id.includes('#'));
  const flows = Map.groupBy(steps, ({ id }) => id.split('/', 1)[0] ?? '');
  const names = new Set([...Object.keys(areas), ...flows.keys()]);
  return glossary(
    Array.from(names, (name) => [name, name] as const),
    (word) => {
      const rows = catalog.filter(({ area }) => area === word).map(({ id }) => id);
      const played = (flows.get(word) ?? []).map(({ id }) => id);
      return {
        word,
        kind: [...(rows.length > 0 ? ['area'] : []), ...(played.length > 0 ? ['flow'] : [])].join(' and '),
        fields: [
          ...(rows.length === 0
            ? []
            : [['holds', `${counted(rows.length, 'operation')}: ${shortened(rows, 400)}`] as const]),
          ...(played.length === 0
            ? []
            : [
                [
                  'see',
                  `${counted(played.length, 'step')}, in this order: ${shortened(played, 600)}`,
                ] as const,
              ]),
          ['run', `npm start -- --only ${word}`],
        ],
      };
    },
  );
}
