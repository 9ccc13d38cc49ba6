// Checks loadouts of what a character owns, for targets that take nothing else into a loadout.
import { areas } from '../../catalog/catalog.ts';
import { ofOthers } from '../../catalog/clauses/clause.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { poll } from '../../engine/flow/polling.ts';
import { type Members, sendAsShown } from '../../engine/flow/shown-forms.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import {
  answerLeaves,
  type Exchange,
  isRefusal,
  isSuccess,
  jsonValue,
  statusOf,
} from '../../engine/http/exchange.ts';
import { type Inside, objectsIn } from '../../engine/values/json-walk.ts';
import { letters } from '../../engine/values/text.ts';
import { charactersOf } from '../store/characters.ts';
import { echoes } from './changed-setting.ts';

const { clientData, extensions, game, general } = areas;
const clauses = effects.state;

type People = StepContext<'player' | 'other'>;

const namesCharacter = /character.*(?:name|id)$/i;
const namesKind = /^(?:item_?)?(?:type|kind|category)$/i;
const namesItem = /^(?:item|content|product|entity|object|perk)?_?id$/i;
const namesPrice = /^(?:prices?|costs?)$/i;
const namesAmount = /^(?:quantity|amount|count)$/i;

/** The objects of an answer that name the character themselves. */
const characterEntries = (answer: Exchange, character: string): readonly Members[] =>
  isSuccess(answer)
    ? objectsIn(jsonValue(answer)).flatMap(({ members }) => (keyOf(members, character) ? [members] : []))
    : [];

const keyOf = (members: Members, character: string): string | undefined =>
  Object.keys(members).find((name) => namesCharacter.test(name) && members[name] === character);

/** `perk` for `perks` and for `Perk`. */
const kindOf = (name: unknown): string => letters(String(name)).replace(/s$/, '');

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : [];

/** A thing that an answer lists, with its kind. */
interface Thing {
  readonly id: string;
  /** Undefined where its entry does not say. */
  readonly kind: string | undefined;
  readonly hasPrice: boolean;
  /** The character that it is for, as its entry says. */
  readonly character: unknown;
}

/** The objects below a value that have an id and say of what kind they are, or how many there are, or for what price. */
const thingsIn = (value: unknown): readonly Thing[] =>
  objectsIn(value).flatMap(({ members }) => thingOf(members) ?? []);

function thingOf(members: Members): Thing | undefined {
  const entries = Object.entries(members);
  const kind = entries.find(([name, each]) => namesKind.test(name) && typeof each === 'string')?.[1];
  const id = entries.find(([name, each]) => namesItem.test(name) && typeof each === 'string')?.[1];
  const hasPrice = entries.some(([name]) => namesPrice.test(name));
  const isThing = kind !== undefined || hasPrice || entries.some(([name]) => namesAmount.test(name));
  if (!isThing || typeof id !== 'string') return undefined;
  const character = entries.find(([name]) => namesCharacter.test(name))?.[1] ?? undefined;
  return { id, kind: kind === undefined ? undefined : kindOf(kind), hasPrice, character };
}

/** A place in a character's loadout, and what may stand there. */
interface Slot {
  readonly character: string;
  /** The name of the member that holds one value, or a list of them. */
  readonly name: string;
  readonly kind: string;
  /** What the character owns of this kind, and does not wear yet. */
  readonly owned: readonly string[];
  /** The bodies that may save the loadout with this value in the slot. */
  readonly bodiesWith: (value: string) => readonly Members[];
}

/** What the reads of one player show. */
interface Shown {
  readonly characters: Exchange;
  readonly presets: Exchange;
  readonly lists: readonly Exchange[];
}

async function readAll(context: People, role: 'player' | 'other' = 'player'): Promise<Shown> {
  const read = (operation: Parameters<People['send']>[1]) => context.send(role, operation);
  const [characters, presets, ...lists] = await Promise.all([
    read(game.allCharacters),
    read(game.loadoutPresets),
    read(general.inventories),
    read(game.inventories),
  ]);
  return { characters, presets, lists: lists.filter(isSuccess) };
}

const mostBodies = 3;

/** The objects that may be loadouts: those within the entries of a character, and its presets with those within them. */
const loadoutsIn = (entries: readonly Members[], presets: readonly Members[]) => [
  ...entries.flatMap((each) => objectsIn(each).slice(1)),
  ...presets.flatMap((each) => objectsIn(each)),
];

