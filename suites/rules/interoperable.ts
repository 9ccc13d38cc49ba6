// Checks that names within a JSON object are unique, and that whole numbers stay within 2^53.
import { text } from '../../engine/http/exchange.ts';
import { jsonDialect, jsonIn } from '../../engine/probe/matchers/json.ts';
import { jsonBodyRule } from '../shared/json-body.ts';

/** The rule `media` judges text that is not JSON. */
export const interoperable = jsonBodyRule(
  'interoperable',
  'its JSON means the same to every parser',
  'rfc8259.interoperable',
  (response) => ('value' in jsonIn(response) ? jsonDialect(text(response)) : undefined),
);
