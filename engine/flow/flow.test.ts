import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { rehearseFlow } from '../../fixtures/kit/flow-rehearsal.ts';
import { text } from '../http/exchange.ts';
import type { Player } from '../players/players.ts';
import { leftOutOf } from '../probe/check.ts';
import { flow } from './flow.ts';

const { party, playerName } = areas;
const clause = effects.party.made;

function twoSteps(first: () => Promise<string>) {
  const made = flow('sample');
  const { step } = made.scenario('leader');
  const begun = step('first', [party.create], clause, 'begins', first);
  step('second', [party.details], clause, 'goes on', async (context) => {
    context.note(`after ${context.resultOf(begun)}`);
  });
  return made.suite();
}

test('a step is FLOW/STEP, of the operations and the level of its clause', () => {
  const [first] = twoSteps(async () => 'x').checks;
  expect(first).toMatchObject({ id: 'sample/first', title: 'begins', level: 'inferred' });
  expect(first?.operations.map(({ id }) => id)).toEqual(['party.create']);
});

test('a step is given what the one before it returned', async () => {
  const { play } = rehearseFlow(() => ({}));
  expect(
    await play(
      twoSteps(async () => 'that'),
      'second',
    ),
  ).toEqual([{ kind: 'pass', detail: 'after that' }]);
});

test('a step that returns nothing passes on what it was given by the step that it builds on', async () => {
  const made = flow('sample');
  const begun = made.scenario('leader').prepare('a party', async () => 'that');
  const through = begun.step('first', [party.create], clause, 'begins', async () => {});
  through.step('second', [party.details], clause, 'goes on', async (context, value) => context.note(value));
  expect(await rehearseFlow(() => ({})).play(made.suite(), 'second')).toEqual([
    { kind: 'pass', detail: 'that' },
  ]);
});

test('a step that is asked for twice is played once', async () => {
  let times = 0;
  const suite = twoSteps(async () => `${++times}`);
  const { play } = rehearseFlow(() => ({}));
  await play(suite, 'second', 'first', 'second');
  expect(times).toBe(1);
});

test('two runs play a scenario each', async () => {
  let times = 0;
  const suite = twoSteps(async () => `${++times}`);
  await rehearseFlow(() => ({})).play(suite, 'first');
  await rehearseFlow(() => ({})).play(suite, 'first');
  expect(times).toBe(2);
});

test('a step that failed has the calls of its scenario: who, what, the answer, and how often in a row', async () => {
  const made = flow('sample');
  const { prepare, step } = made.scenario('leader');
  prepare('a party', async ({ send }) => void (await send('leader', party.create)));
  step('second', [party.details], clause, 'goes on', async ({ send, expect }) => {
    for (const role of ['leader', 'leader', undefined] as const) await send(role, party.details);
    expect(false, 'a party', 'none');
  });
  const { play } = rehearseFlow(() => ({}));
  const [judgement] = await play(made.suite(), 'second');
  const read = { step: 'second', operation: 'party.details', answer: '200' };
  expect(judgement).toMatchObject({
    sequence: [
      { step: 'a party', by: 'leader', operation: 'party.create', answer: '200', times: 1 },
      { ...read, by: 'leader', times: 2 },
      { ...read, by: 'anonymous caller', times: 1 },
    ],
  });
});

test('a read that fails has the write that its step judges before it, whatever else was called since', async () => {
  const { general, extensions } = areas;
  const made = flow('sample');
  const { step } = made.scenario('leader');
  step('first', [party.create], clause, 'begins', async ({ send }) => {
    for (const operation of [party.create, general.entitlements, extensions.localizedCurrencies])
      await send('leader', operation);
  });
  step('read', [party.create, party.details], clause, 'reads', async ({ send, expect }) =>
    expect(false, 'a party', 'none', await send('leader', party.details)),
  );
  const { play } = rehearseFlow(({ operation }) => ({ body: { operation } }));
  const judgement = (await play(made.suite(), 'first', 'read')).at(-1);
  const response = judgement?.kind === 'violation' ? judgement.write?.response : undefined;
  expect(response && text(response)).toContain(party.create.id);
});

