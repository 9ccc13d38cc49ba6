import { afterEach, expect, test, vi } from 'vitest';
import { catalog } from '../../catalog/catalog.ts';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';
import { shapes } from '../../load/arrivals/shapes.ts';
import { journeyNames } from '../../load/journeys/journeys.ts';
import { journeyIn, openAsTyped, refuseMisnamed, writeMeasured } from './open.ts';

afterEach(() => void vi.unstubAllEnvs());

test.each(Object.keys(shapes))('%s is a shape, and the message says how to give it', (shape) => {
  expect(() => refuseMisnamed('load', [shape])).toThrow(
    `npm run load -- JOURNEY --shape ${shape}; journeys are login, `,
  );
  expect(() => refuseMisnamed('load', ['queue', shape])).toThrow(`: npm run load -- queue --shape ${shape}`);
  expect(() => refuseMisnamed('load', [shape, 'queue'])).toThrow(`: npm run load -- queue --shape ${shape}`);
  expect(() => refuseMisnamed('capacity', [shape])).toThrow('a search for capacity takes none');
});

test('an operation is reported with the command that loads it alone', () => {
  for (const command of ['load', 'capacity'] as const)
    expect(() => refuseMisnamed(command, ['party.create'])).toThrow(
      `: npm run ${command} -- --operation party.create`,
    );
});

test('an area that is no journey is reported as that, with the journeys there are and one of its calls', () => {
  const areas = new Set(catalog.map(({ area }) => area).filter((area) => !journeyNames.includes(area)));
  expect(areas.size).toBeGreaterThan(5);
  for (const area of areas)
    expect(() => refuseMisnamed('load', [area])).toThrow(
      new RegExp(`^load: ${area} is an area .* such as ${area}\\.`),
    );
});

test.each([[], ['qeue'], ['queue'], ['mixed', 'logs'], ['smoke', 'party.create'], ['constructor']])(
  '%j is left to others',
  (...args) => {
    expect(() => refuseMisnamed('load', args)).not.toThrow();
  },
);

test('a journey, or an operation in its place', () => {
  expect(journeyIn('load', ['queue'], {})).toBe('queue');
  expect(journeyIn('load', [], { operation: 'party.get' })).toBe('');
});

test('what is measured later into the same folder names the result that it replaces', async () => {
  const folder = scratchFolder();
  const written = (journey: string) => writeMeasured('load', { journey }, { folder, out: 'out' });
  expect(await written('queue')).toEqual(['out/load.json']);
  expect(await written('logs')).toEqual([
    'load.json in "out" (queue) is replaced; --out DIR keeps the next one apart',
    'out/load.json',
  ]);
});

test.each(['load', 'capacity'] as const)(
  'what cannot be loaded is said by the name that was typed: %s',
  async (command) => {
    vi.stubEnv('BASE_URL', 'http://game.example');
    const raw = { out: scratchFolder() };
    const opening = openAsTyped(command, 'queue', raw, { rate: 1 });
    await expect(opening).rejects.toThrow(new RegExp(`^${command}: "game.example" is not this machine`));
  },
);
