// Rules against servers of this process, of which each breaks one: journeys are played one call after another, without k6.
import { expect, onTestFinished, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { serveVariants } from '../../fixtures/conforming-variants/serve.ts';
import {
  type Call,
  credentialOf,
  type Forward,
  jsonReply,
  type Layer,
  type Reply,
} from '../../fixtures/mutants/mutant.ts';
import { journeyNamed } from '../journeys/journeys.ts';
import { createEffectRecorder } from '../k6/effects.ts';
import { makeReady } from '../prepare/ready.ts';
import { openReading } from './reading.ts';
import type { Conserved } from './rule.ts';
import { openRuleChecks } from './rule-checks.ts';

const { general, players, playerName } = areas;
/** Twenty times as fast: these servers are not behind for long. */
const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms / 20));
const profile = 'fixtures/profiles/reference.json';

interface Play {
  /** Turned on after the controls. */
  readonly twist?: (call: Call, forward: Forward) => Promise<Reply>;
  /** Below the twist, from the start. */
  readonly layer?: Layer;
  /** How often each of the players makes the call. */
  readonly times?: number;
}

const people = 6;

/** A journey that has been rehearsed, and its controls made. */
async function opened(journey: string, layers: readonly Layer[]) {
  const server = await serveVariants(layers.map((each) => ({ name: 'test', reason: '', layer: () => each })));
  const mix = journeyNamed(journey);
  const ready = await makeReady(mix, {
    env: { BASE_URL: server.hosts.base, PROFILE: profile },
    cwd: process.cwd(),
    parameters: {},
    rate: 2,
    say: () => {},
    signal: new AbortController().signal,
  });
  const ruleChecks = await openRuleChecks(ready, { pause, mark: 'ctl' });
  const reading = openReading(ready, pause);
  onTestFinished(() => {
    ruleChecks.close();
    reading.close();
    server.close();
  });
  await ruleChecks.begin();
  return { ready, ruleChecks, reading };
}

/** Plays one step of the call that a journey records, and holds its rules against the server. */
async function played(journey: string, operation: Operation, play: Play = {}) {
  const { twist, layer, times = 1 } = play;
  let isOn = false;
  const twisting: Layer = (call, forward) =>
    isOn && call.operation?.id === operation.id ? twist?.(call, forward) : undefined;
  const { ready, ruleChecks, reading } = await opened(journey, [twisting, ...(layer ? [layer] : [])]);
  isOn = true;
  const recorder = createEffectRecorder();
  const call = ruleChecks.visits[0]?.calls.find((each) => each.operation === operation);
  for (let nth = 0; nth < people * times; nth += 1) {
    const person = ready.data.groups[nth % people]?.[0];
    if (call === undefined || person === undefined) throw new Error('the journey cannot be played');
    const open = recorder.begins(nth % people, 0, operation.id, nth);
    const { response } = await reading.call(call, person, 'one', nth);
    open.ends(response !== undefined && response.status < 300);
  }
  const effects = recorder.recorded();
  isOn = false;
  const found = await ruleChecks.end(effects, 'one', []);
  return { found, first: found[0] as Conserved, call };
}

const inWords = (found: readonly Conserved[]) =>
  found.map(({ rule, broken, notChecked }) => [rule.split(': ')[1], broken, notChecked]);

/** Every second call is answered so, and has no effect. */
const instead = (status: number) => {
  let turn = 0;
  return async (_: Call, forward: Forward) => {
    turn += 1;
    return turn % 2 === 0 ? forward() : jsonReply({}, undefined, status);
  };
};

const lastWrite = 'the last write that was acknowledged is read';
const oneHolder = 'of players who ask for the same, one has it';
const onceEach = 'every acknowledged call has its effect once';

test('a right server keeps every rule', { timeout: 60_000 }, async () => {
  const states = await played('states', players.setState, { times: 2 });
  expect(inWords(states.found)).toEqual([[lastWrite, 0, undefined]]);
  expect(states.first).toMatchObject({ looked: people, acknowledged: 2 * people });
  const purchases = await played('purchases', general.purchase, { times: 2 });
  expect(inWords(purchases.found)).toEqual([[onceEach, 0, undefined]]);
});

test('a write that is acknowledged and lost is found', { timeout: 60_000 }, async () => {
  const { first } = await played('states', players.setState, { twist: instead(200), times: 2 });
  expect(first).toMatchObject({ broken: 3, looked: people, acknowledged: 2 * people });
  expect(first.examples[0]).toMatch(/wrote assay-one-\d+-.+ and reads/);
});

test.each([409, 503])(
  'a write that was answered %i is none that is lost',
  { timeout: 60_000 },
  async (status) => {
    const { first } = await played('states', players.setState, { twist: instead(status), times: 2 });
    expect(first).toMatchObject({ broken: 0, unknown: people });
  },
);

test('a write that takes effect later is waited for', { timeout: 60_000 }, async () => {
  const twist = async (_: Call, forward: Forward) => {
    setTimeout(() => void forward(), 60);
    return jsonReply({});
  };
  expect((await played('states', players.setState, { twist })).first).toMatchObject({
    broken: 0,
    looked: people,
  });
});

/** Names that have a holder are refused, until `isOpen`. */
function namesTaken() {
  const state = { isOpen: false };
  const holders = new Map<string, string | undefined>();
  const layer: Layer = (call, forward) => {
    if (call.operation?.id !== playerName.set.id) return undefined;
    const name = call.url.split('/').at(-1) ?? '';
    const holder = holders.get(name) ?? credentialOf(call);
    if (holder !== credentialOf(call) && !state.isOpen) return Promise.resolve(jsonReply({}, undefined, 409));
    holders.set(name, credentialOf(call));
    return forward();
  };
  return { layer, state };
}

