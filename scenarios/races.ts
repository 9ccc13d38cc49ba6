// The flow `races`: calls at one moment must have the effect that the same calls have one after another.
// Here: what a player can have once, one code, one name, two friends. `races/`: steps of `purchases.ts`, `last-seat.ts`,
// `parties.ts`, `matches.ts`, `writes-apart.ts` and `reads-apart.ts`; `holdings.ts` counts what a player has.
import { areas } from '../catalog/catalog.ts';
import { effects } from '../catalog/clauses/flows.ts';
import type { Operation } from '../catalog/operation.ts';
import {
  changesBetween,
  type Figures,
  withoutDrift,
  withoutRandomEffects,
} from '../engine/attack/figures.ts';
import { type Control, type Race, race, runControl } from '../engine/attack/race.ts';
import { type Flow, flow } from '../engine/flow/flow.ts';
import type { BodyAsk, StepContext } from '../engine/flow/step-context.ts';
import { isSuccess } from '../engine/http/exchange.ts';
import { crossing } from './races/friendships.ts';
import { holdingsOf, isBalance, isNowhere, repeated } from './races/holdings.ts';
import { lastSeat } from './races/last-seat.ts';
import { matches } from './races/matches.ts';
import { parties } from './races/parties.ts';
import { purchases, thingsToBuy } from './races/purchases.ts';
import { readsApart } from './races/reads-apart.ts';
import { writesApart } from './races/writes-apart.ts';

const { archives, general, mysteryBox, onboarding, playerName, ranks } = areas;
const clauses = effects.races;

/** What a player can have once, by the names of the steps. */
export const once: Readonly<Record<string, Operation>> = {
  purchase: general.purchase,
  code: general.redeem,
  gift: mysteryBox.claim,
  'rank-rewards': ranks.claimRewards,
  'onboarding-rewards': onboarding.reconcileRewards,
  'account-rewards': general.reconcileRewards,
  'old-tracks': archives.claimOldTracks,
  grid: archives.reevaluateGrid,
};

/** One player asks for the same thing several times at one moment. */
function byOnePlayer(flow: Flow): void {
  for (const [name, operation] of Object.entries(once)) {
    const { step } = flow.scenario();
    step(
      name,
      [operation, general.currencies],
      clauses.once,
      `a player who sends ${operation.id} several times at one moment gets its effect once`,
      async (context) => {
        const ask = await whatToAsk(context, operation);
        return race<Figures>(context, {
          people: () => 1,
          ...holding(context, operation, ask),
          control: () => twiceInTurn(context, operation, ask),
          mayBeRandom: true,
          broken({ before, after, single, drift, alone, acknowledged }) {
            const effect = changesBetween(before, after);
            const ofOthers = alone?.map((each) => changesBetween(each.before, each.after));
            const steady = withoutDrift(changesBetween(single.before, single.after), drift);
            const once = withoutRandomEffects(steady, ofOthers);
            // One call alone has its effect once it is acknowledged, and several that met have at least that of one.
            const isLost = acknowledged.length > 0 && isNowhere(effect, once);
            return isLost ? 'what was acknowledged is not there' : repeated(effect, once);
          },
        });
      },
    );
  }
}

/** The race of one player for what a call gives. */
const holding = (
  context: StepContext,
  operation: Operation,
  ask: BodyAsk,
): Pick<Race<Figures>, 'calls' | 'state'> => ({
  calls: ({ people: [role = ''] }, most) => Array.from({ length: most }, () => ({ role, operation, ask })),
  state: ({ people: [role = ''] }, single) =>
    holdingsOf(context, role, single && new Set(changesBetween(single.before, single.after).keys())),
});

/** The call twice, one after another, by a player who is asked for nothing else: a control that two attacks need. */
export const twiceInTurn = (
  context: StepContext,
  operation: Operation,
  ask: BodyAsk,
): Promise<Control<Figures>> =>
  context.shared(`${operation.id} twice in turn`, async () => {
    const role = 'player of the control';
    await context.recruit(role);
    return runControl(context, holding(context, operation, ask), { nth: 0, people: [role] });
  });

