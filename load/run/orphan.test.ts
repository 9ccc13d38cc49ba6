import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { k6ForTests } from '../../fixtures/kit/programs.ts';
import { sampleData, samplePlan } from '../../fixtures/kit/sample-step.ts';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';

const k6 = await k6ForTests();

/** Processes that have this folder in their environment. */
const alive = (folder: string) =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(folder);
    } catch {
      return false;
    }
  });

async function until(holds: () => boolean, withinMs: number): Promise<boolean> {
  for (const end = Date.now() + withinMs; Date.now() < end; await pause(50)) if (holds()) return true;
  return false;
}

test.skipIf(k6 === undefined || !existsSync('/proc/self/environ'))(
  'who is killed without a chance to say so leaves no k6 behind: it cannot tell anybody any more, and ends',
  async () => {
    const folder = scratchFolder();
    const stages = [{ from: 5, to: 5, durationMs: 60_000 }];
    const dataFile = join(folder, 'data.json');
    writeFileSync(
      join(folder, 'plan.json'),
      JSON.stringify(samplePlan({ dataFile, stages, awayMs: 60_000 }).plan),
    );
    writeFileSync(dataFile, JSON.stringify(sampleData));
    const options = {
      k6,
      folder,
      script: fileURLToPath(new URL('../k6/journey.ts', import.meta.url)),
      variables: { ASSAY_PLAN: join(folder, 'plan.json') },
      limitMs: 60_000,
    };
    const source = `import { runK6 } from ${JSON.stringify(new URL('./k6-process.ts', import.meta.url).href)};
      await runK6({ ...${JSON.stringify(options)}, signal: new AbortController().signal, onLine: () => {} });`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: 'ignore' });
    onTestFinished(() => void parent.kill('SIGKILL'));
    expect(await until(() => alive(folder).length === 1, 10_000)).toBe(true);
    await pause(1_500);
    expect(alive(folder)).toHaveLength(1);
    parent.kill('SIGKILL');
    expect(await until(() => alive(folder).length === 0, 8_000)).toBe(true);
  },
);