test('a read that fails has the write before it, where its caller sent that', async () => {
  const made = flow('sample');
  const { step } = made.scenario('leader', 'guest');
  step(
    'first',
    [party.create],
    clause,
    'begins',
    async ({ send }) => void (await send('leader', party.create)),
  );
  const reads = (role: 'leader' | 'guest') =>
    step(role, [party.details], clause, role, async ({ send, expect }) =>
      expect(false, 'a party', 'none', await send(role, party.details)),
    );
  const writeOf = async (name: string) => {
    const [judgement] = await rehearseFlow(() => ({})).play(made.suite(), name);
    return judgement?.kind === 'violation' ? judgement.write?.request.method : undefined;
  };
  reads('leader');
  reads('guest');
  expect([await writeOf('leader'), await writeOf('guest')]).toEqual(['POST', undefined]);
});

test('steps that only read are played side by side, after what they need and before what follows', async () => {
  const made = flow('sample');
  const order: string[] = [];
  const ready = made.scenario('leader').prepare('a party', async () => void order.push('a party'));
  const met = Promise.withResolvers<void>();
  const read = (name: string, run: () => unknown) =>
    ready.readOnlyStep(name, [party.details], clause, name, async (context) => {
      await context.send('leader', party.details);
      await run();
      order.push(name);
      context.expect(name !== 'third', 'a party', 'none');
    });
  for (const name of ['first', 'second']) read(name, () => met.promise);
  read('third', met.resolve);
  ready.step('last', [party.leave], clause, 'last', async () => void order.push('last'));
  const judgements = await rehearseFlow(() => ({})).play(made.suite(), 'last', 'third');
  expect([order[0], order.slice(1, 4).sort(), order[4]]).toEqual([
    'a party',
    ['first', 'second', 'third'],
    'last',
  ]);
  // The calls of the others are none of its own.
  expect(judgements[1]).toMatchObject({ kind: 'violation', sequence: [{ step: 'third', times: 1 }] });
});

test('a step that needs a failed step is prerequisite-failed, and names that step and its reason', async () => {
  const made = flow('sample');
  const { step } = made.scenario('leader');
  const first = step('first', [party.create], clause, 'begins', async (context) => {
    context.expect(false, 'a party', 'none');
    return 1;
  });
  step('second', [party.details], clause, 'goes on', async (context) => void context.resultOf(first));
  const { play } = rehearseFlow(() => ({}));
  expect((await play(made.suite(), 'second'))[0]).toMatchObject({
    kind: 'inconclusive',
    reason: 'prerequisite-failed',
    detail: 'first: expected a party, got none',
  });
});

test('a step that cannot be played carries what the first failed step saw, however far back', async () => {
  const made = flow('sample');
  const { prepare, step } = made.scenario('leader');
  const first = step('first', [party.create], clause, 'begins', async (context) => {
    context.expect(false, 'a party', 'none', await context.send('leader', party.create));
  });
  const second = prepare('a second party', async (context) => context.resultOf(first));
  step('third', [party.details], clause, 'goes on', async (context) => context.resultOf(second));
  const { play } = rehearseFlow(() => ({ status: 500 }));
  expect((await play(made.suite(), 'third'))[0]).toMatchObject({
    reason: 'prerequisite-failed',
    detail: 'a second party: prerequisite-failed, first: expected a party, got none',
    evidence: { response: { status: 500 } },
    prerequisite: { step: 'sample/first', clause: { id: clause.id }, judgement: { actual: 'none' } },
  });
});

