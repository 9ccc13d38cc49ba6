// The flow `match`: making and quitting a match, and players who met in one.
// Here: matches of the queue, and players who met in one. `match/`: `making.ts` follows a match from creation until its
// creator quits; `quitting.ts` reads whether a player has quit. Steps of the queue: `queue/await-match.ts`.
import { areas } from '../catalog/catalog.ts';
import { ofOthers } from '../catalog/clauses/clause.ts';
import { effects } from '../catalog/clauses/flows.ts';
import { type Flow, flowSuite } from '../engine/flow/flow.ts';
import { placesOf } from '../engine/flow/places.ts';
import { pollAnswered } from '../engine/flow/polling.ts';
import type { StepContext } from '../engine/flow/step-context.ts';
import { doneForTwo, expectBoth } from '../engine/flow/two-at-once.ts';
import type { View } from '../engine/flow/views.ts';
import { ignoreStop } from '../engine/flow/why-refused.ts';
import { answerLeaves, type Exchange, isSuccess, statusOf } from '../engine/http/exchange.ts';
import { parentOf } from '../engine/values/json-walk.ts';
import { makeMatch, making, naming } from './match/making.ts';
import {
  expectQuitOnce,
  figuresOfQuitter,
  saidToBeIn,
  saidToHaveQuit,
  shownToHaveQuit,
} from './match/quitting.ts';
import { leave, matchIn, meet } from './queue/await-match.ts';

const { match, players, queue } = areas;
const clauses = effects.match;

/** Expects that both players may read the match that the queue gave them, where a player who makes one may read it. */
async function expectNotShutOut(
  context: StepContext<'player' | 'other' | 'outsider'>,
  { params }: Pick<View, 'params'>,
): Promise<void> {
  const reads = (role: 'player' | 'other') => context.send(role, match.get, { ...(params && { params }) });
  const own = await reads('player');
  const theirs = await reads('other');
  if (![own, theirs].every((answer) => [403, 404].includes(statusOf(answer)))) return;
  const matchId = await makeMatch(context, 'outsider').catch(ignoreStop);
  const made = matchId && (await context.send('outsider', match.get, { params: { matchId } }));
  if (!made || !isSuccess(made)) return;
  context.expect(
    false,
    'the match, as one who makes a match reads theirs',
    `${statusOf(own)} to both players`,
    own,
  );
}

/** Whether a match names the player before the other one. */
function isNamedFirst({ id }: StepContext<'player' | 'other'>, answer: Exchange): boolean {
  const ids = answerLeaves(answer).map(({ value }) => value);
  const [player, other] = [ids.indexOf(id('player')), ids.indexOf(id('other'))];
  return player >= 0 && player < other;
}

