// Checks writes against later reads: the last acknowledged write is read back, and of players who ask for the same
// thing, one has it.
import { answerText, isSuccess, statusOf } from '../../engine/http/exchange.ts';
import { is4xx } from '../../engine/values/status.ts';
import type { Rule } from '../journeys/journeys.ts';
import { ownName, ownValue } from '../k6/effects.ts';
import type { Call, Person } from '../k6/plan.ts';
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
  showsAfter,
} from './rule.ts';

/** How long after a write a read shows it, in ms; undefined where none does. */
const readAfter = (reading: Reading, person: Person, rule: WriteRule, value: string) =>
  showsAfter(reading, async () => (await shownTo(reading, person, rule))?.includes(value));

/** The value that a write of this iteration carries; undefined where it carries none that is ours. */
function writtenBy({ from, body }: Call, mark: string, nth: number, { values }: Person): string | undefined {
  if (from.includes('providerPlayerName')) return ownName(mark, nth);
  const carried =
    body.kind === 'pieces'
      ? body.pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.value]))
      : [];
  return carried.some((name) => name === 'value' || name === 'unique')
    ? ownValue(mark, nth, values['player.name'])
    : undefined;
}

type WriteRule = Extract<Rule, { readonly kind: 'last-write' | 'one-holder' }>;

/** Makes two writes one after the other, and checks that a read shows each of them. */
async function writeControl(
  { reading, call, spare: [person], mark }: ControlInput,
  rule: WriteRule,
): Promise<{ readonly lagMs: number } | { readonly notChecked: string }> {
  let lagMs = 0;
  for (const nth of [0, 2]) {
    const value = writtenBy(call, mark, nth, person);
    if (value === undefined) return { notChecked: 'its call carries no value of ours' };
    const answer = await reading.call(call, person, mark, nth);
    if (!isSuccess(answer)) return notAcknowledged(answer);
    const after = await readAfter(reading, person, rule, value);
    if (after === undefined) return { notChecked: 'no read shows it' };
    lagMs = Math.max(lagMs, after);
  }
  return { lagMs };
}

export async function lastWrite(about: ControlInput, rule: WriteRule): Promise<Control> {
  const control = await writeControl(about, rule);
  if ('notChecked' in control) return control;
  const { reading, call, groups } = about;
  return {
    check: {
      async end(effects, mark) {
        const items = itemsOf(effects, groups).filter(
          ({ effects: { acknowledged, last } }) => acknowledged > 0 && last.length > 0,
        );
        const values = ({ effects: { last }, person }: Item) =>
          last.map((nth) => writtenBy(call, mark, nth, person) ?? '');
        const found = await settle<Item, string>(reading, {
          items,
          lagMs: control.lagMs,
          read: ({ person }) => shownTo(reading, person, rule),
          brokenIn: (shown) =>
            [...shown].flatMap(([item, body]) =>
              values(item).some((value) => body.includes(value)) ? [] : [item],
            ),
        });
        const example = (item: Item) =>
          `${nameOf(item.person)} wrote ${values(item).at(-1)} and reads ${inShort(found.shown.get(item) ?? '')}`;
        return conservedIn(effects, found, example);
      },
    },
  };
}

const longestShown = 120;
const inShort = (body: string) => (body.length > longestShown ? `${body.slice(0, longestShown)}…` : body);

const shownTo = async (reading: Reading, person: Person, { read }: WriteRule) => {
  const answer = await reading.read(person, read);
  return answer && answerText(answer);
};

// Of players who ask for the same thing, one has it.

export async function oneHolder(about: ControlInput, rule: WriteRule): Promise<Control> {
  const { reading, call, groups, mark, spare } = about;
  const [holder, asker] = spare;
  // Another name than that of the write's control.
  const nth = 4;
  const first = await reading.call(call, holder, mark, nth);
  if (!isSuccess(first)) return notAcknowledged(first);
  const value = writtenBy(call, mark, nth, holder) ?? '';
  const lagMs = await readAfter(reading, holder, rule, value);
  if (lagMs === undefined) return { notChecked: 'no read shows it' };
  const second = await reading.call(call, asker, mark, nth + 1);
  const shown = await shownTo(reading, asker, rule);
  if (shown === undefined) return { notChecked: 'no read shows it' };
  if (shown.includes(value)) return { notChecked: 'two players may have the same here, one after another' };
  const refused = statusOf(second);
  return {
    ...(is4xx(refused) && { refusal: refused }),
    check: {
      async end(effects, stepMark) {
        const items = itemsOf(effects, groups);
        const asked = ({ effects: { last }, person }: Item) =>
          last.map((each) => writtenBy(call, stepMark, each, person) ?? '');
        const holdersIn = (bodies: ReadonlyMap<Item, string>) =>
          Map.groupBy(
            [...bodies].flatMap(([item, body]) =>
              asked(item)
                .filter((name) => holds(body, name))
                .map((name) => ({ item, name })),
            ),
            ({ name }) => name,
          );
        const found = await settle<Item, string>(reading, {
          items,
          lagMs,
          read: ({ person }) => shownTo(reading, person, rule),
          brokenIn: (bodies) =>
            [...holdersIn(bodies).values()].flatMap((holders) =>
              holders.length > 1 ? holders.map(({ item }) => item) : [],
            ),
        });
        const example = (item: Item) => {
          const held = [...holdersIn(found.shown)].find(([, holders]) =>
            holders.some((each) => each.item === item),
          );
          return `${held?.[1].map((each) => nameOf(each.item.person)).join(' and ')} are both ${held?.[0]}`;
        };
        return conservedIn(effects, found, example);
      },
    },
  };
}

/** Whether a body holds the name by itself, and not as the beginning or end of a longer one. */
const holds = (body: string, name: string) => new RegExp(`(?<![A-Za-z0-9])${name}(?![A-Za-z0-9])`).test(body);
