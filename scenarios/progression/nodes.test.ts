import { expect, test } from 'vitest';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { openNodesIn } from './nodes.ts';

const idsIn = (body: object) => openNodesIn(exchangeOf({ body })).map(({ id }) => id);

test.each<readonly [string, object, readonly (string | number)[]]>([
  ['one with a price', { nodes: [{ nodeId: 'n1', price: 500, isCollected: false }] }, ['n1']],
  ['spelled in another way', { Nodes: [{ NodeId: 3, Cost: 220, Taken: false }] }, [3]],
  ['not one that was taken', { nodes: [{ nodeId: 'n1', price: 500, isCollected: true }] }, []],
  ['not one that is locked', { nodes: [{ node_id: 'n1', cost: 5, status: 'locked' }] }, []],
  ['not one that others come before', { nodes: [{ node_id: 'n2', cost: 5, requires: ['n1'] }] }, []],
  ['not one that is free', { nodes: [{ nodeId: 'n1', price: 0 }] }, []],
])('of the nodes of a web it finds %s', (_, body, ids) => {
  expect(idsIn(body)).toEqual(ids);
});

test('a node is of the character in whose web it stands', () => {
  const body = { characters: [{ character_name: 'Cole', web: { nodes: [{ node_id: 'n1', cost: 5 }] } }] };
  expect(openNodesIn(exchangeOf({ body }))).toMatchObject([
    { key: 'node_id', id: 'n1', price: 5, character: ['character_name', 'Cole'] },
  ]);
});
