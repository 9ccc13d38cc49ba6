// Checks that a call without its query causes no server error.
import type { Rule } from '../../engine/probe/check.ts';
import { servedAnswer } from '../../engine/probe/prerequisites.ts';
import { askedPathAlone } from '../shared/asked-path.ts';
import { callerOf, expectNoServerError, noServerErrorRule } from '../shared/bad-input.ts';

export const queryMissing: Rule = noServerErrorRule(
  'query-missing',
  'a call without its query',
  async (operation, context) => {
    const { exchange } = await servedAnswer(operation, context);
    const path = askedPathAlone(exchange, operation, context);
    return expectNoServerError(operation, context, { as: callerOf(operation), path }, true);
  },
);
