// Validates by JSON Schema (2020-12), with ajv, which is loaded only when a profile or a payload is validated.

import { createRequire } from 'node:module';
import type {
  Ajv2020,
  ErrorObject,
  FuncKeywordDefinition,
  Options,
  ValidateFunction,
} from 'ajv/dist/2020.js';
import { isNested } from '../values/json-walk.ts';

export type Validate = ValidateFunction;
export type Violation = ErrorObject;

const require = createRequire(import.meta.url);

/** What `ajv.cjs` exports. */
interface Library {
  readonly Ajv2020: typeof Ajv2020;
  readonly addFormats: (ajv: Ajv2020) => void;
}

/** Replaces ajv's `uniqueItems`, which compares every pair of items and takes minutes for an answer of a megabyte. */
const uniqueItems: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  errors: true,
  compile(isAsked: boolean) {
    const validate: ReturnType<NonNullable<FuncKeywordDefinition['compile']>> = (
      items: readonly unknown[],
    ) => {
      if (!isAsked) return true;
      const known = new Map<string, number>();
      for (const [at, item] of items.entries()) {
        const text = canonical(item);
        const equal = known.get(text);
        if (equal === undefined) {
          known.set(text, at);
          continue;
        }
        const message = `must NOT have duplicate items (items ## ${equal} and ${at} are identical)`;
        validate.errors = [{ keyword: 'uniqueItems', message, params: { i: at, j: equal } }];
        return false;
      }
      return true;
    };
    return validate;
  },
};

/** Returns the same text for equal JSON values, whatever the order of their names. */
function canonical(value: unknown): string {
  if (!isNested(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical((value as Record<string, unknown>)[name])}`).join()}}`;
}

/** A compiler of schemas that never fetches one. Its validators report all violations, with schema and value. */
export function jsonSchemas(options: Options = {}): Ajv2020 {
  const { Ajv2020, addFormats } = require('#json-schemas') as Library;
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    ownProperties: true,
    discriminator: true,
    inlineRefs: false,
    strictTypes: false,
    strictTuples: false,
    validateSchema: false,
    logger: false,
    // Compiling a hundred small schemas, each used a few times, costs more than running them.
    code: { optimize: false },
    ...options,
  });
  addFormats(ajv);
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword(uniqueItems);
  // ajv resolves `$anchor`, but does not count it among the keywords that it knows.
  ajv.addKeyword('$anchor');
  return ajv;
}

/**
 * Compiles one schema and then forgets it, so that two schemas may have the same `$id`.
 * @throws Error where the schema does not compile: an unknown keyword or format, or a reference to nothing
 */
export function compileAlone(ajv: Ajv2020, schema: object): Validate {
  try {
    return ajv.compile(schema);
  } finally {
    ajv.removeSchema(schema);
  }
}
