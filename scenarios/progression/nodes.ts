// Checks that a node of a character's web can be taken, is marked and paid for, and that none is taken that costs too much.
import { areas } from '../../catalog/catalog.ts';
import { clauseById } from '../../catalog/clauses/clauses.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Operation } from '../../catalog/operation.ts';
import { waitForCopies } from '../../engine/compare/noise.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { type Snapshot, textInOneOrder } from '../../engine/flow/snapshot.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { ignoreStop } from '../../engine/flow/why-refused.ts';
import {
  answerLeaves,
  type Exchange,
  isSuccess,
  jsonValue,
  sentJson,
  statusOf,
} from '../../engine/http/exchange.ts';
import { isNested, isObject } from '../../engine/values/json-walk.ts';
import { noSuchId } from '../../engine/values/nonexistent.ts';
import { isServerFault } from '../../engine/values/status.ts';
import { charactersOf } from '../store/characters.ts';
import { type Movement, movementsIn, shownOf } from '../store/effects.ts';
import { saysLocked } from './locked.ts';

const { game, general } = areas;
const clauses = effects.progression;

/** A node that may be taken, as an answer shows it. */
interface Node {
  /** The name of the field with its id: a body that names it is spelled alike. */
  readonly key: string;
  readonly id: string | number;
  readonly price: number;
  /** Its whole entry, as JSON with its fields in one order. */
  readonly entry: string;
  /** Whether its entry has a field that says of a node whether it was taken. */
  readonly isMarkable: boolean;
  /** The character whose web it is in, and the name of the field that says so; undefined where none does. */
  readonly character: readonly [key: string, name: string] | undefined;
}

const isNodeId = /^node_?id$/i;
const namesPrice = /^(?:price|cost|(?:bloodpoints?|points)_?cost)$/i;
const namesCharacter = /^character_?name$/i;
const isTaken = /bought|purchased|taken|collected|owned|consumed|claimed/i;
const isTakenState = /^(?:taken|bought|purchased|collected|owned|consumed|claimed)$/i;
const namesCondition = /^(?:requires|requirements|parents?|parent_?id|prerequisites)$/i;
const deepest = 10;

const isIdentifier = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';
const isEmpty = (value: unknown) =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Whether an entry does not say that it is locked or was taken, nor that others come first. */
const isOpen = (entry: Readonly<Record<string, unknown>>): boolean =>
  !saysLocked(entry) &&
  Object.entries(entry).every(([name, value]) => {
    if (namesCondition.test(name)) return isEmpty(value);
    if (typeof value === 'boolean') return !(value && isTaken.test(name));
    return !(typeof value === 'string' && /^(?:status|state)$/i.test(name) && isTakenState.test(value));
  });

/** The nodes with a price that an answer shows and that may be taken. */
export function openNodesIn(answer: Exchange): readonly Node[] {
  const found: Node[] = [];
  const visit = (value: unknown, character: Node['character'], levels: number): void => {
    if (!isNested(value) || levels === 0) return;
    let own = character;
    if (isObject(value)) {
      const members = Object.entries(value);
      const named = members.find(([name, each]) => namesCharacter.test(name) && typeof each === 'string');
      if (named) own = named as [string, string];
      const [key, id] = members.find(([name, each]) => isNodeId.test(name) && isIdentifier(each)) ?? [];
      const price = members.find(([name, each]) => namesPrice.test(name) && Number(each) > 0)?.[1];
      if (key !== undefined && typeof price === 'number' && isOpen(value))
        found.push({
          key,
          id: id as string,
          price,
          entry: textInOneOrder(value),
          isMarkable: members.some(([name, each]) => each === false && isTaken.test(name)),
          character: own,
        });
    }
    for (const each of Object.values(value)) visit(each, own, levels - 1);
  };
  visit(jsonValue(answer), undefined, deepest);
  return found;
}

