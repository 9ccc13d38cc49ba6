// Finds what a purchase, a gift or a code changed, in every read that could show it: the document does not name one.
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { belongings, inReadingOrder, labelledNumbersIn, wallets } from '../../engine/attack/figures.ts';
import { waitForCopies } from '../../engine/compare/noise.ts';
import { poll } from '../../engine/flow/polling.ts';
import { placesThatDiffer, type Snapshot, valuesIn } from '../../engine/flow/snapshot.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { ignoreStop } from '../../engine/flow/why-refused.ts';
import { answerLeaves, type Exchange, isSuccess } from '../../engine/http/exchange.ts';
import type { Player } from '../../engine/players/players.ts';
import { keysIn, type Leaf, parentOf, withoutPositions } from '../../engine/values/json-walk.ts';

const { general, messages } = areas;

/** What several reads showed at one time. Reads that were not answered are left out. */
export type Snapshots = ReadonlyMap<Operation, Snapshot>;

/** What this read showed; ends the step where it was not answered. */
export function snapshotOf(
  context: Pick<StepContext, 'cannotTell'>,
  snapshots: Snapshots,
  read: Operation,
): Snapshot {
  return snapshots.get(read) ?? context.cannotTell('prerequisite-failed', `${read.id} is not answered`);
}

export function snapshotsOf<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  reads: readonly Operation[],
): Promise<Snapshots> {
  return answered(reads, (read) => context.snapshot(role, read), context.player(role));
}

/** What these reads show now. */
export const shownNow = (snapshots: Snapshots): Promise<Snapshots> =>
  answered([...snapshots.keys()], (read) => (snapshots.get(read) as Snapshot).again());

async function answered(
  reads: readonly Operation[],
  taking: (read: Operation) => Promise<Snapshot>,
  player?: Player,
): Promise<Snapshots> {
  const taken = await inReadingOrder(
    reads,
    async (read) => [read, await taking(read).catch(ignoreStop)] as const,
    player,
  );
  return new Map(taken.flatMap(([read, shown]) => (shown ? [[read, shown]] : [])));
}

/** What a player has, and what another player has who does nothing meanwhile. */
export interface Holdings {
  readonly own: Snapshots;
  readonly idle: Snapshots;
}

/** @param reads by default those of wallets and belongings */
export async function holdingsBefore<Role extends string>(
  context: StepContext<Role | 'other'>,
  role: NoInfer<Role>,
  reads: readonly Operation[] = [...wallets, ...belongings],
): Promise<Holdings> {
  const taken = async (): Promise<Holdings> => ({
    own: await snapshotsOf(context, role, reads),
    idle: await snapshotsOf(context, 'other', reads),
  });
  const holdings = await taken();
  const inboxes = [holdings.own, holdings.idle].flatMap((shown) => shown.get(messages.list) ?? []);
  if (inboxes.every(({ exchange }) => hasEntries(exchange))) return holdings;
  // A new player's first messages may arrive a moment later, and are no effect of what that player does next.
  await waitForCopies(context);
  return taken();
}

const hasEntries = (list: Exchange): boolean =>
  answerLeaves(list).some(({ pointer }) => /\/\d+(\/|$)/.test(pointer));

export interface Change {
  readonly after: Exchange;
  /** The values that came and went, as JSON. */
  readonly came: readonly string[];
  readonly went: readonly string[];
}

/**
 * What changed for a player since `before`, by read. A place does not count where it also changed for the idle player,
 * or elsewhere in this run while nobody acted. A text does not count that stood in that place before in an answer to
 * another read or player, such as the name of one of the machines that answer.
 */
export async function changesOf(
  context: Pick<StepContext, 'lastingChange' | 'wandering'>,
  { own: before, idle: idleBefore }: Holdings,
): Promise<ReadonlyMap<Operation, Change>> {
  const earlier = [...before.values(), ...idleBefore.values()].map(({ exchange }) => valuesIn(exchange));
  const stood = (place: string, now: Exchange): boolean => {
    const texts =
      valuesIn(now)
        .get(place)
        ?.filter((value) => value.startsWith('"')) ?? [];
    return texts.length > 0 && texts.every((text) => earlier.some((each) => each.get(place)?.includes(text)));
  };
  const found = await Promise.all(
    [...before].map(async ([read, was]) => {
      const is = await context.lastingChange(was).catch(ignoreStop);
      if (!is) return [];
      const idleWas = idleBefore.get(read);
      const idleIs = idleWas && (await idleWas.read());
      const wandering = [
        context.wandering(),
        placesThatDiffer(is.exchange, await is.read()),
        ...(idleWas && idleIs ? [placesThatDiffer(idleWas.exchange, idleIs)] : []),
      ].reduce<ReadonlySet<string>>((all, places) => all.union(places), new Set());
      const places = new Set(
        placesThatDiffer(was.exchange, is.exchange)
          .difference(wandering)
          .values()
          .filter((place) => place.includes('/-') || !stood(place, is.exchange)),
      );
      return places.size > 0 ? [[read, changeAt(places, was.exchange, is.exchange)] as const] : [];
    }),
  );
  return new Map(found.flat());
}

