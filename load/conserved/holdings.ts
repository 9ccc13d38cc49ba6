// Checks what a player has against the calls that were acknowledged: each has its effect once, on items and on their
// price.
import {
  balancesIn,
  belongings,
  changesBetween,
  countValues,
  type Figures,
  multiplesOf,
  wallets,
} from '../../engine/attack/figures.ts';
import { isSuccess, statusOf } from '../../engine/http/exchange.ts';
import { is4xx } from '../../engine/values/status.ts';
import type { Person } from '../k6/plan.ts';
import type { Reading } from './reading.ts';
import {
  type Control,
  type ControlInput,
  conservedIn,
  type Item,
  itemsOf,
  nameOf,
  notAcknowledged,
  settle,
  settleMs,
  showsAfter,
  showsWithinMs,
} from './rule.ts';

const near = 0.01;

async function figuresOf({ read }: Reading, person: Person, names?: ReadonlySet<string>): Promise<Figures> {
  const isAsked = (name: string) => names === undefined || names.has(name);
  const wantsMoney = names === undefined || [...names].some((name) => name.startsWith('balance '));
  const money = wantsMoney ? await read(person, wallets[0]) : undefined;
  const entries = await Promise.all(
    belongings
      .filter(({ id }) => isAsked(id))
      .map(async (operation) => {
        const answer = await read(person, operation);
        return answer === undefined ? [] : [[operation.id, countValues(answer)] as const];
      }),
  );
  const balances = money === undefined ? [] : balancesIn(money);
  return Object.fromEntries([
    ...balances.map(([name, value]) => [`balance ${name}`, value] as const).filter(([name]) => isAsked(name)),
    ...entries.flat(),
  ]);
}

/** Whether a player has made the call: where it has its effect only once, a player who has gets no more. */
type Done = 'never' | 'perhaps' | 'done';

