// Checks that every client-data file is JSON. The bytes decide, since buckets label files as they please.
import { pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { notJson } from '../../engine/probe/matchers/json.ts';
import { successfulAnswer } from '../../engine/probe/prerequisites.ts';

export const jsonFile: Rule = {
  name: 'json-file',
  title: 'the file is JSON',
  clause: 'cdn.json',
  async judge(operation, context) {
    const gate = await successfulAnswer(operation, context);
    const found = notJson(gate.response);
    return found ? violation(found.expected, found.actual, gate.exchange) : pass(gate.exchange);
  },
};