/**
 * What names the thing that is asked for, where the target's own answers have to. What is for sale is the server's own
 * word: a name of ours is nothing that a purchase could be refused for.
 */
export async function whatToAsk(
  context: StepContext,
  operation: Operation,
): Promise<Pick<BodyAsk, 'params'>> {
  if (operation !== general.purchase || context.isGiven(operation, 'characterName')) return {};
  const [characterName = ''] = (await thingsToBuy(context)).effects.keys();
  return { params: { characterName } };
}

/** Several players send one code at one moment. */
function oneCode(flow: Flow): void {
  const { step } = flow.scenario();
  step(
    'code-of-several',
    [general.redeem, general.currencies],
    clauses.once,
    'a code that is good once for all players is good once when several send it at one moment',
    async (context) => {
      const alone = await twiceInTurn(context, general.redeem, {});
      const changed = [...changesBetween(alone.single.before, alone.single.after).keys()];
      // One figure shows who has it: an entry, where there is one, since balances may grow by themselves.
      const [shown = ''] = changed.toSorted((a, b) => Number(isBalance(a)) - Number(isBalance(b)));
      const figures = new Set([shown]);
      await race<readonly Figures[]>(context, {
        people: (calls) => calls,
        calls: ({ people }) => people.map((role) => ({ role, operation: general.redeem })),
        state: ({ people }) => Promise.all(people.map((role) => holdingsOf(context, role, figures))),
        broken({ before, after }) {
          const gained = after.filter((holdings, at) => changesBetween(before[at] ?? {}, holdings).size > 0);
          return gained.length > 1 ? `${gained.length} players have what the code gives` : undefined;
        },
      });
    },
  );
}

/** So many players take a name at one moment; of more calls, each makes several. */
const mostHolders = 8;

/** Several players take one name at one moment. */
function oneName(flow: Flow): void {
  const { step } = flow.scenario();
  step(
    'name',
    [playerName.set, playerName.get],
    clauses.holder,
    'of players who take one name at one moment, one has it',
    async (context) => {
      const names = new Map<number, string>();
      const nameOf = (nth: number) => {
        const name = names.get(nth) ?? context.unique('Racer');
        names.set(nth, name);
        return name;
      };
      await race<readonly string[]>(context, {
        people: (calls) => Math.min(calls, mostHolders),
        calls: ({ nth, people }, most) =>
          Array.from({ length: most }, (_, at) => ({
            role: people[at % people.length] ?? '',
            operation: playerName.set,
            ask: { params: { providerPlayerName: nameOf(nth) }, madeUp: 'a name of ours' },
          })),
        onlyEndCounts: true,
        state: ({ nth, people }) => holdersOf(context, people, nameOf(nth)),
        broken({ after, othersRefused, acknowledged }) {
          if (othersRefused && acknowledged.length > 0 && after.length === 0)
            return 'nobody has the name that was acknowledged';
          return after.length > 1 ? `${after.length} players have the name` : undefined;
        },
      });
    },
  );
}

async function holdersOf(
  context: StepContext,
  people: readonly string[],
  name: string,
): Promise<readonly string[]> {
  const found = await Promise.all(
    people.map(async (role) => {
      const answer = await context.put(role, playerName.get);
      return isSuccess(answer) && context.mentioned(answer, name) ? [role] : [];
    }),
  );
  return found.flat();
}

/** Two players add one another at one moment. */
function friendships(flow: Flow): void {
  const { step } = flow.scenario();
  step(
    'friends',
    [areas.players.addFriend, areas.players.friends],
    clauses.sides,
    'two players who add one another at one moment are friends on both sides, or on neither',
    crossing,
  );
}

const racesFlow = flow('races', { attack: true });
for (const scenario of [
  byOnePlayer,
  purchases,
  oneCode,
  oneName,
  friendships,
  lastSeat,
  parties,
  writesApart,
  readsApart,
  matches,
])
  scenario(racesFlow);

export default racesFlow.suite();
