// Asks that the plain call's answer matches the schema that the profile states for it.
import { clauseById } from '../../catalog/clauses/clauses.ts';
import { isGuessed } from '../../engine/flow/refusal.ts';
import { inconclusive, notTriggered, pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { excused, servedAnswer } from '../../engine/probe/gate.ts';
import { jsonIn } from '../../engine/probe/matchers/json.ts';
import { unlikeSchema } from '../../engine/probe/matchers/payload-schema.ts';
import { is2xx } from '../../engine/values/status.ts';

export const schema: Rule = {
  name: 'schema',
  title: 'its answer matches the schema that the profile states',
  clause: () => clauseById('profile.schema'),
  async judge(operation, context) {
    const wanted = context.stated(operation)?.schema;
    if (wanted === undefined) return notTriggered('the profile gives no schema for its answer');
    const gate = await servedAnswer(operation, context);
    if (!gate.open) return gate.judgement;
    const { exchange, response } = gate;
    if (!is2xx(response.status)) return notTriggered(`its plain call is answered ${response.status}`);
    if (response.status === 204 || response.status === 205)
      return notTriggered(`${response.status} has no content`);
    const json = jsonIn(response);
    const found =
      'value' in json
        ? unlikeSchema(json.value, wanted)
        : { expected: 'a JSON answer, as the profile says', actual: json.why };
    if (found === undefined) return pass(exchange);
    const { expected, actual } = found;
    // A success answer to an invalid body may say that the body is invalid.
    return isGuessed(context.flows.forms(operation))
      ? inconclusive(
          'needs-body',
          `it was sent a guessed body, so this may be no fault: expected ${expected}, got ${actual}`,
          exchange,
        )
      : excused(violation(expected, actual, exchange), operation, context);
  },
};
