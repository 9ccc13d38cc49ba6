// Conforming servers are accused of nothing. Some of them here; all of them, alone, in pairs and with profiles, by
// `npm run prove -- --honest`.
import { expect, test } from 'vitest';
import { variants } from '../../../fixtures/conforming-variants/all.ts';
import { suites } from '../../run/suites.ts';
import { askVariants } from './ask.ts';
import { excluded, profiled } from './judge.ts';

const limitMs = 240_000;

test('there are at least forty, each with a name of its own', () => {
  const names = variants.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(40);
});

test('those that exclude each other are there, too, and those that come with a profile', () => {
  const names = new Set(variants.map(({ name }) => name));
  const namedVariants = [...excluded.flatMap(({ pair }) => pair), ...profiled.flat()];
  expect(namedVariants.filter((name) => !names.has(name))).toEqual([]);
});

test.each([
  // Whatever it was once accused of, it is no more.
  [
    ['404 for whoever is not signed in', 'short-lived tokens', 'refusals that say when and which'],
    '#brackets',
  ],
  [['volatile fields', 'lists in any order', 'reads up to 500 ms behind'], 'store/'],
  [['half the interface left out', 'session in the query'], 'utils.'],
  [['rotating tokens', 'chunks of odd sizes with extensions and a trailer', 'delays up to 300 ms'], 'me.'],
  [['null for what is empty', 'TLS'], 'archives.'],
  [['logging API wants the session', 'client data wants the session', 'session in a cookie'], 'logs'],
  [['logging API wants the session', 'client data wants the session', 'rotating tokens'], 'clientData.c'],
  [['logging API wants the token, main API takes a cookie too'], 'logs'],
  [['a party is told to nobody without its key', 'an envelope around everything'], 'party'],
])(
  '%j is accused of nothing in %s',
  async (names, part) => {
    const chosen = variants.filter(({ name }) => names.includes(name));
    const only = ({ id }: { readonly id: string }) => id.includes(part);
    const judgement = await askVariants(chosen, { suites, seed: '1', only });
    const { accusations, passed, unjudged } = judgement;
    expect(accusations).toEqual([]);
    expect(passed).toBeGreaterThan(0);
    expect(unjudged).not.toHaveProperty('auth-wall');
  },
  limitMs,
);
