// Checks that a list is a list in every answer of the run, also where it is empty.
import { notTriggered, pass, warning } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { servedAnswer } from '../../engine/probe/prerequisites.ts';

/** Fewest lists that must be sent as empty lists, with no other list null. */
const fewest = 8;

export const nullList: Rule = {
  name: 'null-list',
  title: 'its lists are never null',
  clause: 'sense.null-list',
  async judge(operation, context) {
    const { exchange } = await servedAnswer(operation, context);
    const { found, lists, emptyOnes, nullOnes } = await context.nullLists(operation);
    if (lists === 0) return notTriggered('no answer of it holds a list');
    if (found === undefined) return pass(exchange);
    // A host that sends null for all that is empty has made a choice.
    if (nullOnes > 1 || emptyOnes < fewest)
      return notTriggered('the host has null for other empty lists too, or few empty lists at all');
    const seen = `null at /${found.name}, where other answers hold a list`;
    return {
      ...warning('a list in each answer, and an empty one where there is nothing', seen, found.withNull),
      control: found.withList,
      seenIn: [operation.area, '#null-list'],
    };
  },
};
