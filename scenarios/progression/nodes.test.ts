import { expect, test } from 'vitest';
import { flow } from '../../engine/flow/flow.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { type Put, rehearseFlow, withoutWaits } from '../../fixtures/kit/flow-rehearsal.ts';
import { nodes, openNodesIn } from './nodes.ts';

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

interface Web {
  /** How a call with a node is answered. */
  readonly status?: number;
  readonly unknown?: number;
  readonly isPaid?: boolean;
  readonly isMarked?: boolean;
  /** Another node is taken than the one that is named. */
  readonly isAnother?: boolean;
  /** Whether nodes have a field that says whether they were taken. */
  readonly hasMark?: boolean;
}

/** The judgement of a step on a server with one character, a web of two nodes and a wallet. */
async function judged(step: string, web: Web) {
  const { status = 200, unknown = 404, isPaid = true, isMarked = true, hasMark = true } = web;
  const taken = new Set<string>();
  let points = 1_000;
  const answer = ({ operation, ask }: Put) => {
    if (operation === 'general.currencies')
      return { body: { balances: [{ currency: 'points', amount: points }] } };
    if (operation !== 'game.bloodweb') return { body: {} };
    const { nodeId } = JSON.parse(String(ask.body ?? '{}')) as { nodeId?: string };
    if (nodeId !== undefined && !/^n[12]$/.test(nodeId)) return { status: unknown };
    if (nodeId !== undefined && status !== 200) return { status };
    if (nodeId !== undefined && !taken.has(nodeId)) {
      if (isPaid) points -= 50;
      taken.add(web.isAnother ? 'n2' : nodeId);
    }
    const list = ['n1', 'n2'].map((id) => ({
      nodeId: id,
      cost: 50,
      ...(hasMark && { bought: isMarked && taken.has(id) }),
    }));
    return { body: { characterName: 'Cole', nodes: list } };
  };
  const suite = flow('web');
  nodes(suite);
  const [judgement] = await withoutWaits(() => rehearseFlow(answer).play(suite.suite(), step));
  return judgement?.kind;
}

test.each<[string, Web, string]>([
  ['is marked', {}, 'pass'],
  ['is paid, and not marked', { isMarked: false }, 'violation'],
  ['is paid, in a web that marks none', { hasMark: false }, 'not-applicable'],
  ['is neither paid nor marked', { isPaid: false, isMarked: false }, 'not-applicable'],
  ['marks another', { isAnother: true }, 'violation'],
  ['is not found', { status: 404 }, 'violation'],
  ['is refused for another reason', { status: 403 }, 'not-applicable'],
])('a node that is taken and %s: %3$s', async (_, web, kind) => {
  expect(await judged('node-taken', web)).toBe(kind);
});

test('a node that no web has is refused without a server error', async () => {
  expect(await judged('node-unknown', {})).toBe('pass');
  expect(await judged('node-unknown', { unknown: 500 })).toBe('violation');
});
