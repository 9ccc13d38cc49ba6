// The flow `progression`: what a player reaches, and what is given for it.
// Here: the weekly gift, ranks, rituals and challenges. `progression/`: `archives.ts`, with `experience.ts`,
// `onboarding.ts` and `settled-rewards.ts` by name; `shown-in.ts` checks where experience and levels show, `nodes.ts` that nodes are paid for.
import { areas } from '../catalog/catalog.ts';
import { effects } from '../catalog/clauses/flows.ts';
import { belongings, changesBetween, wallets } from '../engine/attack/figures.ts';
import { waitForCopies } from '../engine/compare/noise.ts';
import { type Flow, flowSuite } from '../engine/flow/flow.ts';
import { pollAnswered } from '../engine/flow/polling.ts';
import { placesThatDiffer, valuesIn } from '../engine/flow/snapshot.ts';
import { answerLeaves, type Exchange, isRefusal } from '../engine/http/exchange.ts';
import { archives } from './progression/archives.ts';
import { nodes } from './progression/nodes.ts';
import { onboarding } from './progression/onboarding.ts';
import { reconciling, requireSomethingGiven } from './progression/settled-rewards.ts';
import { experienceShown, levelsShown } from './progression/shown-in.ts';
import { entriesIn } from './races/holdings.ts';
import {
  changesOf,
  expectArrival,
  expectOnce,
  holdingsBefore,
  inWords,
  snapshotOf,
} from './store/effects.ts';

const clauses = effects.progression;
const { game, general, messages, mysteryBox, ranks: ranksArea } = areas;

/** The places where an answer says that something is there to be claimed. */
const placesOfAvailable = (answer: Exchange): readonly string[] =>
  answerLeaves(answer).flatMap(({ name, pointer, value }) =>
    /^(is_?)?(available|claimable)$|^can_?(be_?)?claim(ed)?$/i.test(name) && value === true ? [pointer] : [],
  );

/** The weekly free gift: claimed once, and twice. */
function gifts(flow: Flow): void {
  const { prepare, step } = flow.scenario('player', 'other');

  const wallet = prepare('the wallet as it was', (context) => context.snapshot('player', general.currencies));
  // May name the amount of the gift; steps that need the status take a snapshot of it.
  const announced = prepare('what is said of the gift', (context) =>
    context.send('player', mysteryBox.status),
  );
  const statusBefore = prepare('the status as it was', async (context) => ({
    status: await context.snapshot('player', mysteryBox.status),
    othersStatus: await context.snapshot('other', mysteryBox.status),
  }));
  const before = prepare('what others show, as it was', (context) => holdingsBefore(context, 'player'));

  const claimed = step(
    'gift',
    [mysteryBox.claim],
    clauses.called,
    'a player claims the weekly gift',
    (context) => context.mustSucceed('player', mysteryBox.claim),
  );

  // Read now, since a second claim may change it again.
  const given = prepare('the wallet after the claim', (context) => {
    context.resultOf(claimed);
    return context.settledSnapshot('player', general.currencies);
  });

  const changes = prepare('what the gift changed', async (context) => {
    context.resultOf(claimed);
    return changesOf(context, context.resultOf(before));
  });
  // Read now for the same reason, where the gift is not money.
  const goods = prepare('the belongings after the claim', async (context) => {
    context.resultOf(claimed);
    if (context.snapshotsDiffer(context.resultOf(wallet), context.resultOf(given))) return undefined;
    const changed = context.resultOf(changes);
    for (const read of belongings.filter((each) => each !== messages.list && changed.has(each))) {
      const was = entriesIn(read, snapshotOf(context, context.resultOf(before).own, read).exchange);
      const is = entriesIn(read, await context.send('player', read));
      const grown = [...changesBetween(was, is)].filter(([, by]) => by > 0);
      if (grown.length > 0) return { read, is, single: new Map(grown) };
    }
    return undefined;
  });

  claimed.observe(
    'gift-shown-in',
    [mysteryBox.claim, [...wallets, ...belongings]],
    'which reads show the gift that was claimed',
    async (context) => context.observe(inWords(context.resultOf(changes))),
  );

  step(
    'gift-amount',
    [mysteryBox.claim, general.currencies],
    effects.store.amount,
    'the wallet changes by what the gift names, not by twice that',
    async (context) => {
      await expectArrival(context, context.resultOf(before).own, context.resultOf(claimed));
      const around = [context.resultOf(wallet).exchange, context.resultOf(given).exchange] as const;
      expectOnce(context, around, [context.resultOf(claimed), context.resultOf(announced)]);
    },
  );

  const shown = statusBefore.step(
    'gift-shown',
    [mysteryBox.status, mysteryBox.claim],
    clauses.shown,
    'the gift status changes after the claim',
    async (context, { status }) => {
      context.resultOf(claimed);
      const changed = await context.pollUntilDifferent('player', status, mysteryBox.status);
      context.expect(changed, 'another status after the claim', 'the same as before it', status.exchange);
    },
  );

  shown.step(
    'gift-own',
    [mysteryBox.status, mysteryBox.claim],
    clauses.own,
    "another player's gift status stays as it was",
    (context) =>
      context.expectUnchanged(
        context.resultOf(statusBefore).othersStatus,
        "the other player's status as it was",
      ),
  );

  const again = claimed.observe(
    'gift-again',
    [mysteryBox.claim],
    'how the server answers when a player claims the gift again',
    (context) => context.observeAnswer('player', mysteryBox.claim),
  );

  again.step(
    'gift-available',
    [mysteryBox.status, mysteryBox.claim],
    clauses.shown,
    'a gift whose second claim is refused is no longer called available',
    async (context, answer) => {
      const places = placesOfAvailable(context.resultOf(statusBefore).status.exchange);
      if (places.length === 0) return context.notTriggered('the status calls no gift available');
      if (!isRefusal(answer)) return context.notTriggered('a second claim is not refused');
      const { holds, last } = await pollAnswered(
        () => context.send('player', mysteryBox.status),
        (status) => !places.every((place) => placesOfAvailable(status).includes(place)),
      );
      // A status may call the gift available all week, and mark the claim by another boolean.
      const marks = (status: Exchange) =>
        answerLeaves(status)
          .flatMap(({ pointer, value }) => (typeof value === 'boolean' ? [`${pointer} ${value}`] : []))
          .join();
      if (marks(last) !== marks(context.resultOf(statusBefore).status.exchange)) return;
      context.expect(holds, `${places.join(' or ')} false after the claim`, 'true, as before it', last);
    },
  );

  again.step(
    'gift-once',
    [mysteryBox.claim, general.currencies],
    clauses.once,
    'a second claim of the gift changes neither the wallet nor the belongings',
    async (context) => {
      const first = context.resultOf(given);
      if (context.snapshotsDiffer(context.resultOf(wallet), first))
        return context.expectUnchanged(first, 'the wallet as it was after the first claim');
      const owned = context.resultOf(goods);
      if (owned === undefined)
        return context.cannotTell('needs-state', 'the gift changed nothing in the wallet or the belongings');
      await waitForCopies(context);
      const last = await context.send('player', owned.read);
      const effect = changesBetween(owned.is, entriesIn(owned.read, last));
      const [more] = [...owned.single].filter(([name, by]) => (effect.get(name) ?? 0) >= by);
      return context.expect(!more, 'the gift once', `${more?.[0]} grew by ${more?.[1]} again`, last);
    },
  );
}