/** The bodies that may take a node, with one id or with a list of them, spelled as the answer spells them. */
function bodiesFor({ key, id, character }: Node, fallback: string | undefined): readonly string[] {
  const spelled = key.replace(/node(_?)id/i, (name, gap: string) =>
    /^N/.test(name) ? `Character${gap}Name` : `character${gap}${gap ? 'n' : 'N'}ame`,
  );
  const [name, value] = character ?? [spelled, fallback];
  const of = value === undefined ? {} : { [name]: value };
  return [
    { ...of, [key]: id },
    { ...of, [`${key}s`]: [id] },
  ].map((body) => JSON.stringify(body));
}

/** Whether this node is among others: webs of several characters may number theirs alike. */
const isAmong = ({ entry, character }: Node, others: readonly Node[]): boolean =>
  others.some((other) => other.entry === entry && other.character?.[1] === character?.[1]);

type Context = StepContext<'player'>;

/** Most nodes, each of another character, that are tried: the player may not have the character. */
const mostTried = 3;

/** What came of the attempts to take a node: that it was taken, what is wrong, or neither. */
interface Attempts {
  readonly taken?: Taken;
  readonly fault?: Fault;
}

interface Fault {
  readonly expected: string;
  readonly actual: string;
  readonly answer: Exchange;
}

/** A node that was taken, and how others are. */
interface Taken {
  readonly node: Node;
  readonly answer: Exchange;
  /** The nodes that may be taken now, in the order of the read that showed this one. */
  readonly open: () => Promise<readonly Node[]>;
  readonly take: (node: Node) => Promise<Exchange>;
}

/**
 * Tries to take a node, one body after another, until a read shows that it was taken.
 * @param wallet the wallet before anything was tried
 */
async function takeNode(context: Context, wallet: Snapshot): Promise<Attempts> {
  const names = await charactersOf(context);
  const [characterName] = names;
  const web = context.likeliestAsk(
    'player',
    game.bloodweb,
    characterName ? { offer: { characterName } } : {},
  );
  const views: readonly (readonly [Operation, typeof web])[] = [
    [game.allCharacters, {}],
    [game.bloodweb, web],
  ];
  let notFound: Fault | undefined;
  for (const [read, ask] of views) {
    const shown = async () => {
      const answer = await context.send('player', read, ask);
      return isSuccess(answer) ? openNodesIn(answer) : [];
    };
    /** Whether the call without a node takes none. */
    const takesNoneByItself = async () => {
      const open = await shown();
      await context.send('player', game.bloodweb, web);
      const still = await shown();
      return open.every((node) => isAmong(node, still));
    };
    const [before, again] = [await shown(), await shown()];
    const steady = before.filter((node) => isAmong(node, again));
    const ofEach = [...Map.groupBy(steady, ({ character }) => character?.[1]).values()];
    for (const node of ofEach.flatMap(([first]) => first ?? []).slice(0, mostTried))
      for (const nth of bodiesFor(node, characterName).keys()) {
        const take = (one: Node) =>
          context.send('player', game.bloodweb, { body: bodiesFor(one, characterName)[nth] ?? '' });
        const answer = await take(node);
        // The same call without the node is the read itself, so the character is not what is missing.
        if (statusOf(answer) === 404 && read === game.bloodweb) {
          await waitForCopies(context);
          if (isAmong(node, await shown()) && statusOf(await take(node)) === 404)
            notFound ??= {
              expected: `the node ${node.id} is found: ${game.bloodweb.id} shows it as one that may be taken`,
              actual: '404; without the node the call is accepted',
              answer,
            };
        }
        if (!isSuccess(answer)) continue;
        const left = await shown();
        if (!isAmong(node, left)) return { taken: { node, answer, open: shown, take } };
        const other = before.find(
          (each) => each.isMarkable && each.id !== node.id && !isAmong(each, left) && isAmong(each, again),
        );
        if (other && (await takesNoneByItself())) {
          const expected = `the node ${node.id}, which the call names, is shown as taken`;
          return { fault: { expected, actual: `the node ${other.id} is`, answer } };
        }
        if (node.isMarkable && (await isPaid(context, wallet, node.price))) {
          await waitForCopies(context);
          if (!isAmong(node, await shown())) return { taken: { node, answer, open: shown, take } };
          const expected = `the node ${node.id} is shown as taken, since its price was paid`;
          const actual = `a balance fell by ${node.price}, and the node is shown as before`;
          return { fault: { expected, actual, answer } };
        }
      }
  }
  return notFound ? { fault: notFound } : {};
}

