// Defines what a step of a flow may use. A method that cannot go on ends the step with a judgement of its own.
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import type { Ask } from '../http/ask.ts';
import { type Exchange, statusOf } from '../http/exchange.ts';
import {
  type InconclusiveReason,
  type Judgement,
  notTriggered,
  observed,
  pass,
  violation,
} from '../judgement.ts';
import type { Form } from '../players/body-template.ts';
import type { Player } from '../players/player.ts';
import type { Context } from '../probe/context.ts';
import { guessesPattern } from '../probe/gate.ts';
import type { Routed } from '../probe/served/verdict.ts';
import { asStated, likeliestAsk, type Speaker, saidSomehow, saying, waysToSay } from './body-variants.ts';
import type { Step } from './flow.ts';
import { identify, type Proof } from './identify.ts';
import { accepted, refusedWhy, servedOrStop, silenced } from './refusal.ts';
import type { Played } from './scenario.ts';
import { setting } from './setting.ts';
import type { Snapshot } from './snapshot.ts';
import { cannotTell, Stop } from './stop.ts';
import { seeing, type View } from './views.ts';

export interface Saying extends Ask {
  /** What the body has to carry, by placeholder (`other.id`, `value` …): a form that cannot is not sent. */
  readonly carry?: Readonly<Record<string, string | number>>;
  /** What the body may say besides, the most telling first: guesses that do go before plainer ones. */
  readonly offer?: Readonly<Record<string, string>>;
  /** What shows that it was done: where the body is a guess, further forms are tried until it does. */
  readonly until?: View;
  /** Or what no longer shows once it was done. */
  readonly untilGone?: View;
  /** It is a report, and all that it reports stands in its body: what does not come of a guessed one is nobody's fault. */
  readonly reports?: true;
  /** A body of the profile's that has no place for what is carried will do: nothing looks for it afterwards. */
  readonly anyFixed?: true;
  /**
   * What of it is ours and nobody's word, in words: a target may refuse it, and is not held to what it does with it
   * either, where that is looked for.
   */
  readonly madeUp?: string;
  /** What a target need not take, in words: it is then refused, which is no fault whatever the profile says. */
  readonly mayRefuse?: string;
}

interface Setting extends Omit<Saying, 'until' | 'untilGone'> {
  /** A word that nobody else writes, where the body has a place for one. */
  readonly value: string;
  /** The placeholder that stands for it; default: `value`. */
  readonly as?: string;
  /** Where a value shows once it is set. */
  readonly shownIn: (value: string) => View;
}

/** What was set, and shown. */
export interface Kept {
  readonly value: string;
  /** It is a word of ours, that nobody else writes; not what the profile's body says each time. */
  readonly isOwn: boolean;
}

/** The people of a scenario, and each of them in further sessions, where `signInAgain` made some. */
export type Again<Role extends string> = Role | `${Role} again` | `${Role} once more`;

