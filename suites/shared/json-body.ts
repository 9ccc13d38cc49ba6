// Makes a rule about JSON that one parser accepts and another refuses.
import type { Response } from '../../engine/http/exchange.ts';
import { notTriggered, pass, warning } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import type { MatcherFinding } from '../../engine/probe/matchers/http-fields.ts';
import { holdsJson } from '../../engine/probe/matchers/json.ts';
import { servedAnswer } from '../../engine/probe/prerequisites.ts';

export const jsonBodyRule = (
  name: string,
  title: string,
  clause: string,
  wrong: (response: Response) => MatcherFinding | undefined,
): Rule => ({
  name,
  title,
  clause,
  async judge(operation, context) {
    const { exchange, response } = await servedAnswer(operation, context);
    if (response.body.length === 0 || !holdsJson(response)) return notTriggered('the body is not JSON');
    const found = wrong(response);
    return found ? warning(found.expected, found.actual, exchange) : pass(exchange);
  },
});
