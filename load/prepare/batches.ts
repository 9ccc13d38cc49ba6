// Log batches as clients hand them in: most small, a few large, in the form that the target takes.
import type { Form } from '../../fixtures/players/bodies/form.ts';
import { type LogKind, logBatch } from '../../fixtures/players/bodies/log-batch.ts';
import { fill } from '../../fixtures/players/bodies/template.ts';
import type { Json } from '../../fixtures/target/profile-reading.ts';
import { randomFrom } from '../arrivals/random.ts';

/** Different ones; each VU keeps those that it has sent. */
const differing = 16;
const usualRecords = 25;
const mostRecords = 200;

/**
 * Bodies of log-normally many records: half of them have at most 25, none more than 200.
 * @returns undefined where the form holds no list of records
 */
export function batchBodies(form: Form, kind: LogKind, seed: number): string[] | undefined {
  const random = randomFrom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const bodies = Array.from({ length: differing }, (_, nth) => {
    const count = Math.max(1, Math.min(mostRecords, Math.round(usualRecords * Math.exp(normal()))));
    return withRecords(form.template, (record) => recordsFor(form, record, kind, `${seed}-${nth}`, count));
  });
  return bodies.some((body) => body === undefined) ? undefined : bodies.map((body) => JSON.stringify(body));
}

/** A guess is filled with records of a game client; what a profile states is repeated with other values. */
function recordsFor(form: Form, record: Json, kind: LogKind, seed: string, count: number): readonly Json[] {
  const made = logBatch(kind, seed, count);
  if (form.from === 'guess') return made;
  return made.flatMap((each, nth) => {
    const filled = fill(record, {
      now: each.timestamp,
      unique: `assay-${seed}-${nth}`,
      value: `assay-${seed}-${nth}`,
    });
    return filled.ok ? [filled.body] : [];
  });
}

/** The template with other records in its lists of objects; undefined where there is no such list. */
function withRecords(template: Json, records: (record: Json) => readonly Json[]): Json | undefined {
  if (Array.isArray(template)) {
    const [record] = template;
    return record !== null && typeof record === 'object' ? [...records(record as Json)] : undefined;
  }
  if (template === null || typeof template !== 'object') return undefined;
  let found = false;
  const members = Object.entries(template).map(([name, value]) => {
    const list = Array.isArray(value) ? withRecords(value, records) : undefined;
    found ||= list !== undefined;
    return [name, list ?? value];
  });
  return found ? Object.fromEntries(members) : undefined;
}
