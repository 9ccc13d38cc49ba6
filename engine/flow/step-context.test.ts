import { expect, test, vi } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { brokenExchange } from '../../fixtures/kit/exchanges.ts';
import { guess, judgeStep, type Put, type TwoPeople, view } from '../../fixtures/kit/flow-rehearsal.ts';
import { mostMended } from '../players/bodies.ts';
import { type Form, formOf } from '../players/body-template.ts';
import type { FlowContext } from '../probe/context.ts';
import { notSent } from '../probe/evidence.ts';
import type { Json } from '../target/profile-validation.ts';

const { party, players } = areas;

const invite = (stepContext: TwoPeople) =>
  stepContext.mustSucceed('leader', party.invite, {
    params: { partyId: '7' },
    carry: { 'other.id': stepContext.id('friend') },
  });
/** The party shows to its leader after an invitation. */
const inviteAndSee = async (stepContext: TwoPeople) => {
  await invite(stepContext);
  await stepContext.sees('leader', view);
};
const forms = () => [
  guess({}),
  guess({ userId: '{{other.id}}' }, 'other.id'),
  guess({ playerIds: ['{{other.id}}'] }, 'other.id'),
];
const bodies = (puts: readonly Put[]) => puts.map(({ ask }) => ask.body);

test('guesses that carry what is needed are tried until one is accepted', async () => {
  const { judgement, puts } = await judgeStep(
    invite,
    ({ ask }) => ({ status: String(ask.body).includes('playerIds') ? 204 : 400 }),
    { flows: { forms } },
  );
  expect(judgement?.kind).toBe('pass');
  expect(bodies(puts)).toEqual(['{"userId":"id-of-player-2"}', '{"playerIds":["id-of-player-2"]}']);
});

test('a body made of a refusal is tried after all guesses, and comes first from then on', async () => {
  const made = guess({ guest: '{{other.id}}' }, 'other.id');
  const learnt: unknown[] = [];
  const { judgement, puts } = await judgeStep(
    invite,
    ({ ask }) => ({ status: String(ask.body).includes('guest') ? 204 : 400 }),
    { flows: { forms, mend: async () => made, learn: (_, form) => void learnt.push(form) } },
  );
  expect(judgement?.kind).toBe('pass');
  expect([bodies(puts).at(-1), bodies(puts).length]).toEqual(['{"guest":"id-of-player-2"}', 3]);
  expect(learnt).toEqual([made]);
});

test('bodies that are made of refusals are few, however many members are named', async () => {
  let nth = 0;
  const mend = async () => guess({ [`member${++nth}`]: '{{other.id}}' }, 'other.id');
  const { judgement, puts } = await judgeStep(invite, () => ({ status: 400 }), { flows: { forms, mend } });
  expect(judgement).toMatchObject({ reason: 'needs-body' });
  expect(bodies(puts).length).toBe(2 + mostMended);
});

test('a step that needs a body says which bodies were sent, and where they come from', async () => {
  const mend = async (_: Operation, { from }: Form) =>
    from === 'guess' ? formOf({ guest: '{{other.id}}' }, 'refusal') : undefined;
  const { judgement } = await judgeStep(invite, () => ({ status: 400 }), { flows: { forms, mend } });
  expect(judgement).toMatchObject({
    detail:
      'party.invite is answered 400; sent: {"guest":"{{other.id}}"} (made from what a refusal asks for), {"playerIds":["{{other.id}}"]} (guessed, one of 2)',
  });
});

test('returns inconclusive when no guessed body is accepted', async () => {
  const { judgement } = await judgeStep(invite, () => ({ status: 422 }), { flows: { forms } });
  expect(judgement).toMatchObject({ kind: 'inconclusive', reason: 'needs-body' });
});

test('an inconclusive step names the guess that was accepted without effect, not a later refusal', async () => {
  const until = { operation: party.details, value: 'id-of-player-2', what: 'the invitation' };
  const { judgement } = await judgeStep(
    (stepContext) =>
      stepContext.mustSucceed('leader', party.invite, {
        carry: { 'other.id': stepContext.id('friend') },
        until,
      }),
    ({ operation, ask }) => {
      if (operation !== 'party.invite') return { body: {} };
      return { status: String(ask.body).includes('playerIds') ? 400 : 204 };
    },
    { flows: { forms } },
  );
  expect(judgement).toMatchObject({
    kind: 'inconclusive',
    reason: 'needs-body',
    detail:
      'party.invite took guessed bodies, and none had the effect; sent: {"userId":"{{other.id}}"} (guessed, one of 2)',
  });
});

