import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { rehearse, type Script } from '../../fixtures/kit/rule-rehearsal.ts';
import { framing } from './framing.ts';

const { config } = areas.general;
const cut = { error: { kind: 'protocol', reusedConnection: false } } as const;

test.each([
  ['an answer that arrives', () => ({}), 'pass'],
  ['a refusal that arrives', () => ({ status: 404 }), 'pass'],
  ['a message that breaks every time', () => cut, 'violation'],
  ['a message that breaks now and then', ({ nth }) => (nth === 2 ? {} : cut), 'violation'],
] as [string, Script, string][])('%s: %s', async (_, script, expected) => {
  expect((await rehearse(framing, config, script)).verdict).toBe(expected);
});

test.each([
  ['a message that broke once, as a restart breaks it', ({ nth }) => (nth ? {} : cut)],
  ['a connection that broke before an answer', () => ({ error: 'reset' })],
] as [string, Script][])('%s is not judged', async (_, script) => {
  const routed = async () => ({ served: undefined, reason: 'reset', why: 'broke' }) as const;
  expect((await rehearse(framing, config, script, { routed })).verdict).toBe('reset');
});
