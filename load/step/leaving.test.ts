// Players leave what they entered, whatever becomes of their journeys: with k6, against servers of this process.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { variants } from '../../fixtures/conforming-variants/all.ts';
import { serveVariants } from '../../fixtures/conforming-variants/serve.ts';
import { serve } from '../../fixtures/kit/loopback.ts';
import { k6ForTests } from '../../fixtures/kit/programs.ts';
import { sampleCall, samplePlan } from '../../fixtures/kit/sample-step.ts';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';
import { credentialOf, type Mutation } from '../../fixtures/mutants/mutant.ts';
import { openLoad } from './open-load.ts';
import type { StepPlan } from './plan.ts';
import { performStep } from './run-step.ts';

const k6 = await k6ForTests();
const run = test.skipIf(k6 === undefined);
const { PATH, HOME, CI, XDG_CACHE_HOME, K6_BIN } = process.env;
const never = new AbortController().signal;

const step = (label: string, rate: number, durationMs: number, inFlight: number): StepPlan => ({
  rate,
  durationMs,
  warmupMs: 500,
  seed: 3,
  arrivals: 'poisson',
  inFlight,
  label,
});

const { match, queue } = areas;
const oneCallMs = 10;
const mostWaiting = 20;

/** One call at a time, 503 to whoever would wait behind many; players whom it matched have to quit, and cannot cancel. */
async function overloadable() {
  const strict = variants.find(({ name }) => name === 'who was matched quits the match and cannot cancel');
  if (!strict) throw new Error('there is no such variant');
  const inside = new Set<string>();
  const state = { isLimited: false, inside };
  let waiting = 0;
  let last = Promise.resolve();
  const turn = async () => {
    const before = last;
    waiting += 1;
    last = before.then(() => new Promise((done) => setTimeout(done, oneCallMs)));
    await last;
    waiting -= 1;
  };
  const limits: Mutation = () => async (call, forward) => {
    if (state.isLimited && waiting >= mostWaiting) return { status: 503, headers: {}, body: Buffer.alloc(0) };
    if (state.isLimited) await turn();
    const reply = await forward();
    const player = credentialOf(call) ?? '';
    if (reply.status < 300 && call.operation?.id === queue.enter.id) inside.add(player);
    if (reply.status < 300 && [queue.cancel.id, match.quit.id].includes(call.operation?.id ?? ''))
      inside.delete(player);
    return reply;
  };
  const limited = { name: 'one call at a time', reason: '', guard: '', layer: limits };
  const server = await serveVariants([limited, strict]);
  onTestFinished(server.close);
  return { url: server.hosts.base, state };
}

async function opened(url: string) {
  const cwd = scratchFolder();
  const env = { PATH, HOME, CI, XDG_CACHE_HOME, K6_BIN, BASE_URL: url };
  const load = await openLoad({ journey: 'queue', env, cwd, rate: 40 });
  onTestFinished(() => load.close());
  return load;
}

run('a target that was overloaded and has recovered gives no wrong answer', { timeout: 90_000 }, async () => {
  const { url, state } = await overloadable();
  const load = await opened(url);
  expect(load.requestsPerJourney).toBe(4);
  state.isLimited = true;
  const over = await load.runStep(step('too much', 70, 2_500, 100), never);
  expect(over.errors.byOperation.filter(({ answer }) => answer !== '503')).toEqual([]);
  expect(over.errors.kinds['status 503']).toBeGreaterThan(20);
  expect(over.operations['match.quit']?.count).toBeGreaterThan(0);
  // It never has more in flight than may wait.
  const probe = await load.runStep(step('recovered?', 5, 2_000, 10), never);
  expect(probe.sent).toBeGreaterThan(20);
  expect(probe.errors.byOperation).toEqual([]);
  await load.close();
  expect(state.inside.size).toBe(0);
});

run('who was cut off in a journey is taken out of it at the end', { timeout: 90_000 }, async () => {
  const { url, state } = await overloadable();
  const load = await opened(url);
  state.isLimited = true;
  const stop = new AbortController();
  const running = load.runStep(step('cut off', 40, 30_000, 60), stop.signal);
  const begun = Date.now();
  while (state.inside.size < 3 && Date.now() - begun < 30_000)
    await new Promise((done) => setTimeout(done, 5));
  stop.abort();
  expect((await running).ended).toBe('interrupted');
  expect(state.inside.size).toBeGreaterThan(0);
  state.isLimited = false;
  await load.close();
  expect(state.inside.size).toBe(0);
});

const people = 50;

run.each([1, 2])('nobody is played by two journeys at once, by %i k6 processes', async (segments) => {
  const busy = new Map<string, number>();
  const everybody = Promise.withResolvers<void>();
  let most = 0;
  const base = await serve((request, response) => {
    const player = request.headers.authorization ?? '';
    busy.set(player, (busy.get(player) ?? 0) + 1);
    most = Math.max(most, busy.get(player) ?? 0);
    if (busy.size === people) everybody.resolve();
    // However late each of them comes, all play at once.
    void everybody.promise.then(() =>
      setTimeout(() => {
        busy.set(player, (busy.get(player) ?? 1) - 1);
        response.setHeader('content-type', 'application/json');
        response.end('{}');
      }, 450),
    );
  });
  const folder = scratchFolder();
  const groups = Array.from({ length: people }, (_, nth) => [
    { headers: { authorization: `Bearer ${nth}` }, query: '', values: {} },
  ]);
  const dataFile = join(folder, 'data.json');
  writeFileSync(dataFile, JSON.stringify({ groups, batches: {} }), { mode: 0o600 });
  const { plan } = samplePlan({ hosts: { base }, dataFile, exclusive: true });
  const visits = [{ name: 'two', weight: 1, calls: [sampleCall, sampleCall] }];
  const setup = { k6: k6 ?? '', folder, shared: { ...plan, groups: groups.length }, visits, segments };
  const done = await performStep(setup, step('people', 60, 2_000, 60), never);
  expect(done).toMatchObject({ ended: 'complete', errors: { wrong: 0, transport: 0 } });
  expect(most).toBe(1);
  // 60 journeys of 900 ms a second: more than there are people for, and each of them plays.
  expect(done.inFlight).toBe(people);
  expect(done.dropped).toBeGreaterThan(10);
  expect(busy.size).toBe(people);
});
