// JSON that one parser takes and the next does not.
import { clauseById } from '../../catalog/clauses/clauses.ts';
import { type Response, text } from '../../engine/http/exchange.ts';
import { notTriggered, pass, warning } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { servedAnswer } from '../../engine/probe/gate.ts';
import type { Finding } from '../../engine/probe/matchers/finding.ts';
import { byteOrderMark, holdsJson, jsonDialect, jsonIn } from '../../engine/probe/matchers/json.ts';

const ofJson = (
  name: string,
  title: string,
  clause: string,
  wrong: (response: Response) => Finding | undefined,
): Rule => ({
  name,
  title,
  clause: () => clauseById(clause),
  applies: () => true,
  async judge(operation, context) {
    const gate = await servedAnswer(operation, context);
    if (!gate.open) return gate.judgement;
    const { exchange, response } = gate;
    if (response.body.length === 0 || !holdsJson(response)) return notTriggered('the body is not JSON');
    const found = wrong(response);
    return found ? warning(found.expected, found.actual, exchange) : pass(exchange);
  },
});

export const bom = ofJson('bom', 'its JSON has no byte order mark', 'rfc8259.bom', byteOrderMark);

/** What is no JSON text at all is the matter of `media`. */
export const interoperable = ofJson(
  'interoperable',
  'its JSON means the same to every parser',
  'rfc8259.interoperable',
  (response) => ('value' in jsonIn(response) ? jsonDialect(text(response)) : undefined),
);
