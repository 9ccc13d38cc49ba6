// The flow `races`: calls at one moment must have the effect that the same calls have one after another. Here: what a
// player can have once, one message, one code, one name. `races/`: steps of `purchases.ts`, `friendships.ts`,
// `last-seat.ts`, `parties.ts`, `matches.ts`, `sign-ins.ts`, `writes-apart.ts`, `experience.ts` and `reads-apart.ts`;
// `holdings.ts` counts what a player has.
import { areas } from '../catalog/catalog.ts';
import { effects } from '../catalog/clauses/flows.ts';
import type { Operation } from '../catalog/operation.ts';
import {
  changesBetween,
  type Figures,
  withoutDrift,
  withoutRandomEffects,
} from '../engine/attack/figures.ts';
import { type Control, type Race, type RaceEvidence, race, runControl } from '../engine/attack/race.ts';
import { waitForEffect } from '../engine/attack/waiting.ts';
import { type Flow, flowSuite } from '../engine/flow/flow.ts';
import type { BodyAsk, StepContext } from '../engine/flow/step-context.ts';
import { ignoreStop } from '../engine/flow/why-refused.ts';
import { isSuccess } from '../engine/http/exchange.ts';
import { once } from '../engine/values/once.ts';
import { inboxOf } from './messages/inbox.ts';
import type { Message } from './messages/list-place.ts';
import { experience } from './races/experience.ts';
import { friendships } from './races/friendships.ts';
import { balancesOf, holdingsOf, isBalance, isNowhere, repeated } from './races/holdings.ts';
import { lastSeat } from './races/last-seat.ts';
import { matches } from './races/matches.ts';
import { parties } from './races/parties.ts';
import { purchases, thingsToBuy } from './races/purchases.ts';
import { readsApart } from './races/reads-apart.ts';
import { signIns } from './races/sign-ins.ts';
import { writesApart } from './races/writes-apart.ts';

const { archives, general, messages, mysteryBox, onboarding, playerName, ranks } = areas;
const clauses = effects.races;

/** Operations whose effect a player can have once, by the names of the steps. */
export const givenOnce: Readonly<Record<string, Operation>> = {
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
  for (const [name, operation] of Object.entries(givenOnce)) {
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
          broken: moreThanOnce,
        });
      },
    );
  }
}

/** Says what simultaneous calls changed more often than one call alone does, or not at all; undefined where neither. */
function moreThanOnce({
  before,
  after,
  firstCall,
  whileIdle,
  laterSingleCalls,
  acknowledged,
}: RaceEvidence<Figures>): string | undefined {
  const effect = changesBetween(before, after);
  const ofOthers = laterSingleCalls?.map((each) => changesBetween(each.before, each.after));
  const steady = withoutDrift(changesBetween(firstCall.before, firstCall.after), whileIdle);
  const one = withoutRandomEffects(steady, ofOthers);
  // Simultaneous calls must have at least the effect of one call alone, once one of them is acknowledged.
  const isLost = acknowledged.length > 0 && isNowhere(effect, one);
  return isLost ? 'what was acknowledged is not there' : repeated(effect, one);
}

/** Most messages of a player that are claimed in search of those that bring something. */
const mostMessages = 5;

/** A message that brings something, by its place in the inbox of a new player, and by how much each figure grew. */
interface Paying {
  readonly at: number;
  readonly brought: ReadonlyMap<string, number>;
}

const claiming = (id: Message['id']): BodyAsk => ({ carry: { messageId: id }, anyFixed: true });

/** The balances that a message raises, and by how much. */
const raisedBy = ({ brought }: Paying): readonly (readonly [name: string, by: number])[] =>
  [...brought].filter(([name, by]) => isBalance(name) && by > 0);

/** The first two messages that raise a balance; where none does, the first that brings anything: a thing is owned once. */
async function payingMessages(context: StepContext): Promise<readonly [Paying, Paying?]> {
  const role = 'finder';
  await context.recruit(role);
  const { found } = await inboxOf(context, role);
  let before = await holdingsOf(context, role);
  let other: Paying | undefined;
  const raising: Paying[] = [];
  for (const [at, { id }] of found.slice(0, mostMessages).entries()) {
    const isDone = await context.mustSucceed(role, messages.claim, claiming(id)).then(() => true, ignoreStop);
    if (!isDone) continue;
    await waitForEffect(context);
    // Once a first message is found, only balances matter.
    const hasFound = other !== undefined || raising.length > 0;
    const after = await (hasFound ? balancesOf(context, role) : holdingsOf(context, role));
    const was = hasFound
      ? Object.fromEntries(Object.entries(before).filter(([name]) => isBalance(name)))
      : before;
    const paying = { at, brought: changesBetween(was, after) };
    before = after;
    if (raisedBy(paying).length > 0) raising.push(paying);
    else if ([...paying.brought.values()].some((by) => by > 0)) other ??= paying;
    if (raising.length === 2) break;
  }
  const [first = other, second] = raising;
  if (first === undefined)
    return context.cannotTell('needs-state', 'not exercised: no message that was claimed brings anything');
  return second ? [first, second] : [first];
}