test.each<[string, Record<string, number>, object]>([
  ['a body that names nothing is refused', { '{}': 422 }, { kind: 'violation' }],
  ['such a body is taken as well', {}, { kind: 'inconclusive', reason: 'needs-body' }],
])('a guess that names ids alone and has no effect is read where %s', async (_, statuses, expected) => {
  const view = { operation: party.details, value: 'id-of-player-2', what: 'the invitation' };
  const { judgement } = await judgeStep(
    async (stepContext) => {
      const carry = { 'other.id': stepContext.id('friend') };
      await stepContext.mustSucceed('leader', party.invite, { carry, until: view });
      await stepContext.sees('leader', view);
    },
    ({ operation, ask }) =>
      operation === 'party.invite' ? { status: statuses[String(ask.body)] ?? 204 } : { body: {} },
    { flows: { forms } },
    [party.invite],
  );
  expect(judgement).toMatchObject(expected);
});

test.each<[string, (sent: Record<string, unknown>) => { status?: number; body?: unknown }, object]>([
  ['shows what it knows alone', ({ state }) => ({ body: { party: { state } } }), { kind: 'violation' }],
  [
    'refuses what it does not know',
    (sent) => (Object.keys(sent).length > 1 ? { status: 422 } : { body: sent }),
    { kind: 'violation' },
  ],
  ['repeats whatever comes', (sent) => ({ body: sent }), { reason: 'needs-body' }],
  ['shows nothing', () => ({ status: 204 }), { reason: 'needs-body' }],
])('a guess whose value no read shows was understood where its answer %s', async (_, answer, expected) => {
  const { judgement } = await judgeStep(
    (stepContext) =>
      stepContext.sets('leader', party.update, {
        params: { partyId: 'p-1' },
        value: 'a-word-of-ours',
        shownIn: (value) => ({ operation: party.details, value, what: 'what was written' }),
      }),
    ({ operation, ask }) =>
      operation === party.update.id ? answer(JSON.parse(String(ask.body))) : { body: { state: '' } },
    { flows: { forms: () => [guess({ state: '{{value}}' }, 'value')] } },
    [party.update],
  );
  expect(judgement).toMatchObject(expected);
});

test('no known body that carries what is needed: nothing is sent', async () => {
  const { judgement, puts } = await judgeStep(invite, () => ({}), { flows: { forms: () => [guess({})] } });
  expect([judgement, puts]).toMatchObject([{ reason: 'needs-body' }, []]);
});

test('a body from the profile that needs an unknown value is not sent, and the value is named', async () => {
  const form = {
    template: { code: '{{redeemableCode}}' },
    carries: ['redeemableCode'],
    from: 'profile' as const,
  };
  const { judgement, puts } = await judgeStep(
    (stepContext) => stepContext.mustSucceed('leader', party.create),
    () => ({}),
    { flows: { forms: () => [form] } },
  );
  expect([judgement, puts]).toMatchObject([
    {
      reason: 'needs-body',
      detail: "the profile's body of party.create needs redeemableCode, of which no value is known here",
    },
    [],
  ]);
});

test('a body from the profile that names another player names one of the scenario', async () => {
  const form = { template: { with: '{{other.id}}' }, carries: ['other.id'], from: 'profile' as const };
  const { judgement, puts } = await judgeStep(
    (stepContext) => stepContext.mustSucceed('leader', party.create),
    () => ({}),
    { flows: { forms: () => [form] } },
  );
  expect(judgement?.kind).toBe('pass');
  expect(bodies(puts)).toEqual(['{"with":"id-of-player-2"}']);
});

test('a guess that is accepted without its effect is followed by the next', async () => {
  const until = { operation: party.details, value: 'id-of-player-2', what: 'the invitation' };
  let invited = false;
  const { judgement } = await judgeStep(
    (stepContext) =>
      stepContext.mustSucceed('leader', party.invite, {
        carry: { 'other.id': stepContext.id('friend') },
        until,
      }),
    ({ operation, ask }) => {
      if (operation === 'party.invite') invited = String(ask.body).includes('playerIds');
      return { body: invited ? { invited: ['id-of-player-2'] } : {} };
    },
    { flows: { forms } },
  );
  expect(judgement?.kind).toBe('pass');
});

test('a guess without its effect takes the place of none that was taken before', async () => {
  const until = { operation: party.details, value: 'id-of-player-2', what: 'the invitation' };
  const { puts } = await judgeStep(
    async (stepContext) => {
      const carry = { 'other.id': stepContext.id('friend') };
      await stepContext.mustSucceed('leader', party.invite, { carry });
      await stepContext.mustSucceed('leader', party.invite, { carry, until }).catch(() => {});
      await stepContext.send(
        'leader',
        party.invite,
        stepContext.likeliestAsk('leader', party.invite, { carry }),
      );
    },
    () => ({ body: {} }),
    { flows: { forms } },
  );
  const sent = puts.filter(({ operation }) => operation === party.invite.id).map(({ ask }) => ask.body);
  expect(sent.at(-1)).toBe(sent[0]);
  expect(new Set(sent).size).toBeGreaterThan(1);
});

