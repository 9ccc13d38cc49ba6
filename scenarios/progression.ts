// The flow `progression`: archives, gifts, onboarding and ranks.
// Here: onboarding, gifts, ranks and reconciled rewards. `progression/`: `archives.ts` checks archives; `shown-in.ts` which
// reads show a change; `agreement.ts` and `figures.ts` compare a read with the answer to a call.
import { isDeepStrictEqual } from 'node:util';
import { areas } from '../catalog/catalog.ts';
import { effects } from '../catalog/clauses/flows.ts';
import type { Operation } from '../catalog/operation.ts';
import { belongings, wallets } from '../engine/attack/figures.ts';
import { type Flow, flow } from '../engine/flow/flow.ts';
import { pollAnswered } from '../engine/flow/polling.ts';
import { requireAnswer } from '../engine/flow/refusal.ts';
import { placesThatDiffer, valuesIn } from '../engine/flow/snapshot.ts';
import type { StepContext } from '../engine/flow/step-context.ts';
import { alreadyUsed } from '../engine/flow/used-up.ts';
import { answerLeaves, type Exchange } from '../engine/http/exchange.ts';
import { refusesBody } from '../engine/players/bodies.ts';
import { isObject, parentOf, parsedJson } from '../engine/values/json-walk.ts';
import { expectAgreement, statements } from './progression/agreement.ts';
import { archives } from './progression/archives.ts';
import { shownIn } from './progression/shown-in.ts';
import {
  changesOf,
  expectArrival,
  expectOnce,
  holdingsBefore,
  inWords,
  movementsIn,
} from './store/effects.ts';

const clauses = effects.progression;
const {
  archives: archivesArea,
  game,
  general,
  mysteryBox,
  onboarding: onboardingArea,
  ranks: ranksArea,
} = areas;

// Checks the first steps of a new player.

/** A truth value, a number or a word: nothing that names a player. */
const saysStatus = (value: string) => /^(true|false|\d{1,6}|"[a-z_ -]+")$/i.test(value);

/** Whether two players differ in their status, and not only in who they are. */
const isFurther = (own: Exchange, others: Exchange): boolean =>
  [...placesThatDiffer(own, others)].some((place) => valuesIn(own).get(place)?.some(saysStatus));

/**
 * Whether an answer has another number or truth value under a name that the read has as well; one that changes from read to
 * read, such as a clock, shows nothing.
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

/** What an answer says of a thing by this name: whether it is done; undefined where no object with the name does. */
function isDoneIn(answer: Exchange, name: unknown): boolean | undefined {
  const leaves = answerLeaves(answer);
  const places = leaves.filter(({ value }) => value === name).map(({ pointer }) => parentOf(pointer));
  return leaves.find(
    (leaf) =>
      places.includes(parentOf(leaf.pointer)) &&
      aboutAnEnd.test(leaf.name) &&
      typeof leaf.value === 'boolean',
  )?.value as boolean | undefined;
}

/**
 * Expects that a step which was reported is done. The target has to know the step by its name: it refuses another in its place;
 * and nothing else in the onboarding may have changed, since a step may take several reports.
 */
async function expectReported(
  context: StepContext<'player' | 'other'>,
  report: Exchange,
  before: Exchange,
): Promise<void> {
  const { updateProgress, get } = onboardingArea;
  const sent = typeof report.request.body === 'string' ? parsedJson(report.request.body) : undefined;
  if (!isObject(sent)) return;
  for (const [member, step] of Object.entries(sent)) {
    if (typeof step !== 'string' || isDoneIn(before, step) !== false) continue;
    const { last, holds } = await pollAnswered(
      () => context.put('player', get),
      (read) => placesThatDiffer(read, before).size > 0,
    );
    if (holds || isDoneIn(last, step) !== false) return;
    const body = JSON.stringify({ ...sent, [member]: context.unique('assaystep') });
    if (!refusesBody(requireAnswer(await context.put('player', updateProgress, { body })))) continue;
    context.worked(updateProgress);
    context.expect(false, `${get.id} shows ${step} as done`, 'not done, and all as before the report', last);
  }
}