function changeAt(places: ReadonlySet<string>, before: Exchange, after: Exchange): Change {
  const [was, is] = [valuesIn(before), valuesIn(after)];
  const more = (some: ReadonlyMap<string, string[]>, others: ReadonlyMap<string, string[]>) =>
    [...places].flatMap((place) => without(some.get(place) ?? [], others.get(place) ?? []));
  return { after, came: more(is, was), went: more(was, is) };
}

/** The places whose values are the same when the read is repeated. */
const lasting = async (places: ReadonlySet<string>, now: Exchange, { read }: Snapshot) =>
  places.difference(placesThatDiffer(now, await read()));

/** Polls until a read shows a change that `isIt` accepts, where nothing changes by itself; returns whether one did. */
export async function eventuallyChanges(
  { wandering }: Pick<StepContext, 'wandering'>,
  snapshots: Iterable<readonly [Operation, Snapshot]>,
  isIt: (change: Change) => boolean,
): Promise<boolean> {
  const shown = [...snapshots].map(([, was]) => was);
  const byItself = wandering();
  let isThere = false;
  await poll(
    async () => {
      const answers = await Promise.all(shown.map(({ read }) => read()));
      const found = shown.map(async (was, at) => {
        const now = answers[at] as Exchange;
        const isFound = (places: ReadonlySet<string>) => isIt(changeAt(places, was.exchange, now));
        const places = placesThatDiffer(was.exchange, now).difference(byItself);
        return isSuccess(now) && isFound(places) && isFound(await lasting(places, now, was));
      });
      isThere = (await Promise.all(found)).includes(true);
      return answers.find(isSuccess) ?? (answers[0] as Exchange);
    },
    () => isThere,
  );
  return isThere;
}

/**
 * Whether a change holds more than changed balances, which an inventory may show as well.
 * @param wallet how the balances changed
 */
export const isMoreThan =
  (wallet: Change) =>
  ({ came, went }: Change): boolean =>
    ![...came, ...went].every((value) => wallet.came.includes(value) || wallet.went.includes(value));

/** The values that stand more often in the one list than in the other. */
function without(values: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return values.filter((value) => {
    const at = left.indexOf(value);
    if (at < 0) return true;
    left.splice(at, 1);
    return false;
  });
}

const shortestName = 3;

/** RFC 3339. */
const time = /^\d{4}-\d\d-\d\d([T ]|$)/;

/** The texts that came with the changes: the names of what a player got. A time may be that of several players. */
export const namesIn = (changes: Iterable<Change>): readonly string[] => [
  ...new Set(
    [...changes]
      .flatMap(({ came }) => came.map((value) => JSON.parse(value) as unknown))
      .filter((value) => typeof value === 'string')
      .filter((text) => text.length >= shortestName && !time.test(text)),
  ),
];

/** The entry of a read that names one of these things and says that there are none of it; undefined where none does. */
export function emptyEntryIn({ after }: Pick<Change, 'after'>, names: readonly string[]): string | undefined {
  const ofEntries = Map.groupBy(answerLeaves(after), ({ pointer }) => parentOf(pointer));
  return [...ofEntries].find(
    ([, leaves]) =>
      leaves.some(({ value }) => names.includes(String(value))) &&
      leaves.some(({ name, value }) => value === 0 && /^(?:quantity|count|amount)$/i.test(name)),
  )?.[0];
}

/** The reads that changed, in words. */
export const inWords = (changes: ReadonlyMap<Operation, unknown>): string =>
  changes.size === 0 ? 'in none' : [...changes.keys()].map(({ id }) => id).join(', ');

/** A balance that changed. */
export interface Movement {
  /** The labels that only this balance has. */
  readonly labels: ReadonlySet<string>;
  /** The field name that all balances share, if any: under it, an answer holds a balance and no amount. */
  readonly common: string | undefined;
  readonly was: number;
  readonly is: number;
}