test('a missing effect of a guessed body is inconclusive', async () => {
  const { judgement } = await judgeStep(inviteAndSee, () => ({ body: {} }), { flows: { forms } });
  expect(judgement).toMatchObject({
    kind: 'inconclusive',
    reason: 'needs-body',
    detail: expect.stringMatching(
      /^party\.invite was sent a guessed body, .*; sent: \{"userId":"\{\{other\.id\}\}"\} \(guessed\)$/,
    ),
  });
});

test('a missing effect of a guessed body fails when the target refused bodies without the id', async () => {
  const { judgement } = await judgeStep(
    inviteAndSee,
    ({ operation, ask }) => ({
      status: operation === 'party.invite' && !String(ask.body).includes('playerIds') ? 400 : 200,
      body: {},
    }),
    { flows: { forms } },
  );
  expect(judgement?.kind).toBe('violation');
});

test.each<[string, object, (sent: Record<string, unknown>) => { status?: number; body?: unknown }, string]>([
  ['refuses the body without that id', {}, (sent) => ({ status: 'id' in sent ? 200 : 400 }), 'violation'],
  [
    'refuses the body without what stands beside the id',
    { flag: 'READ' },
    (sent) => ({ status: 'flag' in sent ? 200 : 400 }),
    'inconclusive',
  ],
  ['shows the id, and nothing it does not know', {}, ({ id }) => ({ body: { invited: [id] } }), 'violation'],
  ['shows the id anyway', {}, () => ({ body: { members: ['id-of-player-2'] } }), 'inconclusive'],
  ['repeats whatever comes', {}, (sent) => ({ body: sent }), 'inconclusive'],
  ['gives no answer to the question', {}, (sent) => ({ status: 'id' in sent ? 200 : 503 }), 'inconclusive'],
])(
  'what does not follow from a guess of an id is a fault where the target %s',
  async (_, beside, answer, kind) => {
    const { judgement } = await judgeStep(
      inviteAndSee,
      ({ operation, ask }) =>
        operation === party.invite.id ? answer(JSON.parse(String(ask.body))) : { body: {} },
      { flows: { forms: () => [guess({ id: '{{other.id}}', ...beside }, 'other.id')] } },
    );
    expect(judgement?.kind).toBe(kind);
  },
);

test('what does not follow from a guess that the step makes in passing is no fault', async () => {
  const { judgement } = await judgeStep(inviteAndSee, () => ({ body: {} }), { flows: { forms } }, [
    party.details,
  ]);
  expect(judgement?.kind).toBe('inconclusive');
});

test('a missing effect of a body that a refusal asked for fails', async () => {
  const asked = { ...guess({ who: '{{other.id}}' }, 'other.id'), from: 'refusal' as const };
  const { judgement } = await judgeStep(inviteAndSee, () => ({ body: {} }), {
    flows: { forms: () => [asked] },
  });
  expect(judgement?.kind).toBe('violation');
});

test('a missing effect of a body that says a number of this run in what the refusal asked for does not', async () => {
  const form = guess({ playerId: '{{other.id}}', row: 1 }, 'other.id');
  const asked = { ...form, from: 'refusal' as const, answers: [1] };
  const { judgement } = await judgeStep(inviteAndSee, () => ({ body: {} }), {
    flows: { forms: () => [asked] },
  });
  expect(judgement?.kind).toBe('inconclusive');
});

test.each([
  ['does, where it shows to the player who was sent it alone', 1, 'violation'],
  ['does not, where it shows to nobody', 3, 'inconclusive'],
])('what others lack after a guessed body %s', async (_, seer, kind) => {
  const value = 'assay-1';
  const { judgement } = await judgeStep(
    (stepContext) =>
      stepContext.sets('leader', party.setPlayerState, {
        value,
        shownIn: (shown) => ({ operation: party.details, value: shown, what: 'the state', by: 'friend' }),
      }),
    ({ operation, player }) => ({ body: operation === 'party.details' && player === seer ? { value } : {} }),
    { flows: { forms: () => [guess({ state: '{{value}}' }, 'value')] } },
  );
  expect(judgement?.kind).toBe(kind);
});

test('a member that only a refusal names is filled with a word of this run', async () => {
  const made = guess({ flag: '{{value}}', id: '{{other.id}}' }, 'value', 'other.id');
  const { judgement, puts } = await judgeStep(
    invite,
    ({ ask }) => ({ status: String(ask.body).includes('flag') ? 204 : 400 }),
    { flows: { forms, mend: async () => made } },
  );
  expect(judgement?.kind).toBe('pass');
  expect(JSON.parse(String(bodies(puts).at(-1)))).toMatchObject({ flag: expect.stringContaining('assay') });
});

