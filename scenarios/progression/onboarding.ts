// Checks the first steps of a new player: a match against bots, steps of the onboarding, and what they give.
import { isDeepStrictEqual } from 'node:util';
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { expectAgreement, statements } from '../../engine/flow/agreement.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { pollAnswered } from '../../engine/flow/polling.ts';
import { placesThatDiffer, valuesIn } from '../../engine/flow/snapshot.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { alreadyUsed } from '../../engine/flow/used-up.ts';
import { ignoreUnlessViolation, requireAnswer } from '../../engine/flow/why-refused.ts';
import { answerLeaves, type Exchange, isSuccess, sentJson, statusOf } from '../../engine/http/exchange.ts';
import type { Stop } from '../../engine/judgement.ts';
import { refusesBody } from '../../engine/players/bodies.ts';
import { isObject, type Leaf, parentOf } from '../../engine/values/json-walk.ts';
import { letters } from '../../engine/values/text.ts';
import { expectSettled } from './settled-rewards.ts';

const clauses = effects.progression;
const { general, onboarding: onboardingArea } = areas;

/** Whether a JSON value is a boolean, a number or a word, and so names no player. */
const saysStatus = (value: string) => /^(true|false|\d{1,6}|"[a-z_ -]+")$/i.test(value);

/** Whether two players differ in their status, and not only in who they are. */
const isFurther = (own: Exchange, others: Exchange): boolean =>
  [...placesThatDiffer(own, others)].some((place) => valuesIn(own).get(place)?.some(saysStatus));

/**
 * Whether an answer has another number or boolean in a field that the read has as well. A field that changes from read
 * to read, such as a clock, does not count.
 */
const countsOtherwise = (answer: Exchange, read: Exchange, later: Exchange): boolean =>
  answerLeaves(answer).some(({ name, value }) => {
    const valuesOf = (one: Exchange) =>
      answerLeaves(one).flatMap((leaf) =>
        leaf.name === name && typeof leaf.value === typeof value ? [leaf.value] : [],
      );
    const shown = valuesOf(read);
    const isCount = typeof value === 'number' || typeof value === 'boolean';
    const isSteady = shown.length > 0 && isDeepStrictEqual(shown, valuesOf(later));
    return isCount && isSteady && !shown.includes(value);
  });

const aboutAnEnd = /complete|done|finish|reached/i;
const aboutAState = /^(?:state|status)$/i;

/** Whether an answer says that the thing of this name is done; undefined where it says nothing about that. */
function isDoneIn(answer: Exchange, name: unknown): boolean | undefined {
  const leaves = answerLeaves(answer);
  const places = leaves.filter(({ value }) => value === name).map(({ pointer }) => parentOf(pointer));
  const beside = leaves.filter(({ pointer }) => places.includes(parentOf(pointer)));
  const flag = beside.find((leaf) => aboutAnEnd.test(leaf.name) && typeof leaf.value === 'boolean');
  if (flag) return flag.value as boolean;
  const state = beside.find((leaf) => aboutAState.test(leaf.name) && typeof leaf.value === 'string');
  return state && aboutAnEnd.test(String(state.value));
}

/**
 * Expects that a reported step shows as done. Judges only a target that knows the step by its name, as it refuses a
 * made-up one, and only where nothing in the onboarding has changed, since a step may take several reports.
 */
async function expectReported(
  context: StepContext<'player' | 'other'>,
  report: Exchange,
  before: Exchange,
): Promise<void> {
  const { updateProgress, get } = onboardingArea;
  const sent = sentJson(report);
  if (!isObject(sent)) return;
  for (const [member, step] of Object.entries(sent)) {
    if (typeof step !== 'string' || isDoneIn(before, step) !== false) continue;
    const { last, holds } = await pollAnswered(
      () => context.send('player', get),
      (read) => placesThatDiffer(read, before).size > 0,
    );
    if (holds || isDoneIn(last, step) !== false) return;
    const body = JSON.stringify({ ...sent, [member]: context.unique('assaystep') });
    const refused = requireAnswer(await context.send('player', updateProgress, { body }));
    if (!refusesBody(refused) && statusOf(refused) !== 404) continue;
    context.confirmBody(updateProgress);
    context.expect(false, `${get.id} shows ${step} as done`, 'not done, and all as before the report', last);
  }
}

/** Most steps of the target's own that are tried: each costs a report. */
const mostSteps = 2;

/** Reports a step; where the target refuses a step of a guessed name, one that the onboarding shows as not done. */
async function reported(context: StepContext<'player' | 'other'>, before: Exchange): Promise<Exchange> {
  const { updateProgress } = onboardingArea;
  try {
    return await context.mustSucceed('player', updateProgress);
  } catch (error) {
    ignoreUnlessViolation(error);
    const { judgement } = error as Stop;
    const refused = judgement.kind === 'inconclusive' ? judgement.evidence : undefined;
    const sent = refused && sentJson(refused);
    if (!isObject(sent) || refused?.response?.status === 401) throw error;
    // A target may read members in any letter case, and show them in one.
    const sentAs = ({ name }: Leaf) =>
      Object.keys(sent).find((each) => letters(each) === letters(name) && typeof sent[each] === 'string');
    const open = answerLeaves(before)
      .filter((leaf) => sentAs(leaf) !== undefined && isDoneIn(before, leaf.value) === false)
      .slice(0, mostSteps);
    for (const leaf of open) {
      const body = JSON.stringify({ ...sent, [sentAs(leaf) as string]: leaf.value });
      const answer = requireAnswer(await context.send('player', updateProgress, { body }));
      if (isSuccess(answer)) return answer;
    }
    throw error;
  }
}

