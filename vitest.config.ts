import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    pool: 'threads',
    isolate: false,
    experimental: { viteModuleRunner: false },
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['**/*.test.ts'], exclude: ['node_modules/**', 'reports/out/**'], testTimeout: 30_000 },
      },
    ],
  },
});