/** The first steps of a player. */
function onboarding(flow: Flow): void {
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
    (context) => context.done('player', onboardingArea.playBotMatch, { reports: true }),
  );

  const shown = played.step(
    'bot-match-shown',
    [onboardingArea.botMatchStatus, onboardingArea.playBotMatch],
    clauses.shown,
    'the bot-match status changes after the report',
    async (context, answer) => {
      const { botMatches, othersBotMatches } = context.of(statusBefore);
      const changed = await context.hasChanged('player', botMatches, onboardingArea.botMatchStatus);
      // The answer counts what the status shows under the same name: the report was understood.
      if (!changed && countsOtherwise(answer, botMatches.exchange, await botMatches.read()))
        context.worked(onboardingArea.playBotMatch);
      // A status that is not that of a newcomer was reached in an earlier run, and may have no other after it.
      const isReached = isFurther(botMatches.exchange, othersBotMatches.exchange);
      if (!changed && isReached) return context.observe(alreadyUsed);
      context.expect(changed, 'another status after the match', 'the same as before it', botMatches.exchange);
      context.worked(onboardingArea.playBotMatch);
    },
  );

  shown.step(
    'bot-match-own',
    [onboardingArea.botMatchStatus, onboardingArea.playBotMatch],
    clauses.own,
    "another player's bot-match status stays as it was",
    (context) =>
      context.expectStill(context.of(statusBefore).othersBotMatches, "the other player's status as it was"),
  );

  const stepSent = step(
    'onboarding-step',
    [onboardingArea.updateProgress],
    clauses.called,
    'a player reports a step of the onboarding',
    (context) => context.done('player', onboardingArea.updateProgress),
  );

  stepSent.observe(
    'onboarding-shown',
    [onboardingArea.get, onboardingArea.updateProgress],
    'whether reporting a step in its plain form changes the onboarding',
    async (context) => {
      const moved = await context.changed(context.of(before).own);
      context.observe(moved ? 'it does' : 'it does not', moved?.exchange);
    },
  );

  stepSent.step(
    'onboarding-kept',
    [onboardingArea.get, onboardingArea.updateProgress],
    clauses.shown,
    'the onboarding shows of the reported step what the answer to the report says of it',
    async (context, answer) => {
      const { exchange } = context.of(before).own;
      const answered = { answer, before: exchange, call: onboardingArea.updateProgress };
      if (statements(answered).length === 0) await expectReported(context, answer, exchange);
      await expectAgreement(context, 'player', answered, { operation: onboardingArea.get });
    },
  );

  stepSent.step(
    'onboarding-own',
    [onboardingArea.get, onboardingArea.updateProgress],
    clauses.own,
    "another player's onboarding stays as it was",
    (context) => context.expectStill(context.of(before).others, "the other player's onboarding as it was"),
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
      context.observe(context.differs(first, second) ? 'they differ' : 'alike', second.exchange);
    },
  );
}

/** The weekly free gift: claimed once, and twice. */
function gifts(flow: Flow): void {
  const { prepare, step } = flow.scenario('player', 'other');

  const wallet = prepare('the wallet as it was', (context) => context.snapshot('player', general.currencies));
  // May name the amount of the gift; steps that need the status take a snapshot of it.
  const announced = prepare('what is said of the gift', (context) =>
    context.put('player', mysteryBox.status),
  );
  const statusBefore = prepare('the status as it was', async (context) => ({
    status: await context.snapshot('player', mysteryBox.status),
    othersStatus: await context.snapshot('other', mysteryBox.status),
  }));
  const before = prepare('what others show, as it was', (context) =>
    holdingsBefore(context, 'player', 'other'),
  );

  const claimed = step(
    'gift',
    [mysteryBox.claim],
    clauses.called,
    'a player claims the weekly gift',
    (context) => context.done('player', mysteryBox.claim),
  );

  // Read now, since a second claim may change it again.
  const given = prepare('the wallet after the claim', (context) => {
    context.of(claimed);
    return context.settled('player', general.currencies);
  });

  claimed.observe(
    'gift-shown-in',
    [mysteryBox.claim, [...wallets, ...belongings]],
    'which reads show the gift that was claimed',
    async (context) => {
      context.observe(inWords(await changesOf(context, context.of(before))));
    },
  );

  step(
    'gift-amount',
    [mysteryBox.claim, general.currencies],
    effects.store.amount,
    'the wallet changes by what the gift names, not by twice that',
    async (context) => {
      await expectArrival(context, context.of(before).own, context.of(claimed));
      const around = [context.of(wallet).exchange, context.of(given).exchange] as const;
      expectOnce(context, around, [context.of(claimed), context.of(announced)]);
    },
  );

  const shown = statusBefore.step(
    'gift-shown',
    [mysteryBox.status, mysteryBox.claim],
    clauses.shown,
    'the gift status changes after the claim',
    async (context, { status }) => {
      context.of(claimed);
      const changed = await context.hasChanged('player', status, mysteryBox.status);
      context.expect(changed, 'another status after the claim', 'the same as before it', status.exchange);
    },
  );

  shown.step(
    'gift-own',
    [mysteryBox.status, mysteryBox.claim],
    clauses.own,
    "another player's gift status stays as it was",
    (context) =>
      context.expectStill(context.of(statusBefore).othersStatus, "the other player's status as it was"),
  );

  const again = claimed.observe(
    'gift-again',
    [mysteryBox.claim],
    'how the server answers when a player claims the gift again',
    (context) => context.observeAnswer('player', mysteryBox.claim),
  );

  again.step(
    'gift-once',
    [mysteryBox.claim, general.currencies],
    clauses.once,
    'a second claim of the gift does not change the wallet',
    async (context) => {
      const first = context.of(given);
      if (!context.differs(context.of(wallet), first))
        context.cannotTell('needs-state', 'the gift changed nothing in the wallet');
      await context.expectStill(first, 'the wallet as it was after the first claim');
    },
  );
}

