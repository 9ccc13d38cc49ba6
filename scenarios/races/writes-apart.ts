// Checks writes to different parts of one thing at one moment: every acknowledged write stays.
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Operation } from '../../catalog/operation.ts';
import { type Round, race } from '../../engine/attack/race.ts';
import type { RoleCall } from '../../engine/flow/attack-context.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { isSuccess } from '../../engine/http/exchange.ts';
import { letIn, makeOneOfMany } from '../party/make-party.ts';

const { party, players } = areas;
const { stand } = effects.races;
/** One write, and who reads it where. */
interface Write {
  readonly call: RoleCall;
  readonly value: string;
  readonly reader: string;
  readonly read: Operation;
}

/** Runs the race; the writes of a round carry values of their own. */
async function writesStand(
  context: StepContext,
  people: number,
  writesOf: (round: Round, value: () => string) => readonly Write[],
  begin?: (round: Round) => Promise<void>,
): Promise<void> {
  const made = new Map<number, readonly Write[]>();
  const of = (round: Round) => {
    const writes = made.get(round.nth) ?? writesOf(round, () => context.unique('assaymark'));
    made.set(round.nth, writes);
    return writes;
  };
  const sent = new Map<number, number>();
  await race<{ readonly nth: number; readonly shown: readonly (boolean | undefined)[] }>(context, {
    people: () => people,
    onlyEndCounts: true,
    ...(begin && { begin }),
    calls(round, most) {
      // One after another, each shows that such a write is kept at all.
      const calls = of(round)
        .slice(0, round.nth === 0 ? undefined : most)
        .map(({ call }) => call);
      sent.set(round.nth, calls.length);
      return calls;
    },
    async state(round) {
      const isShown = async ({ reader, read, value }: Write) => {
        const view = await context.put(reader, read);
        // A read that is refused says nothing of what was written.
        return isSuccess(view) ? context.mentioned(view, value) : undefined;
      };
      return { nth: round.nth, shown: await Promise.all(of(round).map(isShown)) };
    },
    broken({ after: { nth, shown }, acknowledged }) {
      const calls = sent.get(nth) ?? 0;
      const lost = shown.slice(0, calls).filter((isShown) => isShown === false).length;
      // Which of them a refusal left out is not known here.
      if (acknowledged.length < calls || lost === 0) return undefined;
      return `${lost} of ${calls} acknowledged writes are lost`;
    },
  });
}

const states: readonly (readonly [stateName: string, read: Operation])[] = [
  ['ChallengeUIData', players.challengeUIData],
  ['NewLoresUIData', players.newLoresUIData],
  ['SeenNewsArticles', players.seenNewsArticles],
  ['SeenStoreItems', players.seenStoreItems],
];

export function writesApart(flow: Flow): void {
  flow
    .scenario()
    .step(
      'states',
      [players.setState, ...states.map(([, read]) => read)],
      stand,
      'states of one player that are written at one moment all stand',
      (context) =>
        writesStand(context, 1, ({ people: [role = ''] }, value) =>
          states.map(([stateName, read]) => {
            const own = value();
            const ask = { carry: { stateName, value: own } };
            return { call: { role, operation: players.setState, ask }, value: own, reader: role, read };
          }),
        ),
    );
  flow
    .scenario()
    .step(
      'member-states',
      [party.setPlayerState, party.details],
      stand,
      'states that the members of a party set at one moment all stand',
      (context) =>
        writesStand(
          context,
          2,
          ({ people }, value) =>
            people.map((role) => {
              const own = value();
              const ask = { params: { playerId: context.id(role) }, carry: { value: own } };
              const call = { role, operation: party.setPlayerState, ask };
              return { call, value: own, reader: people[0] ?? '', read: party.details };
            }),
          async ({ people: [leader = '', member = ''] }) => {
            await letIn(context, await makeOneOfMany(context, leader), [leader, member]);
          },
        ),
    );
}
