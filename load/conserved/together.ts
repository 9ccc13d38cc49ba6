// Checks players who stayed in a match or a party: nobody is in two matches, everybody who was matched learns it, and a
// party holds those who were admitted and nobody else.
import type { Operation } from '../../catalog/operation.ts';
import { valuesIn } from '../../engine/flow/snapshot.ts';
import type { Exchange } from '../../engine/http/exchange.ts';
import type { Rule } from '../journeys/journeys.ts';
import type { Actors, Call, Person } from '../k6/plan.ts';
import type { Given } from '../k6/send-call.ts';
import { isLeftOut } from '../k6/visit.ts';
import type { Staying } from '../run/script-output.ts';
import type { Reading } from './reading.ts';
import { type Control, type ControlInput, mostExamples, nameOf, type RuleCheck, settle } from './rule.ts';

export interface Together extends Pick<ControlInput, 'reading' | 'groups' | 'mark'> {
  /** The calls of the journey. */
  readonly calls: readonly Call[];
  /** Two groups that play no journey. */
  readonly spare: readonly [Actors, Actors];
}

type MatchRule = Extract<Rule, { readonly kind: 'one-match' }>;
type PartyRule = Extract<Rule, { readonly kind: 'one-party' }>;

/** How often an id occurs at each place of an answer: ids of members occur at other places than the rest. */
type Places = ReadonlyMap<string, number>;

function placesOf(id: string, answer: Exchange): Places {
  // An id of digits may be a JSON number.
  const isIt = (value: string) => value === JSON.stringify(id) || value === id;
  const places = [...valuesIn(answer)].map(([place, values]) => [place, values.filter(isIt).length] as const);
  return new Map(places.filter(([, count]) => count > 0));
}

/** Places that all of the maps have. */
const common = (all: readonly Places[]): string[] => {
  const [first, ...others] = all;
  return [...(first?.keys() ?? [])].filter((place) => others.every((each) => each.has(place)));
};

const idOf = (person: Person | undefined) => person?.values['player.id'];

/** Makes a group leave what it entered, by the leaving calls that its identifiers allow. */
async function leave({ reading, calls, mark }: Together, actors: Actors, given: Given): Promise<void> {
  for (const call of calls)
    if (call.leaves && !isLeftOut(call, given)) await reading.play([call], actors, mark, given);
}

const entering = (calls: readonly Call[]) => calls.filter(({ leaves }) => leaves !== true);

/** One violation of a rule, in a sentence. Several of one `player` count once. */
interface Finding {
  readonly player: string;
  readonly summary: string;
}

/** Repeats `find` until it finds nothing, or the same for a while; returns the outcome of the rule in the step. */
async function settledFindings(
  reading: Reading,
  stays: readonly Staying[],
  find: () => Promise<readonly Finding[]>,
): ReturnType<RuleCheck['end']> {
  let found: readonly Finding[] = [];
  const { keptChanging, broken } = await settle<'all', readonly Finding[]>(reading, {
    items: ['all'],
    lagMs: 0,
    async read() {
      found = stays.length === 0 ? [] : await find();
      return found;
    },
    brokenIn: () => (found.length > 0 ? ['all'] : []),
  });
  const isBroken = broken.length > 0;
  return {
    looked: keptChanging ? 0 : stays.length,
    acknowledged: stays.length,
    unknown: 0,
    broken: isBroken ? new Set(found.map(({ player }) => player)).size : 0,
    examples: isBroken ? found.slice(0, mostExamples).map(({ summary }) => summary) : [],
    ...(keptChanging && { notChecked: 'what the target shows keeps changing' }),
    ...(stays.length === 0 && { notChecked: 'nobody was left in one at the end' }),
  };
}

const noIds = { notChecked: 'the target does not say who a player is' };

// Matches.

const polls = 10;
const betweenPollsMs = 200;
/** Most matches that are read after a step. */
const mostMatches = 80;

export async function oneMatch(
  about: Together,
  { view, call: { id: entered } }: MatchRule,
): Promise<Control> {
  const { reading, calls, groups, spare, mark } = about;
  const enter = calls.findLast(({ operation, meets }) => operation.id === entered && meets !== undefined);
  const name = enter?.meets;
  if (enter === undefined || name === undefined) return { notChecked: 'no answer names a match' };
  const ids = spare.map((actors) => idOf(actors[enter.as]));
  if (ids.includes(undefined)) return noIds;

  const given: Given[] = [];
  for (const actors of spare) given.push((await reading.play(entering(calls), actors, mark)).given);
  for (let poll = 0; poll < polls && given.some((each) => each[name] === undefined); poll += 1) {
    await reading.pause(betweenPollsMs);
    for (const [at, actors] of spare.entries())
      given[at] = (await reading.play([enter], actors, mark, given[at])).given;
  }
  const [one, other] = given.map((each) => each[name]);
  const shown =
    one === undefined || one !== other
      ? undefined
      : await reading.read(spare[0][enter.as] as Person, view, { [name]: one });
  // An answer may list players of the match at one place, and players who have quit at another.
  const places = shown === undefined ? [] : common(ids.map((id) => placesOf(id ?? '', shown)));
  for (const [at, actors] of spare.entries()) await leave(about, actors, given[at] ?? {});
  if (one === undefined || one !== other) return { notChecked: 'two players did not meet beforehand' };
  if (places.length === 0) return { notChecked: 'no read shows who is in a match' };

  return { check: { end: (_, __, stays) => settledFindings(reading, stays, () => findingsIn(stays)) } };

  async function findingsIn(stays: readonly Staying[]): Promise<Finding[]> {
    const people = stays.flatMap(({ place, sure, given: known }) => {
      const { as } = enter as Call;
      const person = groups[place]?.[as];
      return person === undefined || (sure & (1 << as)) === 0 ? [] : [{ person, known, place }];
    });
    const matches = Map.groupBy(
      people.filter(({ known }) => known[name as string] !== undefined),
      ({ known }) => known[name as string] as string,
    );
    const views = await reading.each([...matches].slice(0, mostMatches), async ([id, [first]]) => {
      const answer = first && (await reading.read(first.person, view, { [name as string]: id }));
      return { id, answer };
    });
    const isIn = (person: Person) =>
      views.flatMap(({ id, answer }) => {
        const standing = answer && placesOf(idOf(person) ?? '', answer);
        return standing && places.some((place) => standing.has(place)) ? [id] : [];
      });
    const found = await reading.each(people, async ({ person, known, place }): Promise<Finding[]> => {
      const within = isIn(person);
      const player = nameOf(person);
      if (within.length > 1)
        return [{ player, summary: `${player} is in the matches ${within.join(' and ')}` }];
      if (within.length === 0 || known[name as string] !== undefined) return [];
      // A player may have been matched since the last answer: asking again shows it.
      const again = await reading.play([enter as Call], groups[place] ?? [], mark, known);
      return again.given[name as string] === undefined
        ? [{ player, summary: `${player} is in the match ${within[0]}, and is told to wait` }]
        : [];
    });
    return found.flat();
  }
}

