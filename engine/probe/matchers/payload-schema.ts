// A JSON value against the schema that a profile gives for it.
import { compileAlone, jsonSchemas, type Validate, type Violation } from '../../target/json-schemas.ts';
import { shownPointer } from '../../values/json-walk.ts';
import { switchPoint } from '../../values/switch-points.ts';
import { quoted } from '../../values/text.ts';
import type { Finding } from './finding.ts';

const compiled = new WeakMap<object, Validate>();
let schemas: ReturnType<typeof jsonSchemas> | undefined;

/** What is wrong with the value, by its first violation; undefined where nothing is. A schema is compiled once. */
export const unlikeSchema = switchPoint(function unlikeSchema(
  value: unknown,
  schema: object,
): Finding | undefined {
  const known = compiled.get(schema);
  // The first violation is enough: an answer may hold a million.
  schemas ??= jsonSchemas({ allErrors: false });
  const validate = known ?? compileAlone(schemas, schema);
  if (!known) compiled.set(schema, validate);
  try {
    return validate(value) ? undefined : finding(mostTelling(validate.errors ?? []));
  } catch (error) {
    // A schema that refers to itself follows an answer as deep as that goes, until the stack ends.
    if (!(error instanceof RangeError)) throw error;
    return {
      expected: 'a value that can be held against its schema',
      actual: 'one that is nested too deeply',
    };
  }
});

/** The branches of a choice say first why each of them does not hold; the choice itself says it of all. */
function mostTelling(violations: readonly Violation[]): Violation | undefined {
  return (
    violations.find(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf') ??
    violations.find(({ keyword }) => keyword !== 'if') ??
    violations[0]
  );
}

function finding(violation: Violation | undefined): Finding {
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

const inShort = (value: unknown) => quoted(JSON.stringify(value) ?? 'nothing').slice(1, -1);
