import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Operation } from '../../catalog/operation.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { rehearseFlow } from '../../fixtures/kit/flow-rehearsal.ts';
import { type Exchange, isSuccess } from '../http/exchange.ts';
import type { Player, Players } from '../players/players.ts';
import type { Suite } from '../probe/check.ts';
import type { FlowContext } from '../probe/context.ts';
import type { Target } from '../target/target.ts';
import { flow } from './flow.ts';
import { createFlowEngine, createUniqueWords, type FlowEngineOptions } from './flow-context.ts';
import { createPutBack, createWrittenValues } from './undo.ts';

const { party, queue } = areas;
const clause = effects.party.made;

/** An engine that sends nothing past the players, and measures nothing. */
const engineFor = (
  over: Pick<FlowEngineOptions, 'target' | 'players'> & Partial<FlowEngineOptions>,
): FlowContext =>
  createFlowEngine({
    client: {} as never,
    breakers: new Map(),
    matchmaking: { alone: (work) => work() },
    bodies: { forms: () => [], learn: () => {}, describe: async () => {} },
    known: { look: async () => undefined, ofTarget: async () => ({}), ofTargetIn: async () => ({}) },
    withheld: () => undefined,
    storedLogs: async () => ({ ok: false, why: 'nothing prints what was stored' }),
    putBack: createPutBack(),
    written: createWrittenValues(over.players?.outlive ?? false),
    burst: async () => [],
    cutOff: async () => false,
    calibrate: async () => undefined,
    offersHttp2: async () => false,
    met: () => {},
    ...over,
  });

function threeSteps() {
  const made = flow('sample');
  const { prepare, step } = made.scenario('leader', 'friend');
  for (const name of ['first', 'second']) step(name, [party.details], clause, 'goes on', async () => {});
  prepare('a party', async () => {});
  step('third', [party.details], clause, 'ends', async () => {});
  return made.suite();
}

/** Numbers of the people whose scenario is over, in that order. */
function run(asked: readonly string[]) {
  const over: number[] = [];
  const { play, context } = rehearseFlow(() => ({}), {
    flows: {
      asked: (id) => asked.includes(id),
      over: (_, people) => void over.push(...people.map(({ account }) => account)),
    },
  });
  const pass = (suite: Suite, step: string) =>
    suite.checks.find(({ id }) => id === `sample/${step}`)?.passOver?.(context);
  return { play, pass, over };
}

test('a scenario is over once the last step that this run asks for is done', async () => {
  const { play, over } = run(['sample/first', 'sample/second']);
  const suite = threeSteps();
  await play(suite, 'first');
  expect(over).toEqual([]);
  await play(suite, 'second');
  expect(over).toEqual([1, 2]);
});

test('a step that the run does not ask for does not hold its players back', async () => {
  const { play, over } = run(['sample/first', 'sample/third']);
  const suite = threeSteps();
  await play(suite, 'first');
  expect(over).toEqual([]);
  await play(suite, 'third');
  expect(over).toEqual([1, 2]);
});

test('it is over once, however often a step is asked for', async () => {
  const { play, over } = run(['sample/first']);
  await play(threeSteps(), 'first', 'first');
  expect(over).toEqual([1, 2]);
});

test('a step that is passed over is not waited for', async () => {
  const { play, pass, over } = run(['sample/first', 'sample/second', 'sample/third']);
  const suite = threeSteps();
  pass(suite, 'third');
  await play(suite, 'first');
  expect(over).toEqual([]);
  await play(suite, 'second');
  expect(over).toEqual([1, 2]);
});

test('a scenario ends when its last step is passed over after the others are done', async () => {
  const { play, pass, over } = run(['sample/first', 'sample/second', 'sample/third']);
  const suite = threeSteps();
  await play(suite, 'first', 'second');
  expect(over).toEqual([]);
  pass(suite, 'third');
  await expect.poll(() => over).toEqual([1, 2]);
});

test('our own error in its last step keeps nobody', async () => {
  const made = flow('sample');
  const { step } = made.scenario('leader', 'friend');
  step('only', [party.details], clause, 'fails in Assay itself', () => Promise.reject(new Error('ours')));
  const { play, over } = run(['sample/only']);
  await expect(play(made.suite(), 'only')).rejects.toThrow('ours');
  expect(over).toEqual([1, 2]);
});

