import { describe, expect, test } from 'vitest';
import { areas, catalog, operationById } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { matchCall } from '../../commands/learn/match/match-call.ts';
import { credentialOf, type EvidenceOnOptions, evidenceOn } from '../../fixtures/kit/evidence-on.ts';
import { brokenExchange, type ExchangeFields, exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { silenceOf } from '../compare/no-answer.ts';
import { createNoise } from '../compare/noise.ts';
import { type Ask, dead, nobody, own, spoiled } from '../http/ask.ts';
import type { Client } from '../http/client.ts';
import { type Exchange, type Request, statusOf } from '../http/exchange.ts';
import { createContext } from '../run/create-context.ts';
import type { Profile } from '../target/profile.ts';
import { readTarget } from '../target/target.ts';
import { reader } from './callers.ts';
import type { Breaker } from './circuit-breaker.ts';
import { createIdentifierSources } from './identifier-sources.ts';

const { archives, clientData, general, match, me, messages, party, playerName, players, game, queue, auth } =
  areas;

describe('an exchange is made once', () => {
  test('for all who ask alike, also at the same time', async () => {
    const { ask, sent } = evidenceOn(() => ({}));
    const all = await Promise.all([
      ask(general.config),
      ask(general.config, {}),
      ask(general.config, { as: 'main' }),
    ]);
    expect(new Set(all).size).toBe(1);
    expect(sent).toHaveLength(1);
  });

  test('and once for each who asks otherwise', async () => {
    const { ask, sent } = evidenceOn(() => ({}));
    const asks: Ask[] = [
      {},
      { nth: 2 },
      { as: nobody },
      { as: 'friend' },
      { method: 'HEAD' },
      { extraQuery: 'x=1' },
    ];
    await Promise.all(asks.map((each) => ask(general.config, each)));
    expect(sent).toHaveLength(asks.length);
  });

  test('operations with a query of their own have exchanges of their own', async () => {
    const { ask, paths } = evidenceOn(() => ({}));
    await Promise.all([ask(messages.list), ask(messages.listLimited)]);
    expect(paths()).toEqual(['GET /api/v1/messages/listV2', 'GET /api/v1/messages/listV2?limit=10']);
  });
});

test('a read of what was made just now is asked again where it is not there yet, once', async () => {
  const { ask, paths } = evidenceOn(({ method }) => ({ status: method === 'POST' ? 201 : 404 }));
  await ask(party.details);
  await ask(party.delete);
  const [reads, deletes] = ['GET ', 'DELETE '].map((method) =>
    paths().filter((one) => one.startsWith(method)),
  );
  expect([reads?.length, deletes?.length]).toEqual([2, 1]);
});

test('an inbox that is empty at first is read once more, for the message that a call names', async () => {
  let reads = 0;
  const { ask } = evidenceOn(({ method, body }) => {
    if (method !== 'GET') return { status: String(body).includes('"messageId":7') ? 200 : 400 };
    reads += 1;
    return { status: 200, body: { messages: reads > 1 ? [{ messageId: 7 }] : [] } };
  });
  expect((await ask(messages.claim)).response?.status).toBe(200);
  expect(reads).toBe(2);
});

test('a name is searched for once a player has it, who keeps it', async () => {
  const { ask, paths } = evidenceOn(() => ({ body: {} }));
  const [found] = await Promise.all([ask(playerName.search), ask(playerName.set)]);
  const named = paths().filter((path) => path.startsWith('POST /api/v1/playername/'));
  expect(named).toHaveLength(1);
  expect(paths().indexOf(named[0] ?? '')).toBeLessThan(paths().length - 1);
  expect(named[0]).toContain(new URL(found.request.url).searchParams.get('playerName'));
});

test("what a host does by itself is learnt from reads that no player's call changes", async () => {
  const noise = createNoise();
  let asked = 0;
  const counting = () => {
    asked += 1;
    return { body: { at: asked } };
  };
  const { ask } = evidenceOn(counting, { noise });
  const twice = async (operation: Operation) => {
    for (const nth of [1, 2]) await ask(operation, { as: reader, nth });
    return noise.of('base').wanders;
  };
  // Who is found by a name, in a party or among friends depends on what others do meanwhile.
  for (const changed of [playerName.search, party.get, match.get, players.friendInfo])
    expect(await twice(changed)).toEqual([]);
  expect(await twice(general.config)).toEqual(['/at']);
});

describe('identifiers', () => {
  test('are those of answers to the player who calls', async () => {
    const { ask, paths } = evidenceOn((_, path, credential) =>
      path === party.create.path ? { body: { partyId: `party of ${credential}`, autoJoinKey: 'k' } } : {},
    );
    await ask(party.get);
    await ask(party.get, { as: 'friend' });
    expect(paths().filter((path) => path.startsWith('GET'))).toEqual([
      'GET /api/v1/party/party%20of%20main-1?autoJoinKey=k&includeState=true',
      'GET /api/v1/party/party%20of%20friend-1?autoJoinKey=k&includeState=true',
    ]);
  });

  test('are those of a new party once what players had was put back', async () => {
    let made = 0;
    const { ask, paths, startAnew } = evidenceOn((_, path) =>
      path === party.create.path ? { body: { partyId: `${++made}`, autoJoinKey: 'k' } } : {},
    );
    await ask(party.get);
    startAnew();
    await ask(party.get, { params: { includeState: 'false' } });
    expect(paths().filter((path) => path.startsWith('GET'))).toEqual([
      'GET /api/v1/party/1?autoJoinKey=k&includeState=true',
      'GET /api/v1/party/2?autoJoinKey=k&includeState=false',
    ]);
  });

  test('of players are their own, of a friend another player', async () => {
    const { values } = evidenceOn(() => ({}));
    expect((await values(players.friends)).params.playerId).toBe('id-of-main');
    expect((await values(party.cancelJoin)).params.friendId).toBe('id-of-friend');
  });

  test('of players are asked for where the login names none', async () => {
    const { values } = evidenceOn(
      (_, path, credential) => (path === '/api/v1/playername' ? { body: { uid: `told-${credential}` } } : {}),
      { tellsIds: false },
    );
    expect((await values(players.friends)).params.playerId).toBe('told-main-1');
    expect((await values(party.cancelJoin)).params.friendId).toBe('told-friend-1');
  });

  test('come from the call that lists what there is', async () => {
    const { ask, paths } = evidenceOn(() => ({ body: { storyId: 'told' } }));
    await ask(archives.story);
    expect(paths()).toEqual([
      'GET /api/v1/archives/stories/get/story-status',
      'GET /api/v1/archives/stories/get/story?storyId=told',
    ]);
  });

  test('that are the same for all are not asked for where they were given', async () => {
    const { ask, paths } = evidenceOn(() => ({ body: { storyId: 'told' } }), {
      parameters: { storyId: 'given' },
    });
    await ask(archives.story);
    expect(paths()).toEqual(['GET /api/v1/archives/stories/get/story?storyId=given']);
  });

  test('are not asked of a host that was not given', async () => {
    const { ask, sent } = evidenceOn(() => ({}), { env: { CDN_URL: 'http://cdn.test' } });
    await ask(clientData.archiveQuests);
    expect(new Set(sent.map(({ url }) => new URL(url).host))).toEqual(new Set(['cdn.test']));
  });

  test('are invented, and marked as such, where no answer holds them', async () => {
    const { values } = evidenceOn(() => ({ status: 404 }));
    expect(await values(match.get)).toEqual({ params: { matchId: 'Assayrun00000' }, unknown: ['matchId'] });
  });
});

describe('operations that end what others need', () => {
  test('logout has a session of its own each time', async () => {
    const { ask, control, sent, signIns } = evidenceOn(() => ({}));
    await ask(me.logout);
    await control(me.logout, 'sibling', 1);
    expect(sent.map(credentialOf)).toEqual(['fresh-1', 'fresh-2']);
    expect(signIns).toEqual(['fresh', 'fresh']);
  });

  test('leaving and deleting a party are calls of two players, each with a party of its own', async () => {
    const { ask, sent } = evidenceOn((_, __, credential) => ({ body: { partyId: `p-${credential}` } }));
    await Promise.all([ask(party.leave), ask(party.delete)]);
    const calls = sent.map((request) => `${request.method} ${credentialOf(request)}`).sort();
    expect(calls).toEqual([
      'DELETE party.delete-1',
      'DELETE party.leave-1',
      'POST party.delete-1',
      'POST party.leave-1',
    ]);
  });

  test('a party is made before its state is asked', async () => {
    const { ask, paths } = evidenceOn(() => ({}));
    await ask(party.details);
    expect(paths()).toEqual(['POST /api/v1/party', 'GET /api/v1/party/details?includeState=true']);
  });
});

test('the breaker counts every exchange, controls included', async () => {
  const heard: Exchange[] = [];
  const breaker: Breaker = {
    lost: () => undefined,
    wasAway: () => false,
    cutOff: () => {},
    incidents: () => [],
    guard: async (_, send) => {
      const exchange = await send({});
      heard.push(exchange);
      return exchange;
    },
  };
  const { ask, control } = evidenceOn(() => ({}), { breaker });
  await ask(general.config);
  await control(general.config, 'root', 1);
  await ask(clientData.catalog);
  expect(heard.map(({ request }) => new URL(request.url).host)).toEqual(['a.test', 'a.test']);
});

/** A target whose operations take a body only where `takes` says so; everything else is taken. */
const picky = (takes: (body: string | undefined, path: string) => boolean, options?: EvidenceOnOptions) => {
  const on = evidenceOn(
    ({ body, method }, path) => ({
      status: method === 'GET' || takes(body as string | undefined, path) ? 200 : 400,
      body: { body: body ?? null, token: 'q-1', messageId: 7, partyId: 'p-1', autoJoinKey: 'k' },
    }),
    options,
  );
  const bodies = (path: string) =>
    on.sent.filter(({ url }) => url.includes(path)).map(({ body }) => body as string | undefined);
  return { ...on, bodies };
};
/** A target that reports nothing and takes no body. */
const evidenceOnNothing = () => {
  const on = evidenceOn(({ method }) => ({ status: method === 'GET' ? 200 : 400 }));
  return { ...on, bodies: () => on.sent.map(({ body }) => body as string | undefined) };
};
const names = (name: string) => (body: string | undefined) => body?.includes(name) ?? false;

describe('a plain call whose empty object is refused', () => {
  test('is put again with likely bodies, and the one that is taken is its answer', async () => {
    const { ask, bodies } = picky(names('"friendId"'));
    const { response, request } = await ask(players.addFriend);
    expect(response?.status).toBe(200);
    expect(request.body).toContain('"friendId":"id-of-friend"');
    expect(bodies('/friends/add')[0]).toBe('{}');
  });

  test('blocks nobody whom another call invites or befriends', async () => {
    const { ask } = picky(names('"playerId"'));
    expect((await ask(players.block)).request.body).toContain('"playerId":"id-of-blocked"');
    expect((await ask(party.invite)).request.body).toContain('"playerId":"id-of-friend"');
  });

  test('is not searched for again by the next caller: all send that body, with values of their own', async () => {
    const { ask, bodies } = picky(names('"playerId"'));
    await ask(party.acceptInvite);
    const tried = bodies('/accept').length;
    await Promise.all([
      ask(party.acceptInvite, { as: 'reader' }),
      ask(party.acceptInvite, { as: 'crowd', nth: 2 }),
      ask(party.acceptInvite, { as: nobody }),
      ask(party.acceptInvite, { as: spoiled }),
    ]);
    const whose = (name: string) => expect.stringContaining(`"playerId":"id-of-${name}"`);
    expect(bodies('/accept').slice(tried).sort()).toEqual([
      whose('crowd'),
      whose('main'),
      whose('main'),
      whose('reader'),
    ]);
  });

  test('has controls with the same body', async () => {
    const { ask, control, sent } = picky(names('"friendId"'));
    const answer = await ask(players.addFriend);
    await control(players.addFriend, 'sibling', 1);
    expect(sent.at(-1)?.body).toBe(answer.request.body);
  });

  test('keeps its first answer where no body is taken, and the next calls are put as they always were', async () => {
    const { ask, bodies } = picky(() => false);
    expect((await ask(players.addFriend)).request.body).toBe('{}');
    await ask(players.addFriend, { as: 'crowd', nth: 2 });
    expect(bodies('/friends/add').at(-1)).toBe('{}');
    expect(bodies('/friends/add').length).toBeLessThanOrEqual(9);
  });

  test('is not made a verdict of by a guess that breaks the target', async () => {
    const { ask } = evidenceOn(({ body }) => ({ status: body === '{}' ? 400 : 500 }));
    expect((await ask(players.addFriend)).response?.status).toBe(400);
  });

  test('of bytes has no other form', async () => {
    const { ask, sent } = picky(() => false);
    await ask(players.setBinaryState);
    expect(sent).toHaveLength(1);
  });
});

describe('what a guess says', () => {
  test.each([
    ['a token that another call issues', queue.enter, '"token":"q-1"'],
    ['a message that a list reports, with its own type', messages.claim, '"messageId":7'],
    ['a named state that can be read', players.setState, '"stateName":"ChallengeUIData"'],
    ['the version of the game', general.checkClientVersion, '"version":"1.0.0"'],
  ])('is %s', async (_, operation, said) => {
    const { ask } = picky((body, path) => !operation.path.startsWith(path) || names(said)(body));
    expect((await ask(operation)).request.body).toContain(said);
  });

  test('is invented where no answer lists what exists, as it is in a path', async () => {
    const { ask } = picky(names('"characterName":"Assayrun00000"'));
    expect((await ask(game.getOrInitCharacter)).response?.status).toBe(200);
  });

  test('is never an invented token or message', async () => {
    const { ask, bodies } = evidenceOnNothing();
    await ask(queue.enter);
    await ask(messages.claim);
    expect(bodies().filter((body) => /token|"messageId"/.test(body ?? ''))).toEqual([]);
  });

  test('is asked for only once a form needs it', async () => {
    const { ask, paths } = picky(() => true);
    await ask(queue.enter);
    expect(paths()).toEqual(['POST /api/v1/queue', 'POST /api/v1/queue/cancel']);
  });
});

describe('a body that the profile states', () => {
  const stating = (body: string, id = 'players.addFriend') => ({ operations: { [id]: { body } } });

  test('is sent by the player who leaves the queue that a rule has entered', async () => {
    const { ask, bodies } = picky(() => true, stating('{{player.id}}', 'queue.cancel'));
    await ask(queue.enter, { as: 'reader' });
    expect(bodies('/queue/cancel')).toEqual(['"id-of-reader"']);
  });

  test('is the only one, refused or not, for everybody', async () => {
    const { ask, bodies } = picky(() => false, stating('{{other.id}}'));
    await ask(players.addFriend);
    await ask(players.addFriend, { as: nobody });
    expect(bodies('/friends/add')).toEqual(['"id-of-friend"', '"id-of-friend"']);
  });

  test('that cannot be written is reported as unknown, and the call sent without it', async () => {
    const { ask, values, bodies } = picky(() => true, stating('{{characterName}}'));
    await ask(players.addFriend);
    expect(bodies('/friends/add')).toEqual(['{}']);
    expect((await values(players.addFriend)).unknown).toEqual(['characterName']);
  });
});

describe('identifiers by the profile', () => {
  test('are taken from where it says', async () => {
    const answer = { body: { id: 'no', data: { of: 'yes' } } };
    const { ask, paths } = evidenceOn(() => answer, {
      operations: { 'match.create': { ids: { matchId: '/data/of' } } },
    });
    await ask(match.get);
    expect(paths().at(-1)).toBe('GET /api/v1/match/yes');
  });

  test('may come from another call than the one that creates', async () => {
    const { ask, paths } = evidenceOn(() => ({ body: { mine: 5 } }), {
      operations: { 'party.details': { ids: { matchId: '/mine' } } },
    });
    await ask(match.get);
    expect(paths().at(-1)).toBe('GET /api/v1/match/5');
  });

  test('come from the call that creates where the other call does not name them yet', async () => {
    const behind = evidenceOn(
      ({ method }) => (method === 'POST' ? { body: { matchId: 'new' } } : { status: 404, body: {} }),
      { operations: { 'party.details': { ids: { matchId: '/mine' } } } },
    );
    await behind.ask(match.get);
    expect(behind.paths().at(-1)).toBe('GET /api/v1/match/new');
  });

  test('from calls that would need one another are left out, so that none waits for itself', async () => {
    const { ask, paths } = evidenceOn(() => ({ body: { it: 'x' } }), {
      operations: {
        'match.get': { ids: { matchId: '/it', partyId: '/it' } },
        'party.get': { ids: { matchId: '/it' } },
        'match.create': { ids: { matchId: '/it' }, body: '{{partyId}}' },
      },
    });
    await Promise.all([ask(match.get), ask(party.get), ask(match.create)]);
    expect(paths().length).toBeGreaterThan(2);
  });

  test('of a party come from none of the calls for which a party is made first', async () => {
    const { ask, paths } = evidenceOn(() => ({ body: { it: 'x' } }), {
      operations: {
        'party.details': { ids: { providerPlayerName: '/it' } },
        'party.create': { body: '{{providerPlayerName}}' },
      },
    });
    await ask(party.create);
    expect(paths()).toEqual(['POST /api/v1/party']);
  });

  test("an operation's own value goes before all others, in fixed places too", async () => {
    const { ask, paths } = evidenceOn(() => ({}), {
      operations: {
        'match.get': { parameters: { matchId: 'own' } },
        'general.consent': { parameters: { onlyAttentionNeeded: 'true' } },
      },
    });
    await ask(match.get);
    await ask(general.consent);
    expect(paths()).toEqual(['GET /api/v1/match/own', 'GET /api/v1/consent?onlyAttentionNeeded=true']);
  });
});

// Who makes a call, so that no answer hangs on what other checks did before.
const withParty = (path: string) =>
  path === party.create.path ? { body: { partyId: 'p-1', autoJoinKey: 'k' } } : {};
const where = (hasRoom: boolean) => {
  const on = evidenceOn((_, path) => withParty(path), { hasRoom });
  /** Who called which path, in order. */
  const calls = () => on.sent.map((request) => [credentialOf(request), new URL(request.url).pathname]);
  return { ...on, calls };
};

describe('where every operation may have a player alone', () => {
  test('what only reads is asked by the first one', async () => {
    const { ask, calls } = where(true);
    await Promise.all([ask(general.inventories), ask(players.recentlyPlayed)]);
    expect(calls().map(([who]) => who)).toEqual(['main-1', 'main-1']);
  });

  test('what changes something is asked by a player who calls nothing else', async () => {
    const { ask, calls } = where(true);
    const operations = [general.entitlements, players.block, messages.clear, game.reconcileChallenges];
    await Promise.all(operations.map((operation) => ask(operation)));
    expect(
      calls()
        .map(([who]) => who)
        .sort(),
    ).toEqual(operations.map(({ id }) => `${id}-1`).sort());
  });

  test('so is a read that needs a change before it', async () => {
    const { ask, calls } = where(true);
    await Promise.all([ask(party.details), ask(match.get), ask(players.fullProfile)]);
    expect(new Set(calls().map(([who]) => who))).toEqual(
      new Set(['party.details-1', 'match.get-1', 'players.fullProfile-1']),
    );
  });

  test('a read that nothing may disturb is the plain one', async () => {
    const { ask, sent } = where(true);
    const [plain, quiet] = await Promise.all([
      ask(general.inventories),
      ask(general.inventories, { as: reader }),
    ]);
    expect(quiet).toBe(plain);
    expect(sent).toHaveLength(1);
    await ask(game.reconcileChallenges, { as: reader });
    expect(sent.map(credentialOf).at(-1)).toBe('game.reconcileChallenges-1');
  });

  test('what ends a session or a party, or has another caller named, is asked as ever', async () => {
    const { ask, sent } = where(true);
    await ask(me.logout);
    await ask(general.entitlements, { as: 'fuzzer' });
    expect(sent.map(credentialOf)).toEqual(['fresh-1', 'fuzzer-1']);
  });

  test('controls are asked by one for all operations, but for paths that name what a caller has', async () => {
    const { control, sent } = where(true);
    await Promise.all(
      [general.entitlements, players.block, queue.issueToken].map((operation) =>
        control(operation, 'root', 1),
      ),
    );
    expect(sent.map(credentialOf)).toEqual(['main-1']);
    await control(party.invite, 'tail', 1);
    expect(sent.map(credentialOf).at(-1)).toBe('party.invite-1');
  });

  test('a control of one operation is sent by the player who calls that operation', async () => {
    const { control, sent } = where(true);
    const operations = [general.entitlements, players.block, general.inventories];
    for (const operation of operations) await control(operation, 'root', 1, { as: own });
    expect(sent.map(credentialOf)).toEqual(['general.entitlements-1', 'players.block-1', 'main-1']);
  });
});

describe('where players are few', () => {
  test('the first one asks whatever ends nothing, and a reader what nothing may disturb', async () => {
    const { ask, sent } = where(false);
    await ask(general.inventories);
    await ask(general.entitlements);
    await ask(general.inventories, { as: reader });
    expect(sent.map(credentialOf)).toEqual(['main-1', 'main-1', 'reader-1']);
  });
});

describe('a state', () => {
  test('is set before it is read, by the player of the plain call alone', async () => {
    const { ask, calls } = where(true);
    await ask(players.fullProfile);
    await ask(players.fullProfile, { as: 'fuzzer' });
    expect(calls().map(([who, path]) => `${who} ${path?.slice('/api/v1/players/me/states'.length)}`)).toEqual(
      [
        'players.fullProfile-1 /binary',
        'players.fullProfile-1 /FullProfile/binary',
        'fuzzer-1 /FullProfile/binary',
      ],
    );
  });
});

test('a read needs no change before it where none may be made', () => {
  const { needsChange } = createIdentifierSources({ forms: () => [] }, undefined);
  expect([true, false].map((may) => needsChange(party.get, () => may))).toEqual([true, false]);
  expect(needsChange(general.inventories, () => true)).toBe(false);
});

describe('a control', () => {
  test('is sent as the operation is: method, query, body, credential', async () => {
    const { control, sent } = evidenceOn(() => ({}));
    await control(archives.showStartPopup, 'sibling', 1);
    expect(sent.filter(({ method }) => method === 'POST')).toEqual([
      {
        method: 'POST',
        url: expect.stringMatching(
          /^http:\/\/a\.test\/api\/v1\/archives\/rewards\/[a-z]{4}-[a-z]{5}-[a-z]{5}\?archiveId=Assayrun00000$/,
        ),
        headers: [
          ['accept', '*/*'],
          ['user-agent', 'assay'],
          ['content-type', 'application/json'],
          ['authorization', 'Bearer main-1'],
        ],
        body: '{}',
      },
    ]);
  });

  test('serves all operations beside it, and each root all operations of its method', async () => {
    const { control, sent } = evidenceOn(() => ({}));
    const operations = [archives.checkPass, archives.rawTier, archives.tier];
    for (const kind of ['sibling', 'root'] as const)
      await Promise.all(operations.map((operation) => control(operation, kind, 1)));
    expect(sent).toHaveLength(2);
    await control(archives.claimOldTracks, 'root', 1);
    expect(sent).toHaveLength(3);
  });

  test('that was put twice has two answers, on two paths', async () => {
    const { control, paths } = evidenceOn(() => ({}));
    await control(archives.tier, 'sibling', 1);
    await control(archives.tier, 'sibling', 2);
    expect(new Set(paths()).size).toBe(2);
  });

  test('that was answered is kept', async () => {
    const { control, sent } = evidenceOn(() => ({ status: 500 }));
    for (let nth = 0; nth < 3; nth += 1) await control(archives.tier, 'sibling', 1);
    expect(sent).toHaveLength(1);
  });

  test('that met a server error once is put again, and has the answer that stays', async () => {
    const answers = [500, 404];
    const { control } = evidenceOn(() => ({ status: answers.shift() ?? 404 }), { noise: createNoise() });
    expect(statusOf(await control(archives.tier, 'sibling', 1))).toBe(404);
  });

  test.each<readonly [string, ExchangeFields | Exchange]>([
    ['429', { status: 429 }],
    ['503', { status: 503 }],
    ['a timeout', brokenExchange('timeout')],
    ['a reset', brokenExchange('reset')],
  ])('that was answered by %s is put again, a bounded number of times', async (_, answer) => {
    const { control, sent } = evidenceOn(() => answer);
    await Promise.all([control(archives.tier, 'sibling', 1), control(archives.rawTier, 'sibling', 1)]);
    expect(sent).toHaveLength(1);
    for (let nth = 0; nth < 10; nth += 1) await control(archives.tier, 'sibling', 1);
    expect(sent).toHaveLength(4);
  });

  test('of the login carries a token of its own', async () => {
    const { control, paths } = evidenceOn(() => ({}));
    await control(auth.login, 'sibling', 1);
    expect(paths()[0]).toMatch(
      /^POST \/api\/v1\/auth\/provider\/storefront\/[a-z]{5}\?token=token-of-login$/,
    );
  });
});

describe('the credential of a call', () => {
  test.each<readonly [string, Ask, RegExp | undefined]>([
    ['a player', { as: 'friend' }, /^friend-1$/],
    ['nobody', { as: nobody }, undefined],
    ['somebody with a spoiled one', { as: spoiled }, /^(?!main-1$).{6}$/],
  ])('is that of %s', async (_, asked, credential) => {
    const { ask, sent } = evidenceOn(() => ({}));
    await ask(general.config, asked);
    const found = credentialOf(sent.at(-1) as Request);
    if (credential) expect(found).toMatch(credential);
    else expect(found).toBeUndefined();
  });

  test('goes to the base host alone', async () => {
    const { ask, sent } = evidenceOn(() => ({}));
    await ask(clientData.catalog);
    expect(sent.map(credentialOf)).toEqual([undefined]);
  });

  test('is none where nobody could sign in', async () => {
    const { ask, sent } = evidenceOn(() => ({}), { signedIn: false });
    await ask(general.config);
    expect(sent.map(credentialOf)).toEqual([undefined]);
  });

  test('is that of a session that was logged out, for who comes after', async () => {
    const { ask, sent, paths } = evidenceOn(() => ({ status: 401 }));
    await ask(general.config, { as: dead });
    expect(credentialOf(sent.at(-1) as Request)).toBe('logged-out-1');
    expect(paths()).toEqual(['GET /api/v1/config']);
  });

  test('is a new one each time for what ends sessions', async () => {
    const { ask, sent } = evidenceOn(() => ({}));
    await ask(me.logout);
    await ask(me.logout, { nth: 1 });
    expect(sent.map(credentialOf)).toEqual(['fresh-1', 'fresh-2']);
  });

  test('there is no dead session where nobody could sign in', async () => {
    const { credentials } = evidenceOn(() => ({}), { signedIn: false });
    expect(await credentials.deadSession()).toEqual({ ok: false, why: 'nobody could sign in' });
  });
});

// What is not to be called is not, whatever a rule or a verdict would like to know.

/** A target that answers 404 to all, so that everything there is to look at is looked at. */
function looked(
  readOnly: boolean,
  { operations = {}, omitted = new Map() }: Partial<Pick<Profile, 'operations' | 'omitted'>> = {},
) {
  const sent: string[] = [];
  const client = {
    async send({ method, url }) {
      sent.push(matchCall(method, new URL(url))?.operation.id ?? 'no documented call');
      return exchangeOf({ method, url, status: 404 });
    },
  } as Client;
  const hosts = Object.fromEntries(
    ['BASE', 'CDN', 'GAMELOGS'].map((name) => [`${name}_URL`, 'http://a.test']),
  );
  const read = readTarget(hosts, { cwd: '/' });
  const profile = { words: {}, wordsAt: {}, operations, omitted } as unknown as Profile;
  const context = createContext({
    client,
    readOnly,
    target: { ...read, profile },
    players: undefined,
    noSession: undefined,
    unreachable: {},
  });
  const changing = () => sent.filter((id) => (operationById(id)?.effect ?? 'read') !== 'read');
  return { context, sent, changing };
}

test('to find out what is served, no call is made that changes something, but the login', async () => {
  const { context, sent, changing } = looked(true);
  await Promise.all(catalog.filter(({ effect }) => effect === 'read').map(context.routed));
  expect(sent.length).toBeGreaterThan(100);
  expect(changing().filter((id) => id !== 'auth.login')).toEqual([]);
});

test('without it, they are', async () => {
  const { context, changing } = looked(false);
  await Promise.all(catalog.filter(({ effect }) => effect === 'read').map(context.routed));
  expect(changing()).toContain('party.create');
});

test('what is not sent says why', async () => {
  const { context, sent } = looked(true);
  const { create } = areas.party;
  const silence = {
    reason: 'prerequisite-failed',
    why: 'party.create was not called: it may change the target (--read-only)',
  };
  expect(silenceOf(await context.ask(create))).toEqual(silence);
  expect(silenceOf(await context.flows.send(undefined, create, {}))).toEqual(silence);
  expect(sent).toEqual([]);
});

test('a read of which the profile says that it changes something is not sent either', async () => {
  const { context, sent } = looked(true, { operations: { 'general.config': { effect: 'own' } } });
  await context.ask(areas.general.config);
  await context.ask(areas.general.version);
  expect(sent).toEqual(['general.version']);
});

test('what the profile leaves out is not called, by anybody and for nobody', async () => {
  const omitted = new Map(['party.create', 'queue.enter', 'general.config'].map((id) => [id, 'costs money']));
  const { context, sent } = looked(false, { omitted });
  await Promise.all(catalog.map(context.routed));
  await Promise.all(catalog.map((operation) => context.ask(operation)));
  const why = 'party.create was not called: the profile leaves it out: costs money';
  expect(silenceOf(await context.flows.send(undefined, areas.party.create, {}))).toMatchObject({ why });
  expect(sent).toContain('queue.cancel');
  expect(sent.filter((id) => omitted.has(id))).toEqual([]);
});

test('an operation that is not called takes no control away from those who share it', async () => {
  const { context } = looked(true);
  const isRead = ({ effect }: Operation) => effect === 'read';
  const others = catalog.filter((operation) => !isRead(operation));
  await Promise.all(others.map(context.routed));
  const seen = JSON.stringify(await Promise.all(catalog.filter(isRead).map(context.routed)));
  expect(others.filter(({ id }) => seen.includes(`${id} was not called`))).toEqual([]);
});

test('a word that we guessed is replaced by the one that a refusal lists, for all who ask after it', async () => {
  const { ask, paths } = evidenceOn(({ url }) =>
    url.includes('=Character')
      ? {}
      : { status: 422, body: { errors: { 'types[]': ['Must be one of: Outfit, Character.'] } } },
  );
  const plain = await ask(areas.extensions.catalogItems);
  expect(statusOf(plain)).toBe(200);
  await ask(areas.extensions.catalogItems, { nth: 2 });
  const path = 'GET /api/v1/extensions/store/getCatalogItems?types%5B%5D=';
  expect(paths()).toEqual([`${path}character`, `${path}Character`, `${path}Character`]);
});
