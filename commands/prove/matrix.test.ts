import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { requirements } from '../../catalog/clauses/headings.ts';
import { open } from '../../catalog/clauses/open.ts';
import { pass } from '../../engine/judgement.ts';
import { check } from '../../engine/probe/check.ts';
import type { Mutant } from '../../fixtures/mutants/mutant.ts';
import { allPass } from './draw.ts';
import { holds, matrixLines, type ProofParts, proofMarkdown, proofOf } from './matrix.ts';
import type { ProofRow } from './prover.ts';

const { version } = areas.general;
const checks = [
  check(version, 'media', requirements['versioning.report'], 'is JSON', async () => pass()),
  check(version, 'utf8', requirements['versioning.report'], 'is UTF-8', async () => pass()),
  check(version, 'shape', open['open.shape'], 'what it looks like', async () => pass()),
];
const mutant: Mutant = {
  name: 'media on general.version',
  wrong: 'It is two | texts.',
  clause: 'rfc8259.text',
  operations: [version],
  mutation: () => () => undefined,
  turns: ['general.version#media'],
};
const row: ProofRow = {
  mutant: mutant.name,
  wrong: mutant.wrong,
  clause: mutant.clause,
  outcome: 'killed',
  asked: 2,
  turned: ['general.version#media'],
  alsoTurned: {},
  missed: [],
  collateral: [],
  durationMs: 1,
};
const checkOutcome = { id: 'general.version#utf8', outcome: 'fail', why: 'expected a, got b' } as const;
const proof = (parts: Partial<ProofParts> = {}) =>
  proofOf({
    seed: '1',
    checks,
    conforming: allPass(checks),
    mutants: [mutant],
    rows: [row],
    isWhole: false,
    ...parts,
  });

test('a proof holds when every mutant is found out, nobody else accused, and no rule is known to be unproved', () => {
  expect(proof()).toMatchObject({
    schema: 'assay.proof/1',
    mutants: 1,
    liars: 1,
    killed: 1,
    collateral: 0,
    rules: 1,
    unproven: [],
  });
  expect(holds(proof())).toBe(true);
});

test.each<[string, Partial<ProofParts>]>([
  ['a mutant that survives', { rows: [{ ...row, outcome: 'survived', missed: [checkOutcome] }] }],
  ['a check that is wrongly accused', { rows: [{ ...row, collateral: [checkOutcome] }] }],
  ['a rule that nobody turns', { isWhole: true }],
  ['an honest variant that is accused', { variants: { variants: 2, pairs: 1, accused: 1 } }],
])('a proof does not hold with %s', (_, parts) => {
  expect(holds(proof(parts))).toBe(false);
});

test('an open point need not be proved, nor a rule that nothing here is judged by', () => {
  expect(proof({ isWhole: true }).unproven).toEqual(['utf8']);
  expect(proof({ isWhole: true, conforming: allPass(checks.slice(0, 1)) }).unproven).toEqual([]);
});

test('the matrix lists what went wrong below each mutant, at most eight lines', () => {
  const lines = matrixLines(
    proof({ rows: [{ ...row, outcome: 'survived', missed: Array(10).fill(checkOutcome) }] }),
  );
  expect(lines[0]).toBe('media on general.version  survived 1 of 2 turned');
  expect(lines[1]).toBe('    did not turn: general.version#utf8 is fail, expected a, got b');
  expect(lines[9]).toBe('    … and 2 more');
  expect(lines.at(-1)).toBe(
    '0 of 1 mutants found out, 0 wrongly accused checks, 1 rules and steps proved, SEED=1',
  );
});

test('the table tells apart what turned for another reason, and says it', () => {
  const also = {
    ...row,
    turned: ['general.version#media', 'general.version#utf8'],
    alsoTurned: { 'general.version#utf8': 'it reads the same bytes.' },
    flowsAlone: 'others are in the way.',
  };
  expect(proof({ rows: [also] })).toMatchObject({ alsoTurning: 1, flowsAlone: 1, collateral: 0 });
  expect(proof()).toMatchObject({ alsoTurning: 0, flowsAlone: 0 });
  expect(proofMarkdown(proof({ rows: [also] }))).toContain(
    '| killed | general.version#media | general.version#utf8: it reads the same bytes. asked flows alone: others are in the way. | 0 |',
  );
});

test('in Markdown no text breaks the table', () => {
  expect(proofMarkdown(proof())).toContain('| It is two \\| texts. |');
});
