// Checks several purchases at one moment by a player who can pay for all of them, or for some: price and goods match
// what was acknowledged, and nobody owes anything.
import { general } from '../../catalog/areas/general.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { changesBetween, type Figures } from '../../engine/attack/figures.ts';
import { race } from '../../engine/attack/race.ts';
import { waitForEffect } from '../../engine/attack/waiting.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { ignoreStop, needsValue } from '../../engine/flow/why-refused.ts';
import type { Exchange } from '../../engine/http/exchange.ts';
import { Stop } from '../../engine/judgement.ts';
import { type OnSale, offered } from '../store/buy.ts';
import { balancesOf, holdingsOf, isBalance } from './holdings.ts';

type Effect = ReadonlyMap<string, number>;

/** Most things that are bought at one moment; most that are tried, since some are owned; most players who try them. */
const [mostAtOnce, mostTried, mostBuyers] = [4, 8, 3];

interface OnOffer {
  /** The effect of buying each thing that a new player can buy, by name; the last one that was found stands first. */
  readonly effects: ReadonlyMap<string, Effect>;
  /** The calls that buy them. */
  readonly asks: ReadonlyMap<string, OnSale['ask']>;
  /** The names of the things that one new player can pay for together. */
  readonly together: readonly string[];
  /** Whether a player who has spent their money is sold nothing more. */
  readonly endsWithMoney: boolean;
}

/** What is on offer, as purchases one after another show. */
export const thingsToBuy = (context: StepContext): Promise<OnOffer> =>
  context.shared('things to buy', () => buyUntilEnough(context));

async function buyUntilEnough(context: StepContext): Promise<OnOffer> {
  const found: Sold[] = [];
  let onSale: readonly OnSale[] | undefined;
  let together: readonly string[] = [];
  let nth = 0;
  // A player who has bought something may lack the money for the rest, so another one goes on.
  for (let before = -1; nth < mostBuyers && before < found.length && found.length < mostAtOnce; nth += 1) {
    before = found.length;
    const role = `buyer ${nth + 1}`;
    await context.recruit(role);
    onSale ??= await offered(context, role, [], mostTried);
    onSale = await boughtBy(context, role, onSale, found);
    if (nth === 0) together = found.map(({ name }) => name);
  }
  if (found.length === 0)
    throw new Stop(
      needsValue('not exercised: no read offers anything that a new player can pay for', 'characterName'),
    );
  // Reversed: purchases in another order than here must have the same effects.
  const last = found.toReversed();
  return {
    effects: new Map(last.map(({ name, effect }) => [name, effect])),
    asks: new Map(last.map(({ name, ask }) => [name, ask])),
    together: together.toReversed(),
    endsWithMoney: nth > 1,
  };
}

interface Sold extends OnSale {
  readonly effect: Effect;
}

/** Buys things as this player, and adds those that were paid for to `found`. @returns the things that were refused */
async function boughtBy(
  context: StepContext,
  role: string,
  onSale: readonly OnSale[],
  found: Sold[],
): Promise<readonly OnSale[]> {
  const refused: OnSale[] = [];
  // The first read may give what is due, and show it once: that is no effect of the purchase after it.
  await context.send(role, general.entitlements);
  let before = await holdingsOf(context, role);
  for (const each of onSale) {
    if (found.length === mostAtOnce) break;
    if (found.some(({ name }) => name === each.name)) continue;
    const isDone = await context.mustSucceed(role, general.purchase, each.ask).then(() => true, ignoreStop);
    if (!isDone) {
      refused.push(each);
      continue;
    }
    await waitForEffect(context);
    const left = await balancesOf(context, role);
    const isPaid = Object.entries(before).some(([name, value]) => isBalance(name) && left[name] !== value);
    if (!isPaid) continue;
    const after = await holdingsOf(context, role);
    found.push({ ...each, effect: changesBetween(before, after) });
    before = after;
  }
  return refused;
}

/** Says which balance has fallen below zero; undefined where none has. */
export const overdrawn = (before: Figures, after: Figures): string | undefined => {
  const name = Object.keys(after).find(
    (each) => isBalance(each) && (after[each] ?? 0) < 0 && (before[each] ?? 0) >= 0,
  );
  return name && `${name} is ${after[name]}: more was sold than the player could pay for`;
};

/** Says which figure moved by less or more than the acknowledged purchases together; undefined where none did. */
export function mispaidFigure(
  effect: Effect,
  bought: readonly Effect[],
  all: Iterable<Effect>,
): string | undefined {
  const every = [...all];
  for (const name of new Set(every.flatMap((each) => [...each.keys()]))) {
    const sum = bought.reduce((total, each) => total + (each.get(name) ?? 0), 0);
    const least = Math.min(...every.map((each) => Math.abs(each.get(name) ?? 0)).filter((by) => by > 0));
    if (Math.abs((effect.get(name) ?? 0) - sum) * 2 >= least)
      return `${name} changed by ${effect.get(name) ?? 0}, and by ${sum} for the ${bought.length} that were acknowledged`;
  }
  return undefined;
}

export function purchases(flow: Flow): void {
  const { step } = flow.scenario();
  step(
    'purchases',
    [general.purchase, general.currencies],
    effects.races.paid,
    'a player who buys several things at one moment pays for each that is acknowledged, and gets it, as far as the money goes',
    async (context) => {
      const { effects: known, asks, together, endsWithMoney } = await thingsToBuy(context);
      if (known.size < 2)
        context.cannotTell(
          'needs-state',
          'not exercised: a new player can pay for one of the things on offer',
        );
      const figures = new Set([...known.values()].flatMap((each) => [...each.keys()]));
      const all = [...known.keys()];
      const nameIn = ({ request: { url, body } }: Exchange) =>
        all.find((name) => typeof body === 'string' && body.includes(JSON.stringify(name))) ??
        all.find((name) => url.includes(`/${encodeURIComponent(name)}`)) ??
        '';
      const affordable = together.length < 2 ? all : together;
      await race<Figures>(context, {
        people: () => 1,
        // Every second round buys more than the player can pay for.
        calls: ({ nth, people: [role = ''] }, most) =>
          (nth > 0 && nth % 2 === 0 ? all : affordable).slice(0, most).map((name) => ({
            role,
            operation: general.purchase,
            ask: asks.get(name) ?? {},
          })),
        state: ({ people: [role = ''] }) => holdingsOf(context, role, figures),
        broken({ before, after, acknowledged, unknown, whileIdle }) {
          // The effect of a call without an answer is not known.
          if (unknown > 0) return undefined;
          const moving = whileIdle
            ? changesBetween(whileIdle.before, whileIdle.after)
            : new Map<string, number>();
          const still = (effect: Effect) => new Map([...effect].filter(([name]) => !moving.has(name)));
          const debt = endsWithMoney ? overdrawn(before, after) : undefined;
          const wrong = mispaidFigure(
            still(changesBetween(before, after)),
            acknowledged.map((answer) => still(known.get(nameIn(answer)) ?? new Map())),
            [...known.values()].map(still),
          );
          return wrong ?? debt;
        },
      });
    },
  );
}