const date = /^"\d{4}-\d\d-\d\d/;

/**
 * Whether two answers name different things: in a place of a list where both hold words (dates do not count), they
 * share none. Whatever else changes between answers is taken for a clock or a count.
 * @param except places that change by themselves
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
    context.mustSucceed('player', ranksArea.resetAndGetPips),
  );

  const poor = prepare('the wallet before the claim', (context) =>
    context.send('player', general.currencies),
  );

  const claimed = observe(
    'rank-rewards',
    [ranksArea.claimRewards],
    'how the server answers when a player claims rank rewards',
    (context) => context.observeAnswer('player', ranksArea.claimRewards),
  );

  const rewarded = prepare('the wallet after the claim', (context) => {
    context.resultOf(claimed);
    return context.snapshot('player', general.currencies);
  });

  rewarded.step(
    'rank-rewards-once',
    [ranksArea.claimRewards, general.currencies],
    clauses.once,
    'a second claim of rank rewards does not change the wallet',
    async (context, wallet) => {
      await context.send('player', ranksArea.claimRewards);
      await context.expectUnchanged(wallet, 'the wallet as it was after the first claim');
      requireSomethingGiven(context, [context.resultOf(poor), wallet.exchange], ranksArea.claimRewards);
    },
  );

  const rituals = observe(
    'rituals',
    [game.rituals],
    'whether two requests for rituals give the same ones',
    async (context) => {
      const { samples, exchange } = await context.snapshot('player', game.rituals);
      const clocks = context.wandering();
      const isOther = samples.some((sample) => namesOthers(sample, exchange, clocks));
      context.observe(isOther ? 'others each time' : 'the same', exchange);
      return { isOther, exchange };
    },
  );

  rituals.step(
    'rituals-kept',
    [game.rituals],
    clauses.given,
    'rituals that a player asks for again at once are those that they have',
    async (context, { isOther, exchange }) =>
      context.expect(!isOther, 'the rituals of the answer before', 'others in each answer', exchange),
  );

  observe(
    'challenges',
    [game.reconcileChallenges, game.challenges],
    'whether reconciling challenges without a match changes them',
    async (context) => {
      const before = await context.snapshot('player', game.challenges);
      await context.mustSucceed('player', game.reconcileChallenges);
      const moved = await context.lastingChange(before);
      context.observe(moved ? 'it does' : 'it does not', moved?.exchange);
    },
  );
}

export default flowSuite('progression', [
  archives,
  onboarding,
  gifts,
  ranks,
  reconciling,
  experienceShown,
  levelsShown,
  nodes,
]);