/** The queue gives two players a match, and one of them quits it. */
function found(flow: Flow): void {
  const { prepare, step, observe } = flow.scenario('player', 'other', 'outsider');
  const met = prepare('a match from the queue', async (context) => {
    const { isMet, replies, why } = await context.aloneInQueue(() =>
      meet(context, ['player', 'other'], context.unique('assayqueue')),
    );
    const [{ matchId }] = replies;
    if (!isMet) return context.notTriggered(why);
    if (matchId === undefined || matchId !== replies[1].matchId)
      return context.notTriggered('two players who queued did not get one match');
    return { operation: match.get, params: { matchId } };
  });

  const seen = met.step(
    'queued-view',
    [match.get, queue.enter],
    clauses.made,
    'a player reads the match that the queue gave them',
    async (context, view) => {
      try {
        await context.sees('player', { ...view, what: 'the match from the queue' });
      } catch (error) {
        ignoreStop(error);
        await expectNotShutOut(context, view);
        throw error;
      }
    },
  );

  const names = prepare('a match that names who plays', async (context) => {
    const view = context.resultOf(seen);
    if (!(await context.eventually('player', naming(view, context.id('player'), 'the player'))))
      context.cannotTell('unknown-resource', `${match.get.id} does not name the players`);
    return view;
  });

  step(
    'queued-names-other',
    [match.get, queue.enter],
    clauses.made,
    'a match from the queue names the other player as well',
    (context) =>
      context.sees('player', naming(context.resultOf(names), context.id('other'), 'the other player')),
  );

  names.step(
    'queued-other-view',
    [match.get, queue.enter],
    clauses.made,
    'a match from the queue names both players to the second one too',
    async (context, view) => {
      await context.sees('other', naming(view, context.id('player'), 'the first player'));
      await context.sees('other', naming(view, context.id('other'), 'the second player'));
    },
  );

  observe(
    'queued-stranger-view',
    [match.get],
    'what an outsider sees of a match from the queue',
    async (context) => {
      const reply = await context.observeAnswer('outsider', match.get, context.resultOf(seen));
      const view = naming(context.resultOf(seen), context.id('player'), 'the player');
      const isNamed = context.shows('outsider', view, reply);
      const who = isNamed ? 'and who plays' : 'not who plays';
      context.noteOutsider(match.get, isNamed, reply);
      context.observe(`${statusOf(reply)}, ${who}`, reply);
    },
  );

  const before = prepare('the match in the view of the player who does not quit', async (context) => {
    const view = context.resultOf(seen);
    // A server that takes the first player out of a match, whoever quits, is found out where the last one quits.
    if (isNamedFirst(context, await context.send('player', match.get, view))) {
      const [player, other] = [context.player('player'), context.player('other')];
      context.play('player', other);
      context.play('other', player);
    }
    return context.send('other', match.get, view);
  });

  const figures = prepare('what the player has before quitting', async (context) => ({
    matchId: context.resultOf(met).params.matchId,
    before: await figuresOfQuitter(context, 'player'),
  }));

  const quit = met.step(
    'queued-quit',
    [match.quit],
    clauses.called,
    'one of the two players quits the match',
    async (context, { params }) => {
      await context.mustSucceed('player', match.quit, { params });
    },
  );

  const afterwards = observe(
    'queued-quit-other-view',
    [match.get, match.quit],
    'how the server answers when the other player reads the match after that',
    async (context) => {
      const reply = await context.observeAnswer('other', match.get, context.resultOf(quit));
      const view = naming(context.resultOf(quit), context.id('other'), 'the other player');
      const isIn = context.shows('other', view, reply);
      const who = isIn ? 'still in it' : 'no longer in it';
      context.observe(`${statusOf(reply)}, ${who}`, reply);
      return reply;
    },
  );

  const shownToQuit = observe(
    'queued-quit-shown',
    [match.get, match.quit],
    'whom a match shows to have quit it after one of its players has',
    async (context) => {
      const views = { before: context.resultOf(before), after: context.resultOf(afterwards) };
      if (!isSuccess(views.before) || !isSuccess(views.after))
        return context.notTriggered('the other player does not read the match');
      const whom = shownToHaveQuit(views, context.id('player'), context.id('other'));
      context.observe(whom, views.after);
      return whom;
    },
  );

  shownToQuit.step(
    'queued-quit-recorded',
    [match.quit, match.get],
    clauses.quitShown,
    'a match that says of its players whether they have quit says so of the one who did',
    async (context, whom) => {
      if (whom !== 'nobody') return;
      const id = context.id('player');
      const { last } = await pollAnswered(
        () => context.send('other', match.get, context.resultOf(quit)),
        (after) => !isSuccess(after) || saidToBeIn(after, id) === undefined,
      );
      const said = isSuccess(last) ? saidToBeIn(last, id) : undefined;
      context.expect(said === undefined, 'the player who quit, as one who did', `their ${said}`, last);
    },
  );

  shownToQuit.step(
    'queued-quit-instead',
    [match.quit, match.get],
    clauses.kept,
    'when one of two players quits a match, it does not say that the other one quit',
    async (context, whom) => {
      const was = context.resultOf(before);
      const [quitter, other] = [context.id('player'), context.id('other')];
      if (whom === 'both') {
        const after = context.resultOf(afterwards);
        const word = saidToHaveQuit({ before: was, after }, other);
        return word === undefined
          ? context.notTriggered('the match is over for both')
          : context.expect(false, 'the one who quit, alone', `the other one is ${word} as well`, after);
      }
      if (whom === 'nobody') return context.notTriggered('the match shows of nobody that they quit');
      const { holds, last } = await pollAnswered(
        () => context.send('other', match.get, context.resultOf(quit)),
        (after) =>
          !isSuccess(after) || shownToHaveQuit({ before: was, after }, quitter, other) !== 'the other one',
      );
      context.expect(holds, 'the one who quit, if anybody', 'the other one', last);
    },
  );

  quit.step(
    'queued-quit-twice',
    [match.quit],
    clauses.quitOnce,
    'a player who quits a match of the queue twice is penalised or rewarded for it once',
    (context) => expectQuitOnce(context, 'player', context.resultOf(figures)),
  );

  const queuedAgain = quit.observe(
    'queued-quit-queue',
    [queue.enter, match.quit],
    'how the server answers when a player enters the queue after quitting a match',
    async (context, { params }) => {
      const offer = { value: context.unique('assayqueue') };
      const again = context.likeliestAsk('player', queue.enter, { offer });
      return context.aloneInQueue(async () => {
        const answer = await context.observeAnswer('player', queue.enter, again);
        const isBack = Object.values(params ?? {}).some(
          (id) => typeof id === 'string' && context.mentions(answer, id),
        );
        context.observe(`${statusOf(answer)}, ${isBack ? 'back to the match they quit' : 'anew'}`, answer);
        const matchId = await matchIn(context, answer);
        await leave(context, 'player', matchId);
        return { answer, matchId };
      });
    },
  );

  queuedAgain.step(
    'queued-quit-left',
    [queue.enter, match.quit],
    clauses.quit,
    'a player who quit a match is not sent back into it by the queue',
    async (context, { answer, matchId }) => {
      const { params } = context.resultOf(quit);
      context.expect(
        !isSuccess(answer) || matchId !== params?.matchId,
        `${queue.enter.id} gives a place in the queue, or another match`,
        'the match that the player quit',
        answer,
      );
    },
  );
}

