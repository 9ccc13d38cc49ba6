// Checks that a player is in one match only, where a queue is entered several times at one moment, also from two
// sessions, and where matches are created at one moment.
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Operation } from '../../catalog/operation.ts';
import { type Burst, isProcessed, meetingWindow, roundsOf } from '../../engine/attack/race.ts';
import { inRounds, waitForCompensation, waitForEffect } from '../../engine/attack/waiting.ts';
import type { RoleCall } from '../../engine/flow/attack-context.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { ignoreStop } from '../../engine/flow/why-refused.ts';
import { type Exchange, isSuccess } from '../../engine/http/exchange.ts';
import type { Repetition } from '../../engine/http/script.ts';
import { once } from '../../engine/values/once.ts';
import { meeting, othersToMeet } from '../match/making.ts';

const { match, queue } = areas;
/** The roles of one round; the first of them is the racer, whose calls meet. */
type People = readonly [racer: string, ...others: readonly string[]];

interface About {
  /** Further players that a round needs. */
  readonly others: number;
  /** The operation whose answer names the match. */
  readonly operation: Operation;
  /** The calls of the racer, at most `most` of them. */
  readonly calls: (people: People, most: number) => Promise<readonly RoleCall[]>;
  /** What the others do once the calls are answered; the answers that may name further matches. */
  readonly afterwards?: (people: People) => Promise<readonly Exchange[]>;
  /** Whether a match counts only where its view names the racer: the others' answers name matches, too. */
  readonly named: boolean;
}

/**
 * Runs the race. Its control makes the calls one after another: the racer must be in one match then. Ends the step as a
 * violation where calls at one moment leave them in more, and that stays so.
 */
async function oneMatch(context: StepContext, about: About): Promise<void> {
  const alone = await matchesOfControl(context, about);
  if (alone > 1) return context.observe(`one after another they do it too: a player is in ${alone} matches`);
  const outcomes: Outcome[] = [];
  await inRounds(await roundsOf(context.means), async (burst, nth) => {
    const outcome = await playRound(context, about, burst, await peopleOf(context, about, nth));
    outcomes.push(outcome);
    return typeof outcome === 'object';
  });
  const judged = outcomes.filter((outcome) => outcome !== 'unanswered').length;
  const violations = outcomes.filter((outcome) => typeof outcome === 'object');
  const [first] = violations;
  if (judged === 0)
    context.cannotTell('rate-limited', 'not exercised: fewer than two calls of each burst were answered');
  context.expect(
    first === undefined,
    'one match for one player, as with calls one after another',
    `not so in ${violations.length} of ${judged} rounds; ${first?.summary}`,
    first?.evidence,
    first?.repetition,
  );
  context.note(
    `no violation in ${judged === 1 ? 'one round' : `${judged} rounds`}${await meetingWindow(context.means)}`,
  );
}

/** The outcome of a round; `unanswered` where fewer than two of its calls were answered. */
type Outcome =
  | 'unanswered'
  | 'held'
  | {
      readonly summary: string;
      readonly evidence: Exchange | undefined;
      readonly repetition: Repetition;
    };

async function peopleOf(context: StepContext, { others }: About, nth: number): Promise<People> {
  const racer = `player of round ${nth}`;
  const rest = Array.from({ length: others }, (_, at) => `other ${at + 1} of round ${nth}`);
  await context.recruit(racer, ...rest);
  return [racer, ...rest];
}

/** In how many matches the racer of the control is after two calls, one after the other. */
async function matchesOfControl(context: StepContext, about: About): Promise<number> {
  const { operation } = about;
  const people = await peopleOf(context, about, 0);
  const answers: Exchange[] = [];
  for (const { role, ask } of await about.calls(people, 2))
    answers.push(
      answers.length === 0
        ? await context.mustSucceed(role, operation, ask)
        : await context.sendLikeliest(role, operation, ask),
    );
  const { found } = await matchesNamed(context, about, people, answers);
  if (found.length === 0)
    context.cannotTell('needs-state', `not exercised: nothing shows a match that ${operation.id} made`);
  context.confirmBody(operation);
  return found.length;
}