function engine() {
  const events: string[] = [];
  const cleanUp = (scenario: string, what: string, status = 200) => ({
    scenario,
    operation: party.delete,
    put: async () => {
      events.push(`${scenario} puts ${what} back`);
      return { response: { status } } as Exchange;
    },
  });
  const flows = engineFor({
    target: { hosts: {}, parameters: {}, runId: 'r' } as unknown as Target,
    players: {
      release: (people: readonly Player[]) => events.push(`lets ${people.map(({ name }) => name)} go`),
    } as unknown as Players,
  });
  return { flows, events, cleanUp };
}

const somebody = { name: 'somebody' } as Player;

test('players who play on quit the match that the queue named to one of them, before anybody else gets them', async () => {
  const sent: string[] = [];
  const [first, second] = [{ name: 'first' }, { name: 'second' }] as [Player, Player];
  const flows = engineFor({
    target: {
      hosts: { base: 'http://b' },
      headers: [],
      parameters: {},
      ambient: {},
      runId: 'r',
    } as unknown as Target,
    players: {
      outlive: true,
      sendAsPlayer: async ({ name }: Player, { id }: Operation, { url }: { readonly url: string }) => {
        sent.push(`${name} ${id}${id === 'match.quit' ? ` ${url.includes('m-7')}` : ''}`);
        const body = id === 'queue.enter' && name === 'second' ? { matchId: 'm-7' } : {};
        return exchangeOf({ status: 200, body });
      },
      release: (people: readonly Player[]) => sent.push(`lets ${people.map(({ name }) => name)} go`),
    } as unknown as Players,
  });
  for (const player of [first, second]) await flows.send(player, queue.enter, {});
  flows.over('queue 1', [first, second]);
  await flows.tearDown();
  expect(sent.slice(2)).toEqual(['first match.quit true', 'second match.quit true', 'lets first,second go']);
});

test('an answer that an attack gets past the client is a refusal where its body says so', async () => {
  const player = { name: 'player' } as Player;
  const bodies = [{ result: 'OK' }, { result: 'FULL', message: 'no room' }];
  const answers = bodies.map((body) => exchangeOf({ status: 200, body }));
  const flows = engineFor({
    target: {
      hosts: { base: 'http://b' },
      headers: [],
      parameters: {},
      ambient: {},
      runId: 'r',
      refusalForm: [
        { name: 'result', done: '"OK"' },
        { name: 'message', done: 'absent' },
      ],
    } as unknown as Target,
    players: {
      signedFor: async (_: Player, __: Operation, request: unknown) => request,
    } as unknown as Players,
    burst: async (requests) => answers.slice(-requests.length),
  });
  const call = { player, operation: queue.enter, ask: {} };
  const sent = await flows.burst([call, call], 'whole');
  expect(sent.ok && sent.exchanges.map(isSuccess)).toEqual([true, false]);
  const repeatable = await flows.repeatable(call);
  expect(repeatable.ok && isSuccess(await repeatable.send())).toBe(false);
});

test('what a scenario changed is put back when it is over, last first, and before anybody else gets its people', async () => {
  const { flows, events, cleanUp } = engine();
  flows.later(cleanUp('one', 'first'));
  flows.later(cleanUp('two', 'other'));
  flows.later(cleanUp('one', 'second'));
  flows.over('one', [somebody]);
  await expect
    .poll(() => events)
    .toEqual(['one puts second back', 'one puts first back', 'lets somebody go']);
  await flows.tearDown();
  expect(events.slice(3)).toEqual(['two puts other back']);
});

test('teardown waits for what is being undone, and lists all that could not be', async () => {
  const { flows, events, cleanUp } = engine();
  flows.later(cleanUp('two', 'it', 500));
  flows.over('two', []);
  flows.later(cleanUp('one', 'it', 403));
  expect(await flows.tearDown()).toEqual([
    'one: party.delete answered 403',
    'two: party.delete answered 500',
  ]);
  expect(events).toHaveLength(3);
});

