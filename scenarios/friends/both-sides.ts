// Checks that a change of a friendship by one player shows on the other side too.
import { players } from '../../catalog/areas/players.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { waitForCopies } from '../../engine/compare/noise.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { placesOf } from '../../engine/flow/places.ts';
import { pollAnswered } from '../../engine/flow/polling.ts';
import { textInOneOrder } from '../../engine/flow/snapshot.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { requireAnswer } from '../../engine/flow/why-refused.ts';
import { type Exchange, isSuccess } from '../../engine/http/exchange.ts';
import { quoted } from '../../engine/values/text.ts';
import { add, addBack, amongFriends, friendsOf, pendingIn } from './make-friends.ts';

const clauses = effects.friends;

type Pair = StepContext<'asker' | 'asked'>;

/** What a list of friends says of a player: where it names them, and what stands beside. */
interface Said {
  readonly text: string;
  readonly answer: Exchange;
}

const otherThan = { asker: 'asked', asked: 'asker' } as const;

const inList = (context: Pair, answer: Exchange, role: 'asker' | 'asked'): string =>
  [...placesOf(answer, context.id(otherThan[role]))]
    .map(([path, { times, entry }]) => `${path} ${times} ${textInOneOrder(entry ?? null)}`)
    .sort()
    .join('\n');

const withoutTimes = ({ text }: Said): string => text.replaceAll(/^(\S*) \d+ /gm, '$1 ');

/** The longest entry that is quoted, in characters. */
const longestEntry = 200;
const shownOf = ({ text }: Said): string =>
  text === '' ? 'nothing' : text.length <= longestEntry ? text : `an entry of ${text.length} characters`;

/** What the player's list says of the other one, once that differs from `before`, or when time is up. */
async function saidOf(
  context: Pair,
  role: 'asker' | 'asked',
  before?: Said,
  withinMs?: number,
): Promise<Said> {
  const { last } = await pollAnswered(
    () => friendsOf(context, role),
    (answer) => isSuccess(answer) && inList(context, answer, role) !== before?.text,
    withinMs,
  );
  if (!isSuccess(last))
    context.cannotTell('needs-state', `${players.friends.id} is not answered with a list`);
  return { text: inList(context, last, role), answer: last };
}

/** How long a change is awaited that need not come, in ms: most changes come within this time. */
const soonMs = 600;

/** Expects that the lists of two players who have added one another do not both show the other as pending. */
async function expectNotPending(context: Pair): Promise<void> {
  const pending = async (role: 'asker' | 'asked') => {
    const { last } = await pollAnswered(
      () => friendsOf(context, role),
      (answer) => !isSuccess(answer) || pendingIn(answer, context.id(otherThan[role])) === undefined,
    );
    return isSuccess(last) ? { word: pendingIn(last, context.id(otherThan[role])), answer: last } : undefined;
  };
  const asked = await pending('asked');
  const asker = asked?.word === undefined ? undefined : await pending('asker');
  if (asked?.word !== undefined && asker?.word !== undefined)
    context.expect(
      false,
      'two players who have added one another are friends',
      `each list says ${quoted(asked.word)} of the other`,
      asked.answer,
    );
}

