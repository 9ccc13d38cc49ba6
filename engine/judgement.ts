// Defines what a check reports of a target, and the outcome that it becomes. Level and outcome are separate axes.
import type { Clause, Level } from '../catalog/clauses/clause.ts';
import type { Host } from '../catalog/operation.ts';
import type { Exchange } from './http/exchange.ts';
import type { Repetition } from './http/script.ts';

export type Outcome =
  | 'pass'
  | 'fail'
  | 'warn'
  | 'observed'
  | 'inconclusive'
  | 'not-applicable'
  | 'harness-error';

/** In the order in which `summary` of result.json counts them; `looks` of reports/summary has the worst first. */
export const outcomes: readonly Outcome[] = [
  'fail',
  'warn',
  'pass',
  'observed',
  'inconclusive',
  'not-applicable',
  'harness-error',
];

/** Outcomes that judge the target. */
export const judged: ReadonlySet<Outcome> = new Set(['pass', 'fail', 'warn', 'observed']);

/** Outcomes that report a violation by the target. */
export const accusing: ReadonlySet<Outcome> = new Set(['fail', 'warn']);

/** One planned check, before it ran. */
export interface PlannedCheck {
  readonly id: string;
  readonly title: string;
  readonly operation: string | readonly string[];
  readonly host: Host;
  readonly clause: string;
  readonly level: Level;
  /** An attack runs after all other checks, and only where `--attack` allows it. */
  readonly attack?: true;
}

/** Why something could not be judged. The remedy for each reason is in `reason-codes.ts`. */
export type InconclusiveReason =
  | 'no-session'
  | 'auth-wall'
  | 'catch-all'
  | 'any-name'
  | 'unknown-resource'
  | 'needs-body'
  | 'needs-state'
  | 'needs-players'
  | 'needs-signer'
  | 'needs-value'
  | 'prerequisite-failed'
  | 'unstable-controls'
  | 'unstable-answers'
  | 'redirected'
  | 'shadowed'
  | 'word-unknown'
  | 'segments-unknown'
  | 'not-served'
  | 'rate-limited'
  | 'too-large'
  | 'timeout'
  | 'reset'
  | 'unreachable'
  | 'target-lost'
  | 'budget'
  | 'interrupted';

/** Why there was nothing to judge. */
export type NotApplicableReason =
  | 'host-not-given'
  | 'not-triggered'
  | 'left-out'
  | 'read-only'
  | 'attack-off'
  | 'not-exercised';

/** The judgement of a check; `runCheck` makes a Result of it. Its evidence is the exchange that shows what it says. */
export type Judgement =
  | {
      readonly kind: 'pass';
      readonly detail?: string;
      readonly evidence?: Exchange;
      readonly level?: Level;
      readonly clause?: string;
    }
  | {
      readonly kind: 'violation';
      /** The level at which this target is held to the clause, where that is not the clause's own. */
      readonly level?: Level;
      /** The clause that was broken, where that is not the check's own. */
      readonly clause?: string;
      readonly expected: string;
      readonly actual: string;
      readonly evidence?: Exchange;
      /** A right answer to compare with, where the evidence alone does not show the fault. */
      readonly control?: Exchange;
      /** Equal causes fold into one block of a report; made of expected and actual where not given. */
      readonly cause?: string;
      /** One line for people who repeat the request by hand, put in front of the command as a remark. */
      readonly byHand?: string;
      /** The write whose effect the evidence lacks; a repetition sends it first. */
      readonly write?: Exchange;
      /** The requests that repeat the finding, where one request cannot. */
      readonly repetition?: Repetition;
      /** The calls of its scenario up to this step, where it is a step. */
      readonly sequence?: readonly ScenarioCall[];
      /** Checks whose calls showed the violation: a run of this check alone, without them, would not find it. */
      readonly seenIn?: readonly string[];
      /** A violation that never counts as more than a warning, whatever the clause's level. */
      readonly onlyWarns?: boolean;
    }
  | { readonly kind: 'observed'; readonly behaviour: string; readonly evidence?: Exchange }
  | {
      readonly kind: 'inconclusive';
      readonly reason: InconclusiveReason;
      readonly detail: string;
      readonly evidence?: Exchange;
      /** The earlier step of the flow that is the reason; the evidence is that step's. */
      readonly prerequisite?: Prerequisite;
    }
  | { readonly kind: 'not-applicable'; readonly reason: NotApplicableReason; readonly detail: string };

/** A call of a scenario: who called what in which step, and what came back. */
export interface ScenarioCall {
  /** The step's name within the flow, or what it prepares. */
  readonly step: string;
  /** The role of the caller. */
  readonly by: string;
  readonly operation: string;
  /** A status, or why there is none. */
  readonly answer: string;
  /** The number of times in a row that it was sent with this answer. */
  readonly times: number;
  /** The last exchange of these; absent where many calls came later, so that it is not shown. */
  readonly exchange?: Exchange;
}

/** A step of a flow that later steps need, and how it ended. */
export interface Prerequisite {
  /** Its id, or what it prepares where it is no check. */
  readonly step: string;
  /** The clause of its check. */
  readonly clause?: Clause;
  readonly judgement: Judgement;
}

export const pass = (evidence?: Exchange, detail?: string): Judgement => ({
  kind: 'pass',
  ...(evidence && { evidence }),
  ...(detail !== undefined && { detail }),
});

export type Violation = Extract<Judgement, { readonly kind: 'violation' }>;

export const violation = (expected: string, actual: string, evidence?: Exchange): Violation => ({
  kind: 'violation',
  expected,
  actual,
  ...(evidence && { evidence }),
});

export const warning = (expected: string, actual: string, evidence: Exchange): Judgement => ({
  ...violation(expected, actual, evidence),
  onlyWarns: true,
});

export const observed = (behaviour: string, evidence?: Exchange): Judgement => ({
  kind: 'observed',
  behaviour,
  ...(evidence && { evidence }),
});

type Inconclusive = Extract<Judgement, { readonly kind: 'inconclusive' }>;

export const inconclusive = (
  reason: InconclusiveReason,
  detail: string,
  evidence?: Exchange,
): Inconclusive => ({
  kind: 'inconclusive',
  reason,
  detail,
  ...(evidence && { evidence }),
});

export const notApplicable = (reason: NotApplicableReason, detail: string): Judgement => ({
  kind: 'not-applicable',
  reason,
  detail,
});

/** The judgement where the rule's precondition did not arise. */
export const notTriggered = (detail: string): Judgement => notApplicable('not-triggered', detail);

/** Thrown to end a check or a step with its judgement: the rest of it is not run. */
export class Stop extends Error {
  override readonly name = 'Stop';
  readonly judgement: Judgement;

  constructor(judgement: Judgement) {
    super(judgement.kind);
    this.judgement = judgement;
  }

  /** Why the check could not be judged; undefined where the judgement is not inconclusive. */
  get reason(): InconclusiveReason | undefined {
    return this.judgement.kind === 'inconclusive' ? this.judgement.reason : undefined;
  }
}

/** A Stop that makes the check inconclusive. @param evidence the exchange that decided it */
export const cannotTell = (reason: InconclusiveReason, detail: string, evidence?: Exchange): Stop =>
  new Stop(inconclusive(reason, detail, evidence));

/** Resolves to what part of a check returns, or to the judgement that it stops with. */
export const judgementOf = <Value>(part: Promise<Value>): Promise<Value | Judgement> =>
  part.catch((error: unknown) => {
    if (error instanceof Stop) return error.judgement;
    throw error;
  });
