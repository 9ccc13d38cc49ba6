// Defines what is known of a step's effects once they have settled, and puts it into words. Pure.

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

export type AllConserved = readonly Conserved[] | undefined;

/** How many break a rule, over all rules. */
export const brokenIn = (conserved: AllConserved): number =>
  (conserved ?? []).reduce((sum, { broken }) => sum + broken, 0);

const mostExamples = 2;

/** What broke, a line a rule. */
export const brokenLines = (conserved: AllConserved): string[] =>
  (conserved ?? [])
    .filter(({ broken }) => broken > 0)
    .map(({ rule, broken, looked, examples }) => {
      const shown = examples.slice(0, mostExamples).join('; ');
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
