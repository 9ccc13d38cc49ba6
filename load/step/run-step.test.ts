import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serve } from '../../fixtures/kit/loopback.ts';
import { k6ForTests } from '../../fixtures/kit/programs.ts';
import {
  sampleCall,
  sampleData,
  samplePlan,
  sampleSecret,
  sampleStep,
  undisturbed,
} from '../../fixtures/kit/sample-step.ts';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';
import { unitArrivals } from '../arrivals/schedule.ts';
import type { StepPlan } from './plan.ts';
import { dueIn, performStep, type StepSetup } from './run-step.ts';

const plan = { ...sampleStep, rate: 100, warmupMs: 500, durationMs: 1_500, inFlight: 20 };
const steady = [{ from: 100, to: 100, durationMs: 2_000 }];

test('those of the warm-up are not due in the measured part', () => {
  expect(dueIn(steady, plan)).toBe(150);
  const drawn = unitArrivals(200, plan.seed).filter((at) => at >= 50).length;
  expect(drawn).not.toBe(150);
  expect(dueIn(steady, { ...plan, arrivals: 'poisson' })).toBe(drawn);
});

test('where the rate changes, as many are due as lie under it', () => {
  expect(dueIn([{ from: 0, to: 100, durationMs: 2_000 }], { ...plan, warmupMs: 1_000 })).toBe(75);
});

// Steps of a second or two against small servers of this file.
const k6 = await k6ForTests();
const run = test.skipIf(k6 === undefined);

const second: StepPlan = {
  rate: 60,
  durationMs: 1_000,
  warmupMs: 200,
  seed: 1,
  arrivals: 'poisson',
  inFlight: 20,
  label: 'test',
};
const never = new AbortController().signal;

async function served(
  answer: RequestListener,
): Promise<{ url: string; seen: { at: number; headers: unknown }[] }> {
  const seen: { at: number; headers: unknown }[] = [];
  const url = await serve((request, response) => {
    seen.push({ at: Date.now(), headers: request.headers });
    answer(request, response);
  });
  return { url, seen };
}

function setupOn(url: string): StepSetup {
  const folder = scratchFolder();
  const dataFile = join(folder, 'data.json');
  writeFileSync(dataFile, JSON.stringify(sampleData), { mode: 0o600 });
  const { plan } = samplePlan({ hosts: { base: url }, dataFile });
  return { k6: k6 ?? '', folder, shared: plan, visits: plan.visits };
}

const json: RequestListener = (_, response) => {
  response.setHeader('content-type', 'application/json');
  response.end('{"fine":true}');
};

/** Processes of this very k6 that have this folder in their environment. */
const alive = (folder: string) =>
  readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(folder);
    } catch {
      return false;
    }
  });

run('right answers are counted, timed and free of errors; players carry their sessions', async () => {
  const { step, seen } = await undisturbed(async () => {
    const { url, seen } = await served(json);
    return { step: await performStep(setupOn(url), second, never), seen };
  });
  expect(step).toMatchObject({
    ended: 'complete',
    dropped: 0,
    missing: 0,
    errors: { wrong: 0, transport: 0 },
  });
  // Every arrival is accounted for, those of the warm-up included.
  expect(step.account).toEqual({ begun: 72, done: 72, unbegun: 0, inFlight: 0 });
  expect(seen).toHaveLength(72);
  expect(step.journeys).toBeGreaterThan(40);
  expect(step.sent).toBe(step.journeys);
  expect(step.operations[sampleCall.operation.id]?.count).toBe(step.sent);
  expect(step.latency.p50).toBeGreaterThan(0);
  expect(step.latency.p999).toBeGreaterThanOrEqual(step.latency.p95);
  expect(seen[0]?.headers).toMatchObject({ authorization: `Bearer ${sampleSecret}` });
});

run('a fast wrong answer is an error', async () => {
  const { url } = await served((_, response) => response.end('<html>'));
  const step = await performStep(setupOn(url), second, never);
  expect(step.ended).toBe('complete');
  const request = { method: 'GET', path: '/api/v1/config', body: '' };
  const first = { since: expect.any(Number), sample: { status: 200, body: '<html>', request } };
  const byOperation = [{ operation: 'general.config', answer: 'wrong body', count: step.sent, ...first }];
  expect(step.errors).toEqual({ wrong: step.sent, transport: 0, kinds: { body: step.sent }, byOperation });
});