test('a server error after a guessed body fails', async () => {
  const { judgement } = await judgeStep(
    async (stepContext) => {
      await invite(stepContext);
      await stepContext.mustSucceed('friend', party.acceptInvite, { params: { partyId: '7' } });
    },
    ({ operation }) => ({ status: operation === 'party.invite' ? 200 : 500 }),
    { flows: { forms: ({ id }) => (id === 'party.invite' ? forms() : []) } },
    [party.acceptInvite, party.invite],
  );
  expect(judgement).toMatchObject({ kind: 'violation', actual: '500' });
});

test("what does not follow from the profile's body is", async () => {
  const stated = [{ template: { id: '{{other.id}}' }, carries: ['other.id'], from: 'profile' as const }];
  const { judgement } = await judgeStep(inviteAndSee, () => ({ body: {} }), {
    flows: { forms: () => stated, isStatedInProfile: () => true },
  });
  expect(judgement).toMatchObject({ kind: 'violation', level: 'profile' });
});

test('a call that the profile says how to speak and that is refused breaks the profile', async () => {
  const { judgement } = await judgeStep(
    (stepContext) => stepContext.mustSucceed('leader', players.block),
    () => ({ status: 409 }),
    { flows: { isStatedInProfile: ({ id }) => id === 'players.block', accepts: () => [200, 204] } },
  );
  expect(judgement).toMatchObject({
    kind: 'violation',
    level: 'profile',
    expected: 'players.block is answered 200 or 204',
    actual: '409',
  });
});

test('a call that asks for a credential where the session was never tried breaks no profile', async () => {
  const judged = (sessionUntried: () => boolean) =>
    judgeStep(
      (stepContext) => stepContext.mustSucceed('leader', players.block),
      () => ({ status: 401 }),
      { sessionUntried, flows: { isStatedInProfile: () => true, accepts: () => [200] } },
    );
  expect((await judged(() => true)).judgement).toMatchObject({ kind: 'inconclusive', reason: 'auth-wall' });
  expect((await judged(() => false)).judgement).toMatchObject({ kind: 'violation', level: 'profile' });
});

test('a guess that is refused breaks no profile that gives no body', async () => {
  const { judgement } = await judgeStep(invite, () => ({ status: 422 }), {
    flows: { forms, isStatedInProfile: () => true, accepts: () => [202] },
  });
  expect(judgement).toMatchObject({ kind: 'inconclusive', reason: 'needs-body' });
});

test.each([
  ['guess', [party.invite]],
  ['profile', []],
] as const)('reports to the learner that a body of a %s worked', async (from, learnt) => {
  const guessWorked = vi.fn();
  const form = { ...guess({ id: '{{other.id}}' }, 'other.id'), from };
  await judgeStep(
    async (stepContext) => {
      await invite(stepContext);
      stepContext.confirmBody(party.invite);
    },
    () => ({}),
    { flows: { forms: () => [form], guessWorked } },
  );
  expect(guessWorked.mock.calls).toEqual(learnt.map((operation) => [operation, form]));
});

test('a body that worked with an id as a number is reported as such, and sent again', async () => {
  const guessWorked = vi.fn();
  const form = guess({ id: '{{other.id}}' }, 'other.id');
  const carry = { 'other.id': '17' };
  const { puts } = await judgeStep(
    async (stepContext) => {
      await stepContext.mustSucceed('leader', party.invite, { params: { partyId: '7' }, carry });
      stepContext.confirmBody(party.invite);
      await stepContext.send(
        'leader',
        party.invite,
        stepContext.likeliestAsk('leader', party.invite, { carry }),
      );
    },
    ({ ask }) => ({ status: ask.body === '{"id":17}' ? 204 : 400 }),
    {
      flows: {
        forms: () => [guess({ userId: '{{other.id}}' }, 'other.id'), { ...form, idsAsNumbers: true }],
        guessWorked,
      },
    },
  );
  expect(bodies(puts)).toEqual(['{"userId":"17"}', '{"id":17}', '{"id":17}']);
  expect(guessWorked).toHaveBeenCalledExactlyOnceWith(party.invite, {
    ...form,
    template: { id: '{{other.id:number}}' },
  });
});

const stating = (template: Json, more: Partial<FlowContext> = {}) => ({
  flows: {
    forms: ({ id }: Operation) => (id === party.invite.id ? [formOf(template, 'profile')] : []),
    isStatedInProfile: () => true,
    ...more,
  },
});

