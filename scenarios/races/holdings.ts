// Counts what a player has: balances, and the entries of all reads that list belongings.
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import {
  balancesIn,
  belongings,
  countValues,
  type Figures,
  inReadingOrder,
  multiplesOf,
  wallets,
} from '../../engine/attack/figures.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { answerLeaves, type Exchange, isSuccess } from '../../engine/http/exchange.ts';

const [wallet] = wallets;

/** The balances of a player, by name; none where they are not answered 2xx. */
export async function balancesOf(context: StepContext, role: string): Promise<Figures> {
  const money = await context.send(role, wallet);
  const balances = isSuccess(money) ? balancesIn(money) : [];
  return Object.fromEntries(balances.map(([name, value]) => [`${balance}${name}`, value]));
}

const balance = 'balance ';
/** Whether the figure of that name is a balance, and not a number of entries. */
export const isBalance = (name: string): boolean => name.startsWith(balance);

/** Names of fields that say how many pieces an entry stands for. Messages are left out: they say what they bring. */
const quantity = /^(quantity|qty|amount|stack(_?size)?|owned(_?count)?|copies)$/i;
const piecesIn = ({ id }: Operation) => `${id} in pieces`;

/** The sum of the quantities in an answer; undefined where it names none. */
function quantitiesIn(answer: Exchange): number | undefined {
  const found = answerLeaves(answer).flatMap(({ name, value }) =>
    quantity.test(name) && typeof value === 'number' ? [value] : [],
  );
  return found.length === 0 ? undefined : found.reduce((sum, each) => sum + each, 0);
}

/**
 * The number of entries that a read lists, and the number of their pieces where it names quantities; no entries where
 * it is not answered 2xx.
 */
export function entriesIn(read: Operation, answer: Exchange): Figures {
  const pieces = isSuccess(answer) && read !== areas.messages.list ? quantitiesIn(answer) : undefined;
  return {
    [read.id]: isSuccess(answer) ? countValues(answer) : 0,
    ...(pieces !== undefined && { [piecesIn(read)]: pieces }),
  };
}

async function entryFigures(
  context: StepContext,
  role: string,
  reads: readonly Operation[],
): Promise<Figures> {
  const found = await inReadingOrder(reads, async (read) => entriesIn(read, await context.send(role, read)));
  return Object.assign({}, ...found);
}

/** Balances, numbers of entries and of pieces. @param names of the figures to read; by default all */
export async function holdingsOf(
  context: StepContext,
  role: string,
  names?: ReadonlySet<string>,
): Promise<Figures> {
  const isAsked = (name: string) => names === undefined || names.has(name);
  const wantsMoney = names === undefined || [...names].some(isBalance);
  const [money, entries] = await Promise.all([
    wantsMoney ? balancesOf(context, role) : {},
    entryFigures(
      context,
      role,
      belongings.filter((read) => isAsked(read.id) || isAsked(piecesIn(read))),
    ),
  ]);
  return { ...money, ...entries };
}

/** Says which figure changed by at least twice what one call changes; undefined where none did. */
export function repeated(
  effect: ReadonlyMap<string, number>,
  single: ReadonlyMap<string, number>,
): string | undefined {
  for (const [name, by] of single) {
    const times = (effect.get(name) ?? 0) / by;
    if (times >= 2) return `${name} changed by ${effect.get(name)}, and by ${by} for one call alone`;
  }
  return undefined;
}

/** Whether nothing shows of what one call alone does. */
export const isNowhere = (
  effect: ReadonlyMap<string, number>,
  single: ReadonlyMap<string, number>,
): boolean => single.size > 0 && [...multiplesOf(effect, single).values()].every((times) => times < 0.5);
