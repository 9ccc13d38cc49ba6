import { text } from '../../engine/http/exchange.ts';
import { jsonDialect, jsonIn } from '../../engine/probe/matchers/json.ts';
import { jsonBodyRule } from './json-body.ts';

/** What is no JSON text at all is the matter of `media`. */
export const interoperable = jsonBodyRule(
  'interoperable',
  'its JSON means the same to every parser',
  'rfc8259.interoperable',
  (response) => ('value' in jsonIn(response) ? jsonDialect(text(response)) : undefined),
);
