// Observes which reads show what a call changed, and checks that none of them changes for another player.
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Operation } from '../../catalog/operation.ts';
import { belongings, wallets } from '../../engine/attack/figures.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { pollAnswered } from '../../engine/flow/polling.ts';
import type { Snapshot } from '../../engine/flow/snapshot.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { answerLeaves, type Exchange, isRefusal, isSuccess } from '../../engine/http/exchange.ts';
import { parentOf } from '../../engine/values/json-walk.ts';
import { charactersOf, isSent } from '../store/characters.ts';
import {
  type Change,
  changesOf,
  holdingsBefore,
  inWords,
  isMoreThan,
  movementsIn,
  type Snapshots,
} from '../store/effects.ts';
import { expectNoGain } from '../store/less-than-nothing.ts';
import { tierReached } from './experience.ts';
import { bodyForLevels, openNodesIn } from './nodes.ts';

const { archives, extensions, game, general } = areas;

const tracks = [archives.tier, archives.rawTier, archives.checkPass, archives.storyStatus] as const;

/** Reports experience, and finds the reads that show it. */
export function experienceShown(flow: Flow): void {
  const scenario = flow.scenario('player', 'other');
  const { prepare, step, observe } = scenario;
  const reads = [...tracks, extensions.playerLevel];

  const changed = prepare('experience is reported', async (context) => {
    const before = await holdingsBefore(context, 'player', reads);
    await context.mustSucceed('player', archives.updateXp);
    return { others: before.idle, changes: await changesOf(context, before) };
  });

  observe(
    'xp-shown-in',
    [archives.updateXp, reads],
    'which reads show experience that was reported',
    async (context) => context.observe(inWords(context.resultOf(changed).changes)),
  );

  step(
    'xp-own',
    [archives.updateXp, reads],
    effects.progression.own,
    "another player's tier, pass, stories and level stay as they were",
    async (context) => {
      for (const [read, was] of context.resultOf(changed).others)
        await context.expectUnchanged(was, `${read.id} shows the other player what it showed`);
    },
  );

  // Last: its reports change what a target counts for all players, which the steps above would take for noise.
  tierReached(scenario);
}

/** Numbers of levels that a player may not be able to pay, and that a target may still take for possible ones. */
const manyLevels = [10, 50];

/** Buys levels of a character, and finds the reads that show them. */
export function levelsShown(flow: Flow): void {
  const { prepare, observe } = flow.scenario('player', 'other');

  const spent = prepare('levels of a character are bought', async (context) => {
    const names = await charactersOf(context);
    const [characterName] = names;
    const before = await holdingsBefore(context, 'player');
    const offer = characterName === undefined ? {} : { characterName };
    const answer = await context.mustSucceed('player', game.bulkSpendingBloodweb, { offer });
    return { before, answer, names, changes: await changesOf(context, before) };
  });

  observe(
    'levels-shown-in',
    [game.bulkSpendingBloodweb, [...wallets, ...belongings]],
    'which reads show levels that a player bought for a character',
    async (context) => {
      const shown = [...context.resultOf(spent).changes].filter(([read]) =>
        [...wallets, ...belongings].includes(read),
      );
      context.observe(inWords(new Map(shown)));
    },
  );

  spent.step(
    'levels-bought',
    [game.bulkSpendingBloodweb, general.currencies],
    effects.progression.levels,
    'who pays for levels of a character has something that they did not have before',
    async (context, { before, answer, changes, names }) => {
      const name = names.find((one) => isSent(answer, one));
      const wallet = changes.get(general.currencies);
      if (wallet === undefined) {
        expectPaid(context, answer, before.own.get(general.currencies));
        await expectLevelsPaid(context, { before: before.own, changes, name, answer });
        return context.notTriggered('nothing was paid');
      }
      const read = [...before.own].filter(([one]) => belongings.includes(one));
      if (!read.some(([, { exchange }]) => showsLevelOf(exchange, name)))
        context.cannotTell('needs-state', 'no read shows the level of a character');
      const isMore = isMoreThan(wallet);
      const hasCharacter = (found: ReadonlyMap<Operation, Change>) =>
        read.some(([one]) => [found.get(one)].some((change) => change && isMore(change)));
      // Once more, since replicas may lag.
      const hasCome = hasCharacter(changes) || hasCharacter(await changesOf(context, before));
      context.confirmBody(game.bulkSpendingBloodweb);
      const ids = read.map(([{ id }]) => id).join(', ');
      context.expect(
        hasCome,
        `one of ${ids} changes`,
        'the wallet has changed, and nothing else has',
        answer,
      );
    },
  );

  spent.step(
    'levels-kept',
    [game.getOrInitCharacter, game.bulkSpendingBloodweb, game.allCharacters],
    effects.progression.ready,
    'a character that is made ready once more keeps the levels that were bought',
    async (context, { answer, names, changes }) => {
      const name = names.find((one) => isSent(answer, one));
      const bought = changes.get(game.allCharacters)?.after;
      const levels = bought ? levelsOf(bought, name) : [];
      if (name === undefined || levels.length === 0)
        return context.notTriggered(`${game.allCharacters.id} shows no level that was bought`);
      const ask = { offer: { characterName: name }, mayRefuse: 'a character that was made ready' };
      await context.mustSucceed('player', game.getOrInitCharacter, ask);
      const isKept = (read: Exchange) => isSuccess(read) && levelsOf(read, name).join() === levels.join();
      const last = await pollAnswered(() => context.send('player', game.allCharacters), isKept);
      const now = levelsOf(last.last, name);
      const isLower = now.length === levels.length && now.some((level, nth) => level < (levels[nth] ?? 0));
      context.expect(!isLower, `${name} at level ${levels.join()}`, `level ${now.join()}`, last.last);
    },
  );

  spent.step(
    'levels-refused',
    [game.bulkSpendingBloodweb, general.currencies],
    effects.store.refused,
    'levels that are refused take nothing from the wallet',
    async (context, { answer }) => {
      let refused = 0;
      for (const levels of manyLevels) {
        const body = bodyForLevels(answer, levels);
        if (body === undefined) return context.notTriggered('no body names a number of levels');
        const wallet = await context.settledSnapshot('player', general.currencies);
        if (!isRefusal(await context.send('player', game.bulkSpendingBloodweb, { body }))) continue;
        refused += 1;
        await context.expectUnchanged(wallet, `the wallet as it was before ${levels} levels were refused`);
      }
      if (refused === 0) context.notTriggered(`${manyLevels.at(-1)} levels are not refused`);
    },
  );

  spent.step(
    'levels-negative',
    [game.bulkSpendingBloodweb, general.currencies],
    effects.store.noGain,
    'a negative number of levels does not fill the wallet',
    (context, { names: [characterName] }) =>
      expectNoGain(context, 'player', game.bulkSpendingBloodweb, [
        characterName === undefined ? {} : { offer: { characterName } },
      ]),
  );
}