test.each<[string, Json, string | null]>([
  ['what it fixes', { kind: 'plain' }, '{"kind":"plain"}'],
  [
    'who calls, and what the path names',
    { me: '{{player.id}}', of: '{{partyId}}' },
    '{"me":"id-of-player-1","of":"7"}',
  ],
  ['whom the query names', { to: '{{other.id}}' }, '{"to":"id-of-player-2"}'],
  ['what is given', { mode: '{{gameVersion}}' }, '{"mode":"1.0"}'],
  ['no body', null, null],
])("a call that names no body is sent with the profile's, with %s", async (_, template, body) => {
  const given = () => ({ gameVersion: '1.0' });
  const { judgement, puts } = await judgeStep(
    async (stepContext) => {
      const params = { partyId: '7', playerId: stepContext.id('friend') };
      await stepContext.send('leader', party.invite, { params });
      await stepContext.observeAnswer('leader', party.invite, { params });
    },
    () => ({}),
    stating(template, { given }),
  );
  expect([judgement?.kind, bodies(puts)]).toEqual(['observed', [body, body]]);
});

test.each([
  [404, { kind: 'observed', behaviour: '404' }],
  [500, { kind: 'violation', clause: 'sense.answers', level: 'inferred', actual: '500' }],
  // A host that has no time for the moment says nothing of the call.
  [503, { kind: 'observed' }],
])('an answer with %i that a step records', async (status, expected) => {
  const { judgement } = await judgeStep(
    (stepContext) => stepContext.observeAnswer('leader', party.details),
    () => ({ status }),
  );
  expect(judgement).toMatchObject(expected);
});

test('what a step says of an answer does not replace the server error that it was', async () => {
  const { judgement } = await judgeStep(
    async (stepContext) => {
      await stepContext.observeAnswer('leader', party.details);
      stepContext.observe('500, and another party');
    },
    () => ({ status: 500 }),
  );
  expect(judgement).toMatchObject({ kind: 'violation', clause: 'sense.answers' });
});

test('a body of the profile that nobody can write is not replaced by another', async () => {
  const { judgement, puts } = await judgeStep(
    (stepContext) => stepContext.send('leader', party.invite),
    () => ({}),
    stating({ device: '{{deviceId}}' }),
  );
  expect([judgement, puts]).toMatchObject([{ kind: 'inconclusive', reason: 'needs-body' }, []]);
});

test('a body of the profile that names somebody else is not sent for whom it does not name', async () => {
  const { judgement, puts } = await judgeStep(invite, () => ({}), stating({ playerId: 'p-42' }));
  expect([judgement, puts]).toMatchObject([{ kind: 'inconclusive', reason: 'needs-body' }, []]);
});

test('undoes a change with the body of the profile', async () => {
  const { context, puts } = await judgeStep(
    async (stepContext) => stepContext.addTeardown('leader', party.invite, { params: { partyId: '7' } }),
    () => ({}),
    stating({ of: '{{partyId}}' }),
  );
  await context.flows.tearDown();
  expect(bodies(puts)).toEqual(['{"of":"7"}']);
});

test.each<[string, number, Json | undefined, string]>([
  ['a guessed body', 409, undefined, 'inconclusive'],
  ['a guessed body, as that of nobody', 401, undefined, 'violation'],
  ['a guessed body, by a server error', 500, undefined, 'violation'],
  [
    'a value of ours in the body of the profile',
    400,
    { name: '{{value}}', to: '{{other.id}}' },
    'inconclusive',
  ],
  ['who asks, whatever the value', 403, { name: '{{value}}', to: '{{other.id}}' }, 'violation'],
  ['the body of the profile', 400, { to: '{{other.id}}' }, 'violation'],
])('a profile that says how a call is answered, and a refusal of %s', async (_, status, template, kind) => {
  const { judgement } = await judgeStep(
    (stepContext) =>
      stepContext.mustSucceed('leader', party.invite, { carry: { 'other.id': stepContext.id('friend') } }),
    () => ({ status }),
    template === undefined
      ? { flows: { forms, isStatedInProfile: () => true, accepts: () => [200] } }
      : stating(template, { accepts: () => [200] }),
  );
  expect(judgement?.kind).toBe(kind);
});

test('a refusal of a platform that was not given is inconclusive', async () => {
  const friends = (stepContext: TwoPeople) =>
    stepContext.mustSucceed('leader', players.friends, { params: { playerId: '7' } });
  const judged = async (isGiven: boolean) => {
    const flows = { isStatedInProfile: () => true, accepts: () => [200], stated: () => isGiven };
    return (await judgeStep(friends, () => ({ status: 400 }), { flows })).judgement?.kind;
  };
  expect([await judged(false), await judged(true)]).toEqual(['inconclusive', 'violation']);
});