export async function effectOnce(about: ControlInput): Promise<Control> {
  const { reading, call, groups, mark, spare } = about;
  const [buyer, idle] = spare;
  const control = await onceControl(about);
  if ('notChecked' in control) return control;
  const { single, isRepeating, refusal, lagMs } = control;
  const names = new Set(single.keys());
  // The first group may have made the call in the rehearsal.
  const state = new Map<Person, Done>((groups[0] ?? []).map((person) => [person, 'perhaps']));
  const people = [...new Set(groups.flatMap((actors) => actors[call.as] ?? []))];
  let before = new Map<Person, Figures>();
  let idleBefore: Figures = {};

  const allowed = ({ effects: { acknowledged, unknown }, person }: Item): readonly [number, number] => {
    if (isRepeating) return [acknowledged, acknowledged + unknown];
    const earlier = state.get(person) ?? 'never';
    if (earlier === 'done') return [0, 0];
    const least = acknowledged > 0 && earlier === 'never' ? 1 : 0;
    return [least, acknowledged + unknown > 0 ? 1 : 0];
  };
  const wrongIn = (item: Item, now: Figures) => {
    const [least, most] = allowed(item);
    const moved = changesBetween(before.get(item.person) ?? {}, now);
    return [...multiplesOf(moved, single)].filter(([, times]) => times < least - near || times > most + near);
  };

  return {
    ...(refusal !== undefined && { refusal }),
    check: {
      async begin() {
        idleBefore = await figuresOf(reading, idle, names);
        const all = await reading.each(people, (person) => figuresOf(reading, person, names));
        before = new Map(people.map((person, at) => [person, all[at] ?? {}]));
      },
      async end(effects) {
        const items = itemsOf(effects, groups);
        const isWhole = (figures: Figures) => [...names].every((name) => figures[name] !== undefined);
        const found = await settle<Item, Figures>(reading, {
          items,
          lagMs,
          async read({ person }) {
            const now = await figuresOf(reading, person, names);
            return isWhole(now) && isWhole(before.get(person) ?? {}) ? now : undefined;
          },
          brokenIn: (shown) =>
            [...shown].flatMap(([item, now]) => (wrongIn(item, now).length > 0 ? [item] : [])),
        });
        const drift = changesBetween(idleBefore, await figuresOf(reading, idle, names));
        const isMoved = [...names].some((name) => drift.has(name));
        const broken = isMoved ? [] : await confirmed(found.broken, found.shown);
        const example = (item: Item) => {
          const { acknowledged, unknown } = item.effects;
          const [name, times] = wrongIn(item, found.shown.get(item) ?? {})[0] ?? ['', 0];
          const by = single.get(name) ?? 0;
          return `${nameOf(item.person)}: ${acknowledged} acknowledged${unknown > 0 ? ` and ${unknown} unknown` : ''}, ${name} changed by ${+(times * by).toPrecision(6)}, and by ${by} for one call alone`;
        };
        const result = conservedIn(effects, { ...found, broken }, example);
        for (const { effects: done, person } of items)
          if (done.acknowledged > 0) state.set(person, 'done');
          else if (done.unknown > 0 && state.get(person) !== 'done') state.set(person, 'perhaps');
        if (broken.length === found.broken.length) return result;
        const notChecked = isMoved
          ? 'what is counted changes by itself'
          : 'some players own it already, or may own no more: one call after another has no effect either';
        return { ...result, notChecked };
      },
    },
  };

  /** Drops a lost effect if calls one after another lack it too: the player owns the item, or may own no more of it. */
  async function confirmed(broken: readonly Item[], shown: ReadonlyMap<Item, Figures>): Promise<Item[]> {
    const isDoubled = (item: Item) =>
      wrongIn(item, shown.get(item) ?? {}).some(([, times]) => times > allowed(item)[1] + near);
    const doubled = broken.filter(isDoubled);
    const lost = broken.filter((item) => !isDoubled(item));
    if (lost.length === 0) return doubled;
    if (isRepeating) {
      const fewest = Math.min(...lost.map(({ effects: { acknowledged } }) => acknowledged));
      const isSo = await hasEffect(buyer, Math.min(fewest, mostInControl));
      return isSo ? [...lost, ...doubled] : doubled;
    }
    const isLost = await reading.each(lost, ({ person }) => hasEffect(person, 1));
    return [...lost.filter((_, at) => isLost[at]), ...doubled];
  }

  /** Makes `times` calls one after another; resolves to true if each acknowledged one had its effect. */
  async function hasEffect(person: Person, times: number): Promise<boolean> {
    const since = await figuresOf(reading, person, names);
    let acknowledged = 0;
    for (let nth = 0; nth < times; nth += 1)
      if (isSuccess(await reading.call(call, person, mark, 10 + nth))) acknowledged += 1;
    await reading.pause(Math.max(settleMs, 2 * lagMs));
    const moved = changesBetween(since, await figuresOf(reading, person, names));
    const multiples = [...multiplesOf(moved, single).values()];
    return acknowledged > 0 && multiples.every((each) => Math.abs(each - acknowledged) <= near);
  }
}

const mostInControl = 60;

/** Makes the call twice: finds what one call changes, and whether the second changes it by as much again. */
async function onceControl({ reading, call, spare: [buyer, idle], mark }: ControlInput) {
  const idleBefore = await figuresOf(reading, idle);
  const before = await figuresOf(reading, buyer);
  const first = await reading.call(call, buyer, mark, 0);
  if (!isSuccess(first)) return notAcknowledged(first);
  const hasMoved = async () => changesBetween(before, await figuresOf(reading, buyer)).size > 0;
  const lagMs = (await showsAfter(reading, hasMoved)) ?? showsWithinMs;
  await reading.pause(settleMs);
  const after = await figuresOf(reading, buyer);
  const second = await reading.call(call, buyer, mark, 1);
  await reading.pause(Math.max(settleMs, 2 * lagMs));
  const drift = changesBetween(idleBefore, await figuresOf(reading, idle));
  const [total, again] = [
    changesBetween(before, after),
    changesBetween(after, await figuresOf(reading, buyer)),
  ];
  const single = new Map([...total].filter(([name]) => !drift.has(name)));
  const times = [...multiplesOf(again, single).values()];
  const isRepeating = times.length > 0 && times.every((each) => Math.abs(each - 1) <= near);
  const isIdle = times.every((each) => Math.abs(each) <= near);
  if (single.size === 0) return { notChecked: 'no read shows it' };
  if (!isRepeating && !isIdle) return { notChecked: 'its effect is not the same each time' };
  const refused = statusOf(second);
  return { single, isRepeating, lagMs, refusal: is4xx(refused) ? refused : undefined };
}