/** One player claims one message several times at one moment, and two messages. */
function claimedMessages(flow: Flow): void {
  const { prepare } = flow.scenario();
  // New players are sent the same messages.
  const paying = prepare('a message that brings something', payingMessages);

  paying.step(
    'message',
    [messages.claim, general.currencies],
    clauses.once,
    'a player who claims one message several times at one moment gets what it brings once',
    async (context, [{ at }]) => {
      const named = new Map<string, Message['id']>();
      await race<Figures>(context, {
        people: () => 1,
        async begin({ people: [role = ''] }) {
          const message = (await inboxOf(context, role)).found[at];
          if (message) named.set(role, message.id);
        },
        calls(round, most) {
          const id = named.get(round.people[0] ?? '');
          return id === undefined ? [] : holding(context, messages.claim, claiming(id)).calls(round, most);
        },
        state: holding(context, messages.claim, {}).state,
        mayBeRandom: true,
        broken: moreThanOnce,
      });
    },
  );

  paying.step(
    'messages',
    [messages.claim, general.currencies],
    clauses.added,
    'of two messages that a player claims at one moment, both bring what they bring',
    async (context, [first, second]) => {
      if (!second) return context.cannotTell('needs-state', 'not exercised: no two messages raise a balance');
      const both: Record<string, number> = {};
      for (const [name, by] of [first, second].flatMap(raisedBy)) both[name] = (both[name] ?? 0) + by;
      const named = new Map<string, readonly Message['id'][]>();
      return race<Figures>(context, {
        people: () => 1,
        mostCalls: 2,
        async begin({ people: [role = ''] }) {
          const { found } = await inboxOf(context, role);
          named.set(
            role,
            [first.at, second.at].flatMap((at) => found[at]?.id ?? []),
          );
        },
        calls: ({ people: [role = ''] }) =>
          (named.get(role) ?? []).map((id) => ({ role, operation: messages.claim, ask: claiming(id) })),
        state: ({ people: [role = ''] }) => balancesOf(context, role),
        broken({ before, after, acknowledged }) {
          if (acknowledged.length < 2) return undefined;
          const grew = (name: string) => (after[name] ?? 0) - (before[name] ?? 0);
          const lacking = Object.entries(both).find(([name, by]) => grew(name) < by);
          return (
            lacking && `${lacking[0]} grew by ${grew(lacking[0])}, and by ${lacking[1]} one after another`
          );
        },
      });
    },
  );
}

/** The calls and the state of a race in which one player sends one call several times. */
const holding = (
  context: StepContext,
  operation: Operation,
  ask: BodyAsk,
): Pick<Race<Figures>, 'calls' | 'state'> => ({
  calls: ({ people: [role = ''] }, most) => Array.from({ length: most }, () => ({ role, operation, ask })),
  state: ({ people: [role = ''] }, firstCall) =>
    holdingsOf(context, role, firstCall && new Set(changesBetween(firstCall.before, firstCall.after).keys())),
});

/** A control that two attacks need: a player who makes no other call sends this one twice in turn. */
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
 * The parameters and values that name what a call asks for. For a purchase they come from the target's own answers,
 * since an item name that Assay makes up is not for sale. Empty otherwise, or where the name is given.
 */
export async function whatToAsk(
  context: StepContext,
  operation: Operation,
): Promise<Pick<BodyAsk, 'params' | 'carry' | 'offer'>> {
  if (operation !== general.purchase || context.isGiven(operation, 'characterName')) return {};
  const [ask = {}] = (await thingsToBuy(context)).asks.values();
  return ask;
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
      const { firstCall } = await twiceInTurn(context, general.redeem, {});
      const changed = [...changesBetween(firstCall.before, firstCall.after).keys()];
      // Compares one figure: an entry where one changed, since balances may grow by themselves.
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

/** Most players who take a name at one moment; where there are more calls, each player makes several. */
const mostHolders = 8;

/** Several players take one name at one moment. */
function oneName(flow: Flow): void {
  const { step } = flow.scenario();
  step(
    'name',
    [playerName.set, playerName.get],
    clauses.holder,
    'of players who take one name at one moment, one gets it',
    async (context) => {
      const nameOf = once((_nth: number) => context.unique('Racer'));
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
        broken({ after, onlyFirstDone, acknowledged }) {
          if (onlyFirstDone && acknowledged.length > 0 && after.length === 0)
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
      const answer = await context.send(role, playerName.get);
      return isSuccess(answer) && context.mentions(answer, name) ? [role] : [];
    }),
  );
  return found.flat();
}

export default flowSuite(
  'races',
  [
    byOnePlayer,
    purchases,
    claimedMessages,
    oneCode,
    oneName,
    friendships,
    signIns,
    lastSeat,
    parties,
    writesApart,
    experience,
    readsApart,
    matches,
  ],
  { attack: true },
);
