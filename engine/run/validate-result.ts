// Validates a result against its published schema: strictly for a report, and leniently where runs are compared, since
// a later version may add fields.
import { readFileSync } from 'node:fs';
import { jsonSchemas, type Validate, type Violation } from '../target/json-schemas.ts';
import { isNested, isObject, keysIn } from '../values/json-walk.ts';
import { once } from '../values/once.ts';
import { quoted } from '../values/text.ts';

/** Lenient: unknown fields pass, and exchanges are not checked. */
type Reading = 'strict' | 'lenient';

const validatorOf = once((reading: Reading): Validate => {
  const text = readFileSync(new URL('./result.schema.json', import.meta.url), 'utf8');
  const isClosing = (key: string, value: unknown) => key === 'additionalProperties' && value === false;
  const schema = JSON.parse(text, (key, value) =>
    reading === 'lenient' && isClosing(key, value) ? undefined : value,
  );
  if (reading === 'lenient') schema.$defs.exchange = {};
  // Reports one mistake: finding all of them in a hostile file could take for ever.
  return jsonSchemas({ allErrors: false }).compile(schema);
});

/** The first violation of `assay.result/1`, with its place (`checks[3] has no "level"`); undefined without one. */
export function schemaProblem(value: unknown, reading: Reading = 'strict'): string | undefined {
  // For a result of a later version, this is the mistake to report.
  if (isObject(value) && value.schema !== undefined && value.schema !== 'assay.result/1')
    return `schema is ${shown(value.schema)}, expected "assay.result/1"`;
  const validate = validatorOf(reading);
  if (validate(value)) return undefined;
  const [violation] = validate.errors ?? [];
  return violation && sentenceOf(violation);
}

function sentenceOf({ instancePath, keyword, params, message, data }: Violation): string {
  const at = placeOf(instancePath);
  if (keyword === 'additionalProperties')
    return `${at} has a member ${quoted(params.additionalProperty)} that no result of this version has`;
  if (keyword === 'required') return `${at} has no ${quoted(params.missingProperty)}`;
  if (keyword === 'enum')
    return `${at} is ${shown(data)}, expected one of ${params.allowedValues.join(', ')}`;
  return `${at} is ${shown(data)}: it ${message}`;
}

/** `/checks/3/level` → `checks[3].level`. */
function placeOf(pointer: string): string {
  const place = keysIn(pointer)
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
  return place === '' ? 'the whole file' : quoted(place).slice(1, -1);
}

/** A value for a message, shortened, since a hostile one can be of any size and depth. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return isNested(value) ? 'an object' : quoted(JSON.stringify(value)).slice(1, -1);
}
