// Checks that the plain call's answer matches the schema that the profile states for it.
import { isGuessed } from '../../engine/flow/why-refused.ts';
import { inconclusive, notTriggered, pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import type { MatcherFinding } from '../../engine/probe/matchers/http-fields.ts';
import { jsonIn } from '../../engine/probe/matchers/json.ts';
import { excuseGuessedPattern, servedAnswer } from '../../engine/probe/prerequisites.ts';
import {
  compileAlone,
  jsonSchemas,
  type Validate,
  type Violation,
} from '../../engine/target/json-schemas.ts';
import { shownPointer } from '../../engine/values/json-walk.ts';
import { is2xx } from '../../engine/values/status.ts';
import { switchPoint } from '../../engine/values/switch-points.ts';
import { quoted } from '../../engine/values/text.ts';

export const schema: Rule = {
  name: 'schema',
  title: 'its answer matches the schema that the profile states',
  clause: 'profile.schema',
  async judge(operation, context) {
    const wanted = context.stated(operation)?.schema;
    if (wanted === undefined) return notTriggered('the profile gives no schema for its answer');
    const { exchange, response } = await servedAnswer(operation, context);
    if (!is2xx(response.status)) return notTriggered(`its plain call is answered ${response.status}`);
    if (response.status === 204 || response.status === 205)
      return notTriggered(`${response.status} has no content`);
    const json = jsonIn(response);
    const found =
      'value' in json
        ? schemaMismatch(json.value, wanted)
        : { expected: 'a JSON answer, as the profile says', actual: json.why };
    if (found === undefined) return pass(exchange);
    const { expected, actual } = found;
    // Some targets answer an invalid body with 2xx and describe the mistake, which need not match the schema.
    return isGuessed(context.flows.forms(operation))
      ? inconclusive(
          'needs-body',
          `it was sent a guessed body, so this may be no fault: expected ${expected}, got ${actual}`,
          exchange,
        )
      : excuseGuessedPattern(violation(expected, actual, exchange), operation, context);
  },
};

const compiledSchemas = new WeakMap<object, Validate>();
let compiler: ReturnType<typeof jsonSchemas> | undefined;

/** The first violation of the schema; undefined if there is none. A schema is compiled once. */
export const schemaMismatch = switchPoint(function schemaMismatch(
  value: unknown,
  schema: object,
): MatcherFinding | undefined {
  const compiled = compiledSchemas.get(schema);
  // The first violation is enough: an answer may hold a million.
  compiler ??= jsonSchemas({ allErrors: false });
  const validate = compiled ?? compileAlone(compiler, schema);
  if (!compiled) compiledSchemas.set(schema, validate);
  try {
    return validate(value) ? undefined : finding(mostTelling(validate.errors ?? []));
  } catch (error) {
    // A recursive schema descends as deep as the answer does, until the stack overflows.
    if (!(error instanceof RangeError)) throw error;
    return {
      expected: 'a value that can be validated against its schema',
      actual: 'one that is nested too deeply',
    };
  }
});

/** The violation to report. A failed `anyOf` or `oneOf` comes after those of its branches, and explains them all. */
function mostTelling(violations: readonly Violation[]): Violation | undefined {
  return (
    violations.find(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf') ??
    violations.find(({ keyword }) => keyword !== 'if') ??
    violations[0]
  );
}

function finding(violation: Violation | undefined): MatcherFinding {
  if (violation === undefined) return { expected: 'a value that its schema allows', actual: 'another' };
  const { instancePath, keyword, params, data, message } = violation;
  const at = shownPointer(instancePath, 'the answer');
  if (keyword === 'required')
    return { expected: `${at} with a member ${quoted(params.missingProperty)}`, actual: 'it is missing' };
  if (keyword === 'additionalProperties')
    return {
      expected: `${at} without further members`,
      actual: `it has ${quoted(params.additionalProperty)}`,
    };
  const allowed = Array.isArray(params.allowedValues) ? `: ${inShort(params.allowedValues)}` : '';
  return { expected: `${at} ${message ?? keyword}${allowed}`, actual: inShort(data) };
}

/** A value as JSON text, shortened and escaped, without the quotes around it. */
const inShort = (value: unknown) => quoted(JSON.stringify(value) ?? 'nothing').slice(1, -1);
