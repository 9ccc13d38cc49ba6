import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { judgeStep } from '../../fixtures/kit/flow-rehearsal.ts';
import { formOf } from '../players/body-template.ts';
import { mended } from '../players/mended-bodies.ts';
import type { Json } from '../target/profile-validation.ts';
import type { Kept } from './step-context.ts';

const { archives, game, general, me, players } = areas;

/** A presence that is set with this body of the profile's, and read as `shown` says of what was sent. */
async function set(
  template: Json,
  shown: (sent: Record<string, unknown>, nth: number) => unknown,
  before = {},
) {
  let sent: Record<string, unknown> | undefined;
  let nth = 0;
  let kept: Kept | undefined;
  const run = async (context: Parameters<Parameters<typeof judgeStep>[0]>[0]) => {
    kept = await context.sets('leader', me.setRichPresence, {
      value: 'a-word-of-ours',
      shownIn: (value) => ({ operation: general.richPresence, value, what: 'the presence', by: 'friend' }),
    });
  };
  const { judgement } = await judgeStep(
    run,
    ({ operation, ask }) => {
      if (operation === me.setRichPresence.id) sent = JSON.parse(String(ask.body));
      return { body: sent === undefined ? before : shown(sent, ++nth) };
    },
    {
      flows: {
        forms: ({ id }) => (id === me.setRichPresence.id ? [formOf(template, 'profile')] : []),
        isStatedInProfile: () => true,
      },
    },
    [general.richPresence, me.setRichPresence],
  );
  return { judgement, kept, sent };
}
const asSent = (sent: Record<string, unknown>) => ({ presence: sent });

test.each<[string, Json, Kept]>([
  ['a word of ours', { status: '{{value}}' }, { value: 'a-word-of-ours', isOwn: true }],
  ['a word of ours for a unique one', { status: '{{unique}}' }, { value: 'a-word-of-ours', isOwn: true }],
  ['what it fixes', { status: 'IN_LOBBY' }, { value: 'IN_LOBBY', isOwn: false }],
  ['a word of few letters that it fixes', { status: 'on' }, { value: 'on', isOwn: false }],
  ['a truth value that it fixes', { ready: true }, { value: 'true', isOwn: false }],
])('a body of the profile’s has to be shown with %s', async (_, template, kept) => {
  const outcome = await set(template, asSent);
  expect([outcome.judgement?.kind, outcome.kept]).toEqual(['pass', kept]);
});

test('passes when one of several texts that the body fixes is shown', async () => {
  const { judgement, kept } = await set({ action: 'set', mood: 'MERRY' }, ({ mood }) => ({ mood }));
  expect([judgement?.kind, kept?.value]).toEqual(['pass', 'MERRY']);
});

test.each<[string, Json, (sent: Record<string, unknown>) => unknown, object]>([
  [
    'a text that is not shown breaks the profile',
    { status: 'IN_LOBBY' },
    () => ({ status: 'OFFLINE' }),
    {
      kind: 'violation',
      level: 'profile',
      expected: expect.stringContaining('"IN_LOBBY", which the profile\'s body of me.setRichPresence fixes'),
    },
  ],
  [
    'a number that is written otherwise does not',
    { status: 3 },
    () => ({ status: 'BUSY' }),
    { kind: 'inconclusive', reason: 'needs-body' },
  ],
  [
    'a body that says nothing does not',
    {},
    () => ({ status: 'ONLINE' }),
    { kind: 'inconclusive', reason: 'needs-body' },
  ],
])('%s', async (_, template, shown, expected) => {
  expect((await set(template, shown)).judgement).toMatchObject(expected);
});

/** A purchase that is to say what it is paid with; each of these currencies is answered so. */
async function paidWith(answers: Readonly<Record<string, number>>) {
  const { judgement, puts } = await judgeStep(
    (context) => context.mustSucceed('leader', general.purchase, { params: { characterName: 'Quill' } }),
    ({ ask }) => {
      const { payWith = '' } = JSON.parse(String(ask.body)) as { payWith?: string };
      const problem = `is required (one of ${Object.keys(answers).join(', ')})`;
      const fields = [{ field: 'payWith', problem }];
      return { status: answers[payWith] ?? 422, body: payWith in answers ? {} : { fields } };
    },
    {
      flows: {
        forms: () => [formOf({ quantity: 1 }, 'guess')],
        mend: (operation, form, refused) => mended(operation, form, refused, async () => undefined),
      },
    },
    [general.purchase],
  );
  return { judgement, bodies: puts.map(({ ask }) => JSON.parse(String(ask.body)).payWith) };
}