const date = /^"\d{4}-\d\d-\d\d/;

/**
 * Whether two answers name other things: at a place where both hold words, dates apart, they share none. What else changes
 * from answer to answer is taken for a clock or a count.
 * @param except places that change in whatever the host answers
 */
function namesOthers(a: Exchange, b: Exchange, except: ReadonlySet<string>): boolean {
  const [one, other] = [valuesIn(a), valuesIn(b)];
  const words = (values: readonly string[] = []) =>
    values.filter((value) => /^"./.test(value) && !date.test(value));
  return [...placesThatDiffer(a, b)].some((place) => {
    if (except.has(place) || !place.includes('/-')) return false;
    const [before, after] = [words(one.get(place)), words(other.get(place))];
    return before.length > 0 && after.length > 0 && !before.some((word) => after.includes(word));
  });
}

/** Ranks, rituals and challenges. */
function ranks(flow: Flow): void {
  const { prepare, step, observe } = flow.scenario('player');

  step('ranks', [ranksArea.resetAndGetPips], clauses.called, 'a player asks for the ranks', (context) =>
    context.done('player', ranksArea.resetAndGetPips),
  );

  const poor = prepare('the wallet before the claim', (context) => context.put('player', general.currencies));

  const claimed = observe(
    'rank-rewards',
    [ranksArea.claimRewards],
    'how the server answers when a player claims rank rewards',
    (context) => context.observeAnswer('player', ranksArea.claimRewards),
  );

  const rewarded = prepare('the wallet after the claim', (context) => {
    context.of(claimed);
    return context.snapshot('player', general.currencies);
  });

  rewarded.step(
    'rank-rewards-once',
    [ranksArea.claimRewards, general.currencies],
    clauses.once,
    'a second claim of rank rewards does not change the wallet',
    async (context, wallet) => {
      await context.put('player', ranksArea.claimRewards);
      await context.expectStill(wallet, 'the wallet as it was after the first claim');
      judgeGiven(context, [context.of(poor), wallet.exchange], ranksArea.claimRewards);
    },
  );

  observe(
    'rituals',
    [game.rituals],
    'whether two requests for rituals give the same ones',
    async (context) => {
      const { samples, exchange } = await context.snapshot('player', game.rituals);
      const clocks = context.wandering();
      const isOther = samples.some((sample) => namesOthers(sample, exchange, clocks));
      context.observe(isOther ? 'others each time' : 'the same', exchange);
    },
  );

  observe(
    'challenges',
    [game.reconcileChallenges, game.challenges],
    'whether reconciling challenges without a match changes them',
    async (context) => {
      const before = await context.snapshot('player', game.challenges);
      await context.done('player', game.reconcileChallenges);
      const moved = await context.changed(before);
      context.observe(moved ? 'it does' : 'it does not', moved?.exchange);
    },
  );
}

/** Calls that bring rewards up to date, by the names of their steps: the second of two finds nothing left to give. */
const reconciled: Readonly<Record<string, Operation>> = {
  'accounts-once': general.reconcileRewards,
  'old-tracks-once': archivesArea.claimOldTracks,
  'grid-once': archivesArea.reevaluateGrid,
};

/** What a first call gave, a second one does not give again. */
async function expectSettled(context: StepContext<'player'>, operation: Operation): Promise<void> {
  const before = await context.put('player', general.currencies);
  await context.wasDone(operation, await context.put('player', operation));
  const wallet = await context.settled('player', general.currencies);
  requireAnswer(await context.put('player', operation));
  await context.expectStill(wallet, `the wallet as it was after the first ${operation.id}`);
  judgeGiven(context, [before, wallet.exchange], operation);
}

/** Where a first call gave nothing, that a second one gives nothing shows nothing. */
function judgeGiven(
  context: StepContext<'player'>,
  [before, after]: readonly [Exchange, Exchange],
  operation: Operation,
): void {
  // Balances alone: a clock may stand beside them.
  if (movementsIn(before, after).length > 0) return;
  if (context.playedBefore()) context.observe(alreadyUsed);
  else context.notTriggered(`the first ${operation.id} changed nothing in the wallet`);
}

/** Rewards are reconciled twice. */
function reconciling(flow: Flow): void {
  const { step } = flow.scenario('player');
  for (const [name, operation] of Object.entries(reconciled))
    step(
      name,
      [operation, general.currencies],
      clauses.once,
      `a second ${operation.id} does not change the wallet`,
      (context) => expectSettled(context, operation),
    );
}

const progressionFlow = flow('progression');
for (const scenario of [archives, onboarding, gifts, ranks, reconciling, shownIn]) scenario(progressionFlow);

export default progressionFlow.suite();
