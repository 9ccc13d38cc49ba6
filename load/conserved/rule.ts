// Defines a rule that is checked after each step: what became of it, in words too, and how often a target that seems to break
// it is read again.
import { type Exchange, statusOf } from '../../engine/http/exchange.ts';
import type { Effects } from '../k6/effects.ts';
import type { Actors, Call, Person } from '../k6/plan.ts';
import type { Staying } from '../run/script-output.ts';
import type { Reading } from './reading.ts';

/** One rule of a journey, held against what the target shows after a step. */
export interface Conserved {
  /** `players.setState: the last acknowledged write is read`. */
  readonly rule: string;
  readonly journey: string;
  /** How many players, matches or records were looked at. */
  readonly looked: number;
  /** Calls that were acknowledged, and calls that may have taken effect or not. */
  readonly acknowledged: number;
  readonly unknown: number;
  /** How many of those that were checked break the rule. */
  readonly broken: number;
  /** A sentence each: what was acknowledged, and what is read. */
  readonly examples: readonly string[];
  /** Why the rule could not be held against the target, or not against all of it. */
  readonly notChecked?: string;
}

type AllConserved = readonly Conserved[] | undefined;

/** How many break a rule, over all rules. */
export const brokenIn = (conserved: AllConserved): number =>
  (conserved ?? []).reduce((sum, { broken }) => sum + broken, 0);

const mostInLine = 2;

/** What broke, a line a rule. */
export const brokenLines = (conserved: AllConserved): string[] =>
  (conserved ?? [])
    .filter(({ broken }) => broken > 0)
    .map(({ rule, broken, looked, examples }) => {
      const shown = examples.slice(0, mostInLine).join('; ');
      return `${rule}: not so for ${broken} of ${looked}${shown === '' ? '' : ` (${shown})`}`;
    });

/** What held, and what could not be checked; a line a rule. */
export const heldLines = (conserved: AllConserved): string[] =>
  (conserved ?? []).flatMap(({ rule, broken, looked, acknowledged, notChecked }) => [
    ...(looked > 0 && broken === 0
      ? [`conserved: ${rule} (${looked} looked at, ${acknowledged.toLocaleString('en')} acknowledged)`]
      : []),
    ...(notChecked === undefined ? [] : [`not checked: ${rule}: ${notChecked}`]),
  ]);

/** One rule, held against one step after another. */
export interface RuleCheck {
  /** Reads what is counted, before a step; absent where nothing is. */
  begin?(): Promise<void>;
  /**
   * @param effects the step's effects, only those of this rule's operation
   * @param stays players of the journey who have not left what they entered
   */
  end(effects: readonly Effects[], mark: string, stays: readonly Staying[]): Promise<RuleOutcome>;
}

type RuleOutcome = Omit<Conserved, 'rule' | 'journey'>;

/** What the control showed: how this target can be checked by the rule, or why it cannot be. */
export type Control =
  | { readonly check: RuleCheck; readonly refusal?: number }
  | { readonly notChecked: string };

/** Why nothing can be checked where the control's call was not acknowledged. */
export const notAcknowledged = (answer: Exchange): { readonly notChecked: string } => ({
  notChecked: `the control was answered ${statusOf(answer) || 'not at all'}`,
});

export interface ControlInput {
  readonly reading: Reading;
  readonly call: Call;
  readonly groups: readonly Actors[];
  /** Two players who play no journey. */
  readonly spare: readonly [Person, Person];
  readonly mark: string;
}

// What the players of a step show.

export interface Item {
  readonly effects: Effects;
  readonly person: Person;
}

export const itemsOf = (effects: readonly Effects[], groups: readonly Actors[]): Item[] =>
  effects.flatMap((each) => {
    const person = groups[each.place]?.[each.as];
    return person === undefined ? [] : [{ effects: each, person }];
  });

export const sumOf = (effects: readonly Effects[], name: 'acknowledged' | 'unknown') =>
  effects.reduce((all, each) => all + each[name], 0);

