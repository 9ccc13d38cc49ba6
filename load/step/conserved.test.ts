// What k6 writes is held against what the target shows: with k6, against servers of this process.
import { expect, onTestFinished, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { serveVariants } from '../../fixtures/conforming-variants/serve.ts';
import { k6ForTests } from '../../fixtures/kit/programs.ts';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';
import { jsonReply, type Layer } from '../../fixtures/mutants/mutant.ts';
import { openLoad } from './open-load.ts';
import type { StepPlan } from './plan.ts';

const k6 = await k6ForTests();
const { PATH, HOME, CI, XDG_CACHE_HOME, K6_BIN } = process.env;
const never = new AbortController().signal;

const plan: StepPlan = {
  ...{
    rate: 60,
    durationMs: 1_500,
    warmupMs: 500,
    seed: 3,
    arrivals: 'poisson',
    inFlight: 60,
    label: 'step',
  },
};

/** A server with a layer of its own, once it is on. */
async function opened(journey: string, layer: Layer) {
  const state = { isOn: false };
  const twisted: Layer = (call, forward) => (state.isOn ? layer(call, forward) : undefined);
  const server = await serveVariants([{ name: 'twisted', reason: '', layer: () => twisted }]);
  onTestFinished(server.close);
  const env = { PATH, HOME, CI, XDG_CACHE_HOME, K6_BIN, BASE_URL: server.hosts.base };
  const load = await openLoad({ journey, env, cwd: scratchFolder(), rate: 60 });
  onTestFinished(() => load.close());
  return { load, state };
}

/** Acknowledges states, and stores two in three. */
function forgetful(): Layer {
  let turn = 0;
  return (call, forward) => {
    if (call.operation?.id !== areas.players.setState.id) return undefined;
    turn += 1;
    return turn % 3 === 0 ? Promise.resolve(jsonReply({ isSaved: true })) : forward();
  };
}

/** Lets players wait, and brings nobody together. */
const dead: Layer = (call) =>
  call.operation?.id === areas.queue.enter.id ? Promise.resolve(jsonReply({ status: 'QUEUED' })) : undefined;

test.skipIf(k6 === undefined)(
  'writes that are acknowledged and lost are found in the step that lost them, and in no other',
  { timeout: 60_000 },
  async () => {
    const { load, state } = await opened('states', forgetful());
    const right = await load.runStep(plan, never);
    expect(right.conserved).toEqual([
      expect.objectContaining({ rule: expect.stringContaining('players.setState'), broken: 0, unknown: 0 }),
    ]);
    expect(right.conserved?.[0]?.acknowledged).toBe(right.account.done);
    expect(right.conserved?.[0]?.looked).toBeGreaterThan(30);
    state.isOn = true;
    const wrong = await load.runStep({ ...plan, label: 'lossy' }, never);
    expect(wrong.errors.wrong).toBe(0);
    expect(wrong.conserved?.[0]?.broken).toBeGreaterThan(10);
    state.isOn = false;
    const again = await load.runStep({ ...plan, label: 'right again' }, never);
    expect(again.conserved?.[0]).toMatchObject({ broken: 0 });
  },
);

test.skipIf(k6 === undefined)(
  'players who wait are matched, on both sides, and a matchmaker that matches nobody is found',
  { timeout: 60_000 },
  async () => {
    const { load, state } = await opened('queue', dead);
    const alive = await load.runStep(plan, never);
    expect(alive.meeting).toMatchObject({ metBefore: true });
    const { sought, met, matches, time } = alive.meeting as NonNullable<typeof alive.meeting>;
    expect(met / sought).toBeGreaterThan(0.9);
    // Each match has two sides.
    expect(matches / met).toBeGreaterThan(0.45);
    expect(matches / met).toBeLessThan(0.6);
    expect(time.p50).toBeGreaterThan(0);
    expect(alive.conserved).toEqual([expect.objectContaining({ broken: 0, looked: sought })]);
    state.isOn = true;
    const without = await load.runStep({ ...plan, label: 'dead' }, never);
    expect(without.errors.wrong).toBe(0);
    expect(without.meeting).toMatchObject({ met: 0, neverMet: 1 });
    expect(without.conserved?.[0]?.broken).toBe(without.meeting?.sought);
  },
);
