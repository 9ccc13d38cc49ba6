// Checks that DELETE and PUT on the path of a read are not answered like the read.
import { catalog } from '../../catalog/catalog.ts';
import { type Operation, placeholders } from '../../catalog/operation.ts';
import { meet } from '../../catalog/path-templates.ts';
import type { Ask } from '../../engine/http/ask.ts';
import { notTriggered, pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { jsonIn, saysNothing } from '../../engine/probe/matchers/json.ts';
import { answered, successfulAnswer } from '../../engine/probe/prerequisites.ts';
import { alike } from './other-method.ts';

/** A body cut off in the middle: an undocumented write refuses it, while a read that takes any method ignores it. */
const unreadable = '{"assay":';

/** DELETE and PUT, except where an operation whose template matches this path has that method. */
export const unlistedMethods = (operation: Operation): readonly ('DELETE' | 'PUT')[] =>
  (['DELETE', 'PUT'] as const).filter(
    (method) => !catalog.some((other) => other.method === method && meet(other, operation)),
  );

/**
 * Whether it is a read of the main API whose path names no resource: a DELETE there can remove only what the fuzz
 * player has, not a match, another player or a file of a store that lets anybody write.
 */
export const isHarmless = (operation: Operation): boolean =>
  operation.method === 'GET' &&
  operation.host === 'base' &&
  placeholders(operation.path).length === 0 &&
  unlistedMethods(operation).length > 0;

export const readMethods: Rule = {
  name: 'read-methods',
  title: 'DELETE and PUT are not answered like the read',
  clause: 'sense.method',
  changes: true,
  async judge(operation, context) {
    const read = await successfulAnswer(operation, context);
    // A DELETE that is done may be answered without content, such as {}, just as a read without content is.
    const content = jsonIn(read.response);
    if (read.response.body.length === 0 || ('value' in content && saysNothing(content.value)))
      return notTriggered('the read is answered without content');
    const seen: string[] = [];
    for (const method of unlistedMethods(operation)) {
      const ask: Ask = { as: 'fuzzer', method, ...(method === 'PUT' && { body: unreadable }) };
      const { exchange, response } = answered(await context.ask(operation, ask));
      if (alike(read.exchange, exchange))
        return violation(
          'a refusal such as 405, or an answer of its own',
          `${method} is answered ${response.status} like the read`,
          exchange,
        );
      seen.push(`${method} is answered ${response.status}`);
    }
    return pass(read.exchange, seen.join(', '));
  },
};