/** A friendship of two: asked for, accepted where that is needed, and ended. */
export function bothSides(flow: Flow): void {
  const { prepare } = flow.scenario('asker', 'asked');

  const asking = prepare('one player adds the other', async (context) => {
    const [before, askerBefore] = [await saidOf(context, 'asked'), await saidOf(context, 'asker')];
    await add(context, 'asker', 'asked');
    const asker = await saidOf(context, 'asker', askerBefore);
    const asked = await saidOf(context, 'asked', before, soonMs);
    if (asker.text !== askerBefore.text) context.confirmBody(players.addFriend);
    return { asked, asker, isTold: asked.text !== before.text };
  });

  asking.step(
    'looked-before',
    [players.friends, players.addFriend],
    clauses.seen,
    'a list of friends that was read before shows a friend who was added since',
    async (context, { isTold, asked }) => {
      const found = isTold ? undefined : await context.bringIn('latecomer');
      if (found !== undefined) context.cannotTell('needs-state', found);
      if (isTold) return;
      const named = context as StepContext;
      await add(named, 'asker', 'latecomer');
      const shows = (role: 'asked' | 'latecomer', withinMs?: number) =>
        pollAnswered(
          () => friendsOf(named, role),
          (answer) => isSuccess(answer) && named.mentions(answer, named.id('asker')),
          withinMs,
        );
      // The latecomer's first read may be of a copy as well.
      if (!(await shows('latecomer', soonMs)).holds)
        context.notTriggered('who is added does not see who added them');
      context.confirmBody(players.addFriend);
      await waitForCopies(context);
      const { holds } = await shows('asked');
      context.expect(
        holds,
        'the player who added them, as others see who had not looked before',
        'the list from before',
        asked.answer,
      );
    },
  );

  const accepted = asking.step(
    'accepted-both-sides',
    [players.friends, players.addFriend],
    clauses.mutual,
    'both players see a friendship that one of them accepted',
    async (context, { asked: before, asker: askerBefore, isTold }) => {
      const back = await addBack(context, 'asked', 'asker');
      requireAnswer(back);
      let asked = await saidOf(context, 'asked', before, soonMs);
      // A further entry that equals the one before is no acceptance.
      const saysMore = () => withoutTimes(asked) !== withoutTimes(before);
      let isAccepted = isSuccess(back) && isTold && saysMore();
      if (isAccepted) {
        // Nor is a state that only a lagging replica shows.
        await waitForCopies(context);
        asked = await saidOf(context, 'asked');
        isAccepted = saysMore();
      }
      let asker = await saidOf(context, 'asker', askerBefore, isAccepted ? undefined : soonMs);
      // A guessed `platform` of the read may select requests and no friends: reads the list without it as well.
      const isNowhere = isSuccess(back) && [asked, asker].some(({ text }) => text === '');
      const view = amongFriends(context, 'asker', 'asked', 'the friend');
      if (isNowhere && (await context.seesInWhole('asker', view)))
        [asked, asker] = [await saidOf(context, 'asked'), await saidOf(context, 'asker')];
      const isSeen = asker.text !== askerBefore.text;
      if (isAccepted)
        context.expect(
          isSeen,
          'the list of the player who asked changes when the other accepts',
          `it says of them what it said before: ${shownOf(asker)}`,
          asker.answer,
        );
      else if (isSuccess(back) && pendingIn(asked.answer, context.id('asker')) !== undefined)
        await expectNotPending(context);
      if (!isAccepted) context.note('one who adds is enough');
      return { asked, asker, isOneRelation: isTold || isSeen };
    },
  );

  const ended = prepare('one player removes the other', async (context) => {
    if (context.resultOf(accepted).isOneRelation)
      await context.mustSucceed('asker', players.removeFriend, {
        carry: { 'other.id': context.id('asked') },
      });
  });

  accepted.step(
    'removed-both-sides',
    [players.friends, players.removeFriend],
    clauses.mutual,
    'a friendship that one player ends is over on the other side as well',
    async (context, { asked: before, asker: askerBefore, isOneRelation }) => {
      if (!isOneRelation) context.notTriggered('each player has a list of their own');
      if (before.text === '') context.notTriggered('the list of the other player named no friend before');
      context.resultOf(ended);
      const asker = await saidOf(context, 'asker', askerBefore);
      if (asker.text === askerBefore.text)
        context.cannotTell('needs-state', 'the friend is still in the list of the player who ended it');
      context.confirmBody(players.removeFriend);
      const asked = await saidOf(context, 'asked', before);
      context.expect(
        asked.text !== before.text,
        'the list of the removed friend changes',
        `it says of the player what it said before: ${shownOf(asked)}`,
        asked.answer,
      );
    },
  );
}
