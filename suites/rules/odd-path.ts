// Values in the path that no client sends on purpose. Only the last parameter is odd: what stands before it stays real,
// so that the odd one is reached.
import { clauseById } from '../../catalog/clauses/clauses.ts';
import { type Operation, placeholders } from '../../catalog/operation.ts';
import { segmentsOf } from '../../catalog/path-templates.ts';
import type { Ask } from '../../engine/http/ask.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { servedAnswer } from '../../engine/probe/gate.ts';
import { askedPath } from './asked-path.ts';
import { endures, vandalOf } from './bad-input.ts';
import { longValue, punctuation, undecodable, unicode } from './odd-text.ts';

/** Folder and version stand in every client-data path, and one store answers them all: not a parameter of the row. */
const ofTheTarget = new Set(['CDN_ROOT_FOLDER_PATH', 'gameVersion']);

const lastParameter = ({ path }: Operation) => placeholders(path).findLast((name) => !ofTheTarget.has(name));

const rule = (name: string, title: string, ask: (parameter: string) => Ask): Rule => ({
  name,
  title,
  clause: () => clauseById('sense.no-server-error'),
  applies: (operation) => lastParameter(operation) !== undefined,
  judge: (operation, context) =>
    endures(operation, context, { as: vandalOf(operation), ...ask(lastParameter(operation) ?? '') }, true),
});

const pathLong = rule('path-long', 'a path value of 2,000 characters is no server error', (parameter) => ({
  params: { [parameter]: longValue },
}));

const pathUnicode = rule('path-unicode', 'a path value beyond ASCII is no server error', (parameter) => ({
  params: { [parameter]: unicode },
}));

const pathEncoded = rule(
  'path-encoded',
  'a path value that needs encoding is no server error',
  (parameter) => ({
    params: { [parameter]: punctuation },
  }),
);

/** Cannot be made from a value, which would be encoded: the plain call's path with the last parameter replaced. */
const pathUndecodable: Rule = {
  name: 'path-undecodable',
  title: 'a path that cannot be percent-decoded is no server error',
  clause: () => clauseById('sense.no-server-error'),
  applies: (operation) => lastParameter(operation) !== undefined,
  async judge(operation, context) {
    const gate = await servedAnswer(operation, context);
    if (!gate.open) return gate.judgement;
    const path = undecodablePath(operation, askedPath(gate.exchange, operation, context));
    return endures(operation, context, { as: vandalOf(operation), path }, true);
  },
};

/** Counted from the end, since folders before it may hold slashes of their own. */
export function undecodablePath(operation: Operation, target: string): string {
  const template = segmentsOf(operation);
  const fromEnd =
    template.length -
    template.findLastIndex((part) => placeholders(part).some((name) => !ofTheTarget.has(name)));
  const [path = '', query] = target.split('?', 2);
  const segments = path.split('/');
  const at = segments.length - fromEnd;
  segments[at] = (template.at(-fromEnd) ?? '').replace(/\{[^}]+\}/, undecodable);
  return query === undefined ? segments.join('/') : `${segments.join('/')}?${query}`;
}

export const oddPaths: readonly Rule[] = [pathLong, pathUnicode, pathEncoded, pathUndecodable];
