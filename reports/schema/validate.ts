// Validates a result against its published schema: stricter than `diff` and `--baseline`, since a report shows all of it.

import { readFileSync } from 'node:fs';
import { jsonSchemas, type Validate, type Violation } from '../../engine/target/json-schemas.ts';
import { isNested } from '../../engine/values/json-walk.ts';
import { quoted } from '../../engine/values/text.ts';

let published: Validate | undefined;

function validator(): Validate {
  const file = new URL('./result.schema.json', import.meta.url);
  // Reports one mistake: to look for all of them in a hostile file could take for ever.
  published ??= jsonSchemas({ allErrors: false }).compile(JSON.parse(readFileSync(file, 'utf8')));
  return published;
}

/** The first thing that `assay.result/1` does not allow, with its place (`checks[3] has no "level"`); undefined when it is sound. */
export function schemaProblem(value: unknown): string | undefined {
  const validate = validator();
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
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const place = steps
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
  return place === '' ? 'the whole file' : quoted(place).slice(1, -1);
}

/** A hostile value can be of any size and depth; its beginning is enough. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return isNested(value)
    ? 'an object'
    : quoted(String(value)).replace(/^"|"$/g, typeof value === 'string' ? '"' : '');
}