/** The slots of a character's loadout for which the reads show what the character owns. */
function slotsOf(
  { characters, presets, lists }: Shown,
  character: string,
  fits: (kind: string | undefined, slot: string) => boolean,
): readonly Slot[] {
  const [entry] = characterEntries(characters, character);
  if (entry === undefined) return [];
  const key = keyOf(entry, character) as string;
  const things = [entry, ...lists.map(jsonValue)].flatMap(thingsIn).filter(({ hasPrice }) => !hasPrice);
  const ownedOf = (kind: string): readonly string[] => [
    ...Object.entries(entry).flatMap(([name, value]) => (kindOf(name) === kind ? textsOf(value) : [])),
    ...things.flatMap((thing) =>
      fits(thing.kind, kind) && (thing.character ?? character) === character ? [thing.id] : [],
    ),
  ];
  const slots = loadoutsIn([entry], characterEntries(presets, character))
    .filter(({ members }) => thingOf(members) === undefined)
    .flatMap((loadout) => slotsIn(loadout, { character, key, ownedOf }));
  return slots.filter((slot, nth) => slots.findIndex(({ name }) => name === slot.name) === nth);
}

/** The character of a loadout, the name of the member that holds it, and what the character owns of a kind. */
interface Owner {
  readonly character: string;
  readonly key: string;
  readonly ownedOf: (kind: string) => readonly string[];
}

/** The slots of one loadout: its members that hold a text, a list of texts or null, where the character owns more. */
function slotsIn({ members, path }: Inside, { character, key, ownedOf }: Owner): readonly Slot[] {
  const holder = path.findLast((part) => !/^\d+$/.test(part));
  return Object.entries(members).flatMap(([name, value]): Slot[] => {
    const isList = Array.isArray(value) && textsOf(value).length === value.length;
    if (!isList && value !== null && typeof value !== 'string') return [];
    const kind = kindOf(name);
    const worn: readonly unknown[] = isList ? value : [value];
    const owned = ownedOf(kind).filter((id) => !worn.includes(id));
    if (owned.length === 0) return [];
    const bodiesWith = (id: string) =>
      bodiesOf({ ...members, [name]: isList ? [id] : id }, holder, { [key]: character });
    return [{ character, name, kind, owned: [...new Set(owned)], bodiesWith }];
  });
}

/**
 * The bodies that may save a loadout: under the name that holds it in the answer, as it is, or as `loadout`.
 * @param own the member that names the character
 */
function bodiesOf(loadout: Members, holder: string | undefined, own: Members): readonly Members[] {
  const isNamed = holder !== undefined && /loadout/i.test(holder);
  return [
    ...(holder === undefined ? [] : [{ ...own, [holder]: loadout }]),
    // The character comes first, and is the asked one also where the loadout names another.
    { ...own, ...loadout, ...own },
    ...(isNamed ? [] : [{ ...own, loadout }]),
  ].slice(0, mostBodies);
}

/** Whether a loadout of the character shows the value in that slot. */
const isWorn = ({ characters, presets }: Shown, { character, name }: Slot, id: string): boolean =>
  loadoutsIn(characterEntries(characters, character), characterEntries(presets, character)).some(
    ({ members }) => [members[name]].flat().includes(id),
  );

/** A loadout that was saved with something that its character owns, and that a read showed. */
interface Worn {
  readonly slot: Slot;
  readonly id: string;
  /** The members that the target took. */
  readonly sent: Members;
  readonly before: Shown;
  readonly othersBefore: Shown;
}

/** Most slots that are tried: the target may want something else in some. */
const mostSlots = 3;

/** The slots of these characters, for things of their kind, and for things whose kind nothing says. */
const slotsOfAll = (shown: Shown, names: readonly string[]): readonly Slot[] =>
  [(kind: string | undefined, slot: string) => kind === slot, (kind: string | undefined) => !kind].flatMap(
    (fits) => names.flatMap((name) => slotsOf(shown, name, fits)).slice(0, mostSlots),
  );

const save = (context: People, members: Members) =>
  sendAsShown((body) => context.send('player', game.loadout, { body }), members);