/** Whether a balance is lower than in the wallet before, by just this price. */
async function isPaid(context: Context, before: Snapshot, price: number): Promise<boolean> {
  const now = await context.send('player', general.currencies);
  return movementsIn(before.exchange, now).some(({ was, is }) => was - is === price);
}

/** The body that was sent to buy levels, for that many; undefined where it names no number of them. */
export function bodyForLevels(answer: Exchange, levels: number): string | undefined {
  const sent = sentJson(answer);
  const counts = isObject(sent)
    ? Object.keys(sent).filter((name) => /^(?:levels?|count|amount)$/i.test(name))
    : [];
  if (!isObject(sent) || counts.length === 0) return undefined;
  return JSON.stringify({ ...sent, ...Object.fromEntries(counts.map((name) => [name, levels])) });
}

/** Whether the wallet changes; a balance may move in a wallet whose order changes by itself. */
async function isWalletMoved(context: Context, before: Snapshot): Promise<boolean> {
  if (await context.pollUntilDifferent('player', before, general.currencies)) return true;
  return movementsIn(before.exchange, await context.send('player', general.currencies)).length > 0;
}

/** Whether the wallet pays for what happens in these webs: levels are bought from it. */
async function paysForLevels(context: Context): Promise<boolean> {
  const [characterName] = await charactersOf(context);
  const wallet = await context.settledSnapshot('player', general.currencies);
  const offer = characterName === undefined ? {} : { characterName };
  const answer = await context.mustSucceed('player', game.bulkSpendingBloodweb, { offer });
  // The first body that is accepted may ask for no level at all.
  const body = bodyForLevels(answer, 1);
  if (body !== undefined) await context.send('player', game.bulkSpendingBloodweb, { body });
  return isWalletMoved(context, wallet);
}

/** Most calls that spend what a player has, so that a node costs more than is left. */
const mostSpending = 24;

/** A balance as the wallet shows it now. */
const balanceNow = async (context: Context, paidIn: Movement): Promise<number> =>
  shownOf(paidIn, await context.send('player', general.currencies))[0] ?? Number.NaN;

/** Buys levels, of one character after another, until the balance pays for no further one. Returns what is left. */
async function spendOnLevels(context: Context, paidIn: Movement, atMost: number): Promise<number> {
  const bulk = game.bulkSpendingBloodweb;
  let left = await balanceNow(context, paidIn);
  let calls = 0;
  for (const characterName of (await charactersOf(context)).slice(0, mostTried)) {
    const first = await context.mustSucceed('player', bulk, { offer: { characterName } }).catch(ignoreStop);
    if (first === undefined) continue;
    const buy = async (levels: number) => {
      const body = bodyForLevels(first, levels);
      calls += 1;
      if (body === undefined || !isSuccess(await context.send('player', bulk, { body }))) return 0;
      const before = left;
      left = await balanceNow(context, paidIn);
      return before - left;
    };
    left = await balanceNow(context, paidIn);
    const price = await buy(1);
    // A character has a highest level: what cannot be bought at once may be bought by halves.
    for (let levels = Math.floor(left / price); price > 0 && levels >= 1 && calls < mostSpending; )
      levels = Math.min((await buy(levels)) > 0 ? levels : Math.floor(levels / 2), Math.floor(left / price));
    if (left < atMost) break;
  }
  return left;
}