test('who is missing under a platform that was not given is missing where other words are refused, or in all', async () => {
  const friends = (stepContext: TwoPeople) =>
    stepContext.sees('leader', {
      operation: players.friends,
      params: { playerId: '7' },
      value: 'somebody',
      what: 'a friend',
      selectedBy: 'platform',
    });
  /** After an invented word comes the guess once more, and then the call without a platform. */
  const judged = async (refusesOthers: boolean, inAll: readonly string[]) => {
    let sinceInvented: number | undefined;
    const answer = ({ ask }: Pick<Put, 'ask'>) => {
      const isInvented = ask.params?.platform !== undefined;
      sinceInvented = isInvented ? 0 : sinceInvented === undefined ? undefined : sinceInvented + 1;
      return {
        status: refusesOthers && isInvented ? 422 : 200,
        body: { friends: sinceInvented === 2 ? inAll : [] },
      };
    };
    return (await judgeStep(friends, answer, { flows: { stated: () => false } })).judgement?.kind;
  };
  expect(await judged(false, ['somebody'])).toBe('inconclusive');
  expect(await judged(false, [])).toBe('violation');
  expect(await judged(true, ['somebody'])).toBe('violation');
});

test('a refusal or a missing effect of an invented value is inconclusive', async () => {
  const until = { operation: party.details, value: 'node-8', what: 'the node' };
  const judged = async (status: number, madeUp?: string) => {
    const request = { carry: { nodeId: 'node-8' }, until, ...(madeUp !== undefined && { madeUp }) };
    const { judgement } = await judgeStep(
      async (stepContext) => {
        await stepContext.mustSucceed('leader', party.invite, request);
        await stepContext.sees('leader', until);
      },
      ({ operation }) => ({ status: operation === 'party.invite' ? status : 200 }),
      stating({ node: '{{nodeId}}' }),
    );
    return judgement?.kind;
  };
  expect([await judged(403), await judged(200)]).toEqual(['violation', 'violation']);
  expect([await judged(403, 'a node'), await judged(200, 'a node')]).toEqual([
    'inconclusive',
    'inconclusive',
  ]);
});

test('a missing effect of a guessed report is inconclusive', async () => {
  const judged = async (reports?: true) => {
    const { judgement } = await judgeStep(
      async (stepContext) => {
        await stepContext.mustSucceed('leader', party.invite, reports ? { reports } : {});
        stepContext.expect(false, 'a trace of it', 'none');
      },
      () => ({}),
      { flows: { forms } },
    );
    return judgement?.kind;
  };
  expect([await judged(true), await judged()]).toEqual(['inconclusive', 'violation']);
});

test('an effect is of the profile’s level only where that gives the body', async () => {
  const levelOf = async (own: Partial<FlowContext>) => {
    const { judgement } = await judgeStep(
      async (stepContext) => {
        await stepContext.mustSucceed('leader', party.invite);
        await stepContext.sees('leader', view);
      },
      () => ({ body: {} }),
      { flows: { isStatedInProfile: () => true, ...own } },
    );
    return [judgement?.kind, (judgement as { level?: string }).level];
  };
  expect(await levelOf(stating({}).flows)).toEqual(['violation', 'profile']);
  expect(await levelOf({ forms: ({ id }) => (id === party.invite.id ? forms() : []) })).toEqual([
    'violation',
    undefined,
  ]);
});

test('a server error on a guessed body breaks an inferred clause, not the profile', async () => {
  const flows = { forms, isStatedInProfile: () => true, accepts: () => [200] };
  const { judgement } = await judgeStep(invite, () => ({ status: 500 }), { flows });
  expect(judgement).toMatchObject({ kind: 'violation', actual: '500' });
  expect(judgement).not.toHaveProperty('level');
});

test('what a flow leaves behind is put back, the last first, and what could not be is reported', async () => {
  const { context, puts } = await judgeStep(
    async (stepContext) => {
      stepContext.addTeardown('leader', party.delete, { params: { partyId: '1' } });
      stepContext.addTeardown('leader', party.leave);
    },
    ({ operation }) => ({ status: operation === 'party.leave' ? 500 : 404 }),
  );
  expect(await context.flows.tearDown()).toEqual(['sample 1: party.leave answered 500']);
  expect(puts.map(({ operation }) => operation)).toEqual(['party.leave', 'party.delete']);
});

test('a call that was held back is reported with the reason, not as one that broke', async () => {
  const held = notSent(party.delete, { hosts: {} }, 'the profile leaves it out: not built');
  const { context } = await judgeStep(
    async (stepContext) => stepContext.addTeardown('leader', party.delete, { params: { partyId: '1' } }),
    () => held,
  );
  expect(await context.flows.tearDown()).toEqual([
    'sample 1: party.delete was not called: the profile leaves it out: not built',
  ]);
});

