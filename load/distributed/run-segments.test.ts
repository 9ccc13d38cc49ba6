// Two k6 processes that share one step, against a small server of this file.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serve } from '../../fixtures/kit/loopback.ts';
import { k6ForTests } from '../../fixtures/kit/programs.ts';
import { sampleData, samplePlan, undisturbed } from '../../fixtures/kit/sample-step.ts';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';
import { unitArrivals } from '../arrivals/schedule.ts';
import type { Part } from '../k6/tally.ts';
import type { StepPlan } from '../step/plan.ts';
import { performStep, type StepSetup } from '../step/run-step.ts';

const k6 = await k6ForTests();
const run = test.skipIf(k6 === undefined);
const never = new AbortController().signal;
const step: StepPlan = {
  rate: 100,
  durationMs: 1_500,
  warmupMs: 500,
  seed: 3,
  arrivals: 'poisson',
  inFlight: 200,
  label: 'segments',
};

async function server(): Promise<{ url: string; arrived: number[] }> {
  const arrived: number[] = [];
  const url = await serve((_, response) => {
    arrived.push(Date.now());
    response.setHeader('content-type', 'application/json');
    response.end('{"fine":true}');
  });
  return { url, arrived };
}

function setupOn(url: string, segments: number): StepSetup {
  const folder = scratchFolder();
  const dataFile = join(folder, 'data.json');
  writeFileSync(dataFile, JSON.stringify(sampleData), { mode: 0o600 });
  const { plan } = samplePlan({ hosts: { base: url }, dataFile });
  return { k6: k6 ?? '', folder, shared: plan, visits: plan.visits, segments };
}

/** k6 processes that have this folder in their environment. */
const processesIn = (folder: string): number[] =>
  readdirSync('/proc').flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(folder)
        ? [Number(pid)]
        : [];
    } catch {
      return [];
    }
  });

run('segments play one schedule between them: every journey once, and the figures are of all', async () => {
  const {
    step: done,
    arrived,
    seconds,
  } = await undisturbed(async () => {
    const { url, arrived } = await server();
    const seconds: (readonly Part[])[] = [];
    const onParts = (parts: readonly Part[]) => void seconds.push(parts);
    return { step: await performStep(setupOn(url, 2), step, never, { onParts }), arrived, seconds };
  });
  expect(done).toMatchObject({ ended: 'complete', dropped: 0, errors: { wrong: 0, transport: 0 } });
  const due = unitArrivals(200, 3);
  expect(arrived).toHaveLength(due.length);
  // Warm-up is the first 500 ms: of 200 journeys those that are due at 50 or later are measured.
  expect(done.sent).toBe(due.filter((at) => at >= 50).length);
  expect(done.journeys).toBe(done.sent);
  expect(done.latency.p999).toBeLessThanOrEqual(done.latency.max);
  expect(done.latency.p50).toBeGreaterThan(0);
  expect(seconds[0]).toHaveLength(2);
});

test.skipIf(k6 === undefined || process.platform !== 'linux')(
  'a segment that dies makes the step one that did not come to its end',
  async () => {
    const { url } = await server();
    const setup = setupOn(url, 2);
    const onParts = () => {
      const [first, second] = processesIn(setup.folder);
      if (first !== undefined && second !== undefined) process.kill(first, 'SIGKILL');
    };
    const done = await performStep(setup, step, never, { onParts });
    expect(done.ended).toBe('no-summary');
  },
);
