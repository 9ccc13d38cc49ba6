// Defines a rule that is checked after each step: its outcome, also in words, and how long a target that seems to
// break it is read again.
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

/** How many players, matches or records break a rule, over all rules. */
export const brokenIn = (conserved: AllConserved): number =>
  (conserved ?? []).reduce((sum, { broken }) => sum + broken, 0);

const mostInLine = 2;

/** One line for each rule that is broken. */
export const brokenLines = (conserved: AllConserved): string[] =>
  (conserved ?? [])
    .filter(({ broken }) => broken > 0)
    .map(({ rule, broken, looked, examples }) => {
      const shown = examples.slice(0, mostInLine).join('; ');
      return `${rule}: not so for ${broken} of ${looked}${shown === '' ? '' : ` (${shown})`}`;
    });

/** One line for each rule that holds, and one for each that could not be checked. */
export const heldLines = (conserved: AllConserved): string[] =>
  (conserved ?? []).flatMap(({ rule, broken, looked, acknowledged, notChecked }) => [
    ...(looked > 0 && broken === 0
      ? [`conserved: ${rule} (${looked} looked at, ${acknowledged.toLocaleString('en')} acknowledged)`]
      : []),
    ...(notChecked === undefined ? [] : [`not checked: ${rule}: ${notChecked}`]),
  ]);

/** Checks one rule after each step. */
export interface RuleCheck {
  /** Reads the state before a step; absent where the rule does not need it. */
  begin?(): Promise<void>;
  /**
   * @param effects the step's effects, only those of this rule's operation
   * @param stays players of the journey who have not left what they entered
   */
  end(effects: readonly Effects[], mark: string, stays: readonly Staying[]): Promise<RuleOutcome>;
}

type RuleOutcome = Omit<Conserved, 'rule' | 'journey'>;

/** The result of a control: a check, and the status of a legitimate refusal, or why the rule cannot be checked. */
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

// The outcome of a rule for the players of a step.

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

/** Makes the outcome of a rule in a step. */
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

/** Pause between two reads of what seems broken. */
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
 * Reads each item once, then reads items that break the rule again until none does, or they stay the same for a while.
 * So a slow target has time to finish its work, or to undo some; on a correct target each item is read once.
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
