// What k6 writes is held against what the target shows: with k6, against servers of this process.
import { expect, onTestFinished, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { serveVariants } from '../../fixtures/conforming-variants/serve.ts';
import { k6ForTests } from '../../fixtures/kit/programs.ts';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';
import { contentOf, credentialOf, jsonReply, type Layer } from '../../fixtures/mutants/mutant.ts';
import { openLoad } from './open-load.ts';
import type { StepPlan } from './plan.ts';

const k6 = await k6ForTests();
const { PATH, HOME, CI, XDG_CACHE_HOME, K6_BIN } = process.env;
const never = new AbortController().signal;

const plan: StepPlan = {
  rate: 60,
  durationMs: 1_500,
  warmupMs: 500,
  seed: 3,
  arrivals: 'poisson',
  inFlight: 60,
  label: 'step',
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
    const { waited, expected } = alive.meeting?.shown ?? {};
    expect([waited?.member, expected?.member]).toEqual(['waitedSeconds', 'expectedWaitSeconds']);
    expect(waited?.off.p50).toBeLessThan(1_000);
    // It promises half a minute, and nobody waits for a second.
    expect(expected?.off.p50).toBeGreaterThan(28_000);
    const ofMeeting = ({ conserved = [] }: typeof alive) =>
      conserved.find(({ rule }) => rule.includes('some are brought together'));
    expect(ofMeeting(alive)).toMatchObject({ broken: 0, looked: sought });
    state.isOn = true;
    const without = await load.runStep({ ...plan, label: 'dead' }, never);
    expect(without.errors.wrong).toBe(0);
    expect(without.meeting).toMatchObject({ met: 0, neverMet: 1 });
    expect(ofMeeting(without)?.broken).toBe(without.meeting?.sought);
  },
);

/** Shows everybody whom a match showed before in every later match. */
function everybodyInAll(): Layer {
  const ids = new Set<string>();
  return async (call, forward) => {
    const reply = await forward();
    if (call.operation?.id !== areas.match.get.id) return reply;
    const view = contentOf(reply) as { players?: string[] };
    for (const id of view.players ?? []) ids.add(id);
    return jsonReply({ ...view, players: [...ids] }, reply);
  };
}

/** Answers every third player that they wait, matched or not. */
function toldToWait(): Layer {
  const players = new Map<string | undefined, number>();
  return (call) => {
    if (call.operation?.id !== areas.queue.enter.id) return undefined;
    const nth = players.get(credentialOf(call)) ?? players.size;
    players.set(credentialOf(call), nth);
    return nth % 3 === 0 ? Promise.resolve(jsonReply({ status: 'QUEUED' })) : undefined;
  };
}

test.skipIf(k6 === undefined)(
  'players who are in two matches are found, and so are those who are not told',
  { timeout: 90_000 },
  async () => {
    let twist = everybodyInAll();
    const { load, state } = await opened('queue', (call, forward) => twist(call, forward));
    const found = async (label: string) => {
      const { conserved = [] } = await load.runStep({ ...plan, label }, never);
      return conserved.find(({ rule }) => rule.includes('nobody is in two matches'));
    };
    expect(await found('right')).toMatchObject({ broken: 0 });
    expect((await found('right'))?.looked).toBeGreaterThan(4);
    state.isOn = true;
    const inTwo = await found('two');
    expect(inTwo?.broken).toBeGreaterThan(2);
    expect(inTwo?.examples[0]).toMatch(/ is in the matches .+ and /);
    const answered = toldToWait();
    // Who is told to wait has entered all the same.
    twist = (call, forward) => {
      const instead = answered(call, forward);
      return instead === undefined ? undefined : forward().then(() => instead);
    };
    const waiting = await found('waiting');
    expect(waiting?.broken).toBeGreaterThan(0);
    expect(waiting?.examples[0]).toMatch(/ is in the match .+, and is told to wait/);
  },
);

test.skipIf(k6 === undefined)(
  'a player who was let into a party and is not in it is found',
  { timeout: 60_000 },
  async () => {
    const parties = new Set<string>();
    // The second who comes in is acknowledged, and left out.
    const { load, state } = await opened('party', (call) => {
      if (call.operation?.id !== areas.party.acceptInvite.id) return undefined;
      const isSecond = parties.has(call.url);
      parties.add(call.url);
      return isSecond ? Promise.resolve(jsonReply({ members: [] })) : undefined;
    });
    const slow = { ...plan, rate: 40 };
    expect((await load.runStep(slow, never)).conserved?.[0]).toMatchObject({ broken: 0 });
    state.isOn = true;
    const { conserved } = await load.runStep({ ...slow, label: 'lost' }, never);
    expect(conserved?.[0]?.broken).toBeGreaterThan(2);
    expect(conserved?.[0]?.examples[0]).toMatch(/was let into the party of .+, and is not in it/);
  },
);