test('what does not need a step that failed is judged all the same', async () => {
  const made = flow('sample');
  const { step } = made.scenario('leader');
  step('first', [party.create], clause, 'begins', async (context) => context.expect(false, 'a', 'b'));
  step('second', [party.details], clause, 'goes on', async () => {});
  const { play } = rehearseFlow(() => ({}));
  expect((await play(made.suite(), 'first', 'second')).map(({ kind }) => kind)).toEqual([
    'violation',
    'pass',
  ]);
});

test('our own error in one step is not passed on to the next', async () => {
  const suite = twoSteps(async () => {
    throw new TypeError('ours');
  });
  const { play } = rehearseFlow(() => ({}));
  await expect(play(suite, 'first')).rejects.toThrow('ours');
  expect((await play(suite, 'second'))[0]).toMatchObject({ reason: 'prerequisite-failed' });
});

test('what a scenario stands on is played, and is no check', async () => {
  const made = flow('sample');
  const { prepare, step } = made.scenario('leader');
  const ready = prepare('a party', async () => 'made');
  step('only', [party.details], clause, 'uses it', async (context) => context.note(context.resultOf(ready)));
  const suite = made.suite();
  expect(suite.checks.map(({ id }) => id)).toEqual(['sample/only']);
  expect(await rehearseFlow(() => ({})).play(suite, 'only')).toEqual([{ kind: 'pass', detail: 'made' }]);
});

test('without a session nobody plays', async () => {
  const { play, puts } = rehearseFlow(() => ({}), { noSession: 'the login refuses us' });
  expect(
    (
      await play(
        twoSteps(async () => 'x'),
        'first',
      )
    )[0],
  ).toMatchObject({
    reason: 'no-session',
    detail: 'the login refuses us',
  });
  expect(puts).toEqual([]);
});

test('too few players: inconclusive, and why', async () => {
  const actors = async () => ({ ok: false as const, why: 'four sign in at most' });
  const { play } = rehearseFlow(() => ({}), { flows: { actors } });
  expect(
    (
      await play(
        twoSteps(async () => 'x'),
        'first',
      )
    )[0],
  ).toMatchObject({
    reason: 'needs-players',
    detail: 'four sign in at most',
  });
});

test.each([
  [409, true, { kind: 'observed', behaviour: 'already used' }],
  [409, false, { kind: 'violation' }],
  [500, true, { kind: 'violation' }],
])('a gift answered %i, to a player who played before: %s', async (status, playedBefore, judgement) => {
  const made = flow('sample');
  made.scenario('player').step('only', [areas.mysteryBox.claim], clause, 'gives', async (context) => {
    const answer = await context.send('player', areas.mysteryBox.claim);
    context.expect(false, 'a gift', 'none', answer);
  });
  const actors = async () => ({ ok: true as const, players: [{} as Player], playedBefore });
  const { play } = rehearseFlow(() => ({ status }), { flows: { actors } });
  expect((await play(made.suite(), 'only'))[0]).toMatchObject(judgement);
});

test('a step that needs a used-up gift is recorded as used up, too', async () => {
  const made = flow('sample');
  const { step } = made.scenario('player');
  const gift = step('gift', [areas.mysteryBox.claim], clause, 'gives', async (context) => {
    context.expect(false, 'a gift', 'none', await context.send('player', areas.mysteryBox.claim));
  });
  step('shown', [areas.general.inventories], clause, 'shows it', async (context) => context.resultOf(gift));
  const actors = async () => ({ ok: true as const, players: [{} as Player], playedBefore: true });
  const { play } = rehearseFlow(() => ({ status: 409 }), { flows: { actors } });
  expect((await play(made.suite(), 'shown'))[0]).toMatchObject({
    kind: 'observed',
    behaviour: 'already used',
  });
});

