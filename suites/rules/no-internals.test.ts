import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { nobody } from '../../engine/http/ask.ts';
import { rehearse, type Script } from '../../fixtures/kit/rule-rehearsal.ts';
import { noInternals } from './no-internals.ts';

const { create } = areas.party;
const trace = { error: 'x', stack: 'Error: x\n    at handler (/usr/src/app/x.js:12:5)' };

test.each([
  ['plain refusals', () => ({ status: 400, body: { error: 'bad' } }), 'pass'],
  ['nothing refused', () => ({}), 'not-triggered'],
  ['a plain call that shows a trace', ({ as }) => (as ? {} : { status: 500, body: trace }), 'violation'],
  ['a trace for nobody', ({ as }) => (as === nobody ? { status: 401, body: trace } : {}), 'violation'],
  [
    'a trace for a body that is cut off',
    ({ body }) => (body ? { status: 400, body: trace } : {}),
    'violation',
  ],
  ['a success that holds one, as a log might', () => ({ body: trace }), 'not-triggered'],
] as [string, Script, string][])('%s', async (_, script, expected) => {
  expect((await rehearse(noInternals, create, script)).verdict).toBe(expected);
});

test('it asks only where a refusal may be had', async () => {
  const rows = [areas.clientData.catalog, areas.general.config, create];
  const counts = await Promise.all(
    rows.map(async (row) => (await rehearse(noInternals, row, () => ({}))).asked.length),
  );
  expect(counts).toEqual([1, 2, 3]);
});

test('asks a host besides the main API anonymously too, where it wants the session', async () => {
  const { logsBatch } = areas.logs;
  const script: Script = ({ as }) => (as === nobody ? { status: 401, body: trace } : {});
  expect((await rehearse(noInternals, logsBatch, script)).verdict).toBe('not-triggered');
  const takesSession = () => true;
  expect((await rehearse(noInternals, logsBatch, script, { takesSession })).verdict).toBe('violation');
});
