// The shape of `assay.result/1`, as far as those who read one lean on it. Unknown fields are let pass: a later Assay may add some.
import { allHosts } from '../../catalog/operation.ts';
import { outcomes } from '../judgement.ts';
import { quoted } from '../values/text.ts';

interface Kind {
  readonly expected: string;
  readonly holds: (value: unknown) => boolean;
}
type Shape =
  | Kind
  | { readonly list: Shape }
  | { readonly maybe: Shape }
  | { readonly fields: Readonly<Record<string, Shape>> };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const text: Kind = { expected: 'a string', holds: (value) => typeof value === 'string' };
const oracle: Kind = { expected: 'true or false', holds: (value) => typeof value === 'boolean' };
const number: Kind = {
  expected: 'a number from 0',
  holds: (value) => typeof value === 'number' && value >= 0,
};
const time: Kind = {
  expected: 'a time (ISO 8601)',
  holds: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
};
const operation: Kind = {
  expected: 'an operation id or a list of them',
  holds: (value) => [value].flat().every((id) => typeof id === 'string'),
};
const shares: Kind = {
  expected: 'a number from 0 to 1 for each host',
  holds: (value) => isRecord(value) && Object.values(value).every((share) => Number(share) <= 1),
};
const latency: Kind = {
  expected: 'six numbers from 0 for each operation',
  holds: (value) =>
    isRecord(value) &&
    Object.values(value).every(
      (figures) => Array.isArray(figures) && figures.length === 6 && figures.every(number.holds),
    ),
};
const oneOf = (...words: readonly (string | boolean)[]): Kind => ({
  expected: words.map((word) => JSON.stringify(word)).join(' or '),
  holds: (value) => words.includes(value as string),
});
const maybe = (kind: Kind): Kind => ({
  expected: `${kind.expected}, or nothing`,
  holds: (value) => value === undefined || kind.holds(value),
});

const behaviour: Shape = {
  fields: {
    points: { list: text },
    before: text,
    after: text,
    places: { maybe: { list: { fields: { at: text, before: text, after: text } } } },
  },
};

const waived = { reason: text, link: text, expires: text };

const check: Shape = {
  fields: {
    id: text,
    title: text,
    operation,
    host: oneOf(...allHosts),
    clause: text,
    level: oneOf('documented', 'profile', 'standard', 'inferred', 'open'),
    outcome: oneOf(...outcomes),
    reason: maybe(text),
    detail: maybe(text),
    expected: maybe(text),
    actual: maybe(text),
    behaviour: maybe(text),
    cause: maybe(text),
    curl: maybe(text),
    waived: { maybe: { fields: waived } },
    known: maybe(oneOf(true)),
    rerun: text,
    durationMs: number,
  },
};

const run: Shape = {
  fields: {
    schema: oneOf('assay.result/1'),
    target: { fields: { embedded: oracle, base: maybe(text), cdn: maybe(text), gamelogs: maybe(text) } },
    startedAt: time,
    durationMs: number,
    seed: text,
    runId: text,
    ended: oneOf('complete', 'interrupted', 'budget', 'worker-died', 'bail'),
    exitCode: number,
    options: {
      fields: {
        strict: oracle,
        readOnly: oracle,
        minJudged: number,
        only: { list: text },
        rerun: maybe(oracle),
        insecure: maybe(oneOf(true)),
      },
    },
    summary: { fields: Object.fromEntries(outcomes.map((outcome) => [outcome, number])) },
    headline: { fields: { operations: number, served: number, answered2xx: number, verdict: text } },
    judgedShare: shares,
    preflight: { list: text },
    leftBehind: { maybe: { list: text } },
    unmatched: { maybe: { list: text } },
    incidents: { maybe: { list: text } },
    latency: maybe(latency),
    waivers: {
      maybe: { list: { fields: { ...waived, check: text, waived: number, problem: maybe(text) } } },
    },
    baseline: {
      maybe: {
        fields: {
          startedAt: time,
          runId: text,
          worse: { list: text },
          unjudgedBefore: { maybe: { list: text } },
          noLongerJudged: { maybe: { list: text } },
          knownFailures: number,
          repaired: number,
          behaviours: { maybe: { list: behaviour } },
        },
      },
    },
    checks: { list: check },
  },
};

/** The first thing wrong with a parsed result, with its place (`checks[3].level is …`); undefined when it is sound. */
export function shapeProblem(value: unknown): string | undefined {
  const found = problem(value, run);
  return found?.startsWith(' ') ? `the whole file${found}` : found?.replace(/^\./, '');
}

/** Its place is put together on the way out, so that a sound result of thousands of checks needs none. */
function problem(value: unknown, shape: Shape): string | undefined {
  if ('fields' in shape) {
    if (!isRecord(value)) return misfit(value, 'an object');
    for (const key in shape.fields) {
      const found = problem(value[key], shape.fields[key] as Shape);
      if (found !== undefined) return `.${key}${found}`;
    }
    return undefined;
  }
  if ('maybe' in shape) return value === undefined ? undefined : problem(value, shape.maybe);
  if ('list' in shape) {
    if (!Array.isArray(value)) return misfit(value, 'a list');
    for (const [index, item] of value.entries()) {
      const found = problem(item, shape.list);
      if (found !== undefined) return `[${index}]${found}`;
    }
    return undefined;
  }
  return shape.holds(value) ? undefined : misfit(value, shape.expected);
}

function misfit(value: unknown, expected: string): string {
  const found = value === undefined ? 'missing' : quoted(JSON.stringify(value)).slice(1, -1);
  return ` is ${found}, expected ${expected}`;
}