export interface StepContext<Role extends string> {
  readonly player: (role: Role) => Player;
  /** The id by which others name this player; ends the step where the target told none. */
  readonly id: (role: Role) => string;
  /** Ends the step where nobody could sign in: as a violation, where the profile says how that is done. */
  readonly signedIn: () => void;
  /** The role's person signs in once more, with a session that is not renewed; false where that is refused. */
  readonly signInAgain: (role: Role, as?: 'again' | 'once more') => Promise<boolean>;
  /** What an earlier step returned; ends this one as `prerequisite-failed` where that one did not pass. */
  readonly of: <Value>(step: Step<Value>) => Value;
  /** Puts a call as it stands, by a role or by nobody, and judges nothing. */
  readonly put: (role: Role | undefined, operation: Operation, ask?: Ask) => Promise<Exchange>;
  /** Puts a call that has to be done: accepted, with what the body has to carry. */
  readonly done: (role: Role | undefined, operation: Operation, saying?: Saying) => Promise<Exchange>;
  /** Sets a value and sees it: a word of ours, or else what the profile's body fixes, for that is what was sent. */
  readonly sets: (role: Role | undefined, operation: Operation, setting: Setting) => Promise<Kept>;
  /** A call that was put before has to have been done. */
  readonly wasDone: (operation: Operation, exchange: Exchange) => Promise<void>;
  /** Does this while nobody else of this run is in the queue. Not to be nested. */
  readonly aloneInQueue: <Value>(work: () => Promise<Value>) => Promise<Value>;
  /** The operation's effect showed, so the body that it was sent is a guess no more. */
  readonly worked: (operation: Operation) => void;
  /** The same call as `done` puts it, to be put by other means: nothing is judged. */
  readonly likeliestAsk: (role: Role, operation: Operation, saying?: Saying) => Ask;
  /** Bodies that the operation may take, likeliest first; the profile's alone where it gives one. */
  readonly forms: (operation: Operation) => readonly Form[];
  /** Is the operation served, by evidence against controls? */
  readonly routed: (operation: Operation) => Promise<Routed>;
  /** Does the call name a version pattern that nobody gave? What it is answered is then no fault. */
  readonly guessesPattern: (operation: Operation) => boolean;
  /** An identifier in an answer: where the profile says, by its name, or by proof. */
  readonly identifier: (from: Exchange, operation: Operation, name: string, proof?: Proof) => Promise<string>;
  /** A read shows a value, at once or eventually. */
  readonly sees: (role: Role | undefined, view: View) => Promise<Exchange>;
  /** A read still shows a value where the same player saw it before: in another place it does not count. */
  readonly stillSees: (role: Role | undefined, view: View) => Promise<Exchange>;
  /** A look at a view before its value is added, as its negative control: does it show the value already, anywhere? */
  readonly sampleBefore: (role: Role | undefined, view: View) => Promise<boolean>;
  /** Does an answer show a value where it was seen before? Where it was never seen, anywhere. */
  readonly shows: (role: Role | undefined, view: View, answer: Exchange) => boolean;
  /**
   * A read no longer shows a value where it was seen, or shows nothing; that it could is for an earlier step to have
   * shown. In another place it may be a history.
   */
  readonly seesNot: (role: Role | undefined, view: View) => Promise<Exchange>;
  /** What a read shows now; ends the step where it is not answered 2xx. */
  readonly snapshot: (role: Role, operation: Operation, ask?: Ask) => Promise<Snapshot>;
  /** The same once copies that lag have caught up: what comes late must not be taken for what was done next. */
  readonly settled: (role: Role, operation: Operation, ask?: Ask) => Promise<Snapshot>;
  /** Does the read show something else than before, at once or eventually? */
  readonly hasChanged: (role: Role, before: Snapshot, operation: Operation, ask?: Ask) => Promise<boolean>;
  /**
   * A look that shows something else than before, at once or when copies have caught up, and then lastingly: a clock in
   * an answer is no change. For what is observed; undefined where there is none.
   */
  readonly changed: (role: Role, before: Snapshot, operation: Operation) => Promise<Snapshot | undefined>;
  /** Do two snapshots show something else, what changes by itself aside? */
  readonly differs: (before: Snapshot, after: Snapshot) => boolean;
  /** Do they show the same? Looks again where they seem not to, since that is going to be a fault. */
  readonly isStill: (before: Snapshot, after: Snapshot) => Promise<boolean>;
  /** Does an answer mention a value anywhere? */
  readonly mentioned: (exchange: Exchange, value: string) => boolean;
  /** The texts in a JSON answer that stand under names of this pattern, each once. */
  readonly values: (exchange: Exchange, name: RegExp) => readonly string[];
  /** Does a read come to show a value, or, where `gone`, to show it no more? For what either way is no fault. */
  readonly comes: (role: Role | undefined, view: View, gone?: 'gone') => Promise<boolean>;
  /** What has to be so, in words; `actual` is told where it is not. */
  readonly expect: (holds: boolean, expected: string, actual: string, evidence?: Exchange) => void;
  /** Nothing is asserted: which behaviour the target chose, for the ledger. */
  readonly observe: (behaviour: string, evidence?: Exchange) => void;
  /** Puts a call whose answer nothing is known of, and notes its status for the ledger. */
  readonly observeAnswer: (role: Role | undefined, operation: Operation, ask?: Ask) => Promise<Exchange>;
  /** Told beside a pass. */
  readonly note: (detail: string) => void;
  /** Ends the step: what it is about did not happen here, which is no fault. */
  readonly notTriggered: (detail: string) => never;
  readonly cannotTell: (reason: InconclusiveReason, detail: string) => never;
  /** A word that nobody else in this run or another writes. */
  readonly unique: (word: string) => string;
  /**
   * Puts something back once the run is over, with what it has to carry in whichever body is taken; `instead` is another
   * operation that does so, should the first not.
   */
  readonly later: (role: Role, operation: Operation, how?: Saying, instead?: Operation) => void;
}

