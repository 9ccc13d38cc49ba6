import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { catalog } from '../catalog.ts';
import { clauseById, register } from './clauses.ts';

const document = readFileSync(new URL('../interface.md', import.meta.url), 'utf8');
const headings = new Set(
  Array.from(document.matchAll(/^#+ (.+)$/gm), (match) => match[1]?.replace(/ at \{\w+\}/, '')),
);

test('no two clauses share an id or a sentence', () => {
  expect(new Set(register.map(({ id }) => id)).size).toBe(register.length);
  expect(new Set(register.map(({ says }) => says)).size).toBe(register.length);
});

test('a clause is a sentence with a reason, and says what is, not what should be', () => {
  for (const { id, says, why } of register) {
    expect(says, id).toMatch(/^[^\s].*\.$/);
    expect(why, id).toMatch(/^[A-Z].*\.$/);
    expect(`${says} ${why}`, id).not.toMatch(/\bshould\b/i);
  }
});

test('a clause of the document names a heading that the document has', () => {
  for (const { id, level, heading } of register) {
    if (level === 'documented' || heading !== undefined) expect(headings, id).toContain(heading);
  }
});

test('a clause of a standard names its section and says whether a client notices', () => {
  const standard = register.filter(({ level }) => level === 'standard');
  expect(standard.length).toBeGreaterThan(0);
  for (const { id, rfc, noticedByClient } of standard) {
    const [, number, section] = /^RFC (\d+), section ([\d.]+)$/.exec(rfc?.section ?? '') ?? [];
    expect(rfc?.link, id).toBe(`https://www.rfc-editor.org/rfc/rfc${number}#section-${section}`);
    expect(noticedByClient, id).toBeTypeOf('boolean');
  }
});

test('every operation cites a clause of the register, and its heading is the one above its table', () => {
  for (const { id, clause } of catalog) expect(clauseById(clause).level, id).toBe('documented');
});

/** Sentences of the document, quoted, that no answer of a server could break, each with the reason. */
const untestable: readonly {
  readonly heading: string;
  readonly sentence: string;
  readonly reason: string;
}[] = [
  {
    heading: 'What the service does',
    sentence: 'The service is the online backend of a multiplayer game client. It has three parts.',
    reason: 'a description; its parts are judged row by row',
  },
  {
    heading: 'What the service does',
    sentence: 'Purpose statement of the service: not shown beyond the grouping of its operations.',
    reason: 'says that something is not shown',
  },
  {
    heading: 'Resources and their fields',
    sentence: 'Fields of every resource, and the types and formats of the identifiers: not shown.',
    reason: 'says that something is not shown; shapes are recorded as behaviours',
  },
  {
    heading: 'States and transitions',
    sentence:
      'States and transitions of any resource (party, match, queue, story, messages, onboarding, free gift): not shown.',
    reason: 'says that something is not shown',
  },
  {
    heading: 'Endpoints',
    sentence: 'Request and response payload shapes: not shown for any operation.',
    reason: 'says that something is not shown',
  },
  { heading: 'Main API: Messages', sentence: 'other filter values are open.', reason: 'leaves it open' },
  {
    heading: 'Authentication',
    sentence: 'Credential scheme for all other operations: not shown.',
    reason: 'says that something is not shown; found by evidence',
  },
  {
    heading: 'Authentication',
    sentence: 'Claims, lifetime and response of login: not shown.',
    reason: 'says that something is not shown',
  },
  {
    heading: 'Events',
    sentence: 'Events: not shown. This covers event kinds, delivery channel and payloads;',
    reason: 'says that something is not shown',
  },
  {
    heading: 'Errors',
    sentence: 'Errors: not shown. This covers status codes, error body shape and error codes.',
    reason: 'says that something is not shown; recorded under open.errors',
  },
  {
    heading: 'Errors',
    sentence: 'its exact effect is open.',
    reason: 'leaves it open',
  },
  {
    heading: 'Limits',
    sentence: 'Limits: not shown. This covers rate limits, size limits, batch sizes and time-outs.',
    reason: 'says that something is not shown; limits met are recorded',
  },
  {
    heading: 'Versioning',
    sentence: 'Main API paths carry the prefix /api/v1.',
    reason: 'a property of the paths in the tables: every routed check of the main API sends it',
  },
  {
    heading: 'Versioning',
    sentence:
      'Consent files carry a version segment in the path (eula v4, marketing v2, privacy v3 and v4, console EULA v5).',
    reason: 'a property of the paths in the tables: the routed checks of the consent files send it',
  },
  {
    heading: 'Versioning',
    sentence: 'Compatibility and deprecation policy: not shown.',
    reason: 'says that something is not shown',
  },
];

test('what cannot be tested is quoted from the document with its heading and a reason', () => {
  const text = document.replace(/\s+/g, ' ');
  for (const { heading, sentence, reason } of untestable) {
    expect(headings).toContain(heading);
    expect(text.includes(sentence), sentence).toBe(true);
    expect(reason.length).toBeGreaterThan(10);
  }
});

test('an id that no clause has is an error that names it', () => {
  expect(() => clauseById('party.unheard-of')).toThrow(
    new RangeError('no clause has the id party.unheard-of'),
  );
});
