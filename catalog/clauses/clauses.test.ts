import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { catalog } from '../catalog.ts';
import { clauseById, register } from './clauses.ts';
import { untestable } from './untestable.ts';

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

test('what cannot be tested is quoted from the document with its heading and a reason', () => {
  const text = document.replace(/\s+/g, ' ');
  for (const { heading, sentence, reason } of untestable) {
    expect(headings).toContain(heading);
    expect(text.includes(sentence), sentence).toBe(true);
    expect(reason).not.toBe('');
  }
});

test('an id that no clause has is an error that names it', () => {
  expect(() => clauseById('party.unheard-of')).toThrow(
    new RangeError('no clause has the id party.unheard-of'),
  );
});