test.each([
  ['is done', 204, 200, ['party.delete'], []],
  ['is refused: the other way is tried', 405, 200, ['party.delete', 'party.leave'], []],
  ['finds nothing, or is not served', 404, 200, ['party.delete', 'party.leave'], []],
  ['finds nothing, and neither does the other', 404, 400, ['party.delete', 'party.leave'], []],
  [
    'is refused, and the other way shows nothing',
    405,
    404,
    ['party.delete', 'party.leave'],
    ['sample 1: party.delete answered 405'],
  ],
])('where there is another way to put back, and the first %s', async (_, first, other, called, left) => {
  const { context, puts } = await judgeStep(
    async (stepContext) =>
      stepContext.addTeardown('leader', party.delete, { params: { partyId: '1' } }, party.leave),
    ({ operation }) => ({ status: operation === 'party.delete' ? first : other }),
  );
  expect(await context.flows.tearDown()).toEqual(left);
  expect(puts.map(({ operation }) => operation)).toEqual(called);
});

test('undoes a change with one body after another until the target accepts one', async () => {
  const { players } = areas;
  const forms = () =>
    ['id', 'playerId', 'userId'].map((name) => guess({ [name]: '{{other.id}}' }, 'other.id'));
  const undone = (understood: string, status = 400) =>
    judgeStep(
      async (stepContext) =>
        stepContext.addTeardown('leader', players.removeFriend, { carry: { 'other.id': '7' } }),
      ({ ask }) => ({ status: String(ask.body).includes(`"${understood}"`) ? 204 : status }),
      { flows: { forms } },
    );
  const found = await undone('playerId');
  expect(await found.context.flows.tearDown()).toEqual([]);
  expect(found.puts.map(({ ask }) => ask.body)).toEqual(['{"id":"7"}', '{"playerId":"7"}']);
  const refused = await undone('none', 403);
  expect(await refused.context.flows.tearDown()).toEqual(['sample 1: players.removeFriend answered 403']);
  expect(refused.puts).toHaveLength(1);
  const never = await undone('none');
  expect(await never.context.flows.tearDown()).toEqual(['sample 1: players.removeFriend answered 400']);
  expect(never.puts).toHaveLength(3);
});

test('does not try the second way to undo a change on a silent host', async () => {
  const { context, puts } = await judgeStep(
    async (stepContext) => stepContext.addTeardown('leader', party.delete, {}, party.leave),
    () => brokenExchange('timeout'),
  );
  expect(await context.flows.tearDown()).toEqual(['sample 1: party.delete timeout']);
  expect(puts).toHaveLength(1);
});

const seesIt = (stepContext: TwoPeople) => stepContext.sees('leader', view);
const seesItNot = (stepContext: TwoPeople) => stepContext.seesNot('leader', view);

test('a read that shows the value passes at once', async () => {
  const { judgement, puts } = await judgeStep(seesIt, () => ({ body: { id: 'party-77' } }));
  expect([judgement, puts.length]).toEqual([{ kind: 'pass' }, 1]);
});

test('passes when a read shows the effect after a while, and notes how long that took', async () => {
  let asked = 0;
  const { judgement } = await judgeStep(seesIt, () => ({ body: ++asked > 2 ? { id: 'party-77' } : {} }));
  expect(judgement).toMatchObject({
    kind: 'pass',
    detail: expect.stringMatching(/^the party in party.details after \d+ ms$/),
  });
});

test('a read that never shows it is a violation', async () => {
  const { judgement } = await judgeStep(seesIt, () => ({ body: { id: 'another' } }));
  expect(judgement).toMatchObject({
    kind: 'violation',
    expected: 'party.details shows the party, "party-77"',
    actual: '200 with "another" at /id',
  });
});

test.each([
  ['404, though it was made a moment ago', 404, 'violation', undefined],
  ['401', 401, 'inconclusive', 'auth-wall'],
  ['400', 400, 'inconclusive', 'needs-body'],
  ['500', 500, 'violation', undefined],
])('a read that is answered %s', async (_, status, kind, reason) => {
  const { judgement } = await judgeStep(seesIt, () => ({ status }));
  expect([judgement?.kind, (judgement as { reason?: string }).reason]).toEqual([kind, reason]);
});

test('a read that is not served shows nothing of the effect', async () => {
  const routed = async () => ({ served: false, kind: 'unrouted', why: 'like unrouted paths' }) as const;
  const { judgement } = await judgeStep(seesIt, () => ({ status: 404 }), { routed });
  expect(judgement).toMatchObject({ kind: 'inconclusive', reason: 'not-served' });
});

