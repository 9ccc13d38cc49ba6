import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { document } from '../../catalog/clauses/headings.ts';
import type { Operation } from '../../catalog/operation.ts';
import { pass } from '../../engine/judgement.ts';
import { check } from '../../engine/probe/check.ts';
import type { RuleLie } from '../../fixtures/mutants/rules/rule-mutant.ts';
import { allPass, type Draw, drawLiars } from './draw.ts';

const checkOf = (operation: Operation, rule = 'json-file') =>
  check(operation, rule, document['cdn.json'], 'the file is JSON', async () => pass());
const files = Object.values<Operation>(areas.clientData);
const checks = [...files, ...Object.values<Operation>(areas.general)].map((each) => checkOf(each));
const lie: RuleLie = { rule: 'json-file', wrong: 'It is a page.', lie: () => () => () => undefined };
const draw: Draw = { checks, honest: allPass(checks), seed: '1' };
const namesOf = (lies: readonly RuleLie[], given: Partial<Draw> = {}) =>
  drawLiars(lies, { ...draw, ...given }).map(({ name }) => name);

test('three operations are drawn, the same ones for the same seed', () => {
  expect(namesOf([lie])).toHaveLength(3);
  expect(namesOf([lie])).toEqual(namesOf([lie]));
  expect(namesOf([lie], { seed: '2' })).not.toEqual(namesOf([lie]));
});

test('only operations are drawn that the honest server passes', () => {
  const [first] = checks;
  const honest = allPass(checks.slice(0, 1));
  expect(namesOf([lie], { honest })).toEqual([`json-file on ${first?.operations[0].id}`]);
});

test('only operations are drawn that the lie can be told about', () => {
  const { catalog } = areas.clientData;
  expect(namesOf([{ ...lie, on: (operation) => operation === catalog }])).toEqual([
    'json-file on clientData.catalog',
  ]);
});

test('a lie that is told about each clause is told about more than three where there are more', () => {
  const clauses = Object.values(document).slice(0, 8);
  const various = files
    .slice(0, 8)
    .map((operation, nth) => ({ ...checkOf(operation), clause: clauses[nth] ?? document['cdn.json'] }));
  const given = { checks: various, honest: allPass(various) };
  expect(namesOf([{ ...lie, eachClause: true }], given)).toHaveLength(8);
  expect(namesOf([lie], given)).toHaveLength(3);
});

test('further rules turn on the same operation, where they pass at all', () => {
  const two = [checkOf(areas.clientData.catalog), checkOf(areas.clientData.catalog, 'media')];
  const [liar] = drawLiars([{ ...lie, also: ['media', 'no-such-rule'] }], {
    checks: two,
    honest: allPass(two),
    seed: '1',
  });
  expect(liar?.turns).toEqual(['clientData.catalog#json-file', 'clientData.catalog#media']);
});

test('a lie about calls that never end has a deadline of its own', () => {
  const [patient] = drawLiars([lie], draw);
  const [liar] = drawLiars([{ ...lie, timeoutMs: 5 }], draw);
  expect(patient).not.toHaveProperty('timeoutMs');
  expect(liar?.timeoutMs).toBe(5);
});

test('a rule that has to say something else need not turn', () => {
  const [liar] = drawLiars([{ ...lie, says: { 'json-file': 'inconclusive reset' } }], draw);
  expect(liar?.turns).toEqual([]);
  expect(Object.values(liar?.says ?? {})).toEqual(['inconclusive reset']);
});