test('where nothing is sold for the first value that a refusal lists, the others are tried', async () => {
  const { judgement, bodies } = await paidWith({ gems: 409, shards: 422, coins: 201, cells: 201 });
  expect(judgement?.kind).toBe('pass');
  expect(bodies).toEqual([undefined, 'gems', 'shards', 'coins']);
});

test('where all values that a refusal lists are refused, that stands', async () => {
  const { judgement, bodies } = await paidWith({ gems: 409, coins: 409 });
  expect(judgement).toMatchObject({ kind: 'inconclusive', reason: 'needs-state' });
  expect(bodies.slice(0, 3)).toEqual([undefined, 'gems', 'coins']);
});

test('a refusal of the caller is none of the value that was chosen', async () => {
  const { bodies } = await paidWith({ gems: 403, coins: 201 });
  expect(bodies).not.toContain('coins');
});

test('is inconclusive when the text was shown before the call as well', async () => {
  const { judgement } = await set({ status: 'IN_LOBBY' }, asSent, { presence: { status: 'IN_LOBBY' } });
  expect(judgement).toMatchObject({ kind: 'inconclusive', reason: 'needs-state' });
});

test('what copies show late is waited for', async () => {
  const late = (sent: Record<string, unknown>, nth: number) => (nth > 3 ? sent : {});
  expect((await set({ status: 'IN_LOBBY' }, late)).judgement?.kind).toBe('pass');
});

type Answering = (sent: Readonly<Record<string, unknown>>) => {
  readonly status?: number;
  readonly body?: unknown;
};

/** A node that is made active with a guessed body, and does not come: what the answers to the call say decides. */
async function activated(answering: Answering, read: unknown = { activeNode: null }) {
  const { judgement } = await judgeStep(
    (context) =>
      context.sets('leader', archives.updateActiveNode, {
        value: 'Tome-Node-3',
        as: 'nodeId',
        madeUp: 'a node that the story names',
        shownIn: (value) => ({ operation: archives.activeNode, value, what: 'the node' }),
      }),
    ({ operation, ask }) =>
      operation === archives.activeNode.id ? { body: read } : answering(JSON.parse(String(ask.body))),
    { flows: { forms: () => [formOf({ nodeId: '{{nodeId}}' }, 'guess')] } },
    [archives.updateActiveNode, archives.activeNode],
  );
  return judgement;
}

const asActive: Answering = ({ nodeId }) =>
  nodeId === undefined ? { status: 400 } : { body: { activeNode: { nodeId, activatedAt: 'now' } } };

test('a guess is no excuse where the answer shows what was sent under a name of the read', async () => {
  expect(await activated(asActive)).toMatchObject({
    kind: 'violation',
    expected: expect.stringContaining('archives.activeNode shows the node'),
  });
});

test.each<[string, Answering, unknown?]>([
  ['repeats whatever comes', (sent) => ({ body: { activeNode: sent } })],
  ['shows it under a name that the read has not', asActive, { current: null }],
  ['shows that node to everybody', () => ({ body: { activeNode: { nodeId: 'Tome-Node-3' } } })],
  ['says nothing', () => ({ body: { ok: true } })],
])('a guess is an excuse where the answer %s', async (_, answering, read) => {
  expect(await activated(answering, read)).toMatchObject({ kind: 'inconclusive', reason: 'needs-body' });
});

/** Takes a body of just these members, and keeps nothing of it. */
const strictly =
  (...names: readonly string[]): Answering =>
  (sent) => ({ status: Object.keys(sent).sort().join() === names.toSorted().join() ? 200 : 400 });
const inside = (value: string) => ({ assay: value });
const itself = (value: string) => value;

