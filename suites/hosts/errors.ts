// Observes the form of errors on a host. Open: nothing here fails, but clients depend on it.

import { clauseById } from '../../catalog/clauses/clauses.ts';
import type { Operation } from '../../catalog/operation.ts';
import { json, mediaType, type Response } from '../../engine/http/exchange.ts';
import { observed } from '../../engine/judgement.ts';
import { check } from '../../engine/probe/check.ts';
import { answered, servedAnswer } from '../../engine/probe/prerequisites.ts';
import { isNested } from '../../engine/values/json-walk.ts';
import { askedPath } from '../rules/asked-path.ts';

const deepest = 3;

/** The error of a path that does not exist, as status, type and the names in it. */
export const errorShape = (operation: Operation) =>
  check(
    operation,
    'host-error-shape',
    clauseById('open.errors'),
    'which status and shape an error has',
    async (context) => {
      const plain = await servedAnswer(operation, context);
      const [path = ''] = askedPath(plain.exchange, operation, context).split('?', 1);
      const answer = answered(await context.ask(operation, { path: `${path}/assay-does-not-exist` }));
      return observed(`error: ${sample(answer.response)}`, answer.exchange);
    },
  );

function sample(response: Response): string {
  const body = json(response);
  const type = mediaType(response) ?? 'no type';
  return `${response.status}, ${type}${body.ok ? `, ${names(body.value, deepest)}` : ''}`;
}

/** `{error: {code, message}}`: names sorted, values left out. */
function names(value: unknown, depth: number): string {
  if (Array.isArray(value)) return '[…]';
  if (!isNested(value)) return '';
  const members = Object.keys(value).sort().slice(0, 20);
  const shown = members.map((name) => {
    const below = depth > 1 ? names((value as Record<string, unknown>)[name], depth - 1) : '';
    return below === '' ? name : `${name}: ${below}`;
  });
  return `{${shown.join(', ')}}`;
}