export const nameOf = ({ values }: Person) => values['player.name'] ?? 'a player';

export const mostExamples = 5;

/** What became of a rule in a step. */
export function conservedIn(
  effects: readonly Effects[],
  { items, shown, broken, keptChanging }: Settled<Item, unknown>,
  example: (item: Item) => string,
): RuleOutcome {
  const notChecked = keptChanging
    ? 'what the target shows keeps changing'
    : shown.size < items.length
      ? `${items.length - shown.size} of ${items.length} players could not be read`
      : undefined;
  return {
    looked: keptChanging ? 0 : shown.size,
    acknowledged: sumOf(effects, 'acknowledged'),
    unknown: sumOf(effects, 'unknown'),
    broken: broken.length,
    examples: broken.slice(0, mostExamples).map(example),
    ...(notChecked !== undefined && { notChecked }),
  };
}

// Waiting.

const pollMs = 50;
/** How long a control waits until its effect shows. */
export const showsWithinMs = 2_000;

/**
 * Reads until the effect of a control shows.
 * @param shows whether the effect shows; undefined where no read is answered, which ends the wait
 * @returns how long that took, in ms; undefined where it does not show
 */
export async function showsAfter(
  { pause }: Pick<Reading, 'pause'>,
  shows: () => Promise<boolean | undefined>,
): Promise<number | undefined> {
  for (let waited = 0; ; waited += pollMs) {
    const isShown = await shows();
    if (isShown) return waited;
    if (isShown === undefined || waited >= showsWithinMs) return undefined;
    await pause(pollMs);
  }
}

/** Between two reads of what seems broken. */
const readAgainMs = 300;
/** How long a violation must stay the same: calls under way may still change it. */
const quietMs = 2_500;
/** Longest wait until the target settles. */
const mostMs = 30_000;
/** Shortest wait between a write and the read that has to show it. */
export const settleMs = 150;

interface Settling<Subject, Shown> {
  readonly items: readonly Subject[];
  /** What the target shows of one; undefined where it cannot be read. */
  readonly read: (item: Subject) => Promise<Shown | undefined>;
  /** Those that break the rule, of all that was shown. */
  readonly brokenIn: (shown: ReadonlyMap<Subject, Shown>) => readonly Subject[];
  /** The longest replication lag that was seen here. */
  readonly lagMs: number;
}

interface Settled<Subject, Shown> {
  readonly items: readonly Subject[];
  readonly shown: ReadonlyMap<Subject, Shown>;
  readonly broken: readonly Subject[];
  /** What seemed broken changed until the longest wait was over. */
  readonly keptChanging: boolean;
}

/**
 * Reads everything once, and what breaks the rule again until it holds, or shows the same for a while. A target that is
 * behind with its work, or takes something back, is given the time; a correct target costs one read each.
 */
export async function settle<Subject, Shown>(
  { each, pause }: Pick<Reading, 'each' | 'pause'>,
  { items, read, brokenIn, lagMs }: Settling<Subject, Shown>,
): Promise<Settled<Subject, Shown>> {
  const shown = new Map<Subject, Shown>();
  const readAll = (some: readonly Subject[]) =>
    each(some, async (item) => {
      const now = await read(item);
      if (now === undefined) shown.delete(item);
      else shown.set(item, now);
    });
  await pause(Math.max(settleMs, 2 * lagMs));
  await readAll(items);
  let broken = brokenIn(shown);
  const textOf = () => JSON.stringify(broken.map((item) => shown.get(item)));
  const wantedMs = Math.max(quietMs, 4 * lagMs);
  let before = textOf();
  let stillMs = 0;
  for (let waited = 0; broken.length > 0 && stillMs < wantedMs; waited += readAgainMs) {
    if (waited >= mostMs) return { items, shown, broken: [], keptChanging: true };
    await pause(readAgainMs);
    await readAll(broken);
    broken = brokenIn(shown);
    const now = textOf();
    stillMs = now === before ? stillMs + readAgainMs : 0;
    before = now;
  }
  return { items, shown, broken, keptChanging: false };
}