// Makes the context of one step.
export function createStepContext(
  played: Played,
  context: Context,
): { stepContext: StepContext<string>; judgement: () => Judgement | undefined } {
  const { flows } = context;
  let judgement: Judgement | undefined;
  const notes: string[] = [];

  const player = (role: string): Player => {
    const found = played.people.get(role);
    if (found === undefined) throw new Error(`nobody plays ${role} here`);
    return found;
  };
  const playerOf = (role: string | undefined) => (role === undefined ? undefined : player(role));
  const put = async (role: string | undefined, operation: Operation, ask: Ask = {}) => {
    const who = playerOf(role);
    return flows.send(who, operation, asStated(operation, ask, { context, player: who }));
  };
  const note = (detail: string) => notes.push(detail);
  const views = { put, note, context, shownPlaces: played.shownPlaces };
  const speakerOf = (role: string | undefined): Speaker => ({
    ...views,
    player: playerOf(role),
    role,
    guessed: played.guessed,
    taken: played.taken,
  });

  const stepContext: StepContext<string> = {
    player,
    put,
    note,
    unique: flows.unique,
    id(role) {
      const { id } = player(role);
      if (id === undefined) throw cannotTell('unknown-resource', `no answer told the id of the ${role}`);
      return id;
    },
    signedIn() {
      const fault = flows.loginFault();
      const expected = 'a credential where the profile says that it stands';
      if (fault !== undefined) throw new Stop({ ...violation(expected, fault), level: 'profile' });
      const why = context.noSession();
      if (why !== undefined) throw cannotTell('no-session', why);
    },
    async signInAgain(role, as = 'again') {
      const twice = await flows.double(player(role));
      if (twice === undefined) return false;
      played.people.set(`${role} ${as}`, twice);
      return true;
    },
    of({ name }) {
      const before = played.judgements.get(name);
      if (before === undefined) throw new Error(`${name} is no earlier step of this scene`);
      // What rests on something that honestly did not happen does not happen either.
      if (before.kind === 'not-applicable') throw new Stop(before);
      if (!played.values.has(name)) throw cannotTell('prerequisite-failed', `${name}: ${inWords(before)}`);
      return played.values.get(name) as never;
    },
    sets: (...args) => setting(stepContext)(...args),
    done: async (role, operation, asked = {}) => saying(operation, asked, speakerOf(role)),
    async wasDone(operation, exchange) {
      silenced(exchange);
      if (!accepted(operation, exchange, context))
        throw new Stop((await refusedWhy(operation, exchange, context)).judgement);
    },
    async aloneInQueue(work) {
      // Whether its operations are served is found out by calls that would wait for the work to end.
      await Promise.all(Object.values(areas.queue).map(context.routed));
      return flows.aloneInQueue(work);
    },
    worked(operation) {
      played.guessed.delete(operation.id);
      const form = played.taken.get(operation.id);
      if (form?.from === 'guess') flows.took(operation, form);
    },
    likeliestAsk: (role, operation, asked = {}) => likeliestAsk(operation, asked, speakerOf(role)),
    forms: flows.forms,
    routed: context.routed,
    guessesPattern: (operation) => guessesPattern(operation, context),
    identifier: (from, operation, name, proof) => identify(from, { operation, name, proof, flows }),
    ...seeing(views),
    expect(holds, expected, actual, evidence) {
      if (!holds) throw new Stop(violation(expected, actual, evidence));
    },
    observe(behaviour, evidence) {
      judgement = observed(behaviour, evidence);
    },
    async observeAnswer(role, operation, ask) {
      const exchange = await put(role, operation, ask);
      silenced(exchange);
      if (statusOf(exchange) >= 400) await servedOrStop(operation, context);
      judgement = observed(`${statusOf(exchange)}`, exchange);
      return exchange;
    },
    notTriggered(detail) {
      throw new Stop(notTriggered(detail));
    },
    cannotTell(reason, detail) {
      throw cannotTell(reason, detail);
    },
    later(role, operation, how = {}, instead) {
      const speaker = speakerOf(role);
      const ways = () => (how.carry === undefined ? [how] : waysToSay(operation, how, speaker));
      // Where no body is known that says it, that is told now; which one was taken, once it is over.
      for (const way of ways()) asStated(operation, way, speaker);
      if (instead) asStated(instead, {}, speaker);
      flows.later({
        scenario: played.purpose,
        operation,
        put: () => saidSomehow(operation, ways(), speaker),
        ...(instead && { instead: () => put(role, instead) }),
      });
    },
  };
  return {
    stepContext,
    judgement: () => judgement ?? (notes.length > 0 ? pass(undefined, notes.join('; ')) : undefined),
  };
}

function inWords(judgement: Judgement): string {
  if (judgement.kind === 'violation') return `expected ${judgement.expected}, got ${judgement.actual}`;
  return judgement.kind === 'inconclusive' ? `${judgement.reason}, ${judgement.detail}` : judgement.kind;
}