test.each([
  ['shows it no more', { body: { id: 'another' } }, 'pass'],
  ['is not found', { status: 404 }, 'pass'],
  ['still shows it', { body: { id: 'party-77' } }, 'violation'],
])('what is to be gone %s', async (_, answer, kind) => {
  expect((await judgeStep(seesItNot, () => answer)).judgement?.kind).toBe(kind);
});

test.each([
  ['no answer', brokenExchange('timeout'), 'timeout'],
  ['a rate limit', { status: 429 }, 'rate-limited'],
  ['a session that died', { status: 401 }, 'auth-wall'],
])('%s does not show that something is gone', async (_, answer, reason) => {
  expect((await judgeStep(seesItNot, () => answer)).judgement).toMatchObject({
    kind: 'inconclusive',
    reason,
  });
});

test('a player in the list of requests is not among the members', async () => {
  const body = { members: [{ id: 'id-of-player-1' }], requests: [{ id: 'id-of-player-2' }] };
  const among = {
    operation: party.details,
    what: 'the friend',
    value: 'id-of-player-2',
    fellow: 'id-of-player-1',
  };
  const there = await judgeStep(
    (stepContext) => stepContext.sees('leader', among),
    () => ({ body }),
  );
  const gone = await judgeStep(
    (stepContext) => stepContext.seesNot('leader', among),
    () => ({ body }),
  );
  expect([there.judgement?.kind, gone.judgement?.kind]).toEqual(['violation', 'pass']);
});

test('a view that does not show who is a member cannot show who is not', async () => {
  const body = { leader: 'id-of-player-1', declined: ['id-of-player-2'] };
  const among = {
    operation: party.details,
    what: 'the friend',
    value: 'id-of-player-2',
    fellow: 'id-of-player-1',
  };
  const { judgement } = await judgeStep(
    (stepContext) => stepContext.seesNot('leader', among),
    () => ({ body }),
  );
  expect(judgement).toMatchObject({ kind: 'inconclusive', reason: 'unknown-resource' });
});

test.each([
  [500, 'violation', { expected: 'party.details is answered without a server error' }],
  [501, 'inconclusive', { reason: 'needs-state' }],
] as const)(
  'a look that breaks with %i has not shown that the value is still there',
  async (status, kind, expected) => {
    const { judgement } = await judgeStep(seesItNot, () => ({ status }));
    expect(judgement).toMatchObject({ kind, ...expected });
  },
);

test('a read that is refused has not changed', async () => {
  let samples = 0;
  const { judgement } = await judgeStep(
    async (stepContext) => {
      const before = await stepContext.snapshot('leader', party.details);
      stepContext.note(String(await stepContext.pollUntilDifferent('leader', before, party.details)));
    },
    () => ({ status: ++samples > 2 ? 500 : 200, body: {} }),
  );
  expect(judgement).toMatchObject({ kind: 'violation', actual: '500' });
});

test('a snapshot includes a read of something else by the same player', async () => {
  const { judgement, puts } = await judgeStep(
    async (stepContext) => {
      const shown = await stepContext.snapshot('friend', party.details, { params: { a: '1' } });
      await shown.readElsewhere?.();
      await (await stepContext.settledSnapshot('friend', party.details)).readElsewhere?.();
    },
    () => ({ body: {} }),
  );
  expect(judgement?.kind).toBe('pass');
  const elsewhere = { player: 2, operation: 'general.config', ask: {} };
  expect(puts[2]).toMatchObject(elsewhere);
  expect(puts[5]).toMatchObject(elsewhere);
});

test.each<[string, (ms: number, samples: number) => object, boolean]>([
  ['shows it at once', () => ({ tier: 2 }), true],
  ['shows it when copies have caught up', (ms) => ({ tier: ms < 500 ? 1 : 2 }), true],
  ['shows the same', () => ({ tier: 1 }), false],
  [
    'shows the same, and the time in whole seconds',
    // It ticks before the fifth look, which is the first that waited, and now and then after it.
    (_, samples) => ({ tier: 1, at: Math.max(0, Math.floor((samples - 3) / 2)) }),
    false,
  ],
])('a read that %s has changed, lastingly, or not', async (_, showsAfter, isChanged) => {
  let begun: number | undefined;
  let samples = 0;
  let isDone = false;
  const { judgement } = await judgeStep(
    async (stepContext) => {
      const before = await stepContext.snapshot('leader', party.details);
      isDone = true;
      stepContext.note((await stepContext.lastingChange(before)) ? 'changed' : 'as before');
    },
    () => {
      begun ??= Date.now();
      samples += 1;
      return { body: { ...showsAfter(Date.now() - begun, samples), ...(!isDone && { tier: 1 }) } };
    },
  );
  expect(judgement).toEqual({ kind: 'pass', detail: isChanged ? 'changed' : 'as before' });
});