async function playRound(
  context: StepContext,
  about: About,
  { release, calls: most }: Burst,
  people: People,
): Promise<Outcome> {
  const meeting = await about.calls(people, most);
  const met = await context.burst(meeting, release);
  if (met.filter(isProcessed).length < 2) return 'unanswered';
  const { found: atFirst, read } = await matchesNamed(context, about, people, met);
  if (atFirst.length > 1) await waitForCompensation(context);
  const found = atFirst.length > 1 ? await read() : atFirst;
  if (found.length < 2) return 'held';
  return {
    summary: `${meeting.length} calls at one moment, ${met.filter(isSuccess).length} acknowledged: the player is in ${found.length} matches`,
    evidence: met.findLast(isSuccess),
    repetition: { requests: met.map(({ request }) => request), how: release },
  };
}

/** Finds which of the matches that the answers name the racer is in. They are quit when the run ends. */
async function matchesNamed(
  context: StepContext,
  { operation, named, afterwards = async () => [] }: About,
  people: People,
  answers: readonly Exchange[],
) {
  const [racer] = people;
  const all = [...answers, ...(await afterwards(people))];
  const identified = all.filter(isSuccess).map((answer) =>
    // An id that is not named as a match's may be a ticket's.
    context.identifier(answer, operation, 'matchId', named ? async () => false : undefined).catch(ignoreStop),
  );
  const ids = [...new Set(await Promise.all(identified))].filter((id) => id !== undefined);
  await waitForEffect(context);
  // Of the matches that are named, some may be of the others alone.
  const isIn = (view: Exchange) => isSuccess(view) && (!named || context.mentions(view, context.id(racer)));
  const read = async () => {
    const views = await Promise.all(
      ids.map((matchId) => context.send(racer, match.get, { params: { matchId } })),
    );
    return ids.filter((_, at) => isIn(views[at] as Exchange));
  };
  const found = await read();
  for (const matchId of found) context.addTeardown(racer, match.quit, { params: { matchId } });
  return { found, read };
}

/** The racer enters a queue; then two others do, of whom the second finds nobody, unless the racer waits twice. */
function inQueue(context: StepContext, sessions: 1 | 2): Promise<void> {
  const ask = once((_racer: string) => ({ offer: { value: context.unique('assayqueue') } }));
  const enterAgain = (role: string, racer: string) => context.sendLikeliest(role, queue.enter, ask(racer));
  return context.aloneInQueue(() =>
    oneMatch(context, {
      others: 2,
      operation: queue.enter,
      named: true,
      async calls([racer], most) {
        if (sessions === 2 && !(await context.signInAgain(racer)))
          context.cannotTell('needs-players', 'not exercised: nobody signs in a second time');
        context.addTeardown(racer, queue.cancel);
        const call = (role: string) => ({ role, operation: queue.enter, ask: ask(racer) });
        return Array.from({ length: most }, (_, at) =>
          call(at % sessions === 0 ? racer : `${racer} (session 2)`),
        );
      },
      async afterwards([racer, ...others]) {
        const answers: Exchange[] = [];
        for (const other of others) {
          answers.push(await enterAgain(other, racer));
          context.addTeardown(other, queue.cancel);
        }
        await waitForEffect(context);
        for (const role of [racer, ...others]) answers.push(await enterAgain(role, racer));
        return answers;
      },
    }),
  );
}

export function matches(flow: Flow): void {
  const step = flow.stepAlone;
  const { one } = effects.races;
  step(
    'queue',
    [queue.enter, match.get],
    one,
    'a player who enters the queue several times at one moment gets one match',
    (context) => inQueue(context, 1),
  );
  step(
    'queue-sessions',
    [queue.enter, match.get],
    one,
    'a player who enters the queue from two sessions at one moment gets one match',
    async (context) => {
      if (context.means.attacksBriefly) context.cannotTell('budget', 'not exercised: --attack on does it');
      await inQueue(context, 2);
    },
  );
  step(
    'two-matches',
    [match.create, match.get],
    one,
    'a player who creates matches at one moment is in one',
    (context) =>
      oneMatch(context, {
        others: othersToMeet(context),
        operation: match.create,
        named: false,
        calls: async ([role, ...others], most) =>
          Array.from({ length: most }, () => ({
            role,
            operation: match.create,
            ask: meeting(context, others),
          })),
      }),
  );
}