/** Judges a node that costs more than the player has left: it is refused, or at least not taken. */
async function expectUnaffordableNotTaken(context: Context, { node, open, take }: Taken, paidIn: Movement) {
  let left = await spendOnLevels(context, paidIn, node.price);
  for (let nth = 0; nth < mostSpending; nth += 1) {
    const [next] = await open();
    if (next === undefined || Number.isNaN(left)) break;
    const answer = await take(next);
    const now = await balanceNow(context, paidIn);
    if (next.price > left) {
      const isTaken = isSuccess(answer) && !isAmong(next, await open());
      return context.expect(
        now >= 0 && !isTaken,
        `the node ${next.id}, which costs ${next.price}, is not taken by a player who has ${left}`,
        now < 0 ? `the balance is ${now}` : `it is taken, and the balance is ${now}`,
        answer,
      );
    }
    if (!isSuccess(answer) || now >= left) break;
    left = now;
  }
  context.notTriggered('no node costs more than what could be left in the wallet');
}

const noneTaken = 'no read shows a node with a price, or none of them was taken';

/** A player takes a node that has a price, and then one that they cannot pay. */
export function nodes(flow: Flow): void {
  const { prepare } = flow.scenario('player');
  const tried = prepare('a node that has a price, and a player who takes it', async (context) => {
    const wallet = await context.settledSnapshot('player', general.currencies);
    return { wallet, ...(await takeNode(context, wallet)) };
  });

  tried.step(
    'node-taken',
    [game.bloodweb],
    clauses.taken,
    'a node that the server shows can be taken, and is shown as taken then',
    async (context, { taken, fault }) => {
      if (fault) context.expect(false, fault.expected, fault.actual, fault.answer);
      if (taken === undefined) context.notTriggered(noneTaken);
    },
  );

  const paid = tried.step(
    'node-paid',
    [game.bloodweb, general.currencies],
    effects.store.paid,
    'the wallet changes when a player takes a node that has a price',
    async (context, { taken, wallet }) => {
      if (taken === undefined) return context.notTriggered(noneTaken);
      if (await isWalletMoved(context, wallet)) {
        const now = await context.send('player', general.currencies);
        const moved = movementsIn(wallet.exchange, now);
        return { taken, paidIn: moved.find(({ was, is }) => was - is === taken.node.price) };
      }
      const { node, answer } = taken;
      const isFree = answerLeaves(answer).some(
        ({ name, value }) => value === 0 && /^(?:spent|paid)$/i.test(name),
      );
      if (!isFree && !(await paysForLevels(context).catch(ignoreStop)))
        return context.cannotTell('needs-state', 'levels are not paid from this wallet either');
      return context.expect(
        false,
        `another wallet: the node ${node.id} has a price of ${node.price}`,
        'the wallet as it was',
        answer,
      ) as never;
    },
  );

  paid.step(
    'node-unknown',
    [game.bloodweb],
    clauseById('sense.no-server-error'),
    'a node that no web has is taken or refused without a server error',
    async (context, { taken: { node, take } }) => {
      const id = noSuchId(String(node.id));
      const unknown = { ...node, id: typeof node.id === 'number' ? Number(id) : id };
      const first = await take(unknown);
      // One server error may be chance.
      const answer = isServerFault(statusOf(first)) ? await take(unknown) : first;
      context.expect(!isServerFault(statusOf(answer)), 'no server error', `${statusOf(answer)}`, answer);
    },
  );

  paid.step(
    'node-beyond',
    [game.bloodweb, general.currencies],
    effects.store.paid,
    'a node that costs more than a player has is not taken',
    async (context, { taken, paidIn }) => {
      if (paidIn === undefined) return context.notTriggered('no balance fell by the price of the node');
      await expectUnaffordableNotTaken(context, taken, paidIn);
    },
  );
}