run.each([
  ['server errors', 'broken', 500, {}],
  ['requests to wait', 'waiting', 503, { 'retry-after': '9' }],
] as const)(
  'a target that answers with %s alone is left alone after a while',
  async (_, how, status, fields) => {
    const { url, seen } = await served((_, response) => {
      response.writeHead(status, fields);
      response.end('{}');
    });
    const step = await performStep(setupOn(url), { ...second, durationMs: 20_000 }, never);
    expect(step.ended).toBe('complete');
    expect(step.errors.wrong).toBeGreaterThan(0);
    expect(step.errors.byOperation).toEqual([
      {
        operation: 'general.config',
        answer: `${status}`,
        count: step.errors.wrong,
        since: expect.any(Number),
        sample: expect.objectContaining({ status, body: '{}' }),
      },
    ]);
    expect(step.away).toEqual({ how, since: expect.any(Number), stopped: true });
    expect((seen.at(-1)?.at ?? 0) - (seen[0]?.at ?? 0)).toBeLessThan(10_000);
  },
);

run('one that is fine now and then is not left alone', async () => {
  let nth = 0;
  const { url } = await served((request, response) => {
    nth += 1;
    response.statusCode = nth % 3 === 0 ? 200 : 500;
    if (response.statusCode === 200) json(request, response);
    else response.end('{}');
  });
  const step = await performStep(setupOn(url), { ...second, durationMs: 2_500 }, never);
  expect(step.journeys).toBeGreaterThan(100);
  expect(step.errors.kinds['status 5xx']).toBeGreaterThan(50);
});

run('so many are under way at most; what finds no room is dropped and not sent', async () => {
  const { url, seen } = await served((request, response) => {
    setTimeout(() => json(request, response), 400);
  });
  const step = await performStep(setupOn(url), { ...second, inFlight: 5 }, never);
  expect(step.dropped).toBeGreaterThan(20);
  expect(step.account.begun).toBe(step.account.done + step.account.unbegun);
  // Five at a time, 400 ms each, for 1.2 s.
  expect(seen.length).toBeLessThanOrEqual(25);
});

run('journeys that found no room make none that come after them late', async () => {
  const stallMs = 1_000;
  const { step, arrived } = await undisturbed(async () => {
    const arrived: number[] = [];
    let begun = 0;
    const { url } = await served((request, response) => {
      begun ||= performance.now();
      const at = performance.now() - begun;
      arrived.push(at);
      setTimeout(() => json(request, response), Math.max(0, stallMs - at));
    });
    const narrow = { ...second, rate: 200, durationMs: 2_000, inFlight: 5 };
    return { step: await performStep(setupOn(url), narrow, never), arrived };
  });
  expect(step.dropped + step.account.unbegun).toBeGreaterThan(100);
  expect(step.account.begun).toBe(440);
  // All that came after the stall, against the last of the schedule: those dropped would make them late by a second.
  const [first = 0, ...others] = unitArrivals(440, second.seed).map((at) => at * 5);
  const after = arrived.filter((at) => at > 1.5 * stallMs);
  const due = others.slice(-after.length).map((at) => at - first);
  expect(after.length).toBeGreaterThan(50);
  const late = after.map((at, nth) => at - (due[nth] ?? 0)).toSorted((a, b) => a - b);
  expect(Math.abs(late[late.length >> 1] ?? Number.NaN)).toBeLessThan(stallMs / 4);
});

run('arrivals go on through a stall of a second, and none is moved by it', async () => {
  const from = 500;
  const to = 1_500;
  const during = (times: readonly number[]) => times.filter((at) => at > from && at < to).length;
  const { step, arrived } = await undisturbed(async () => {
    const arrived: number[] = [];
    let begun = 0;
    const { url } = await served((request, response) => {
      begun ||= performance.now();
      const at = performance.now() - begun;
      arrived.push(at);
      setTimeout(() => json(request, response), at > from && at < to ? to - at : 0);
    });
    const stalled = { ...second, rate: 200, durationMs: 2_000, inFlight: 1_000 };
    return { step: await performStep(setupOn(url), stalled, never), arrived };
  });
  expect(step.account).toEqual({ begun: 440, done: 440, unbegun: 0, inFlight: 0 });
  expect(step.latency.p95).toBeGreaterThan(700);
  const [first = 0, ...others] = unitArrivals(440, second.seed).map((at) => at * 5);
  const due = during(others.map((at) => at - first));
  expect(due).toBeGreaterThan(150);
  expect(Math.abs(during(arrived) - due)).toBeLessThan(0.1 * due);
});

run('times are those that the server took', async () => {
  const { step, taken } = await undisturbed(async () => {
    const taken: number[] = [];
    const { url } = await served((request, response) => {
      const begun = performance.now();
      // A timer of Node may come a millisecond early, and on a busy machine late.
      const answer = () => {
        if (performance.now() - begun < 40) return setImmediate(answer);
        taken.push(performance.now() - begun);
        json(request, response);
      };
      setTimeout(answer, 40);
    });
    return { taken, step: await performStep(setupOn(url), { ...second, rate: 30 }, never) };
  });
  expect(step.latency.p50).toBeGreaterThanOrEqual(39.5);
  const [median = 0] = taken.toSorted((a, b) => a - b).slice(taken.length >> 1);
  expect(step.latency.p50).toBeLessThan(median + 6);
});

