import { expect, test } from 'vitest';
import { catalog } from '../../catalog/catalog.ts';
import { httpRules } from './http-rules.ts';

const all = 184;
const reads = 112;
const files = 49;
const readsOfPlayers = reads - files;

test.each([
  ['answers', all],
  ['framing', all],
  ['media', all],
  ['utf8', all],
  ['bom', all],
  ['interoperable', all],
  ['json-file', files - 1],
  ['coding', reads],
  ['etag-stable', reads],
  ['not-modified', reads],
  ['modified', reads],
  ['range', files],
  ['head', reads],
  ['stable-shape', reads],
  ['concurrent', all],
  ['no-internals', all],
  ['private', readsOfPlayers],
])('%s is asked of %d operations', (name, count) => {
  const rule = httpRules.find((candidate) => candidate.name === name);
  expect(catalog.filter((operation) => rule?.applies(operation))).toHaveLength(count);
});

test('names are unique, and each rule cites a clause for every operation it is asked of', () => {
  expect(new Set(httpRules.map(({ name }) => name)).size).toBe(19);
  for (const rule of httpRules) {
    for (const operation of catalog.filter(rule.applies)) expect(rule.clause(operation).why).not.toBe('');
  }
});