const spending = /spent|paid|charged|deducted/i;
const inAll = /total|lifetime|ever|balance|left|remaining/i;

/** Called where the wallet has not changed: a violation if the answer says that something was spent. */
function expectPaid(
  context: StepContext<'player' | 'other'>,
  answer: Exchange,
  wallet: Snapshot | undefined,
): void {
  const stated = answerLeaves(answer).find(
    ({ name, value }) => spending.test(name) && !inAll.test(name) && typeof value === 'number' && value > 0,
  );
  if (stated === undefined || wallet === undefined || answerLeaves(wallet.exchange).length === 0) return;
  context.confirmBody(game.bulkSpendingBloodweb);
  const spent = `${stated.name} ${stated.value}`;
  context.expect(false, `another wallet: the answer says ${spent}`, 'the wallet as it was', answer);
}

interface LevelsCome {
  readonly before: Snapshots;
  readonly changes: ReadonlyMap<Operation, Change>;
  /** The character. */
  readonly name: string | undefined;
  readonly answer: Exchange;
}

/** Expects that something was paid for levels that came, where the nodes of the character's web have a price. */
async function expectLevelsPaid(
  context: StepContext<'player' | 'other'>,
  { before, changes, name, answer }: LevelsCome,
): Promise<void> {
  const [was, now] = [before.get(game.allCharacters)?.exchange, changes.get(game.allCharacters)?.after];
  if (was === undefined || now === undefined || name === undefined) return;
  const levels = levelsOf(was, name);
  const isHigher = levelsOf(now, name).some((level, nth) => level > (levels[nth] ?? level));
  const hasFallen = [...changes].some(([read, { after }]) => {
    const first = before.get(read)?.exchange;
    // What a character's entry counts may fall with each level.
    if (first === undefined || read === game.allCharacters) return false;
    return movementsIn(first, after).some((moved) => moved.is < moved.was);
  });
  if (!isHigher || hasFallen) return;
  const web = await context.sendLikeliest('player', game.bloodweb, { offer: { characterName: name } });
  const [node] = [now, web].flatMap((answer) => (isSuccess(answer) ? openNodesIn(answer) : []));
  if (node === undefined) return;
  context.confirmBody(game.bulkSpendingBloodweb);
  context.expect(
    false,
    `another wallet: ${name} has a higher level, and a node of the web costs ${node.price}`,
    'the wallet as it was',
    answer,
  );
}

/** The levels that an answer shows in the entry of that character. */
function levelsOf(answer: Exchange, name: string | undefined): readonly number[] {
  const leaves = answerLeaves(answer);
  const holders = leaves.filter(({ value }) => value === name).map(({ pointer }) => `${parentOf(pointer)}/`);
  return leaves.flatMap(({ name: member, pointer, value }) =>
    /level/i.test(member) && typeof value === 'number' && holders.some((each) => pointer.startsWith(each))
      ? [value]
      : [],
  );
}

const showsLevelOf = (answer: Exchange, name: string | undefined): boolean =>
  levelsOf(answer, name).length > 0;
