// Checks players who read at one moment: each gets their own answer.
import { areas } from '../../catalog/catalog.ts';
import { ofOthers } from '../../catalog/clauses/clause.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Operation } from '../../catalog/operation.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { unlessStopped } from '../../engine/flow/refusal.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { type Exchange, isSuccess } from '../../engine/http/exchange.ts';

const { general, me, party, playerName, players } = areas;

const crowd = 8;
const mostRounds = 3;

/** Reads that show something of the player who reads. */
const reads: readonly Operation[] = [
  playerName.get,
  players.fullProfile,
  players.challengeUIData,
  players.newLoresUIData,
  players.seenNewsArticles,
  players.seenStoreItems,
  general.currencies,
  general.entitlements,
  me.location,
  party.details,
];

/** What is one player's own, in every read that shows it: an id, a name, a stored word. */
export async function ownWords(context: StepContext, role: string): Promise<readonly string[]> {
  const name = context.unique('Reader');
  const word = context.unique('assaystate');
  await context
    .done(role, playerName.set, { params: { providerPlayerName: name }, madeUp: 'a name of ours' })
    .catch(unlessStopped);
  const stating = (stateName: string) => ({ carry: { stateName, value: word } });
  // A body that was taken once need not be looked for again.
  await context.shared('how a state is written', () =>
    context.done(role, players.setState, stating('ChallengeUIData')).then(() => {}, unlessStopped),
  );
  for (const stateName of ['ChallengeUIData', 'NewLoresUIData', 'SeenNewsArticles', 'SeenStoreItems'])
    await context.put(
      role,
      players.setState,
      context.likeliestAsk(role, players.setState, stating(stateName)),
    );
  await context.done(role, party.create).then(() => context.later(role, party.leave), unlessStopped);
  const id = context.player(role).id;
  return [name, word, ...(id === undefined ? [] : [id])];
}

export function readsApart(flow: Flow): void {
  const { prepare } = flow.scenario();
  const people = Array.from({ length: crowd }, (_, at) => `reader ${at + 1}`);
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
        const shownIn = (answer: Exchange, at: number) =>
          words[at]?.filter((word) => context.mentioned(answer, word)) ?? [];
        const notExercised = () =>
          context.cannotTell('needs-state', `not exercised: ${read.id} shows nothing that is a player's own`);
        if (shownIn(await context.put(people[0] ?? '', read), 0).length === 0) notExercised();
        const rounds = context.attacksBriefly ? 1 : mostRounds;
        let telling = 0;
        for (let round = 0; round < rounds; round += 1) {
          const how = round % 2 === 0 ? 'last-byte' : 'whole';
          const answers = await context.burst(
            people.map((role) => ({ role, operation: read })),
            how,
          );
          for (const [at, answer] of answers.entries()) {
            if (!isSuccess(answer)) continue;
            if (shownIn(answer, at).length > 0) telling += 1;
            const strange = people.flatMap((_, of) => (of === at ? [] : shownIn(answer, of)));
            if (strange.length === 0) continue;
            // What is shown to one who reads alone is meant.
            const alone = await context.put(people[at] ?? '', read);
            const mixedUp = strange.find((word) => !context.mentioned(alone, word));
            context.expect(
              mixedUp === undefined,
              "the reading player's own data",
              `"${mixedUp}", which is another player's, in round ${round + 1} of ${rounds}, ${crowd} at one moment`,
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
