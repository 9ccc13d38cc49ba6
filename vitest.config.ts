import { defineConfig } from 'vitest/config';
import { LongestFirst, longTests } from './.ci/long-tests.ts';
import { conformanceOptions } from './commands/run/vitest/project.ts';

export default defineConfig({
  test: {
    pool: 'threads',
    isolate: false,
    sequence: { sequencer: LongestFirst },
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['**/*.test.ts'],
          exclude: ['node_modules/**', 'reports/out/**', '**/*.alone.test.ts', ...longTests],
          setupFiles: ['.ci/uncounted-children.ts'],
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: [...longTests],
          exclude: ['node_modules/**'],
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        // These tests measure, so they run in a process of their own; `npm test` gives the unit tests a lower priority.
        test: {
          name: 'alone',
          include: ['**/*.alone.test.ts'],
          exclude: ['node_modules/**'],
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          ...conformanceOptions,
          name: 'conformance',
          globalSetup: ['commands/run/vitest/global-setup.ts'],
        },
      },
    ],
  },
});
