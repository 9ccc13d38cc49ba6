// Checks players who read at one moment: each gets their own answer.
import { areas } from '../../catalog/catalog.ts';
import { ofOthers } from '../../catalog/clauses/clause.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Operation } from '../../catalog/operation.ts';
import { labelledNumbersIn } from '../../engine/attack/figures.ts';
import { waitForEffect } from '../../engine/attack/waiting.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { ignoreStop } from '../../engine/flow/why-refused.ts';
import { type Exchange, isSuccess } from '../../engine/http/exchange.ts';
import { namedStates } from '../state/named-states.ts';

const { archives, general, me, mysteryBox, onboarding, party, playerName, players } = areas;

const crowd = 8;
const people = ['reader 1', ...Array.from({ length: crowd - 1 }, (_, at) => `reader ${at + 2}`)] as const;
/** Most rounds: one for each way to let calls meet. */
const mostRounds = 2;

/** Reads that show something of the player who reads. */
const reads: readonly Operation[] = [
  playerName.get,
  players.fullProfile,
  ...namedStates.map(({ read }) => read),
  general.currencies,
  general.entitlements,
  me.location,
  party.details,
];

/** Gives a player words by which reads recognise them, and returns these: a name, a stored word, and the id. */
export async function ownWords(context: StepContext, role: string): Promise<readonly string[]> {
  const name = context.unique('Reader');
  const word = context.unique('assaystate');
  await context
    .mustSucceed(role, playerName.set, { params: { providerPlayerName: name }, madeUp: 'a name of ours' })
    .catch(ignoreStop);
  const stating = (stateName: string) => ({ carry: { stateName, value: word } });
  // A body that was taken once need not be looked for again.
  await context.shared('how a state is written', () =>
    context.mustSucceed(role, players.setState, stating('ChallengeUIData')).then(() => {}, ignoreStop),
  );
  for (const { stateName } of namedStates)
    await context.sendLikeliest(role, players.setState, stating(stateName));
  await context
    .mustSucceed(role, party.create)
    .then(() => context.addTeardown(role, party.leave), ignoreStop);
  const id = context.player(role).id;
  return [name, word, ...(id === undefined ? [] : [id])];
}

/** Makes a player gain something, so that reads that name nobody, such as the wallet, differ from those of others. */
export async function ownGains(context: StepContext, role: string): Promise<void> {
  for (const gain of [mysteryBox.claim, general.purchase, onboarding.updateProgress, archives.updateXp])
    await context.mustSucceed(role, gain).catch(ignoreStop);
}

/** Tells whether an answer shows data of the reader at index `at`, or of another one. */
interface Reading {
  readonly isOwn: (answer: Exchange, at: number) => boolean;
  /** Undefined where nothing is another's; else says what is, unless the player reads the same alone. */
  readonly strange: (answer: Exchange, at: number) => ((alone: Exchange) => string | undefined) | undefined;
}

/** Recognises readers by their words; undefined where the read does not show its caller's. */
async function byWords(
  context: StepContext,
  read: Operation,
  words: readonly (readonly string[])[],
): Promise<Reading | undefined> {
  const shownIn = (answer: Exchange, at: number) =>
    words[at]?.filter((word) => context.mentions(answer, word)) ?? [];
  const isOwn = (answer: Exchange, at: number) => shownIn(answer, at).length > 0;
  if (!isOwn(await context.send(people[0], read), 0)) return undefined;
  return {
    isOwn,
    strange(answer, at) {
      const found = people.flatMap((_, of) => (of === at ? [] : shownIn(answer, of)));
      if (found.length === 0) return undefined;
      return (alone) => {
        const mixedUp = found.find((word) => !context.mentions(alone, word));
        return mixedUp && `"${mixedUp}", which is another player's`;
      };
    },
  };
}

/** The figures of a wallet with their labels, as a text that does not depend on the order of its lists. */
const figuresIn = (answer: Exchange): string =>
  labelledNumbersIn(answer)
    .map(({ labels, value }) => `${[...labels].sort().join(' ')} ${value}`)
    .sort()
    .join('; ');

/** Whether a reader gains something: every second one, and so the last, whose answer all others get in many mix-ups. */
const gains = (at: number) => at % 2 === 1;

/**
 * Recognises readers by the figures that each reads alone once some have gained something; undefined where all read the
 * same. Judges only readers who have gained nothing: the others may be shown an older copy.
 */
async function byFigures(context: StepContext, read: Operation): Promise<Reading | undefined> {
  await Promise.all(people.filter((_, at) => gains(at)).map((role) => ownGains(context, role)));
  await waitForEffect(context);
  const alone: Exchange[] = [];
  // One after another: calls that meet may be mixed up.
  for (const role of people) alone.push(await context.send(role, read));
  const own = alone.map(figuresIn);
  if (!alone.every(isSuccess) || new Set(own).size === 1) return undefined;
  const gained = own.filter((_, at) => gains(at));
  return {
    isOwn: (answer, at) => figuresIn(answer) === own[at],
    strange(answer, at) {
      const shown = figuresIn(answer);
      if (gains(at) || shown === own[at] || !gained.includes(shown)) return undefined;
      return (again) => (figuresIn(again) === own[at] ? 'just what another player reads alone' : undefined);
    },
  };
}

export function readsApart(flow: Flow): void {
  const { prepare } = flow.scenario();
  const ready = prepare('players with something of their own', async (context) => {
    await context.recruit(...people);
    return Promise.all(people.map((role) => ownWords(context, role)));
  });

  for (const read of reads) {
    ready.step(
      `reads-${read.id.replace('.', '-').toLowerCase()}`,
      [read],
      ofOthers(effects.races.own, 'mixed up'),
      `players who send ${read.id} at one moment each get their own answer`,
      async (context, words) => {
        const isWallet = read === general.currencies;
        const reading =
          (await byWords(context, read, words)) ?? (isWallet ? await byFigures(context, read) : undefined);
        const notExercised = () =>
          context.cannotTell('needs-state', `not exercised: ${read.id} shows nothing that is a player's own`);
        if (reading === undefined) return notExercised();
        const rounds = context.means.attacksBriefly ? 1 : mostRounds;
        let telling = 0;
        for (let round = 0; round < rounds; round += 1) {
          const how = round % 2 === 0 ? 'last-byte' : 'whole';
          const answers = await context.burst(
            people.map((role) => ({ role, operation: read })),
            how,
          );
          for (const [at, answer] of answers.entries()) {
            if (!isSuccess(answer)) continue;
            if (reading.isOwn(answer, at)) telling += 1;
            const strange = reading.strange(answer, at);
            if (strange === undefined) continue;
            // Data that the player is also shown when reading alone is no mix-up.
            const mixedUp = strange(await context.send(people[at] as string, read));
            context.expect(
              mixedUp === undefined,
              "the reading player's own data",
              `${mixedUp}, in round ${round + 1} of ${rounds}, ${crowd} at one moment`,
              answer,
              { requests: answers.map(({ request }) => request), how },
            );
          }
        }
        if (telling < 2) notExercised();
        context.note(`${rounds === 1 ? 'one round' : `${rounds} rounds`} of ${crowd} players at one moment`);
      },
    );
  }
}
