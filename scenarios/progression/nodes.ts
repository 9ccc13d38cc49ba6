// Checks that a node of a character's web that a player takes is paid for.
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Operation } from '../../catalog/operation.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import type { Snapshot } from '../../engine/flow/snapshot.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { ignoreStop } from '../../engine/flow/why-refused.ts';
import { answerLeaves, type Exchange, isSuccess, jsonValue, sentJson } from '../../engine/http/exchange.ts';
import { isNested, isObject } from '../../engine/values/json-walk.ts';
import { charactersOf } from '../store/characters.ts';
import { movementsIn } from '../store/effects.ts';
import { saysLocked } from './locked.ts';

const { game, general } = areas;

/** A node that may be taken, as an answer shows it. */
interface Node {
  /** The name of the field with its id: a body that names it is spelled alike. */
  readonly key: string;
  readonly id: string | number;
  readonly price: number;
  /** Its whole entry, as JSON. */
  readonly entry: string;
  /** The character whose web it is in, and the name of the field that says so; undefined where none does. */
  readonly character: readonly [key: string, name: string] | undefined;
}

const isNodeId = /^node_?id$/i;
const namesPrice = /^(?:price|cost|(?:bloodpoints?|points)_?cost)$/i;
const namesCharacter = /^character_?name$/i;
const isTaken = /bought|taken|collected|owned|consumed|claimed/i;
const isTakenState = /^(?:taken|bought|collected|owned|consumed|claimed)$/i;
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
        found.push({ key, id: id as string, price, entry: JSON.stringify(value), character: own });
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

type Context = StepContext<'player'>;

/** Most nodes, each of another character, that are tried: the player may not have the character. */
const mostTried = 3;

/** Takes a node; undefined where no body takes one, or no read shows that it was taken. */
async function takeNode(
  context: Context,
): Promise<{ readonly node: Node; readonly answer: Exchange } | undefined> {
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
  for (const [read, ask] of views) {
    const shown = async () => {
      const answer = await context.send('player', read, ask);
      return isSuccess(answer) ? openNodesIn(answer) : [];
    };
    const [before, again] = [await shown(), await shown()];
    const steady = before.filter(({ entry }) => again.some((one) => one.entry === entry));
    const ofEach = [...Map.groupBy(steady, ({ character }) => character?.[1]).values()];
    for (const node of ofEach.flatMap(([first]) => first ?? []).slice(0, mostTried))
      for (const body of bodiesFor(node, characterName)) {
        const answer = await context.send('player', game.bloodweb, { body });
        if (!isSuccess(answer)) continue;
        const left = await shown();
        if (!left.some(({ entry }) => entry === node.entry)) return { node, answer };
      }
  }
  return undefined;
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

/** A player takes a node that has a price. */
export function nodes(flow: Flow): void {
  const { step } = flow.scenario('player');
  step(
    'node-paid',
    [game.bloodweb, general.currencies],
    effects.store.paid,
    'the wallet changes when a player takes a node that has a price',
    async (context) => {
      const wallet = await context.settledSnapshot('player', general.currencies);
      const taken = await takeNode(context);
      if (taken === undefined)
        return context.notTriggered('no read shows a node with a price, or none of them was taken');
      if (await isWalletMoved(context, wallet)) return;
      const { node, answer } = taken;
      const isFree = answerLeaves(answer).some(
        ({ name, value }) => value === 0 && /^(?:spent|paid)$/i.test(name),
      );
      if (!isFree && !(await paysForLevels(context).catch(ignoreStop)))
        return context.cannotTell('needs-state', 'levels are not paid from this wallet either');
      context.expect(
        false,
        `another wallet: the node ${node.id} has a price of ${node.price}`,
        'the wallet as it was',
        answer,
      );
    },
  );
}