// Parties.

/** Makes a group enter a party one after another; returns the actors who stayed outside, and what the leader reads. */
async function entered({ reading, calls, mark }: Together, actors: Actors, view: Operation) {
  let given: Given = {};
  const outside = new Set<number>();
  for (const call of entering(calls)) {
    const played = await reading.play([call], actors, mark, given);
    given = played.given;
    // A call with `atOnce` may find the party full; any other call has to be accepted.
    if (!played.isWhole && !call.atOnce) return { given, isWhole: false };
    if (!played.isWhole) outside.add(call.as);
  }
  return { given, isWhole: true, outside, shown: await reading.read(actors[0] as Person, view) };
}

export async function oneParty(
  about: Together,
  { view, call: { id: created } }: PartyRule,
): Promise<Control> {
  const { reading, calls, groups, spare } = about;
  const [actors] = spare;
  const as = calls.find(({ operation }) => operation.id === created)?.as ?? 0;
  if (actors.some((person) => idOf(person) === undefined)) return noIds;
  const { given, isWhole, outside = new Set(), shown } = await entered(about, actors, view);
  // `standing`: the places of each actor's id. Places of all actors who are in, and of no other, list the members.
  const standing = actors.map((person) => (shown ? placesOf(idOf(person) ?? '', shown) : new Map()));
  const [inside, out] = [false, true].map((isOut) => standing.filter((_, at) => outside.has(at) === isOut));
  const lists = common(inside ?? []).filter((place) => !out?.some((each) => each.has(place)));
  await leave(about, actors, given);
  if (!isWhole || inside?.length === 1) return { notChecked: 'a party could not be filled beforehand' };
  if (lists.length === 0) return { notChecked: 'no read shows who is in a party' };
  const mayBeFull = calls.some(({ atOnce }) => atOnce);
  const size = outside.size > 0 ? (inside?.length ?? 0) : Number.POSITIVE_INFINITY;

  return {
    check: {
      async end(_, __, stays) {
        const result = await settledFindings(reading, stays, () => findingsIn(stays));
        const notChecked = `a party takes all ${actors.length}, so that its size is not known`;
        return mayBeFull && outside.size === 0 ? { notChecked, ...result } : result;
      },
    },
  };

  async function findingsIn(stays: readonly Staying[]): Promise<Finding[]> {
    const stayed = stays.flatMap(({ place }) => groups[place] ?? []);
    const found = await reading.each(stays, async ({ place, sure }): Promise<Finding[]> => {
      const members = groups[place] ?? [];
      // A party without its leader may have ended.
      const leader = (sure & (1 << as)) === 0 ? undefined : members[as];
      const answer = leader && (await reading.read(leader, view));
      if (leader === undefined || answer === undefined) return [];
      const timesOf = (person: Person, place: string) => placesOf(idOf(person) ?? '', answer).get(place) ?? 0;
      const isIn = (person: Person) => lists.every((place) => timesOf(person, place) > 0);
      const isTwice = (person: Person, at: number) =>
        lists.some((place) => timesOf(person, place) > Math.max(1, standing[at]?.get(place) ?? 0));
      const is = (person: Person, what: string) => ({
        player: nameOf(person),
        summary: `${nameOf(person)} ${what.replace('IT', `the party of ${nameOf(leader)}`)}`,
      });
      const held = members.filter(isIn).length;
      return [
        ...members
          .filter((person, at) => (sure & (1 << at)) !== 0 && !isIn(person))
          .map((person) => is(person, 'was let into IT, and is not in it')),
        ...members.filter(isTwice).map((person) => is(person, 'is in IT twice')),
        ...stayed
          .filter((person) => !members.includes(person) && lists.some((list) => timesOf(person, list) > 0))
          .map((person) => is(person, 'is in IT, and nobody let them in')),
        ...(held > size
          ? [is(leader, `leads a party of ${held}, which took ${size} one after another`)]
          : []),
      ];
    });
    return found.flat();
  }
}
