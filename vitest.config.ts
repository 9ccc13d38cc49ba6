import { defineConfig } from 'vitest/config';
import { conformanceOptions } from './fixtures/check/schedule/vitest-options.ts';

export default defineConfig({
  test: {
    pool: 'threads',
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['**/*.test.ts'],
          exclude: ['node_modules/**', 'reports/out/**', 'load/**'],
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        // A generator of load measures, and whatever runs beside it is measured too.
        test: { name: 'load', include: ['load/**/*.test.ts'], testTimeout: 30_000 },
      },
      {
        extends: true,
        test: {
          ...conformanceOptions,
          name: 'conformance',
          globalSetup: ['fixtures/check/schedule/global-setup.ts'],
        },
      },
    ],
  },
});