test.each<[string, Operation, Answering, (value: string) => Json, 'violation' | 'inconclusive']>([
  ['a state, in just these members', areas.players.setState, strictly('key', 'data'), inside, 'violation'],
  ['a text, in just these members', areas.party.update, strictly('key', 'data'), itself, 'violation'],
  // It may keep of an object what it knows.
  ['an object, in just these members', areas.party.update, strictly('key', 'data'), inside, 'inconclusive'],
  [
    'a text, beside any other member',
    areas.party.update,
    ({ data }) => ({ status: data ? 200 : 400 }),
    itself,
    'inconclusive',
  ],
  ['a text, or none', areas.party.update, ({ key }) => ({ status: key ? 200 : 400 }), itself, 'inconclusive'],
])('where a target takes %s, and shows nothing of it: %5$s', async (_, write, answering, holding, kind) => {
  const { judgement } = await judgeStep(
    (context) =>
      context.sets('leader', write, {
        value: 'a-word-of-ours',
        shownIn: (value) => ({ operation: areas.party.details, value, what: 'the word' }),
      }),
    ({ operation, ask }) => (operation === write.id ? answering(JSON.parse(String(ask.body))) : { body: {} }),
    { flows: { forms: () => [formOf({ key: 'k', data: holding('{{value}}') }, 'guess')] } },
    [write, areas.party.details],
  );
  expect(judgement?.kind).toBe(kind);
});

test('where every guess is refused, what the read shows is sent with the value in it', async () => {
  let voices: Readonly<Record<string, string>> = {};
  const { judgement, puts } = await judgeStep(
    (context) =>
      context.sets('leader', game.saveVoiceOver, {
        value: 'a-voice-of-ours',
        shownIn: (value) => ({ operation: game.voiceOver, value, what: 'the voice' }),
      }),
    ({ operation, ask }) => {
      if (operation === game.voiceOver.id) return { body: { voices } };
      const sent = JSON.parse(String(ask.body));
      if (typeof sent.voices !== 'object') return { status: 400 };
      voices = sent.voices;
      return { body: sent };
    },
    { flows: { forms: () => [formOf({ settings: '{{value}}' }, 'guess')] } },
    [game.saveVoiceOver, game.voiceOver],
  );
  expect(judgement?.kind).toBe('pass');
  expect(puts.filter(({ operation }) => operation === game.saveVoiceOver.id)).toHaveLength(2);
});

/** A state that is written with a guessed body, on a server that demands these members, and finds no state of the name. */
async function written(demanded: readonly string[], status: number) {
  const { judgement } = await judgeStep(
    (context) =>
      context.sets('leader', players.setState, {
        value: 'a-state-of-ours',
        shownIn: (value) => ({ operation: players.challengeUIData, value, what: 'the state' }),
      }),
    ({ operation, ask }) => {
      const url = 'http://a.test/api/v1/players/me/states/ChallengeUIData';
      if (operation !== players.setState.id) return { status, url, body: {} };
      const sent = JSON.parse(String(ask.body));
      return { status: demanded.every((name) => name in sent) ? 200 : 400 };
    },
    { flows: { forms: () => [formOf({ name: 'ChallengeUIData', data: '{{value}}' }, 'guess')] } },
    [players.setState, players.challengeUIData],
  );
  return judgement?.kind;
}

test('a state whose value is demanded, and of which nothing is known then, was lost', async () => {
  expect(await written(['name', 'data'], 404)).toBe('violation');
  expect(await written(['name'], 404)).toBe('inconclusive');
  expect(await written(['name', 'data'], 200)).toBe('inconclusive');
});

test.each<[string, Json, Json]>([
  ['a number', { storyId: 'tome', page: 1 }, { storyId: 'tome', page: 2 }],
  ['a text', { storyId: 'tome', page: 'one' }, { storyId: 'tome', page: '2' }],
])(
  'puts what a read shows under the name of a member in the place of %s there',
  async (_, template, sent) => {
    const { judgement, puts } = await judgeStep(
      (context) =>
        context.mustSucceed('leader', archives.readPage, {
          carry: { pageId: '2' },
          shownAs: { page: 'pageId' },
          madeUp: 'a page that the journal names',
        }),
      () => ({ body: {} }),
      { flows: { forms: () => [formOf(template, 'refusal')] } },
      [archives.readPage],
    );
    expect(judgement?.kind).toBe('pass');
    expect(puts.map(({ ask }) => JSON.parse(String(ask.body)))).toEqual([sent]);
  },
);