/** The balances that differ between two answers of the same read. */
export function movementsIn(before: Exchange, after: Exchange): Movement[] {
  const [was, is] = [labelledNumbersIn(before), labelledNumbersIn(after)];
  return is.flatMap((figure) => {
    const others = is.filter((other) => other !== figure);
    const labels = new Set([...figure.labels].filter((label) => !others.some((o) => o.labels.has(label))));
    const same = was.filter((old) => labels.size > 0 && !labels.isDisjointFrom(old.labels));
    const [old] = same;
    if (old === undefined || same.length > 1 || old.value === figure.value) return [];
    const common = labels.has(figure.name.toLowerCase()) ? undefined : figure.name;
    return [{ labels, common, was: old.value, is: figure.value }];
  });
}

const figuresOf = ({ labels }: Movement, answer: Exchange) =>
  labelledNumbersIn(answer).filter((figure) => !figure.labels.isDisjointFrom(labels));

/** The values of a balance in another answer. */
export const shownOf = (movement: Movement, answer: Exchange): readonly number[] =>
  figuresOf(movement, answer).map(({ value }) => value);

const namesPrice = /price|cost|paid|spent|amount/i;

/** Whether a number is named as a price: itself, or the object that holds it, as in `prices: { gold: 5 }`. */
export const isPrice = ({ name, pointer }: Pick<Leaf, 'name' | 'pointer'>): boolean =>
  namesPrice.test(name) || namesPrice.test(keysIn(parentOf(pointer)).at(-1) ?? '');

/** The labels that each tell one balance of a wallet from all others, in lower case. */
export function currenciesIn(wallet: Exchange): ReadonlySet<string> {
  const balances = labelledNumbersIn(wallet);
  const shared = (label: string) => balances.filter(({ labels }) => labels.has(label)).length > 1;
  return new Set(balances.flatMap(({ labels }) => [...labels].filter((label) => !shared(label))));
}

/** The prices that an answer names in a currency of the wallet; 0 for what is free. */
export function statedPricesIn(answer: Exchange, wallet: Exchange): readonly number[] {
  const currencies = currenciesIn(wallet);
  const prices = labelledNumbersIn(answer).filter(
    (figure) => isPrice(figure) && !figure.labels.isDisjointFrom(currencies),
  );
  return prices.map(({ value }) => value);
}

/**
 * The distinct amounts that an answer names in a currency of the wallet. Balances are left out: they equal those of the
 * wallet, or the answer holds one for each of its currencies under the field name that the wallet uses.
 */
export function amountsIn(answer: Exchange, wallet: Exchange): readonly number[] {
  const currencies = currenciesIn(wallet);
  const balances = labelledNumbersIn(wallet);
  const figures = labelledNumbersIn(answer);
  type Figure = (typeof figures)[number];
  const areOfOne = (one: Figure, other: Figure) =>
    !one.labels.intersection(other.labels).isDisjointFrom(currencies);
  const restates = (name: string) =>
    balances
      .filter((balance) => balance.name === name)
      .every((balance) => figures.some((figure) => figure.name === name && areOfOne(figure, balance)));
  const amounts = figures.filter((figure) => {
    const own = balances.filter((balance) => areOfOne(figure, balance));
    const isBalance = ({ name, value }: Figure) =>
      value === figure.value ||
      (name === figure.name && !currencies.has(name.toLowerCase()) && restates(name));
    return own.length > 0 && figure.value > 0 && !own.some(isBalance);
  });
  return [...new Set(amounts.map(({ value }) => value))];
}

/**
 * Expects that what an answer gives comes to the wallet, or waits in another read, such as the inbox. Judges only an
 * answer that names one amount in a currency of the wallet: of several, some may be prices, or what others got.
 */
export async function expectArrival(
  context: Pick<StepContext, 'expect' | 'wandering'>,
  before: Snapshots,
  answer: Exchange,
): Promise<void> {
  const wallet = before.get(general.currencies);
  const [amount, ...further] = wallet ? amountsIn(answer, wallet.exchange) : [];
  if (wallet === undefined || amount === undefined || further.length > 0) return;
  const byItself = context.wandering();
  if (await eventuallyChanges(context, [[general.currencies, wallet]], isChange)) return;
  const currencies = currenciesIn(wallet.exchange);
  // A read that shows the balance itself is not a place where the amount waits.
  const isWaiting = async (was: Snapshot) => {
    const { exchange, read } = was;
    const now = await read();
    const ofWallet = movementsIn(exchange, now).filter(({ labels }) => !labels.isDisjointFrom(currencies));
    const places = placesThatDiffer(exchange, now).difference(byItself);
    return ofWallet.length === 0 && (await lasting(places, now, was)).size > 0;
  };
  const others = [...before.values()].filter((each) => each !== wallet);
  const waits = await Promise.all(others.map(isWaiting));
  const named = `the wallet with ${amount} more, as the answer names`;
  const now = await wallet.read();
  // A balance that changes all the time proves nothing.
  const isMoving = movementsIn(wallet.exchange, now).length > 0;
  context.expect(isMoving || waits.includes(true), named, 'the wallet as it was', now);
}