/** The members, with another value in the slot that held `id`. */
const withInstead = (sent: Members, id: string, value: string | null): Members =>
  JSON.parse(JSON.stringify(sent), (_, held: unknown) => (held === id ? value : held)) as Members;

export function ownedLoadouts(flow: Flow): void {
  const { step } = flow.scenario('player', 'other');
  const reads = [game.allCharacters, game.loadoutPresets] as const;

  const worn = step(
    'loadout-owned',
    [game.loadout, ...reads],
    clauses.saved,
    'a loadout of what a character owns is read back',
    async (context): Promise<Worn> => {
      const names = await charactersOf(context);
      const before = await readAll(context);
      const othersBefore = await readAll(context, 'other');
      const slots = slotsOfAll(before, names);
      if (slots.length === 0)
        return context.notTriggered('no read shows a loadout and what its character owns for it');
      let refused: Exchange | undefined;
      for (const slot of slots) {
        const id = slot.owned[0] as string;
        for (const members of slot.bodiesWith(id)) {
          const { answer, sent } = await save(context, members);
          if (!isSuccess(answer)) {
            refused = answer;
            continue;
          }
          const { last, holds } = await pollShown(context, (shown) => isWorn(shown, slot, id));
          if (holds) return { slot, id, sent, before, othersBefore };
          const isAnswered = isWorn({ characters: answer, presets: answer, lists: [] }, slot, id);
          context.expect(
            !isAnswered || (await echoes(context, game.loadout, sent)),
            `${game.loadoutPresets.id} or ${game.allCharacters.id} shows ${id} as ${game.loadout.id} does`,
            'none does',
            last?.presets,
          );
        }
      }
      return context.cannotTell(
        'needs-body',
        refused === undefined
          ? `${game.loadout.id} took what its reads show, and changed nothing`
          : `${game.loadout.id} is answered ${statusOf(refused)} with what its reads show`,
      );
    },
  );

  worn.step(
    'loadout-owned-alone',
    [game.loadout, ...reads],
    ofOthers(clauses.apart, 'mixed up'),
    'a loadout of what a character owns is not that of another character, nor of another player',
    async (context, { slot, id, before, othersBefore }) => {
      const now = await readAll(context);
      const names = await charactersOf(context);
      const others = names
        .filter((character) => character !== slot.character)
        .map((character) => ({ ...slot, character }));
      const changed = others.find((other) => !isWorn(before, other, id) && isWorn(now, other, id));
      context.expect(
        changed === undefined,
        `${id} in the loadout of ${slot.character} alone`,
        `${changed?.character} has it as well`,
        now.presets,
      );
      const othersNow = await readAll(context, 'other');
      context.expect(
        isWorn(othersBefore, slot, id) || !isWorn(othersNow, slot, id),
        `the other player's ${slot.character} as it was`,
        `with ${id}, which the first player chose`,
        othersNow.presets,
      );
    },
  );

  worn.step(
    'loadout-unowned',
    [game.loadout, ...reads],
    clauses.ownedOnly,
    'a loadout does not take what its character does not own',
    async (context, { slot, id, sent }) => {
      const [unowned] = await offered(context, slot);
      if (unowned === undefined)
        return context.notTriggered(`no read offers a ${slot.kind} that the player does not own`);
      if (!(await checksEntries(context, slot, sent, id)))
        return context.notTriggered(`${game.loadout.id} takes any text in a loadout`);
      const { answer } = await save(context, withInstead(sent, id, unowned));
      const { holds, last } = isSuccess(answer)
        ? await pollShown(context, (shown) => isWorn(shown, slot, unowned))
        : { holds: false, last: undefined };
      context.expect(
        !holds,
        `${unowned} refused, which has a price and is in no list of what the player owns`,
        `it stands in the loadout of ${slot.character}`,
        last?.presets,
      );
    },
  );

  worn.step(
    'loadout-unowned-character',
    [game.loadout, game.getOrInitCharacter, ...reads],
    clauses.ownedOnly,
    'a loadout is not saved for a character that the player cannot have',
    async (context, { slot, id, sent }) => {
      const names = await charactersOf(context);
      const catalog = await catalogOf(context);
      // The id in the catalog may be that of the item; its entry then names the character as well.
      const [other] = catalog
        .filter(({ kind, hasPrice }) => kind === 'character' && hasPrice)
        .map(({ id, character }) => (typeof character === 'string' ? character : id))
        .filter((name) => !names.includes(name));
      const made = (characterName: string) =>
        context.sendLikeliest('player', game.getOrInitCharacter, { offer: { characterName } });
      if (other === undefined)
        return context.notTriggered('no read offers a character that the player lacks');
      if (!isSuccess(await made(slot.character)) || !isRefusal(await made(other)))
        return context.notTriggered(`${game.getOrInitCharacter.id} does not refuse ${other} alone`);
      const bare = withInstead(sent, id, null);
      const empty = JSON.parse(JSON.stringify(bare), (_, held: unknown) =>
        Array.isArray(held) ? held.filter((each) => each !== null) : held,
      ) as Members;
      const isControlled = isSuccess((await save(context, empty)).answer);
      if (!isControlled) return context.cannotTell('needs-body', 'an empty loadout is refused');
      const { answer } = await save(context, withInstead(empty, slot.character, other));
      const { holds, last } = isSuccess(answer)
        ? await pollShown(context, ({ characters, presets }) =>
            [characters, presets].some((each) => characterEntries(each, other).length > 0),
          )
        : { holds: false, last: undefined };
      context.expect(
        !holds,
        `a loadout for ${other} refused, as ${game.getOrInitCharacter.id} refuses this character`,
        `${answer.response?.status}, and ${other} is among the player's characters`,
        last?.characters,
      );
    },
  );
}