run(
  'a refused connection is an error that took no time, and the achieved rate is that of the time it ran',
  async () => {
    const { url } = await served(json);
    const setup = setupOn('http://127.0.0.1:9');
    const { step } = await undisturbed(async () => ({ step: await performStep(setup, second, never) }));
    expect(step.errors).toMatchObject({ wrong: 0, kinds: { refused: step.sent } });
    expect(step.sent).toBeGreaterThan(40);
    expect(step.latency).toEqual({ p50: 0, p95: 0, p99: 0, p999: 0, max: 0, mean: 0 });
    expect(step.away).toMatchObject({ how: 'silent', since: 0 });
    const stop = new AbortController();
    const lines: number[] = [];
    const cut = await performStep(setupOn(url), { ...second, durationMs: 30_000 }, stop.signal, {
      onParts: ([part]) => {
        lines.push(part?.second ?? 0);
        if (lines.length === 3) stop.abort();
      },
    });
    expect(cut.ended).toBe('interrupted');
    expect(Math.abs(cut.achieved / second.rate - 1)).toBeLessThan(0.35);
  },
);

run('cookies stay with the journey that they were set in', async () => {
  const { url, seen } = await served((request, response) => {
    response.setHeader('set-cookie', `track=${Math.random()}; Path=/`);
    json(request, response);
  });
  const setup = setupOn(url);
  const twice = { name: 'twice', weight: 1, calls: [sampleCall, sampleCall] };
  const step = await performStep({ ...setup, visits: [twice] }, second, never);
  expect(step.errors).toMatchObject({ wrong: 0, transport: 0 });
  const sent = seen.map(({ headers }) => (headers as { cookie?: string }).cookie);
  const cookies = sent.filter((cookie) => cookie !== undefined);
  expect(cookies).toHaveLength(seen.length / 2);
  expect(new Set(cookies).size).toBe(cookies.length);
});

/** A server that knows its connections, and who came over each. */
async function counting() {
  const players = new Map<object, Set<string>>();
  const hosts = new Set<string | undefined>();
  const url = await serve((request, response) => {
    const known = players.get(request.socket) ?? new Set();
    players.set(request.socket, known.add(request.headers.authorization ?? ''));
    hosts.add(request.headers.host);
    json(request, response);
  });
  return { url, players, hosts };
}

run.each(['shared', 'per-player'] as const)('connections are %s as asked for', async (connections) => {
  const { url, players, hosts } = await counting();
  const setup = setupOn(url);
  const groups = Array.from({ length: 12 }, (_, nth) => [
    { headers: { authorization: `player ${nth}` }, query: '', values: {} },
  ]);
  writeFileSync(setup.shared.dataFile, JSON.stringify({ ...sampleData, groups }));
  const shared = { ...setup.shared, connections, groups: groups.length };
  const step = await performStep({ ...setup, shared }, { ...second, rate: 20, arrivals: 'even' }, never);
  expect(step).toMatchObject({ ended: 'complete', errors: { wrong: 0, transport: 0 } });
  expect([...hosts]).toEqual([new URL(url).host]);
  const sharedBy = Math.max(...[...players.values()].map(({ size }) => size));
  if (connections === 'shared') {
    expect(sharedBy).toBeGreaterThan(2);
    expect(step.connections).toBeLessThanOrEqual(players.size);
  } else {
    expect(sharedBy).toBe(1);
    expect(players.size).toBe(12);
    expect(step.connections).toBe(12);
  }
});

run('an interrupted step ends at once, and leaves no process', async () => {
  const { url } = await served(json);
  const setup = setupOn(url);
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 1_500);
  const begun = Date.now();
  const step = await performStep(setup, { ...second, durationMs: 30_000 }, stop.signal);
  expect(step.ended).toBe('interrupted');
  expect(Date.now() - begun).toBeLessThan(20_000);
  if (existsSync('/proc/self/environ')) expect(alive(setup.folder)).toEqual([]);
});

run('a secret is in no argument, and in no file but the data that is for this user alone', async () => {
  const { url } = await served(json);
  const setup = setupOn(url);
  const lines: string[] = [];
  let argv = '';
  await performStep(setup, second, never, {
    onParts: () => {
      const [pid] = existsSync('/proc/self/environ') ? alive(setup.folder) : [];
      if (argv === '' && pid !== undefined) argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    },
  });
  const files = readdirSync(setup.folder).filter((name) => name !== 'data.json');
  const written = files.map((name) => readFileSync(join(setup.folder, name), 'utf8'));
  expect([...written, ...lines, argv].some((text) => text.includes(sampleSecret))).toBe(false);
});
