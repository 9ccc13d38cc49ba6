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

/** A server that acknowledges states and, once it is on, stores two in three. */
async function forgetful() {
  const state = { isOn: false };
  let turn = 0;
  const layer: Layer = (call, forward) => {
    if (call.operation?.id !== areas.players.setState.id || !state.isOn) return undefined;
    turn += 1;
    return turn % 3 === 0 ? Promise.resolve(jsonReply({ isSaved: true })) : forward();
  };
  const server = await serveVariants([{ name: 'forgetful', reason: '', layer: () => layer }]);
  onTestFinished(server.close);
  const env = { PATH, HOME, CI, XDG_CACHE_HOME, K6_BIN, BASE_URL: server.hosts.base };
  const load = await openLoad({ journey: 'states', env, cwd: scratchFolder(), rate: 60 });
  onTestFinished(() => load.close());
  return { load, state };
}

test.skipIf(k6 === undefined)(
  'writes that are acknowledged and lost are found in the step that lost them, and in no other',
  { timeout: 60_000 },
  async () => {
    const { load, state } = await forgetful();
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