test.each([
  [409, true, { kind: 'observed', behaviour: 'already used' }],
  [409, false, { kind: 'inconclusive', reason: 'needs-state' }],
  [400, true, { kind: 'inconclusive', reason: 'needs-body' }],
])('a name refused with %i, to a player of an earlier run: %s', async (status, playedBefore, judgement) => {
  const made = flow('sample');
  made.scenario('player').step('only', [playerName.set], clause, 'takes a name', async (context) => {
    await context.mustSucceed('player', playerName.set, { params: { providerPlayerName: 'ada' } });
  });
  const actors = async () => ({ ok: true as const, players: [{} as Player], playedBefore });
  const { play } = rehearseFlow(() => ({ status }), { flows: { actors } });
  expect((await play(made.suite(), 'only'))[0]).toMatchObject(judgement);
});

test.each([
  ['a write that is not served', { 'party.join': 404 }, 'party.join', 'not-served'],
  ['a write that is served', { 'party.join': 404 }, undefined, 'took 1'],
  ['one read of several', { 'party.details': 404 }, 'party.details', 'took 1'],
  ['every read', { 'party.details': 404, 'party.get': 404 }, 'party.get', 'not-served'],
])(
  'what a step saw is a behaviour only where something served decided it: %s',
  async (_, refused, unserved, seen) => {
    const made = flow('sample');
    const operations = [party.join, party.details, party.get] as const;
    made.scenario('player').observe('only', operations, 'how many a party takes', async (context) => {
      for (const operation of operations) await context.send('player', operation);
      context.observe('took 1');
    });
    const statusOf = (id: string) => (refused as Readonly<Record<string, number>>)[id] ?? 200;
    const { play } = rehearseFlow(({ operation }) => ({ status: statusOf(operation) }), {
      routed: async ({ id }) =>
        id === unserved
          ? { served: false, kind: 'unrouted', why: 'like any other path' }
          : { served: true, why: 'it answers' },
    });
    const [judgement] = await play(made.suite(), 'only');
    expect(judgement).toMatchObject(
      seen === 'not-served'
        ? { kind: 'inconclusive', reason: seen, detail: `${unserved} is not served: like any other path` }
        : { kind: 'observed', behaviour: seen },
    );
  },
);

test('returns inconclusive, and names the trace, when a player may still be in an earlier scenario', async () => {
  const made = flow('sample');
  made.scenario('player').step('only', [party.details], clause, 'holds', async (context) => {
    context.expect(false, 'a', 'b');
  });
  const actors = async () => ({
    ok: true as const,
    players: [{} as Player],
    trace: 'player 3 is in a party',
  });
  const { play } = rehearseFlow(() => ({}), { flows: { actors } });
  expect((await play(made.suite(), 'only'))[0]).toMatchObject({
    reason: 'needs-players',
    detail: 'player 3 is in a party, and this may be a trace of that: expected a, got b',
  });
});

test('returns inconclusive where the host was away since the scenario began; a server error fails all the same', async () => {
  const made = flow('sample');
  const { step } = made.scenario('player');
  step('read', [party.details], clause, 'holds', async (context) => context.expect(false, 'a', 'b'));
  step('broken', [party.details], clause, 'holds', async (context) =>
    context.expect(false, 'a', '500', await context.send('player', party.details)),
  );
  const { play } = rehearseFlow(() => ({ status: 500 }), { wasAway: (host) => host === 'base' });
  const [read, broken] = await play(made.suite(), 'read', 'broken');
  expect(read).toMatchObject({
    reason: 'target-lost',
    detail: expect.stringMatching(/^base was away while the flow was played, .*: expected a, got b$/),
  });
  expect(broken).toMatchObject({ kind: 'violation' });
});

test('an operation that is not served breaks no rule of a flow, a server error of one that is does', async () => {
  const made = flow('sample');
  const { step } = made.scenario('player');
  step('asks', [party.details], clause, 'holds', async (context) =>
    context.expect(false, 'a', '501', await context.send('player', party.details)),
  );
  const judged = async (served: boolean) => {
    const routed = async () =>
      served
        ? { served, why: '501, unlike unrouted paths' }
        : { served, kind: 'wrong method' as const, why: 'known, but not implemented' };
    const { play } = rehearseFlow(() => ({ status: 501 }), { routed });
    return (await play(made.suite(), 'asks'))[0];
  };
  expect(await judged(false)).toMatchObject({ kind: 'inconclusive', reason: 'not-served' });
  expect(await judged(true)).toMatchObject({ kind: 'violation' });
});

