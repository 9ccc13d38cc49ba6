// Checks that a path that cannot be percent-decoded causes no server error.
import { type Operation, placeholders } from '../../catalog/operation.ts';
import { segmentsOf } from '../../catalog/path-templates.ts';
import { servedAnswer } from '../../engine/probe/prerequisites.ts';
import { askedPath } from '../shared/asked-path.ts';
import {
  expectNoServerError,
  fuzzerOf,
  lastParameter,
  noServerErrorRule,
  undecodable,
} from '../shared/bad-input.ts';

/** Cannot be made from a value, which would be encoded: the plain call's path with the last parameter replaced. */
export const pathUndecodable = noServerErrorRule(
  'path-undecodable',
  'a path that cannot be percent-decoded',
  async (operation, context) => {
    const gate = await servedAnswer(operation, context);
    const path = undecodablePath(operation, askedPath(gate.exchange, operation, context));
    return expectNoServerError(operation, context, { as: fuzzerOf(operation), path }, true);
  },
);

/** Counted from the end, since folders before it may hold slashes of their own. */
export function undecodablePath(operation: Operation, target: string): string {
  const template = segmentsOf(operation);
  const last = lastParameter(operation) ?? '';
  const fromEnd = template.length - template.findLastIndex((part) => placeholders(part).includes(last));
  const [path = '', query] = target.split('?', 2);
  const segments = path.split('/');
  const at = segments.length - fromEnd;
  segments[at] = (template.at(-fromEnd) ?? '').replace(/\{[^}]+\}/, undecodable);
  return query === undefined ? segments.join('/') : `${segments.join('/')}?${query}`;
}