test('what steps show of an operation is known once those that judge it are over, or one shows that it is not there', async () => {
  const { flows } = engine();
  const [served, unserved] = [200, 404].map((status) => ({ response: { status } }) as Exchange);
  const step = (id: string) => ({ id, operations: [party.get] });
  flows.begins(step('party/read'));
  flows.begins(step('party/details'));
  const seen: unknown[] = [];
  const asked = flows.seenInSteps(party.get).then((found) => seen.push(found));
  flows.noteServed(party.get, served as Exchange);
  flows.ended(step('party/read'));
  await new Promise((resolve) => setTimeout(resolve));
  expect(seen).toEqual([]);
  flows.noteUnserved(party.get, unserved as Exchange);
  await asked;
  expect(seen).toEqual([{ served, unserved: { exchange: unserved, steps: ['party/details'] } }]);
  expect(await flows.seenInSteps(party.leave)).toEqual({ served: undefined, unserved: undefined });
});

test('a call that is sent again and again is signed once, and goes past the client', async () => {
  const sent: string[] = [];
  const engineWith = (signed: boolean, more: Partial<FlowEngineOptions> = {}) =>
    engineFor({
      target: {
        hosts: { base: 'http://b' },
        headers: [],
        parameters: {},
        ambient: {},
        runId: 'r',
      } as unknown as Target,
      players: {
        signedFor: async (_: Player, __: Operation, request: unknown) => (signed ? request : undefined),
      } as unknown as Players,
      ...more,
    });
  const call = { player: somebody, operation: party.create, ask: {} };
  const made = await engineWith(true, {
    burst: async ([request]) => {
      sent.push(request?.url ?? '');
      return [exchangeOf({ status: 201 })];
    },
    cutOff: async (_, cut) => cut === 'at once',
  }).repeatable(call);
  if (!made.ok) throw new Error(made.why);
  expect((await made.send()).response?.status).toBe(201);
  expect([await made.cut('at once'), await made.cut('in the body')]).toEqual([true, false]);
  expect(sent).toEqual([made.request.url]);

  expect(await engineWith(false).repeatable(call)).toMatchObject({ ok: false });
  expect(await engineWith(true, { withheld: () => 'left out' }).repeatable(call)).toEqual({
    ok: false,
    why: 'left out',
  });
});

test('how close calls come is measured once, and not where nobody asked for attacks; these have 90 s, or less', async () => {
  let measured = 0;
  const engineWith = (attacksBriefly: boolean, attackUntil?: number) =>
    engineFor({
      target: { hosts: {}, parameters: {}, runId: 'r' } as unknown as Target,
      players: undefined,
      attacksBriefly,
      attackUntil,
      calibrate: async () => {
        measured += 1;
        return 0.2;
      },
    });
  const asked = engineWith(false);
  expect([await asked.shortestWindowMs(), await asked.shortestWindowMs()]).toEqual([0.2, 0.2]);
  expect(await engineWith(true).shortestWindowMs()).toBeUndefined();
  expect(measured).toBe(1);
  expect(await asked.storedLogs()).toMatchObject({ ok: false });
  expect(asked.attackTimeLeftMs()).toBeGreaterThan(80_000);
  expect(engineWith(true, Date.now() + 500).attackTimeLeftMs()).toBeLessThanOrEqual(500);
});

test('no word comes twice, and none is the beginning of another', () => {
  const { unique } = createUniqueWords('r.1');
  const words = Array.from({ length: 100 }, () => unique('assay'));
  expect(new Set(words).size).toBe(words.length);
  expect(new Set(words.map(({ length }) => length)).size).toBe(1);
});

test('a text names the makers of the words in it, each once', () => {
  const { unique, makersIn } = createUniqueWords('r.1');
  const [name, state, nobodys] = [
    unique('name', 'names/set'),
    unique('state', 'state/keeps'),
    unique('word'),
  ];
  expect(makersIn(JSON.stringify({ name, again: [name, state], nobodys }))).toEqual([
    'names/set',
    'state/keeps',
  ]);
  expect(makersIn('name-rx10001')).toEqual([]);
});