test('a scenario without people is played without a session', async () => {
  const made = flow('sample');
  made.scenario().step('only', [party.details], clause, 'asks', async (context) => {
    await context.send(undefined, party.details);
  });
  const { play, puts } = rehearseFlow(() => ({}), { noSession: 'none' });
  expect((await play(made.suite(), 'only'))[0]?.kind).toBe('pass');
  expect(puts.map(({ player }) => player)).toEqual([0]);
});

test.each([
  ['every operation is spoken by the profile: level profile', () => true, 'profile'],
  ['one is not: as the clause says', ({ id }: { id: string }) => id !== 'party.create', undefined],
])('%s', async (_, spoken, level) => {
  const made = flow('sample');
  const { step } = made.scenario('leader');
  step('only', [party.details, party.create], clause, 'holds', async (context) =>
    context.expect(false, 'a', 'b'),
  );
  const [judgement] = await rehearseFlow(() => ({}), { flows: { isStatedInProfile: spoken } }).play(
    made.suite(),
    'only',
  );
  expect(judgement?.kind).toBe('violation');
  expect((judgement as { level?: string }).level).toBe(level);
});

test('a step that the profile leaves out of the scenario stops only what needs it', async () => {
  const omitted = (id: string) => (id === 'party.create' ? 'not built' : undefined);
  const { play } = rehearseFlow(() => ({}), { flows: { omitted } });
  expect(
    (
      await play(
        twoSteps(async () => 'x'),
        'second',
      )
    )[0],
  ).toMatchObject({
    reason: 'prerequisite-failed',
  });
});

test('a step goes on without a read that it can do without, and not without any other', async () => {
  const made = flow('sample');
  made
    .scenario('leader')
    .step('only', [party.create, [party.details, party.get]], clause, 'holds', async () => {});
  const [check] = made.suite().checks;
  expect(check?.operations).toEqual([party.create, party.details, party.get]);
  const without = async (...ids: readonly string[]) => {
    const omitted = (id: string) => (ids.includes(id) ? 'not built' : undefined);
    const [judgement] = await rehearseFlow(() => ({}), { flows: { omitted } }).play(made.suite(), 'only');
    return [judgement?.kind, check && leftOutOf(check, omitted)?.id];
  };
  expect(await without('party.details')).toEqual(['pass', undefined]);
  expect(await without('party.create')).toEqual(['inconclusive', 'party.create']);
});

test('steps of a scenario that changes something are left out by --read-only, those of one that only reads are not', () => {
  const made = flow('sample');
  const writing = made.scenario('leader');
  writing.step('read', [party.details], clause, 'reads', async () => {});
  writing.step('write', [party.create], clause, 'writes', async () => {});
  made.scenario('leader').step('look', [party.details], clause, 'looks', async () => {});
  expect(made.suite().checks.map(({ id, changes }) => [id, changes])).toEqual([
    ['sample/read', true],
    ['sample/write', true],
    ['sample/look', false],
  ]);
});

test('an attack ends where a wait is longer than what all attacks may still take; no other step does', async () => {
  const waits = async (attack: boolean, ms: number) => {
    const made = flow('sample', { attack });
    made.scenario().step('only', [party.create], clause, 'waits', (context) => context.pause(ms));
    const { play } = rehearseFlow(() => ({}), { flows: { attackTimeLeftMs: () => 100 } });
    const [judgement] = await play(made.suite(), 'only');
    return judgement?.kind === 'inconclusive' ? judgement.reason : judgement?.kind;
  };
  expect([await waits(true, 101), await waits(true, 100), await waits(false, 101)]).toEqual([
    ...['budget', 'pass', 'pass'],
  ]);
});