const isChange = ({ came, went }: Change) => came.length + went.length > 0;

/** Field names of what was paid, not of what was given or of what the next purchase costs. */
const namesPaid = /^(?:total_?|amount_?)?(?:paid|spent|charged|price|cost|debited)(?:_?amount)?$/i;

const isNamedPaid = ({ name, pointer }: Pick<Leaf, 'name' | 'pointer'>): boolean =>
  [name, ...keysIn(parentOf(pointer))].some((key) => namesPaid.test(key));

/** The currency of the wallet in which an answer names what was paid; undefined where it names none, or several. */
function currencyPaid(answer: Exchange, wallet: Exchange): string | undefined {
  const currencies = currenciesIn(wallet);
  const figures = labelledNumbersIn(answer).flatMap(({ labels, name, pointer, value }) => {
    const [currency, ...others] = labels.intersection(currencies);
    if (currency === undefined || others.length > 0 || value === 0 || !isNamedPaid({ name, pointer }))
      return [];
    return [{ currency, list: withoutPositions(parentOf(pointer), '-') }];
  });
  // Figures of several currencies in one list are the balances after the purchase.
  const paid = Map.groupBy(figures, ({ list }) => list)
    .values()
    .map((all) => new Set(all.map(({ currency }) => currency)))
    .filter(({ size }) => size === 1);
  const [only, ...further] = new Set([...paid].flatMap((each) => [...each]));
  return further.length === 0 ? only : undefined;
}

/** Expects that the balance of the currency that the answer names as paid fell, unless none fell or that one grew. */
export function expectPaidIn(
  context: Pick<StepContext, 'expect'>,
  [before, after]: readonly [Exchange, Exchange | undefined],
  answer: Exchange,
): void {
  const currency = currencyPaid(answer, before);
  const moved = after ? movementsIn(before, after) : [];
  const lower = moved.filter(({ was, is }) => is < was);
  const hasGrown = moved.some(
    ({ labels, was, is }) => is > was && currency !== undefined && labels.has(currency),
  );
  if (currency === undefined || lower.length === 0 || hasGrown) return;
  const isTaken = lower.some(({ labels }) => labels.has(currency));
  const [{ labels, was, is } = { labels: new Set<string>(), was: 0, is: 0 }] = lower;
  const [other = 'another balance'] = labels.intersection(currenciesIn(before));
  const expected = `less ${currency}, in which the answer says that it was paid`;
  context.expect(isTaken, expected, `as much of it as before, and ${other} from ${was} to ${is}`, after);
}

/** Expects that no balance moved by twice the amount that the answers name. */
export function expectOnce(
  context: Pick<StepContext, 'cannotTell' | 'expect'>,
  [before, after]: readonly [Exchange, Exchange | undefined],
  answers: readonly Exchange[],
): void {
  const moved = after === undefined ? [] : movementsIn(before, after);
  const times = moved.map((movement) => timesMoved(movement, answers));
  context.expect(!times.includes('twice'), 'the amount that the answer names', 'twice that', after);
  if (!times.includes('once'))
    context.cannotTell('needs-state', 'no answer names the amount by which the wallet changed');
}

/** `once` where answers name the amount by which a balance moved, `twice` where they name half of it. */
function timesMoved(movement: Movement, answers: readonly Exchange[]): 'once' | 'twice' | undefined {
  const { was, is, common } = movement;
  const amounts = answers
    .flatMap((answer) => figuresOf(movement, answer))
    .filter(({ value, name, pointer }) => {
      const isOther = value !== was && value !== is;
      return common === undefined ? isOther : name !== common || (isOther && isNamedPaid({ name, pointer }));
    })
    .map(({ value }) => Math.abs(value));
  const moved = Math.abs(is - was);
  if (amounts.includes(moved)) return 'once';
  // An answer that holds a 2 may say that the amount counts double.
  const isDoubled = answers.some((answer) => labelledNumbersIn(answer).some(({ value }) => value === 2));
  return !isDoubled && amounts.includes(moved / 2) ? 'twice' : undefined;
}