test('a name has one holder, and a refusal of a name that is taken is right', {
  timeout: 60_000,
}, async () => {
  const { layer } = namesTaken();
  const { found, call } = await played('names', playerName.set, { layer });
  expect(inWords(found)).toEqual([
    [lastWrite, 0, undefined],
    [oneHolder, 0, undefined],
  ]);
  expect(call?.accepts).toContain(409);
});

test('a name that two players were given is found', { timeout: 60_000 }, async () => {
  const { layer, state } = namesTaken();
  const twist = (_: Call, forward: Forward) => {
    state.isOpen = true;
    return forward();
  };
  const { found } = await played('names', playerName.set, { layer, twist });
  expect(inWords(found)).toEqual([
    [lastWrite, 0, undefined],
    [oneHolder, people, undefined],
  ]);
  expect(found[1]?.examples[0]).toMatch(/ and .+ are both Assayone/);
});

test('where one after another may have the same name, two holders are no finding', {
  timeout: 60_000,
}, async () => {
  const { found } = await played('names', playerName.set);
  expect(found[1]).toMatchObject({ broken: 0, notChecked: expect.stringContaining('one after another') });
});

/** A wallet of which each purchase takes ten, as often as it is made. @param most that a player may buy */
function till(most = Number.POSITIVE_INFINITY) {
  const bought = new Map<string | undefined, number>();
  const buy = (call: Call) =>
    bought.set(credentialOf(call), Math.min(most, (bought.get(credentialOf(call)) ?? 0) + 1));
  const layer: Layer = (call) => {
    const { id } = call.operation ?? {};
    if (id === general.purchase.id) buy(call);
    else if (id !== general.currencies.id) return undefined;
    const balance = 1_000 - 10 * (bought.get(credentialOf(call)) ?? 0);
    return Promise.resolve(jsonReply({ currencies: [{ currency: 'Coins', balance }] }));
  };
  return { layer, buy };
}

test('each of several purchases counts', { timeout: 60_000 }, async () => {
  const { layer } = till();
  const { first } = await played('purchases', general.purchase, { layer, times: 3 });
  expect(first).toMatchObject({ broken: 0, looked: people, acknowledged: 3 * people });
});

test('purchases that are paid twice, or not at all, are found', { timeout: 60_000 }, async () => {
  const { layer, buy } = till();
  const twice = (call: Call, forward: Forward) => {
    buy(call);
    return forward();
  };
  const doubled = await played('purchases', general.purchase, { layer, twist: twice, times: 3 });
  expect(doubled.first).toMatchObject({ broken: people });
  expect(doubled.first.examples[0]).toContain(
    '3 acknowledged, balance balance changed by -60, and by -10 for one',
  );
  const lost = await played('purchases', general.purchase, {
    layer: till().layer,
    twist: instead(200),
    times: 3,
  });
  expect(lost.first).toMatchObject({ broken: 3 });
});

test('a limit of what a player may have is no loss', { timeout: 60_000 }, async () => {
  const { first } = await played('purchases', general.purchase, { layer: till(3).layer, times: 5 });
  expect(first).toMatchObject({ broken: 0, notChecked: expect.stringContaining('may own no more') });
});

test('a purchase that is acknowledged and lost is found where a second one has no effect', {
  timeout: 60_000,
}, async () => {
  const { first } = await played('purchases', general.purchase, { twist: instead(200) });
  expect(first).toMatchObject({ broken: 2, looked: people });
  expect(first.examples[0]).toMatch(/1 acknowledged, .+ changed by 0, and by -?\d+ for one call alone/);
});

test.each([
  [4, 4, 0, undefined],
  [4, 5, 1, undefined],
  [16, 16, 0, 'a party takes all 6, so that its size is not known'],
])(
  'of six players a party takes %i, and later %i: %i parties break the rule',
  {
    timeout: 60_000,
  },
  async (first, later, broken, notChecked) => {
    const { party } = areas;
    let maxPlayers = first;
    const sized: Layer = (call, forward) =>
      call.operation?.id === party.create.id
        ? forward({ body: Buffer.from(JSON.stringify({ maxPlayers })) })
        : undefined;
    const { ready, ruleChecks, reading } = await opened('crowd', [sized]);
    maxPlayers = later;
    const { calls = [] } = ruleChecks.visits[0] ?? {};
    const actors = ready.data.groups[0] ?? [];
    const isAccept = ({ atOnce }: (typeof calls)[number]) => atOnce === true;
    const begun = await reading.play(calls.slice(0, calls.findIndex(isAccept)), actors, 'one');
    const answers = calls.filter(isAccept).map((call) => reading.play([call], actors, 'one', begun.given));
    const sure = (await Promise.all(answers)).reduce(
      (bits, { isWhole }, at) => bits | (isWhole ? 2 << at : 0),
      1,
    );
    const [found] = await ruleChecks.end([], 'one', [
      { place: 0, visit: 0, inside: sure, sure, given: begun.given },
    ]);
    expect(found).toMatchObject({ looked: 1, broken });
    expect(found?.notChecked).toBe(notChecked);
    if (broken > 0) expect(found?.examples[0]).toMatch(/leads a party of 5, which took 4 one after another/);
  },
);