async function pollShown(context: People, holds: (shown: Shown) => boolean) {
  let last: Shown | undefined;
  const polled = await poll(
    async () => {
      last = await readAll(context);
      return last.presets;
    },
    () => last !== undefined && holds(last),
  );
  return { holds: polled.holds, last };
}

/** What the store offers, and what the client data does. */
async function catalogOf(context: People): Promise<readonly Thing[]> {
  const offers = [{ ...extensions.catalogItems, query: {} }, clientData.catalog];
  const answers = await Promise.all(offers.map((each) => context.send('player', each)));
  return answers.flatMap((answer) => (isSuccess(answer) ? thingsIn(jsonValue(answer)) : []));
}

/** What reads offer for a price for the slot, and no list of the player's belongings shows. */
async function offered(context: People, { kind, character }: Slot): Promise<readonly string[]> {
  const { characters, lists } = await readAll(context);
  const entries = objectsIn(jsonValue(characters));
  const texts = entries.flatMap(({ members }) => Object.values(members).flatMap(textsOf));
  const things = thingsIn(jsonValue(characters));
  const owned = new Set<unknown>([
    ...texts,
    ...things.flatMap(({ id, hasPrice }) => (hasPrice ? [] : [id])),
    ...lists.flatMap(answerLeaves).map(({ value }) => value),
  ]);
  const ofCharacter = characterEntries(characters, character).flatMap(thingsIn);
  return [...ofCharacter, ...(await catalogOf(context))].flatMap((thing) =>
    thing.kind === kind && thing.hasPrice && !owned.has(thing.id) ? [thing.id] : [],
  );
}

/** Most empty slots, besides the one that was saved, that an invented text is tried in. */
const mostInvented = 3;

/** Whether the target refuses an invented text in some slot of the loadout, where it takes what is owned. */
async function checksEntries(context: People, slot: Slot, sent: Members, id: string): Promise<boolean> {
  const invented = context.unique('assayitem');
  const holder = objectsIn(sent).find(({ members }) => Object.hasOwn(members, slot.name))?.members ?? {};
  const names = Object.keys(holder).filter((name) => !namesCharacter.test(name));
  const others = names.filter(
    (name) => name !== slot.name && (holder[name] === null || isEmpty(holder[name])),
  );
  const bodies = [
    withInstead(sent, id, invented),
    ...others.slice(0, mostInvented).map((name) => {
      const filled = { ...holder, [name]: Array.isArray(holder[name]) ? [invented] : invented };
      return holder === sent
        ? filled
        : (Object.fromEntries(
            Object.entries(sent).map(([key, each]) => [key, each === holder ? filled : each]),
          ) as Members);
    }),
  ];
  for (const body of bodies) {
    const answer = await context.send('player', game.loadout, { body: JSON.stringify(body) });
    if (isRefusal(answer)) return true;
  }
  return false;
}

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;
