import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { k6ForTests } from '../../fixtures/kit/programs.ts';
import { samplePlan } from '../../fixtures/kit/sample-step.ts';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';

const k6 = await k6ForTests();

// k6 hangs on some TypeScript that it cannot read: what takes longer than 10 s is killed, and fails.
test.skipIf(k6 === undefined).each([
  ['journey.ts', 'journey', {}],
  ['../../.ci/bench/bare.ts', 'bare', { url: 'http://127.0.0.1:9', rate: 1, durationMs: 1_000, vus: 1 }],
])('k6 can read %s', (script, scenario, more) => {
  const folder = scratchFolder();
  const { plan, data } = samplePlan({ dataFile: join(folder, 'data.json') });
  writeFileSync(join(folder, 'plan.json'), JSON.stringify({ ...plan, ...more }));
  writeFileSync(join(folder, 'data.json'), JSON.stringify(data));
  const path = fileURLToPath(new URL(script, import.meta.url));
  const inspection = execFileSync(
    k6 ?? '',
    ['inspect', '-e', `ASSAY_PLAN=${join(folder, 'plan.json')}`, path],
    {
      env: { PATH: process.env.PATH, HOME: folder, K6_NO_USAGE_REPORT: 'true' },
      encoding: 'utf8',
      timeout: 10_000,
      killSignal: 'SIGKILL',
    },
  );
  expect(Object.keys(JSON.parse(inspection).scenarios)).toContain(scenario);
});