type Role = 'player' | 'met' | 'outsider';

/** The list of recent players. */
function meeting(flow: Flow): void {
  const { prepare, step } = flow.scenario('player', 'met', 'outsider');
  const apart = prepare("the outsider's list of recently played players before", (context) =>
    context.sampleBefore('outsider', recentlyMet(context, 'outsider', 'met')),
  );

  const added = step(
    'recently-played-add',
    [players.addRecentlyPlayed],
    clauses.called,
    'a player adds another to the recently played players',
    async (context) => addRecentlyMet(context, 'met'),
  );

  const listed = added.step(
    'recently-played',
    [players.recentlyPlayed, players.addRecentlyPlayed],
    clauses.played,
    'the added player is in the list of recently played players',
    (context) => context.sees('player', recentlyMet(context, 'player', 'met')),
  );

  listed.observe(
    'recently-played-other-side',
    [players.recentlyPlayed, players.addRecentlyPlayed],
    'whether the added player gets the first one in their list of recently played players',
    async (context) => {
      const list = await context.observeAnswer('met', players.recentlyPlayed);
      const others = recentlyMet(context, 'met', 'player');
      const view: View = { ...others, fellow: context.id('met'), outsider: true };
      context.observe(context.shows('met', view, list) ? 'both are told' : 'one is told', list);
    },
  );

  apart.step(
    'recently-played-stranger',
    [players.recentlyPlayed],
    ofOthers(clauses.own, 'mixed up'),
    "an outsider's list of recently played players does not show the added player",
    async (context) => {
      context.resultOf(listed);
      await context.seesNot('outsider', { ...recentlyMet(context, 'outsider', 'met'), outsider: true });
    },
  );

  const again = listed.observe(
    'recently-played-again',
    [players.addRecentlyPlayed],
    'how the server answers when a player adds the same player again',
    (context) =>
      context.observeLikeliest('player', players.addRecentlyPlayed, {
        carry: { 'other.id': context.id('met') },
      }),
  );

  listed.step(
    'recently-played-once',
    [players.recentlyPlayed, players.addRecentlyPlayed],
    clauses.playedOnce,
    'a player who is added again is in the list of recently played players once',
    async (context, before) => {
      context.resultOf(again);
      const id = context.id('met');
      const was = placesOf(before, id);
      const list = await context.mustSucceed('player', players.recentlyPlayed);
      const twice = [...placesOf(list, id)].find(
        ([path, { times }]) => times > (was.get(path)?.times ?? times),
      );
      // Entries that differ list single meetings, not players.
      if (twice && new Set(entryTexts(list, id)).size > 1)
        context.notTriggered('the list tells one meeting from another');
      context.expect(!twice, 'one entry', `${twice?.[1].times} entries at ${twice?.[0]}`, list);
    },
  );

  listed.observe(
    'recently-played-oneself',
    [players.addRecentlyPlayed],
    'how the server answers when a player adds themselves',
    (context) =>
      context.observeLikeliest('player', players.addRecentlyPlayed, {
        carry: { 'other.id': context.id('player') },
      }),
  );

  const others = ['player', 'met'] as const;
  const together = prepare('one call adds two recently played players', async (context) => {
    context.resultOf(listed);
    await context.sampleBefore('outsider', recentlyMet(context, 'outsider', 'player'));
    return doneForTwo(context, 'outsider', {
      operation: players.addRecentlyPlayed,
      name: 'other.id',
      ids: [context.id('player'), context.id('met')],
      has: (nth) => context.eventually('outsider', recentlyMet(context, 'outsider', others[nth])),
    });
  });

  step(
    'recently-played-two',
    [players.recentlyPlayed, players.addRecentlyPlayed],
    clauses.played,
    'two players whom one call adds are both in the list of recently played players',
    async (context) =>
      expectBoth(context, context.resultOf(together), 'are in the list of recently played players'),
  );

  listed.step(
    'recently-played-kept',
    [players.recentlyPlayed, players.addRecentlyPlayed],
    clauses.played,
    'a player who was added stays in the list of recently played players when another is added',
    async (context) => {
      await addRecentlyMet(context, 'outsider');
      await context.sees('player', recentlyMet(context, 'player', 'outsider'));
      await context.sees('player', recentlyMet(context, 'player', 'met'));
    },
  );
}

/** Whether a value is a moment, as text or as a number of seconds or milliseconds. */
const isMoment = (value: unknown) =>
  typeof value === 'number' ? value > 1e9 : typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);

/** What an answer says in each entry that names a player, apart from times. */
function entryTexts(answer: Exchange, id: string): readonly string[] {
  const leaves = answerLeaves(answer);
  const named = leaves.flatMap(({ pointer, value }) => (value === id ? [`${parentOf(pointer)}/`] : []));
  return named.map((entry) =>
    leaves
      .filter(({ pointer, value }) => pointer.startsWith(entry) && !isMoment(value))
      .map(({ pointer, value }) => `${pointer.slice(entry.length)} ${value}`)
      .join(),
  );
}

async function addRecentlyMet(context: StepContext<Role>, other: Role): Promise<void> {
  const carry = { 'other.id': context.id(other) };
  const until = recentlyMet(context, 'player', other);
  await context.mustSucceed('player', players.addRecentlyPlayed, { carry, until });
}

const recentlyMet = (context: StepContext<Role>, role: Role, other: Role): View => ({
  operation: players.recentlyPlayed,
  value: context.id(other),
  inList: true,
  what: `the ${other}`,
  by: role,
});

export default flowSuite('match', [making, found, meeting]);