/** Reports of a match against bots and of a step, and rewards that are reconciled. */
export function onboarding(flow: Flow): void {
  const { prepare, step, observe } = flow.scenario('player', 'other');

  const before = prepare('onboarding as it was', async (context) => ({
    own: await context.snapshot('player', onboardingArea.get),
    others: await context.snapshot('other', onboardingArea.get),
  }));
  const statusBefore = prepare('the bot-match status as it was', async (context) => ({
    botMatches: await context.snapshot('player', onboardingArea.botMatchStatus),
    othersBotMatches: await context.snapshot('other', onboardingArea.botMatchStatus),
  }));

  const played = step(
    'bot-match',
    [onboardingArea.playBotMatch],
    clauses.called,
    'a player reports a match against bots',
    (context) => context.mustSucceed('player', onboardingArea.playBotMatch, { reports: true }),
  );

  const shown = played.step(
    'bot-match-shown',
    [onboardingArea.botMatchStatus, onboardingArea.playBotMatch],
    clauses.shown,
    'the bot-match status changes after the report',
    async (context, answer) => {
      const { botMatches, othersBotMatches } = context.resultOf(statusBefore);
      const changed = await context.pollUntilDifferent('player', botMatches, onboardingArea.botMatchStatus);
      // The answer shows a new value in a field that the status has as well, so the target understood the report.
      if (!changed && countsOtherwise(answer, botMatches.exchange, await botMatches.read()))
        context.confirmBody(onboardingArea.playBotMatch);
      // A status that is not a new player's was reached in an earlier run, and may be the last one.
      const isReached = isFurther(botMatches.exchange, othersBotMatches.exchange);
      if (!changed && isReached) return context.observe(alreadyUsed);
      context.expect(changed, 'another status after the match', 'the same as before it', botMatches.exchange);
      context.confirmBody(onboardingArea.playBotMatch);
    },
  );

  shown.step(
    'bot-match-own',
    [onboardingArea.botMatchStatus, onboardingArea.playBotMatch],
    clauses.own,
    "another player's bot-match status stays as it was",
    (context) =>
      context.expectUnchanged(
        context.resultOf(statusBefore).othersBotMatches,
        "the other player's status as it was",
      ),
  );

  const stepSent = step(
    'onboarding-step',
    [onboardingArea.updateProgress],
    clauses.called,
    'a player reports a step of the onboarding',
    async (context) => {
      const isGuess = context.forms(onboardingArea.updateProgress).every(({ from }) => from === 'guess');
      // What was reported before, such as a match against bots, may have moved the onboarding on.
      const read = isGuess
        ? requireAnswer(await context.send('player', onboardingArea.get))
        : context.resultOf(before).own.exchange;
      return { answer: await reported(context, read), read };
    },
  );

  stepSent.observe(
    'onboarding-shown',
    [onboardingArea.get, onboardingArea.updateProgress],
    'whether reporting a step in its plain form changes the onboarding',
    async (context) => {
      const moved = await context.lastingChange(context.resultOf(before).own);
      context.observe(moved ? 'it does' : 'it does not', moved?.exchange);
    },
  );

  stepSent.step(
    'onboarding-kept',
    [onboardingArea.get, onboardingArea.updateProgress],
    clauses.shown,
    'the onboarding shows of the reported step what the answer to the report says of it',
    async (context, { answer, read }) => {
      const answered = { answer, before: read, call: onboardingArea.updateProgress };
      if (statements(answered).length === 0) await expectReported(context, answer, read);
      await expectAgreement(context, 'player', answered, { operation: onboardingArea.get });
    },
  );

  stepSent.step(
    'onboarding-own',
    [onboardingArea.get, onboardingArea.updateProgress],
    clauses.own,
    "another player's onboarding stays as it was",
    (context) =>
      context.expectUnchanged(context.resultOf(before).others, "the other player's onboarding as it was"),
  );

  step(
    'onboarding-rewards-once',
    [onboardingArea.reconcileRewards, general.currencies],
    clauses.once,
    'a second call to reconcile rewards does not change the wallet',
    (context) => expectSettled(context, onboardingArea.reconcileRewards),
  );

  observe(
    'onboarding-rewards',
    [onboardingArea.reconcileRewards],
    'whether two calls to reconcile rewards are answered alike',
    async (context) => {
      const first = await context.snapshot('player', onboardingArea.reconcileRewards);
      const second = await first.again();
      context.observe(context.snapshotsDiffer(first, second) ? 'they differ' : 'alike', second.exchange);
    },
  );
}
