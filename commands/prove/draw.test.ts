import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { requirements } from '../../catalog/clauses/headings.ts';
import type { Operation } from '../../catalog/operation.ts';
import { pass } from '../../engine/judgement.ts';
import { check } from '../../engine/probe/check.ts';
import type { RuleMutation } from '../../fixtures/mutants/rules/rule-mutant.ts';
import { allPass, type Draw, drawMutants } from './draw.ts';

const checkOf = (operation: Operation, rule = 'json-file') =>
  check(operation, rule, requirements['cdn.json'], 'the file is JSON', async () => pass());
const files = Object.values<Operation>(areas.clientData);
const checks = [...files, ...Object.values<Operation>(areas.general)].map((each) => checkOf(each));
const mutation: RuleMutation = {
  rule: 'json-file',
  wrong: 'It is a page.',
  mutation: () => () => () => undefined,
};
const draw: Draw = { checks, conforming: allPass(checks), seed: '1' };
const namesOf = (mutations: readonly RuleMutation[], given: Partial<Draw> = {}) =>
  drawMutants(mutations, { ...draw, ...given }).map(({ name }) => name);

test('three operations are drawn, the same ones for the same seed', () => {
  expect(namesOf([mutation])).toHaveLength(3);
  expect(namesOf([mutation])).toEqual(namesOf([mutation]));
  expect(namesOf([mutation], { seed: '2' })).not.toEqual(namesOf([mutation]));
});

test('only operations are drawn that the conforming server passes', () => {
  const [first] = checks;
  const conforming = allPass(checks.slice(0, 1));
  expect(namesOf([mutation], { conforming })).toEqual([`json-file on ${first?.operations[0].id}`]);
});

test('only operations are drawn that the mutation applies to', () => {
  const { catalog } = areas.clientData;
  expect(namesOf([{ ...mutation, on: (operation) => operation === catalog }])).toEqual([
    'json-file on clientData.catalog',
  ]);
});

test('a mutation for each clause is drawn for more than three operations where there are more clauses', () => {
  const clauses = Object.values(requirements).slice(0, 8);
  const various = files
    .slice(0, 8)
    .map((operation, nth) => ({ ...checkOf(operation), clause: clauses[nth] ?? requirements['cdn.json'] }));
  const given = { checks: various, conforming: allPass(various) };
  expect(namesOf([{ ...mutation, eachClause: true }], given)).toHaveLength(8);
  expect(namesOf([mutation], given)).toHaveLength(3);
});

test('further rules turn on the same operation, where they pass at all', () => {
  const two = [checkOf(areas.clientData.catalog), checkOf(areas.clientData.catalog, 'media')];
  const [mutant] = drawMutants([{ ...mutation, also: ['media', 'no-such-rule'] }], {
    checks: two,
    conforming: allPass(two),
    seed: '1',
  });
  expect(mutant?.turns).toEqual(['clientData.catalog#json-file', 'clientData.catalog#media']);
});

test('steps of flows that make the call may turn where the mutation says why', () => {
  const step = { ...checkOf(areas.clientData.catalog), id: 'content/step' };
  const [first] = drawMutants([{ ...mutation, inFlows: 'it reads the file.' }], {
    checks: [checkOf(areas.clientData.catalog), step],
    conforming: allPass(checks),
    seed: '1',
  });
  expect(first?.mayTurn).toEqual({ 'content/step': 'it reads the file.' });
});

test('a mutation whose calls never end has a deadline of its own', () => {
  const [patient] = drawMutants([mutation], draw);
  const [mutant] = drawMutants([{ ...mutation, timeoutMs: 5 }], draw);
  expect(patient).not.toHaveProperty('timeoutMs');
  expect(mutant?.timeoutMs).toBe(5);
});

test('a rule that has to say something else need not turn', () => {
  const [mutant] = drawMutants([{ ...mutation, says: { 'json-file': 'inconclusive reset' } }], draw);
  expect(mutant?.turns).toEqual([]);
  expect(Object.values(mutant?.says ?? {})).toEqual(['inconclusive reset']);
});
